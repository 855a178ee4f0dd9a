"""The sinusoidal encoding: its table, the matrix that shifts it, and the bits that it smooths."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from posenc import _checks as checks
from posenc._checks import AnyFloats, FloatArray, Layout
from posenc.frequencies import angles_of, split_frequencies, upper_half


@np.errstate(under="ignore")  # a sine near 0 may be too small for the type, as float16
def sinusoidal(
    positions: ArrayLike,
    d_model: SupportsIndex,
    *,
    base: float = 10_000.0,
    layout: Layout = "interleaved",
    dtype: DTypeLike = np.float64,
) -> AnyFloats:
    r"""Return the sinusoidal encoding of each position, shape positions.shape + (d_model,).

    Parameters
    ----------
    positions : int or array_like of real numbers
        An int n means the positions 0 to n - 1. An array of any shape means the positions
        it holds; they may be negative or fractional. A float means one position. No angle
        k ω_i may exceed 2**53 radians, beyond which float64 has no fractions.
    d_model : int
        Width of the encoding, positive and even.
    base : float, optional
        The constant n of the formula, positive, finite and not 1.
    layout : {"interleaved", "halves"}, optional
        Interleaved puts sin(k ω_i) in column 2i and cos(k ω_i) in column 2i + 1.
        Halves puts all sines before all cosines.
    dtype : data-type, optional
        A NumPy float type. The computation is in float64 and rounded to it once.

    Returns
    -------
    ndarray of `dtype`, shape positions.shape + (d_model,)
        Values in [-1, 1], without unit. For an int n the shape is (n, d_model).

    Notes
    -----
    .. math:: P_{k,2i} = \sin(k\,\omega_i), \qquad P_{k,2i+1} = \cos(k\,\omega_i)

    Source: Vaswani et al., "Attention Is All You Need", 2017, section 3.5.

    The error of a float64 entry is at most ``1.6e-15 + 2**-73 * abs(k * ω_i)``, for every
    width, base and position, if NumPy's sine and cosine are off by at most one unit in the
    last place. The bound follows from how the table is made; up to position 1 000 000 the
    largest error known is 3.1e-16. Other types are rounded from this once.

    The positions of an int, of a range of any length in steps of 1, and of 16 or more consecutive
    whole positions in an array are made by rotation: a few rows come from sines, and turning them
    gives the others. Such a row has the same bits in tables of any length. Other positions are
    evaluated one by one, and the last bits of their rows may differ from those made by rotation.

    Examples
    --------
    >>> from posenc import sinusoidal
    >>> print(sinusoidal(3, 4, base=100).round(3))
    [[ 0.     1.     0.     1.   ]
     [ 0.841  0.54   0.1    0.995]
     [ 0.909 -0.416  0.199  0.98 ]]
    """
    width, n = checks.even_width(d_model), checks.positive_base(base)
    sines, cosines = sine_and_cosine_columns(layout, width)
    count = checks.position_count(positions)
    k: Any = positions if count is None else range(count)
    if not isinstance(k, range) or k.step != 1:  # `_fill_by_turning` takes steps of 1 alone
        k = checks.real_array(k, "positions")
    shape = (len(k),) if isinstance(k, range) else k.shape
    table = np.empty((*shape, width), checks.float_type(dtype))
    all_rows = table.reshape(-1, width)
    for rows, of_rows in _parts(k, _rows_in_block(width)):
        if isinstance(of_rows, range):  # many consecutive positions, faster with fewer sines
            _fill_by_turning(all_rows[rows], of_rows, n, layout)
        else:
            sine, cosine = _sines_and_cosines(of_rows, width, n)
            all_rows[rows, sines], all_rows[rows, cosines] = sine, cosine
    return table


def _sines_and_cosines(k: FloatArray, d_model: int, base: float) -> tuple[FloatArray, FloatArray]:
    """Return (sin kω, cos kω) of each position k and frequency ω, each of shape (n, d_model/2).

    float64 rounds ω and kω, which at position 1 000 000 costs up to 1e-10 rad. What the rounding
    loses is computed as a second, tiny angle, and each pair is turned on by it.
    """
    omega, upper, rest = split_frequencies(d_model, base)
    k = k[:, np.newaxis]
    angle = angles_of(k, omega)
    sine, cosine = np.sin(angle), np.cos(angle)
    # Two upper halves have 26 bits each: their product is exact, and so is the difference.
    upper_k = upper_half(k)
    lost = (upper_k * upper - angle) + (k - upper_k) * upper + k * rest
    # To spare time: the sine of so small an angle is that angle to the last bit, its cosine is 1.
    tiny = np.abs(lost).max() < 2.0**-28
    s, c = (lost, 1.0) if tiny else (np.sin(lost), np.cos(lost))
    return sine * c + cosine * s, cosine * c - sine * s


# Positions that follow one another: position aB + b has row b of the first block of B rows, turned
# by aB tokens. With a pair as the complex number sin + j cos, that is one product. Blocks begin at
# multiples of B: a row has the same bits wherever a table begins and ends.

PAIRS_IN_BLOCK = 2**16  # 1 MB, for a processor's cache
SMALL_BUFFER = 256  # numbers that NumPy may copy before it multiplies; its own default is 8192
SHORTEST_RUN = 16  # positions in an array; fewer are not worth the first block, made for them

# An interleaved row of these is a row of complex numbers, and can be multiplied into.
COMPLEX: dict[Any, Any] = {np.dtype(np.float64): np.complex128, np.dtype(np.float32): np.complex64}


def _parts(k: range | FloatArray, height: int) -> Iterator[tuple[slice, range | FloatArray]]:
    """Yield (slice of the table's rows, their positions) of parts: runs as ranges, else arrays.

    A run is whole positions, each the one before plus 1: all of a range, or SHORTEST_RUN or more in
    an array. Few sines are computed for it, and `_fill_by_turning` takes it block by block, however
    long it is. All other positions come in float64 arrays of at most `height`, so that the arrays
    of their sines stay small.
    """
    # A short range comes as a range too: turned rows may differ from others in the last bit, and
    # those of a range shall be the rows of every longer one.
    if isinstance(k, range):
        yield slice(0, len(k)), k
        return
    k = k.reshape(-1)
    # A run is where each position is the one before it plus 1.
    bounds = np.r_[0, np.flatnonzero(np.diff(k) != 1) + 1, k.size].tolist()
    long = np.flatnonzero(np.diff(bounds) >= SHORTEST_RUN)
    # A range has whole positions alone. All of a run are whole if its first one is.
    runs = [(bounds[i], bounds[i + 1]) for i in long if k[bounds[i]] % 1 == 0]
    end_of_run = 0  # of the run before, if there is one
    # Each turn of the loop yields what stands before a run, then the run. An empty run at the end
    # of the positions lets it yield what follows the last one.
    for start, stop in (*runs, (k.size, k.size)):
        for row in range(end_of_run, start, height):
            rows = slice(row, min(row + height, start))
            yield rows, k[rows]
        if start < stop:
            yield slice(start, stop), range(int(k[start]), int(k[stop - 1]) + 1)
        end_of_run = stop


def _fill_by_turning(table: AnyFloats, k: range, base: float, layout: Layout) -> None:
    """Write the encodings of a range of positions, in steps of 1, into the rows of `table`."""
    if not k:  # which has no first and no last position
        return
    width = table.shape[1]
    sines, cosines = sine_and_cosine_columns(layout, width)
    kind = COMPLEX.get(table.dtype) if layout == "interleaved" else None
    height = _rows_in_block(width)
    # All in the first block: nothing to turn. Rows up to a power of 2 are made and kept, so that
    # tables of many lengths find the same few arrays in the cache.
    if k[0] >= 0 and k[-1] < height:
        rows = _rows(range(1 << k[-1].bit_length()), width, base)[k[0] : k[-1] + 1]
        table[:, sines], table[:, cosines] = rows.real, rows.imag
        return
    block = _rows(range(height), width, base)
    blocks = range(k[0] // height, k[-1] // height + 1)
    # NumPy copies `turn` for each row of a product with its default buffer, but not with a small
    # one.
    before = np.setbufsize(SMALL_BUFFER)
    try:
        # The turns of `height` blocks at once are an array as large as a block.
        for group in (blocks[i : i + height] for i in range(0, len(blocks), height)):
            # A pair of a row is sin θ + j cos θ = j exp(-jθ). Times -j that is exp(-jθ), which
            # turns a row of the block, j exp(-jφ), to j exp(-j(φ + θ)).
            turns = -1j * _rows(range(group[0] * height, group.stop * height, height), width, base)
            for number, turn in zip(group, turns, strict=True):
                # The positions of this block that are in the table: all but in the outer two.
                first, stop = max(k[0], number * height), min(k[-1] + 1, (number + 1) * height)
                rows = block[first - number * height : stop - number * height]
                filled = table[first - k[0] : stop - k[0]]
                if kind:
                    np.multiply(rows, turn, out=filled.view(kind))
                else:
                    pairs = rows * turn
                    filled[:, sines], filled[:, cosines] = pairs.real, pairs.imag
    finally:
        np.setbufsize(before)


def _rows_in_block(d_model: int) -> int:
    """Return how many rows a block has: a power of 2, of up to PAIRS_IN_BLOCK pairs or one row.

    Short tables are made from rows up to a power of 2, which are then no more than a block.
    """
    most = max(1, 2 * PAIRS_IN_BLOCK // d_model)  # 0 where one row has more pairs than that
    return 1 << (most.bit_length() - 1)


@lru_cache(maxsize=16)  # of 1 MB each, as a rule: the block and the turns of 8 kinds of tables
def _rows(k: range, d_model: int, base: float) -> NDArray[np.complex128]:
    """Return sin kω + j cos kω, shape (positions, pairs), to be read: calls share the array."""
    positions = np.arange(k.start, k.stop, k.step, dtype=np.float64)
    sine, cosine = _sines_and_cosines(positions, d_model, base)
    return sine + 1j * cosine  # in memory sine, cosine, sine, ...: the columns of the table


@np.errstate(under="ignore")  # of a tiny offset times a tiny frequency
def shift_matrix(
    offset: float, d_model: SupportsIndex, *, base: float = 10_000.0, layout: Layout = "interleaved"
) -> FloatArray:
    r"""Return the matrix M whose product M @ encoding is the encoding `offset` tokens later.

    Parameters
    ----------
    offset : float
        The shift Δ in tokens, of either sign, whole or not; no angle may exceed 2**53 radians.
    d_model, base, layout : int, float, {"interleaved", "halves"}
        Those of the encodings it acts on, as for `sinusoidal`.

    Returns
    -------
    ndarray of float64, shape (d_model, d_model)
        M(Δ), orthogonal, with ``sinusoidal(k + offset) == M @ sinusoidal(k)`` for every k.
        A whole table has positions as rows: ``table @ M.T`` shifts it.

    Notes
    -----
    In the (sin, cos) order of one pair, the block of pair i is a rotation by -ω_i Δ:

    .. math::
        \begin{pmatrix} \cos \omega_i\Delta & \sin \omega_i\Delta \\
        -\sin \omega_i\Delta & \cos \omega_i\Delta \end{pmatrix}

    The source of `sinusoidal` states that such a matrix exists; the sum formulas of sine and
    cosine prove it.

    Examples
    --------
    >>> import numpy as np
    >>> from posenc import shift_matrix, sinusoidal
    >>> table = sinusoidal(12, 8)
    >>> np.allclose(shift_matrix(5, 8) @ table[2], table[7])
    True
    """
    width = checks.even_width(d_model)
    k, n = np.array([checks.real_number(offset, "offset")]), checks.positive_base(base)
    (sine,), (cosine,) = _sines_and_cosines(k, width, n)
    columns = np.arange(width)
    sines, cosines = (columns[chosen] for chosen in sine_and_cosine_columns(layout, width))
    matrix = np.zeros((width, width))
    matrix[sines, sines] = matrix[cosines, cosines] = cosine
    matrix[sines, cosines] = sine
    matrix[cosines, sines] = -sine
    matrix += 0.0  # turns -0.0 into 0.0: no shift is the identity
    return matrix


def sine_and_cosine_columns(layout: Layout, width: int) -> tuple[slice, slice]:
    """Return (slice of the sine columns, slice of the cosine columns) of a layout of even width."""
    if checks.known_layout(layout) == "interleaved":
        return slice(0, width, 2), slice(1, width, 2)
    return slice(0, width // 2), slice(width // 2, width)


def binary_code(positions: ArrayLike, width: SupportsIndex) -> NDArray[np.int64]:
    """Return the bits of each position, least significant first, along a new last axis.

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
    # Positions are checked as float64 numbers, which are exact for whole numbers of up to 53 bits.
    bits = checks.whole_number(width, "width", least=1, most=53)
    checked = checks.position_array(positions)
    wrong = (checked < 0) | (checked >= 2.0**bits) | (checked != np.floor(checked))
    if wrong.any():
        # 17 digits show whole numbers of 53 bits exactly; `g` without a number of digits shows 6.
        raise ValueError(
            f"positions must be whole numbers from 0 to {2**bits - 1} to fit in {bits} bits, "
            f"got {checked[wrong][0]:.17g} in {checks.shown(positions)}"
        )
    return checked[..., np.newaxis].astype(np.int64) >> np.arange(bits) & 1
