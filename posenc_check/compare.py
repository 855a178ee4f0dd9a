"""Compare two functions that apply RoPE: where they part first, and what each of them does."""

from collections.abc import Callable
from typing import Any, NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from posenc._checks import even_width, positive_number, shown
from posenc_check.probe import NEAR, OWN, PROMPT, TOGETHER, Call, Probe, first_between
from posenc_check.rope import check_rope
from posenc_check.rounding import Array

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
    one: Rotary, other: Rotary, head_dim: SupportsIndex, *, tolerance: float = 1e-3
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
    columns. They are compared one token at a time, from position 0 on and round lengths at which
    lists change and tables end; then in the calls of `check_rope` with short texts and a prompt of
    4200 tokens. Between a position where they agree and one where they part, the first is looked
    for by halves. If both refuse positions before the last, they are compared as far as they go.

    Examples
    --------
    >>> from posenc import rope
    >>> from posenc_check import compare_rope
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
    """Two functions that are asked the same."""

    def __init__(self, both: list[Rotary], width: int, allowed: float) -> None:
        self.both, self.allowed = both, allowed
        self.probes = [Probe(each, width) for each in both]
        self.units = np.eye(width)[np.newaxis, :, np.newaxis]  # each in a head of its own
        self.seen: dict[int, float] = {}  # the difference of one token alone, at each position

    def asked(self, name: str, x: Array, places: Any) -> tuple[list[Call], Array]:
        """Return both calls, and how far apart: 0 where that is allowed, infinite without one."""
        one, other = calls = [probe.ask(name, x, places) for probe in self.probes]
        if one.result is None or other.result is None:
            return calls, np.array(np.inf)
        gaps = np.abs(one.result - other.result)
        if x is self.units:
            self.seen[places[0]] = float(gaps.max())
        most = self.allowed + GROWTH * one.positions[..., np.newaxis]
        return calls, np.where(gaps <= most * np.abs(x).max(), 0.0, gaps)

    def alone(self, place: int) -> tuple[list[Call], Array]:
        """Return the calls of both with all unit vectors, as one token alone."""
        return self.asked("one token alone", self.units, [place])

    def compared(self) -> RopeComparison:
        """Return where they part: one token at a time, then in the calls of a text as it comes."""
        good, end, ended, probe = -1, PROMPT, "", self.probes[0]
        for place in PLACES:
            if self.alone(place)[1].any():
                end = first_between(good, place, lambda k: bool(self.alone(k)[1].any()))
                calls, off = self.alone(end)
                if end < NEAR or not all(call.problem for call in calls):
                    return self.said(*self.parted(calls, off))
                ended = f" Both end at position {end}. {calls[0].problem}"
                break
            good = place
        first = "the first tokens", probe.start, range(NEAR)
        for name, *of in (first, *probe.uses(sorted(self.seen), end)):
            if name == TOGETHER:  # in no order, so that a position says nothing
                continue
            calls, off = self.asked(name, *of)
            if off.any() and not (name == OWN and any(call.problem for call in calls)):
                return self.said(*self.parted(calls, off))
        return self.said(
            f"They agree, one token at a time at {len(self.seen)} positions up to "
            f"{max(self.seen)}, and together in a prompt, a batch and another order: entries of "
            f"unit vectors differ by at most {max(self.seen.values()):.1g}.{ended}"
        )

    def said(
        self, text: str, place: int | None = None, columns: tuple[int, ...] | None = None
    ) -> RopeComparison:
        """Return what was found."""
        return RopeComparison(place is None, text, place, columns, tuple(sorted(self.seen.items())))

    def parted(self, calls: list[Call], off: Array) -> tuple[str, int, tuple[int, ...] | None]:
        """Return what is said of a call in which they part, with what check_rope says of each."""
        where = f"in {calls[0].name}"
        for name, call in zip(NAMES, calls, strict=True):
            if call.problem:
                place = int(call.positions.min())
                what = f"{where}: the {name} gives no numbers. {call.problem}"
                return f"They part at position {place}, {what}", place, None
        off[:, :, off.any(axis=(0, 1, 3)).argmax() + 1 :] = 0  # the first token
        text, head, token, column = map(int, np.unravel_index(off.argmax(), off.shape))
        place = int(calls[0].positions[text, 0, token])
        f, g = (np.asarray(call.result)[text, head, token] for call in calls)
        columns = None
        if calls[0].x is self.units:
            where += f" with a 1 in column {head}"
            gaps = np.abs(f - g)
            columns = tuple(sorted({head, *np.flatnonzero(gaps > gaps.max() / 1000).tolist()}))
        else:
            where += f", token {token}, text {text}, head {head}"
        words = [f"They part at position {place}, {where}: column {column} is {f[column]:.6g} with"]
        words.append(f"the first, {g[column]:.6g} with the second.")
        for name, function in zip(NAMES, self.both, strict=True):
            report = check_rope(function, len(f))
            words += [f"check_rope says of the {name}:", *report.problems, report.text]
        return " ".join(filter(None, words)), place, columns
