"""Compare two functions that apply RoPE: where they part first, and how."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from posenc._checks import even_width, real_number, shown, whole_number
from posenc.diagnose.probe import HEADS, NEAR, Call, Probe, first_between

Matrix = NDArray[np.float64]
Rotary = Callable[[Matrix, NDArray[np.int64]], Any]

FIRST, TOKENS = 20, 4  # of the first call, and of one further down
# Where calls begin: near, and round the lengths at which lists, caches and tables end.
ENDS = (128, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536, 131_072)
ALONE = "One by one they agree, but they part in"
# A float32 angle is off by up to 6e-8 of itself, and the frequency in it by as much again.
GROWTH = 2e-7
NAMES = ("first", "second")


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
        Print it. Its ``position`` and ``columns`` say where the two part first. What a function
        raises, or returns in the place of x turned, is said there, too.

    Raises
    ------
    TypeError
        If a function cannot be called, or `head_dim` or `last` is no integer.
    ValueError
        If `head_dim`, `tolerance` or `last` are not allowed.

    See Also
    --------
    check_rope : Says of one function what it does.

    Notes
    -----
    At each position a rotary function is a matrix, and the images of the unit vectors are its
    columns. They are compared from position 0 on, and round lengths at which lists change and
    tables end: one token at a time, then several in one call; then in the calls of `check_rope`
    with short texts and a prompt of 4200 tokens. Between a position where they agree and one where
    they part, the first is looked for by halves. How they differ is said of all positions that were
    looked at again, or else measured at the one where they part.

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
    with np.errstate(invalid="ignore"):  # where neither has numbers
        return _Pair(one, other, width, allowed).compared(farthest)


class _Pair:
    """Two functions that are asked the same, and what was seen of them."""

    def __init__(self, one: Rotary, other: Rotary, width: int, allowed: float) -> None:
        self.both = [Probe(each, width, np.dtype(float)) for each in (one, other)]
        self.width, self.allowed = width, allowed
        self.seen: dict[int, float] = {}

    def compared(self, last: int) -> RopeComparison:
        """Return where they part: one token at a time, then in the calls of a text as it comes."""
        ends = [range(FIRST), *(range(k - TOKENS // 2, k + TOKENS // 2) for k in ENDS)]
        ends = [each for each in ends if each.stop <= last + 1]
        ends += [range(last + 1 - TOKENS, last + 1)] if ends[-1].stop <= last else []
        good, end, ended = -1, last + 1, ""
        for place in (place for places in ends for place in places):
            if self.parts_in([place]):
                end = first_between(good, place, lambda k: bool(self.parts_in([k])))
                ended, both = self.ended(end)
                if not both or end < NEAR:
                    return self.report(ended, end) if ended else self.parted(end)
                break
            good = place
        for probe in self.both:
            probe.see("the first tokens", probe.draw(1, 3, NEAR), range(NEAR))
            probe.as_used()
            for places in ends:
                if places.stop <= end:
                    name = f"a call of {len(places)} tokens"
                    probe.see(name, probe.draw(1, 2, len(places)), places)
            probe.text(end)
        parted = map(self.parted_in, *(probe.calls for probe in self.both))
        return next(filter(None, parted), None) or self.report(
            "They agree, together and one token at a time, in a prompt, a batch and another order, "
            f"at {len(self.seen)} positions up to {max(self.seen)}: entries of unit vectors differ "
            f"by at most {max(self.seen.values()):.1g}.{ended and f' {ended}'}"
        )

    def report(self, text: str, place: int | None = None, **found: Any) -> RopeComparison:
        """Return what was found."""
        seen = tuple(sorted(self.seen.items()))
        about = {"columns": None, "alone": False, **found}
        return RopeComparison(place is None, text, place, differences=seen, **about)

    def calls(self, places: Sequence[int]) -> list[Call]:
        """Return the calls of both with all unit vectors, each in a head of its own."""
        units = np.tile(np.eye(self.width)[np.newaxis, :, np.newaxis], (1, 1, len(places), 1))
        return [each.ask("", units, places) for each in self.both]

    def at(self, places: Sequence[int]) -> list[Matrix]:
        """Return the matrices of both at the positions of one call: (positions, d, d)."""
        # The image of unit vector i stands in row i: the transpose is the matrix.
        return [_result(call)[0].transpose(1, 2, 0) for call in self.calls(places)]

    def parts_in(self, places: Sequence[int]) -> list[int]:
        """Return the positions of one call at which they part, or one has no numbers."""
        parted = []
        for place, f, g in zip(places, *self.at(places), strict=True):
            gap = float(np.abs(f - g).max())
            if np.isfinite(gap):
                self.seen[place] = max(gap, self.seen.get(place, 0.0))
            if not gap <= self.allowed + GROWTH * place:  # NaN is apart
                parted.append(place)
        return parted

    def ended(self, place: int) -> tuple[str, bool]:
        """Return what is said where a function has no numbers, and whether neither has."""
        why = {
            name: call.problem
            for name, call in zip(NAMES, self.calls([place]), strict=True)
            if call.problem
        }
        if len(why) == 2:
            return f"Both end at position {place}. {why['first']}", True
        said = [f"They part at position {place}: the {n} ends there. {why[n]}" for n in why]
        return "".join(said), False

    def parted(self, place: int) -> RopeComparison:
        """Return the report on functions that part first at a position, as it is alone."""
        count = max(HEADS, self.width)
        alike = np.repeat(self.both[0].draw(1, 1, 1), count, axis=1)
        for which, probe in zip(NAMES, self.both, strict=True):
            turned = _result(probe.ask("", alike, [place]))
            heads = np.abs(turned - turned[:, :1]).max(axis=(0, 2, 3)) > 4 * self.allowed
            if heads.any():
                said = f"They part at position {place}, in head {heads.argmax()} of {count}: the "
                return self.report(f"{said}{which} does not do the same to all heads.", place)
        known = sorted(self.seen)
        places = sorted({0, 1, 2, 7, NEAR - 1, place, *known[:: max(1, len(known) // 8)]})
        seen = [[each[0] for each in self.at([k])] for k in places]
        f, g = seen[places.index(place)]
        columns, how = _columns(f, g), _how(places, seen) or _measured(f, g, place)
        near = self.parts_in(range(max(0, place - TOKENS // 2), place + TOKENS // 2))
        if not near:
            said = f"Together they agree; one token at a time they part at position {place}: {how}"
            return self.report(said, place, columns=columns, alone=True)
        where = f"column{'s' * (len(columns) - 1)} {' and '.join(map(str, columns))}"
        said = f"They part at position {place}, most in {where}: {how}"
        if near[0] < place:
            said += (
                f" In a call that reaches {place} they part at {near[0]} too: what they do depends "
                "on the length."
            )
        return self.report(said, place, columns=columns)

    def parted_in(self, one: Call, other: Call) -> RopeComparison | None:
        """Return where they part in a call of a text as it comes, if they do."""
        places, name = one.at.positions[0, 0], one.name
        for which, call in zip(NAMES, (one, other), strict=True):
            if call.problem:
                said = f"{ALONE} {name}: of the {which}, {call.problem}"
                return self.report(said, int(places.min()))
        gaps = np.abs(_result(one) - _result(other))
        room = (self.allowed + GROWTH * places[:, np.newaxis]) * np.abs(one.at.x).max()
        if not (gaps > room).any():
            return None
        token = int((gaps > room).any(axis=(0, 1, 3)).argmax())
        text, head, column = np.argwhere((gaps > room)[:, :, token])[0].tolist()
        return self.report(
            f"{ALONE} {name}: at token {token} (position {places[token]:.0f}), text {text}, head "
            f"{head}, column {column}, by {gaps[text, head, token, column]:.2g}.",
            int(places[token]),
        )


def _how(places: list[int], seen: list[list[Matrix]]) -> str:
    """Return a rule that makes one of the other wherever both were asked, if there is one."""
    f, g = max(seen, key=lambda both: float(np.abs(both[0] - both[1]).max()))
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
    room = 1e-3 + GROWTH * np.array(places)
    return next(
        (
            said
            for said, rule in rules.items()
            if (np.array([np.abs(rule(*both)).max() for both in seen]) < room).all()
        ),
        "",
    )


def _result(call: Call) -> Matrix:
    """Return the numbers of a call, or infinity where there are none."""
    return np.full(call.at.x.shape, np.inf) if call.result is None else call.result


def _columns(f: Matrix, g: Matrix) -> tuple[int, ...]:
    """Return the columns of the pair whose results differ most."""
    column = int(np.unravel_index(np.abs(f - g).argmax(), f.shape)[1])
    return max(_pair(f, column), _pair(g, column), key=len)


def _pair(matrix: Matrix, column: int) -> tuple[int, ...]:
    """Return a column and the one it is turned with."""
    sizes = np.abs(matrix[:, column]).copy()
    sizes[column] = 0
    partner = int(sizes.argmax())
    return tuple(sorted((column, partner))) if sizes[partner] > 1e-6 else (column,)


def _measured(f: Matrix, g: Matrix, place: int) -> str:
    """Return in words how one matrix differs from another at a position."""
    if not (f.any() and g.any()):
        return f"there the {NAMES[bool(f.any())]} gives zeros alone."
    pair = _columns(f, g)
    if len(pair) == 1 or (place and _pair(f, pair[0]) != _pair(g, pair[0])):
        end, column = np.unravel_index(np.abs(f - g).argmax(), f.shape)
        return (
            f"there the second makes {g[end, column]:.3g} in column {end} of a 1 in column "
            f"{column}, the first {f[end, column]:.3g}."
        )
    low, high = pair
    turns = [float(np.arctan2(each[high, low], each[low, low])) for each in (f, g)]
    digits = next(n for n in range(3, 17) if n == 16 or len({f"{t:.{n}g}" for t in turns}) == 2)
    return (
        "the same pairs, other angles; there the second turns by "
        f"{turns[1]:.{digits}g} radians, the first by {turns[0]:.{digits}g}."
    )
