"""Compare two functions that apply RoPE: where they part first, and how."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, SupportsIndex

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
    one: Rotary, other: Rotary, head_dim: SupportsIndex, *, tolerance: float = 1e-3
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
        If a function cannot be called, `head_dim` is no integer, or a result does not hold real
        numbers.
    ValueError
        If `head_dim` or `tolerance` are not allowed, or a result has another shape than x.

    See Also
    --------
    check_rope : Says of one function what it does.

    Notes
    -----
    At each position a rotary function is a matrix, and the images of the unit vectors are its
    columns. They are compared from position 0 on, and round lengths at which lists change and
    tables end, up to 131 072: several tokens in one call, then one at a time. Between a position
    where they agree and one where they part, the first is looked for by halves.

    Examples
    --------
    >>> from posenc import rope
    >>> from posenc.diagnose import compare_rope
    >>> def mine(x, positions):
    ...     return rope(x, positions, base=500_000.0)
    >>> print(compare_rope(rope, mine, 64))
    They part at position 1, most in columns 6 and 7: the same pairs, other angles; there the
    second turns by 0.292 radians, the first by 0.422.
    """
    for name, function in (("one", one), ("other", other)):
        if not callable(function):
            raise TypeError(f"{name} must be callable, got {shown(function)}")
    width = even_width(head_dim, "head_dim")
    allowed = real_number(tolerance, "tolerance")
    if allowed <= 0:
        raise ValueError(f"tolerance must be positive, got {shown(tolerance)}")
    pair = _Pair(one, other, width, allowed)
    for end in ENDS:
        places = np.arange(0 if end == ENDS[0] else end - TOKENS // 2, end + TOKENS // 2)
        if (parted := pair.first_of(places)) is not None:
            return _together(pair, places, parted)
    for end in ENDS:
        for place in range(0 if end == ENDS[0] else end - TOKENS // 2, end + TOKENS // 2):
            if pair.parts_at(place):
                how = _how(*pair.at(place), place)
                said = f"Together they agree; one token at a time they part at position {place}: "
                return pair.report(said + how, place, alone=True)
    last, most = max(pair.seen), max(pair.seen.values())
    return pair.report(
        f"They agree, together and one token at a time, at {len(pair.seen)} positions up to "
        f"{last}: entries of unit vectors differ by at most {most:.1g}."
    )


class _Pair:
    """Two functions that are asked the same, and what was seen of them."""

    def __init__(self, one: Rotary, other: Rotary, width: int, allowed: float) -> None:
        self.both = one, other
        self.width = width
        self.allowed = allowed
        self.seen: dict[int, float] = {}

    def at(self, *places: int) -> tuple[Matrix, Matrix]:
        """Return the matrices of both at the last of the positions of one call."""
        first, second = (_matrices(each, np.array(places), self.width) for each in self.both)
        return first[-1], second[-1]

    def first_of(self, places: NDArray[np.int64]) -> int | None:
        """Return the first position of one call at which they part, or None."""
        first, second = (_matrices(each, places, self.width) for each in self.both)
        for place, f, g in zip(places.tolist(), first, second, strict=True):
            if self._apart(place, f, g):
                return int(place)
        return None

    def parts_at(self, place: int) -> bool:
        """Return whether they part at a position that is alone in its call."""
        return self._apart(place, *self.at(place))

    def _apart(self, place: int, f: Matrix, g: Matrix) -> bool:
        gap = float(np.abs(f - g).max())
        self.seen[place] = max(gap, self.seen.get(place, 0.0))
        return not gap <= self.allowed + GROWTH * place  # NaN is apart

    def report(self, text: str, place: int | None = None, *, alone: bool = False) -> RopeComparison:
        """Return what was found, with the columns that differ most at a position."""
        columns = None if place is None else _columns(*self.at(place))
        seen = tuple(sorted(self.seen.items()))
        return RopeComparison(place is None, text, place, columns, alone, seen)


def _together(pair: _Pair, places: NDArray[np.int64], parted: int) -> RopeComparison:
    """Return the report on functions that part within a call of several tokens."""
    alone = next((k for k in places.tolist() if k >= parted and pair.parts_at(k)), None)
    if alone is None:
        said = f"In a call of {places.size} tokens they part at position {parted}: "
        first, second = (_matrices(each, places, pair.width) for each in pair.both)
        at = places.tolist().index(parted)
        said += _how(first[at], second[at], parted) + " One token at a time they agree there."
        return replace(
            pair.report(said, parted), columns=_columns(first[at], second[at]), same=False
        )
    low = max((k for k in pair.seen if k < parted), default=-1)
    high = alone
    while high - low > 1:  # between a position where they agree and one where they part
        middle = (low + high) // 2
        low, high = (low, middle) if pair.parts_at(middle) else (middle, high)
    columns = _columns(*pair.at(high))
    where = (
        f"columns {columns[0]} and {columns[1]}" if len(columns) == 2 else f"column {columns[0]}"
    )
    said = f"They part at position {high}, most in {where}: {_how(*pair.at(high), high)}"
    if high > parted:
        said += (
            f" In a call that reaches {high} they part at {parted} too: what they do depends on "
            "the length."
        )
    return pair.report(said, high)


def _matrices(function: Rotary, places: NDArray[np.int64], width: int) -> NDArray[np.float64]:
    """Return what a function does to the unit vectors, in one call: (positions, d, d)."""
    given = np.tile(np.eye(width)[np.newaxis, :, np.newaxis], (1, 1, places.size, 1))
    result = np.asarray(function(given.copy(), places.copy()))
    if result.dtype.kind not in "iuf":
        raise TypeError(f"the result must hold real numbers, got {shown(result)}")
    if result.shape != given.shape:
        raise ValueError(f"the result must have the shape of x, {given.shape}, got {result.shape}")
    # The image of unit vector i stands in row i: the transpose is the matrix. It is a copy, since
    # the function may use its array again.
    matrices: NDArray[np.float64] = result.astype(np.float64)[0].transpose(1, 2, 0)
    return matrices


def _columns(f: Matrix, g: Matrix) -> tuple[int, ...]:
    """Return the columns of the pair whose results differ most."""
    gaps = np.abs(f - g)
    column = int(np.unravel_index(gaps.argmax(), gaps.shape)[1])
    return max(_pair(f, column), _pair(g, column), key=len)


def _pair(matrix: Matrix, column: int) -> tuple[int, ...]:
    """Return a column and the one it is turned with."""
    sizes = np.abs(matrix[:, column]).copy()
    sizes[column] = 0
    partner = int(sizes.argmax())
    return tuple(sorted((column, partner))) if sizes[partner] > 1e-6 else (column,)


def _how(f: Matrix, g: Matrix, place: int) -> str:
    """Return in words how one matrix differs from another at a position."""
    pair = _columns(f, g)
    if not np.isfinite(f).all() or not np.isfinite(g).all():
        return "an entry is NaN or infinite."
    if not (f.any() and g.any()):
        return f"the {'first' if g.any() else 'second'} gives zeros alone."
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
    still = [bool(np.abs(each - np.eye(len(f))).max() < 1e-6) for each in (f, g)]
    if any(still) and place:
        return f"the {'second' if still[1] else 'first'} does not turn at all."
    others = _pair(g, pair[0])
    if _pair(f, pair[0]) != others and place:
        first, second = (
            f"turns columns {each[0]} and {each[1]} together"
            if len(each) == 2
            else f"leaves column {each[0]} alone"
            for each in (_pair(f, pair[0]), others)
        )
        return f"the first {first}, the second {second}."
    if len(pair) == 1:
        column = pair[0]
        first, second = (f"{each[column, column]:.3g}" for each in (f, g))
        return f"the second multiplies column {column} by {second}, the first by {first}."
    low, high = pair
    turns = [float(np.arctan2(each[high, low], each[low, low])) for each in (f, g)]
    return (
        "the same pairs, other angles; there the second turns by "
        f"{turns[1]:.3g} radians, the first by {turns[0]:.3g}."
    )
