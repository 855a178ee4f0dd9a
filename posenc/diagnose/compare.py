"""Compare two functions that apply RoPE: where they part first, and what each of them does."""

from collections.abc import Callable
from typing import Any, NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from posenc._checks import even_width, positive_number, shown
from posenc.diagnose.probe import NEAR, PROMPT, Call, Probe, first_between
from posenc.diagnose.rope import check_rope
from posenc.diagnose.rounding import Array

Rotary = Callable[[NDArray[np.float64], NDArray[np.int64]], Any]

# Positions that are looked at: the first ones, and round the lengths at which lists, caches and
# tables end.
FIRST = 20
ENDS = (128, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536, 131_072)
PLACES = (*range(FIRST), *(k + n for k in ENDS for n in range(-2, 2)))
# A float32 angle is off by up to 6e-8 of itself, and the frequency in it by as much again.
GROWTH = 2e-7
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

    Returns
    -------
    RopeComparison
        Print it. Its ``position`` and ``columns`` say where the two part first. What a function
        raises, or returns in the place of x turned, is said there, too.

    Raises
    ------
    TypeError
        If a function cannot be called, or `head_dim` is no integer.
    ValueError
        If `head_dim` or `tolerance` is not allowed.

    See Also
    --------
    check_rope : Says of one function what it does.

    Notes
    -----
    At each position a rotary function is a matrix, and the images of the unit vectors are its
    columns. They are compared from position 0 on, and round lengths at which lists change and
    tables end, one token at a time; then in the calls of `check_rope` with short texts and a prompt
    of 4200 tokens. Between a position where they agree and one where they part, the first is looked
    for by halves. If both functions refuse positions before the last, they are compared as far as
    they go. What `check_rope` says of each is added.

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
    with np.errstate(invalid="ignore"):  # where neither has numbers
        return _Pair([one, other], width, allowed).compared()


class _Pair:
    """Two functions that are asked the same, and what was seen of them."""

    def __init__(self, both: list[Rotary], width: int, allowed: float) -> None:
        self.both, self.width, self.allowed = both, width, allowed
        self.probes = [Probe(each, width) for each in both]
        self.units = np.eye(width)[np.newaxis, :, np.newaxis]  # each in a head of its own
        self.seen: dict[int, float] = {}

    def compared(self) -> RopeComparison:
        """Return where they part: one token at a time, then in the calls of a text as it comes."""
        good, end, ended = -1, PROMPT, ""
        for place in PLACES:
            if self.part_at(place):
                end = first_between(good, place, self.part_at)
                calls = self.alone(end)
                if end < NEAR or not all(call.problem for call in calls):
                    return self.parted(*calls)
                ended = f" Both end at position {end}. {calls[0].problem}"
                break
            good = place
        for probe in self.probes:
            probe.see("the first tokens", probe.draw(1, 3, NEAR), range(NEAR))
            probe.as_used()
            probe.text(end)
        for both in zip(*(probe.calls for probe in self.probes), strict=False):
            if self.off(*both).any():
                return self.parted(*both)
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

    def part_at(self, place: int) -> bool:
        """Return whether they part at a position, or one has no numbers there."""
        one, other = self.alone(place)
        if one.result is not None and other.result is not None:
            self.seen[place] = float(np.abs(one.result - other.result).max())
        return bool(self.off(one, other).any())

    def off(self, one: Call, other: Call) -> Array:
        """Return how far results are apart, and 0 where that is allowed; infinite without them."""
        if one.result is None or other.result is None:
            return np.array(np.inf)
        gaps = np.abs(one.result - other.result)
        most = self.allowed + GROWTH * one.at.positions[..., np.newaxis]
        return np.where(gaps <= most * np.abs(one.at.x).max(), 0.0, gaps)

    def parted(self, one: Call, other: Call) -> RopeComparison:
        """Return what is said of a call in which they part, with what check_rope says of each."""
        at, where = one.at, f"in {one.name}"
        for name, call in zip(NAMES, (one, other), strict=True):
            if call.problem:
                place = int(at.positions.min())
                said = f"{where}: the {name} gives no numbers. {call.problem}"
                return self.report(f"They part at position {place}, {said}", place)
        f, g = np.asarray(one.result), np.asarray(other.result)
        off, columns = self.off(one, other), None
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
        words = [f"They part at position {place}, {where}: column {column} is {a:.6g} with the"]
        words.append(f"first, {b:.6g} with the second.")
        for name, function in zip(NAMES, self.both, strict=True):
            report = check_rope(function, self.width)
            words += [f"check_rope says of the {name}:", *report.problems, report.text]
        return self.report(" ".join(filter(None, words)), place, columns)
