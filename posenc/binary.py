"""Positions in binary, the pattern that the sinusoidal encoding smooths."""

from typing import SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc._checks import position_array, shown, whole_number


def binary_code(positions: ArrayLike, width: SupportsIndex) -> NDArray[np.int64]:
    """Return the bits of each position, the least significant first.

    Parameters
    ----------
    positions : int or array_like of whole numbers
        An int n means the positions 0 to n - 1, an array of any shape those it holds.
        None may be negative or need more than `width` bits.
    width : int
        Number of bits, from 1 to 53.

    Returns
    -------
    ndarray of int64, shape positions.shape + (width,)
        Column b holds bit b, floor(k / 2**b) mod 2, which flips every 2**b positions. Integers
        are signed, so that two codes can be subtracted. For an int n the shape is (n, width).

    References
    ----------
    Kazemnejad, "Transformer Architecture: The Positional Encoding", 2019, draws the analogy.

    Examples
    --------
    >>> from posenc import binary_code
    >>> print(binary_code(4, 3))
    [[0 0 0]
     [1 0 0]
     [0 1 0]
     [1 1 0]]
    """
    # Whole numbers up to 2**53 are exact in float64, the form in which positions are checked.
    bits = whole_number(width, "width", least=1, most=53)
    checked = position_array(positions)
    wrong = (checked < 0) | (checked >= 2.0**bits) | (checked != np.floor(checked))
    if wrong.any():
        raise ValueError(
            f"positions must be whole numbers from 0 to {2**bits - 1} to fit in {bits} bits, "
            f"got {checked[wrong][0]:.17g} in {shown(positions)}"
        )
    code: NDArray[np.int64] = checked[..., np.newaxis].astype(np.int64) >> np.arange(bits)
    code &= 1
    return code
