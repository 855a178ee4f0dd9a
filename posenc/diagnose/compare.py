"""Compare two functions that apply RoPE: where they part first, and what each of them does."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from posenc._checks import even_width, positive_number, shown, whole_number
from posenc.diagnose.probe import NEAR, Call, Probe, first_between
from posenc.diagnose.rope import FAR, check_rope
from posenc.diagnose.rounding import Array

Rotary = Callable[[NDArray[np.float64], NDArray[np.int64]], Any]

# Positions that are looked at: the first ones, and round the lengths at which lists, caches and
# tables end.
FIRST = 20
ENDS = (128, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536, 131_072)
# A float32 angle is off by up to 6e-8 of itself, and the frequency in it by as much again.
GROWTH = 2e-7
BFLOAT16 = 0.02  # as much are results in bfloat16 off
NAMES = ("first", "second")


class RopeComparison(NamedTuple):
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
        Where one token alone shows it: the column whose unit vector shows it most, and those in
        which the two results differ.
    differences : tuple of (int, float)
        The largest difference in any entry at each position that was looked at.
    """

    same: bool
    text: str
    position: int | None
    columns: tuple[int, ...] | None
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
    r"""Return where two functions that apply RoPE part first: position and columns.

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
    tables end, one token at a time; then in the calls of `check_rope` with short texts and a prompt
    of 4200 tokens. Between a position where they agree and one where they part, the first is looked
    for by halves. What `check_rope` says of each is added, if its program gives what was measured
    there.

    Examples
    --------
    >>> from posenc import rope
    >>> from posenc.diagnose import compare_rope
    >>> def mine(x, positions):
    ...     return rope(x, positions, base=500_000.0)
    >>> print(compare_rope(rope, mine, 64))
    They part at position 1, in one token alone with a 1 in column 6: column 7 is 0.409309 with
    the first, 0.288086 with the second. check_rope says of the first: RoPE: interleaved, base
    10 000, all 64 columns. check_rope says of the second: RoPE: interleaved, base 500 000, all 64
    columns.
    """
    for name, function in (("one", one), ("other", other)):
        if not callable(function):
            raise TypeError(f"{name} must be callable, got {shown(function)}")
    width = even_width(head_dim, "head_dim")
    allowed = positive_number(tolerance, "tolerance")
    farthest = whole_number(last, "last", least=NEAR, most=2**53)
    with np.errstate(invalid="ignore"):  # where neither has numbers
        return _Pair([one, other], width, allowed).compared(farthest)


class _Pair:
    """Two functions that are asked the same, and what was seen of them."""

    def __init__(self, both: list[Rotary], width: int, allowed: float) -> None:
        self.both, self.allowed = both, allowed
        self.probes = [Probe(each, width) for each in both]
        self.units = np.eye(width)[np.newaxis, :, np.newaxis]  # each in a head of its own
        self.seen: dict[int, float] = {}

    def compared(self, last: int) -> RopeComparison:
        """Return where they part: one token at a time, then in the calls of a text as it comes."""
        places = {*range(FIRST), *(k + n for k in (*ENDS, last - 1) for n in range(-2, 2))}
        good, end, ended = -1, last + 1, ""
        for place in sorted(place for place in places if place <= last):
            if self.part_in(*self.alone(place)):
                end = first_between(good, place, lambda k: self.part_in(*self.alone(k)))
                calls = self.alone(end)
                if end < NEAR or not all(call.problem for call in calls):
                    return self.parted(calls, last)
                ended = f" Both end at position {end}. {calls[0].problem}"
                break
            good = place
        for probe in self.probes:
            probe.see("the first tokens", probe.draw(1, 3, NEAR), range(NEAR))
            probe.as_used()
            probe.text(end)
        for both in zip(*(probe.calls for probe in self.probes), strict=False):
            if self.part_in(*both):
                return self.parted(both, last)
        return self.report(
            f"They agree, one token at a time at {len(self.seen)} positions up to "
            f"{max(self.seen)}, and together in a prompt, a batch and another order: entries of "
            f"unit vectors differ by at most {max(self.seen.values()):.1g}.{ended}"
        )

    def report(
        self, text: str, place: int | None = None, columns: tuple[int, ...] | None = None
    ) -> RopeComparison:
        """Return what was found."""
        seen = tuple(sorted(self.seen.items()))
        return RopeComparison(place is None, text, place, columns, seen)

    def alone(self, place: int) -> list[Call]:
        """Return the calls of both with all unit vectors, as one token alone."""
        return [each.ask("one token alone", self.units, [place]) for each in self.probes]

    def part_in(self, one: Call, other: Call) -> bool:
        """Return whether they part in a call, or one has no numbers."""
        if one.result is None or other.result is None:
            return True
        if one.at.x is self.units:
            self.seen[int(one.at.longest)] = float(np.abs(one.result - other.result).max())
        return bool(_off(one, other.result, self.allowed).any())

    def parted(self, calls: Sequence[Call], last: int) -> RopeComparison:
        """Return what is said of a call in which they part, with what check_rope says of each."""
        at, where = calls[0].at, f"in {calls[0].name}"
        for name, call in zip(NAMES, calls, strict=True):
            if call.problem:
                place = int(at.positions.min())
                said = f"{where}: the {name} gives no numbers. {call.problem}"
                return self.report(f"They part at position {place}, {said}", place)
        f, g = (np.asarray(call.result) for call in calls)
        off, columns = _off(calls[0], g, self.allowed), None
        off[:, :, off.any(axis=(0, 1, 3)).argmax() + 1 :] = 0  # the first token
        text, head, token, column = map(int, np.unravel_index(off.argmax(), off.shape))
        place = int(at.positions[text, 0, token])
        if at.x is self.units:
            where += f" with a 1 in column {head}"
            gaps = np.abs(f - g)[0, head, 0]
            columns = tuple(sorted({head, *np.flatnonzero(gaps > gaps.max() / 1000).tolist()}))
        else:
            where += f", token {token}, text {text}, head {head}"
        a, b = f[text, head, token, column], g[text, head, token, column]
        said = f"column {column} is {a:.6g} with the first, {b:.6g} with the second."
        of_each = (self.said_of(*each, last) for each in zip(NAMES, self.both, calls, strict=True))
        words = [f"They part at position {place}, {where}: {said}", *of_each]
        return self.report(" ".join(words), place, columns)

    def said_of(self, name: str, function: Rotary, call: Call, last: int) -> str:
        """Return what check_rope says of a function, if it gives the numbers of a call."""
        positions = [k for k in FAR if k <= last] or [last]
        report = check_rope(function, call.at.x.shape[-1], positions=positions)
        said = " ".join([*report.problems, report.text]).strip()
        if report.program:
            numbers = report.reproduce()(call.at.x, call.at.positions)
            if _off(call, numbers, max(self.allowed, BFLOAT16)).any():
                said = "No cause known to it gives these numbers."
        return f"check_rope says of the {name}: {said}"


def _off(call: Call, numbers: Any, allowed: float) -> Array:
    """Return how far numbers are from those of a call, with zeros where that is allowed."""
    gaps = np.abs(call.result - numbers)
    room = (allowed + GROWTH * call.at.positions[..., np.newaxis]) * np.abs(call.at.x).max()
    off: Array = np.where(gaps <= room, 0.0, gaps)
    return off
