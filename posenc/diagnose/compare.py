"""Compare two functions that apply RoPE: where they part first, and how."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from posenc._checks import even_width, plain_tensor, real_number, shown, whole_number
from posenc.diagnose.probe import NEAR, PROMPT, UNSORTED, Probe, first_between

Matrix = NDArray[np.float64]
Rotary = Callable[[Matrix, NDArray[np.int64]], Any]

FIRST, TOKENS = 20, 4  # of the first call, and of one further down
# Where calls begin: near, and round the lengths at which lists, caches and tables end.
ENDS = (128, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536, 131_072)
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
    tolerance: float = 1e-3,
    last: SupportsIndex = 131_073,
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
    last : int, optional
        The last position to look at, 24 or more. If both functions refuse positions before it,
        they are compared as far as they go.

    Returns
    -------
    RopeComparison
        Print it. Its ``position`` and ``columns`` say where the two part first.

    Raises
    ------
    TypeError
        If a function cannot be called, `head_dim` or `last` is no integer, or a result does not
        hold real numbers.
    ValueError
        If `head_dim`, `tolerance` or `last` are not allowed, or a result has another shape than x.

    See Also
    --------
    check_rope : Says of one function what it does.

    Notes
    -----
    At each position a rotary function is a matrix, and the images of the unit vectors are its
    columns. They are compared from position 0 on, and round lengths at which lists change and
    tables end: several tokens in one call, then one at a time; then a prompt of 4200 tokens, a
    batch, and another order. Between a position where they agree and one where they part, the first
    is looked for by halves. How they differ is said of all positions that were looked at again, or
    else measured at the one where they part.

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
    farthest = whole_number(last, "last", least=NEAR, most=2**53)
    pair = _Pair(one, other, width, allowed)
    end, refused = pair.limit(farthest)
    ends = [(0, FIRST)] + [(k - TOKENS // 2, k + TOKENS // 2) for k in ENDS if k + 2 <= end]
    ends += [(end - TOKENS, end)] if ends[-1][1] < end else []
    for begin, past in ends:
        if (parted := pair.first_of(np.arange(begin, past))) is not None:
            if said := pair.by_head(parted):
                return replace(pair.report(said), same=False, position=parted)
            return _together(pair, np.arange(begin, past), parted)
    for begin, past in ends:
        for place in range(begin, past, 1 if past == FIRST else TOKENS // 2):
            if pair.parts_at(place):
                how = _how(pair, place)
                said = f"Together they agree; one token at a time they part at position {place}: "
                return pair.report(said + how, place, alone=True)
    if refused and refused[1]:
        return replace(pair.report(refused[0]), same=False, position=end)
    if parts := pair.part_as_used(end):
        return replace(pair.report(parts[0]), same=False, position=parts[1])
    far, most = max(pair.seen), max(pair.seen.values())
    return pair.report(
        f"They agree, together and one token at a time, in a prompt, a batch and another order, at "
        f"{len(pair.seen)} positions up to {far}: entries of unit vectors differ by at most "
        f"{most:.1g}.{' ' + refused[0] if refused else ''}"
    )


class _Pair:
    """Two functions that are asked the same, and what was seen of them."""

    def __init__(self, one: Rotary, other: Rotary, width: int, allowed: float) -> None:
        self.both = one, other
        self.width = width
        self.allowed = allowed
        self.seen: dict[int, float] = {}

    def limit(self, last: int) -> tuple[int, tuple[str, bool] | None]:
        """Return the first position to leave out: if a function refuses it, with what it says."""
        x = np.ones((1, 1, 1, self.width))

        def refuses(function: Rotary, place: int) -> str:
            try:
                function(x.copy(), np.array([place]))
            except (MemoryError, TimeoutError):
                raise
            except Exception as error:
                return f"{type(error).__name__}: {error}"
            return ""

        limits = [last + 1, last + 1]
        for row, function in enumerate(self.both):
            places = [0, *(k for k in ENDS if k < last), last]
            bad = next((k for k in places if refuses(function, k)), 0)
            if bad:
                good = max(k for k in places if k < bad)

                def refused(k: int, each: Rotary = function) -> bool:
                    return bool(refuses(each, k))

                limits[row] = first_between(good, bad, refused)
        end = min(limits)
        if end > last:
            return end, None
        if end < NEAR:
            for function in self.both:
                function(x.copy(), np.array([end]))  # raises what it raises
        which = "Both raise" if limits[0] == limits[1] else "The second raises"
        which = "The first raises" if limits[0] < limits[1] else which
        why = refuses(self.both[int(limits[1] < limits[0])], end)
        said = f"{which} from position {end} on ({why})."
        if limits[0] != limits[1]:
            said = f"They part at position {end}: {said[0].lower()}{said[1:]}"
        return end, (said, limits[0] != limits[1])

    def part_as_used(self, end: int) -> tuple[str, int] | None:
        """Return where they part in a prompt, a batch or another order, in words, if they do."""
        probes = [Probe(each, self.width, np.dtype(float)) for each in self.both]
        prompt = np.arange(min(PROMPT, end))
        for name, shape, places in (
            (f"a prompt of {prompt.size} tokens", (1, 1), prompt),
            ("a batch of three", (3, 2), np.arange(NEAR)),
            ("a call whose positions are in another order", (1, 2), np.array(UNSORTED)),
            ("a call of 64 heads", (1, 64), np.arange(5, 8)),
        ):
            x = probes[0].draw(*shape, len(places))
            found = [probe.ask(name, x, places) for probe in probes]
            for which, call in zip(("first", "second"), found, strict=True):
                if call.result is None:
                    return f"They part in {name}: of the {which}, {call.problem}", int(places[0])
            gaps = np.abs(np.subtract(*(call.result for call in found)))  # type: ignore[arg-type]
            bad = gaps > 4 * (self.allowed + GROWTH * places[:, np.newaxis])
            if bad.any():
                token = int(np.flatnonzero(bad.any(axis=(0, 1, 3)))[0])
                text, head, column = np.argwhere(bad[:, :, token])[0].tolist()
                return (
                    f"One by one they agree, but they part in {name}: at token {token} (position "
                    f"{places[token]}), text {text}, head {head}, column {column}, by "
                    f"{gaps[text, head, token, column]:.2g}."
                ), int(places[token])
        return None

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

    def by_head(self, place: int) -> str:
        """Return what is said if a function does not do the same to all heads."""
        for which, function in zip(("first", "second"), self.both, strict=True):
            one = _matrices(function, np.array([place]), self.width)[0]
            other = _matrices(function, np.array([place]), self.width, -1)[0]
            if np.abs(one - other).max() > self.allowed + GROWTH * place:
                gaps = np.abs(np.subtract(*self.at(place))).max(axis=0)
                head = int(np.flatnonzero(gaps > self.allowed)[0]) if gaps.max() > 0 else 0
                return (
                    f"They part at position {place}, in head {head} of {self.width}: the {which} "
                    "does not do the same to all heads."
                )
        return ""

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
        said += _measured(first[at], second[at], parted) + " One token at a time they agree there."
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
    said = f"They part at position {high}, most in {where}: {_how(pair, high)}"
    if high > parted:
        said += (
            f" In a call that reaches {high} they part at {parted} too: what they do depends on "
            "the length."
        )
    return pair.report(said, high)


def _matrices(
    function: Rotary, places: NDArray[np.int64], width: int, order: int = 1
) -> NDArray[np.float64]:
    """Return what a function does to the unit vectors, in one call: (positions, d, d).

    Each is a head; with the order -1 the first one is the last head.
    """
    given = np.tile(np.eye(width)[np.newaxis, ::order, np.newaxis], (1, 1, places.size, 1))
    result = np.asarray(plain_tensor(function(given.copy(), places.copy())))
    if result.dtype.kind not in "iuf":
        raise TypeError(f"the result must hold real numbers, got {shown(result)}")
    if result.shape != given.shape:
        raise ValueError(f"the result must have the shape of x, {given.shape}, got {result.shape}")
    # The image of unit vector i stands in row i: the transpose is the matrix. It is a copy, since
    # the function may use its array again.
    matrices: NDArray[np.float64] = result.astype(np.float64)[0, ::order].transpose(1, 2, 0)
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


def _how(pair: _Pair, place: int) -> str:
    """Return in words how the functions differ: a rule that makes one of the other, or numbers."""
    known = sorted(pair.seen)
    places = sorted({0, 1, 2, 7, NEAR - 1, place, *known[:: max(1, len(known) // 8)]})
    seen = [pair.at(k) for k in places]
    f, g = seen[places.index(place)]
    order = np.r_[0 : len(f) : 2, 1 : len(f) : 2]
    size = float((f * g).sum() / (f * f).sum()) if f.any() else 0.0
    turned = "the same angles in other pairs, the first turns {}, the second {}."
    rules: dict[str, Callable[[Matrix, Matrix], Any]] = {
        "the second turns the other way round.": lambda a, b: a.T - b,
        turned.format("neighbours", "halves"): lambda a, b: a[np.ix_(order, order)] - b,
        turned.format("halves", "neighbours"): lambda a, b: b[np.ix_(order, order)] - a,
        f"the second is {size:.6g} times the first.": lambda a, b: size * a - b,
        "the second does not turn at all.": lambda _, b: np.eye(len(b)) - b,
        "the first does not turn at all.": lambda a, _: np.eye(len(a)) - a,
    }
    for said, rule in rules.items():
        if all(
            np.abs(rule(a, b)).max() < 1e-3 + GROWTH * k
            for k, (a, b) in zip(places, seen, strict=True)
        ):
            return said
    return _measured(f, g, place)


def _measured(f: Matrix, g: Matrix, place: int) -> str:
    """Return in words how one matrix differs from another at a position."""
    pair = _columns(f, g)
    if not np.isfinite(f).all() or not np.isfinite(g).all():
        return "an entry is NaN or infinite."
    if not (f.any() and g.any()):
        return f"there the {'first' if g.any() else 'second'} gives zeros alone."
    others = _pair(g, pair[0])
    if _pair(f, pair[0]) != others and place:
        first, second = (
            f"turns columns {each[0]} and {each[1]} together"
            if len(each) == 2
            else f"leaves column {each[0]} alone"
            for each in (_pair(f, pair[0]), others)
        )
        return f"there the first {first}, the second {second}."
    if len(pair) == 1:
        column = pair[0]
        first, second = (f"{each[column, column]:.3g}" for each in (f, g))
        return f"there the second multiplies column {column} by {second}, the first by {first}."
    low, high = pair
    turns = [float(np.arctan2(each[high, low], each[low, low])) for each in (f, g)]
    digits = next(n for n in range(3, 17) if n == 16 or len({f"{t:.{n}g}" for t in turns}) == 2)
    return (
        "the same pairs, other angles; there the second turns by "
        f"{turns[1]:.{digits}g} radians, the first by {turns[0]:.{digits}g}."
    )
