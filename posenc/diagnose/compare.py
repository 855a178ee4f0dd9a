"""Compare two functions that apply RoPE: where they part first, and how."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, SupportsFloat, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from posenc._checks import even_width, real_number, shown

Matrix = NDArray[np.float64]
Rotary = Callable[[Matrix, NDArray[np.int64]], Any]

TOKENS = 8  # of a call
# Where calls begin: near, and round the lengths at which lists, caches and tables end.
ENDS = (16, 128, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536, 131_072)
# A float32 angle is off by up to 6e-8 of itself, and the frequency in it by as much again.
GROWTH = 2e-7


@dataclass(frozen=True)
class RopeComparison:
    """Where two rotary functions part, if they do.

    Attributes
    ----------
    same : bool
        Whether they agree wherever they were called.
    text : str
        All of it in words; what ``print`` shows.
    position : int or None
        The first position at which they part.
    columns : tuple of int or None
        The columns of the pair whose results differ most there.
    alone : bool
        Whether they part only where tokens come one at a time, as with a cache.
    differences : tuple of (int, float)
        The largest difference in any entry at each position that was looked at.
    """

    same: bool
    text: str
    position: int | None
    columns: tuple[int, ...] | None
    alone: bool
    differences: tuple[tuple[int, float], ...]

    def __str__(self) -> str:
        """Return the comparison in words."""
        return self.text


def compare_rope(
    one: Rotary,
    other: Rotary,
    head_dim: SupportsIndex,
    *,
    tolerance: SupportsFloat = 1e-3,
) -> RopeComparison:
    r"""Return where two functions that apply RoPE part first: position, columns, and how.

    Parameters
    ----------
    one, other : callable
        Each is called as ``function(x, positions)``, with x of shape (1, head_dim, tokens,
        head_dim) and integer positions of shape (tokens,), and returns the turned x.
    head_dim : int
        Columns of one head, positive and even.
    tolerance : float, optional
        The largest difference of an entry that counts as none, where unit vectors are turned;
        2e-7 of the position is added, for angles in float32. For results in bfloat16: 0.02.

    Returns
    -------
    RopeComparison
        Print it. Its ``position`` and ``columns`` say where the two part first.

    Raises
    ------
    TypeError
        If `head_dim` is no integer, or a result does not hold real numbers.
    ValueError
        If `head_dim` or `tolerance` are not allowed, or a result has another shape than x.

    See Also
    --------
    check_rope : Says of one function what it does.

    Notes
    -----
    At each position a rotary function is a matrix, and the images of the unit vectors are its
    columns. They are compared from position 0 on, and round lengths at which lists change and
    tables end, up to 131 072: eight tokens in one call, then one at a time.

    Examples
    --------
    >>> from posenc import rope
    >>> from posenc.diagnose import compare_rope
    >>> def mine(x, positions):
    ...     return rope(x, positions, base=500_000.0)
    >>> print(compare_rope(rope, mine, 64))
    They part at position 1, most in columns 6 and 7: the same pairs, other angles; there the
    second turns by 0.292 radians, the first by 0.422. All 64 columns are turned in the same way
    at position 0.
    """
    width = even_width(head_dim, "head_dim")
    allowed = real_number(tolerance, "tolerance")
    if allowed <= 0:
        raise ValueError(f"tolerance must be positive, got {shown(tolerance)}")
    seen: dict[int, float] = {}
    for alone in (False, True):
        for end in ENDS:
            places = np.arange(0 if end == ENDS[0] else end - TOKENS // 2, end + TOKENS // 2)
            first, second = (_matrices(each, places, width, alone) for each in (one, other))
            for place, f, g in zip(places.tolist(), first, second, strict=True):
                gap = float(np.abs(f - g).max())
                seen[place] = max(gap, seen.get(place, 0.0))
                if not gap <= allowed + GROWTH * place:
                    return _parted(place, f, g, alone, tuple(sorted(seen.items())))
    last, most = max(seen), max(seen.values())
    said = (
        f"They agree, together and one token at a time, at {len(seen)} positions up to {last}: "
        f"entries of unit vectors differ by at most {most:.1g}."
    )
    return RopeComparison(True, said, None, None, False, tuple(sorted(seen.items())))


def _matrices(
    function: Rotary, places: NDArray[np.int64], width: int, alone: bool
) -> NDArray[np.float64]:
    """Return what a function does to the unit vectors at each position: (positions, d, d)."""
    units = np.tile(np.eye(width)[np.newaxis, :, np.newaxis], (1, 1, places.size, 1))
    calls = [slice(each, each + 1) for each in range(places.size)] if alone else [slice(None)]
    parts = []
    for call in calls:
        given = units[:, :, call].copy()
        result = np.asarray(function(given, places[call].copy()))
        if result.dtype.kind not in "iuf":
            raise TypeError(f"the result must hold real numbers, got {shown(result)}")
        if result.shape != given.shape:
            raise ValueError(
                f"the result must have the shape of x, {given.shape}, got {result.shape}"
            )
        parts.append(result.astype(np.float64))  # a copy: the function may use it again
    # The image of unit vector i stands in row i: the transpose is the matrix.
    return np.concatenate(parts, axis=2)[0].transpose(1, 2, 0)


def _parted(
    place: int, f: Matrix, g: Matrix, alone: bool, seen: tuple[tuple[int, float], ...]
) -> RopeComparison:
    """Return what differs at the first position where two functions part."""
    gaps = np.abs(f - g)
    column = int(np.unravel_index(gaps.argmax(), gaps.shape)[1])
    pair = max(_pair(f, column), _pair(g, column), key=len)
    where = f"columns {pair[0]} and {pair[1]}" if len(pair) == 2 else f"column {pair[0]}"
    how = _how(f, g, pair)
    said = f"They part at position {place}, most in {where}: {how}"
    if alone:
        said = f"Together they agree; one token at a time they part at position {place}: {how}"
    before = [k for k, _ in seen if k < place]
    if before and not alone:
        alike = "at position 0" if before == [0] else f"at {len(before)} positions before it"
        said += f" All {len(f)} columns are turned in the same way {alike}."
    return RopeComparison(False, said, place, pair, alone, seen)


def _pair(matrix: Matrix, column: int) -> tuple[int, ...]:
    """Return a column and the one it is turned with."""
    sizes = np.abs(matrix[:, column]).copy()
    sizes[column] = 0
    partner = int(sizes.argmax())
    return tuple(sorted((column, partner))) if sizes[partner] > 1e-6 else (column,)


def _how(f: Matrix, g: Matrix, pair: tuple[int, ...]) -> str:
    """Return in words how one matrix differs from another."""
    if not np.isfinite(f).all() or not np.isfinite(g).all():
        return "an entry is NaN or infinite."
    order = np.r_[0 : len(f) : 2, 1 : len(f) : 2]

    def near(a: Matrix, b: Matrix) -> bool:
        return bool(np.abs(a - b).max() < 1e-3)

    if near(f, g.T):
        return "the second turns the other way round."
    if near(f[np.ix_(order, order)], g) or near(g[np.ix_(order, order)], f):
        names = "neighbours", "halves"
        if not near(f[np.ix_(order, order)], g):
            names = names[::-1]
        return f"the same angles in other pairs, the first turns {names[0]}, the second {names[1]}."
    size = float((f * g).sum() / (f * f).sum())
    if near(size * f, g) and size > 0:
        return f"the second is {size:.6g} times the first."
    if (np.abs(f) > 1e-6).tolist() != (np.abs(g) > 1e-6).tolist() and _pair(g, pair[0]) != pair:
        others = " and ".join(map(str, _pair(g, pair[0])))
        return f"the second turns columns {others} together."
    if len(pair) == 1:
        return "the first leaves it alone."
    low, high = pair
    first, second = (float(np.arctan2(each[high, low], each[low, low])) for each in (f, g))
    return (
        "the same pairs, other angles; there the second turns by "
        f"{second:.3g} radians, the first by {first:.3g}."
    )
