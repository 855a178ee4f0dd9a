"""Compare a function that applies RoPE with another, or with what is expected of it."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple, SupportsIndex

import numpy as np

from posenc._checks import Layout, even_width, known_layout, positive_number, shown, whole_number
from posenc_check.expected import Rotary, frequencies_by_length, plain_rope
from posenc_check.findings import Finding
from posenc_check.probe import NEAR, PROMPT, Call, Caller, first_between
from posenc_check.rope import RopeReport, check_rope
from posenc_check.rounding import Array
from posenc_check.words import sentence

__all__ = ["RopeComparison", "assert_rope", "compare_rope"]

# Positions at which one token alone is looked at: the first ones, and two on each side of lengths
# (powers of 2 from 128 to 131 072) at which lists, caches, tables and types of integers end.
PLACES = (*range(20), *(2**power + n for power in range(7, 18) for n in range(-2, 2)))
# Positions that are compared in one text. Where the list depends on the length of a text, no more
# tokens than these have to be called alone to find the first that differs.
BLOCK = 256
# A float32 angle is off by up to 6e-8 of itself, and the frequency in it by as much again. For a
# frequency of 1 that is 1.2e-7 radian for each position; the rest is room for other arithmetic.
GROWTH = 2e-7


class RopeComparison(NamedTuple):
    """Where two rotary functions differ, if they do; ``str(comparison)`` says it in words."""

    findings: tuple[Finding, ...]  # where they first differ, or how far they agree
    position: int | None  # the first at which they differ
    # The column whose unit vector shows the difference most, and those in which the two results
    # differ; None if one token alone does not show it.
    columns: tuple[int, ...] | None
    # Each position at which one token alone was looked at, and the largest difference of an entry.
    differences: tuple[tuple[int, float], ...]
    reports: tuple[RopeReport, ...] = ()  # of `check_rope` on each; empty if they agree

    @property
    def same(self) -> bool:
        """Whether the two agree wherever they were called."""
        return self.position is None

    @property
    def text(self) -> str:
        """The comparison in words, as the other reports have it."""
        return str(self)

    def __str__(self) -> str:
        """Return the comparison in words."""
        return " ".join(map(sentence, self.findings))


def compare_rope(
    one: Rotary, other: Rotary, head_dim: SupportsIndex, *, tolerance: float = 1e-3
) -> RopeComparison:
    r"""Return where two functions that apply RoPE first differ: position and columns.

    Parameters
    ----------
    one, other : callable
        ``function(x, positions)``, as `check_rope` takes it.
    head_dim : int
        Columns of one head, positive and even.
    tolerance : float, optional
        The largest difference of an entry that counts as none, where unit vectors are turned;
        2e-7 of the position is added, for angles in float32. For results, or cosines, in bfloat16:
        0.02.

    Returns
    -------
    RopeComparison
        Print it. Its ``position`` and ``columns`` say where the two first differ. What a function
        raises, or returns in the place of x turned, is said there, too.

    Raises
    ------
    TypeError
        If a function cannot be called, or `head_dim` is no integer.
    ValueError
        If `head_dim` or `tolerance` is not allowed.

    Notes
    -----
    The images of unit vectors are compared one token at a time, from position 0 on and round
    lengths at which lists change and tables end; then all positions up to 4200 together, and the
    other calls of `check_rope`. If both refuse positions before the last, they are compared as far
    as they go.

    Examples
    --------
    >>> from posenc import rope
    >>> from posenc_check import compare_rope
    >>> def mine(x, positions):
    ...     return rope(x, positions, base=500_000.0)
    >>> print(compare_rope(rope, mine, 64))
    They first differ at position 1: for a single token that is 1 in column 6 and 0 elsewhere,
    column 7 is 0.409309 with the first, 0.288086 with the second. check_rope says of the first:
    RoPE: interleaved, base 10 000, all 64 columns. check_rope says of the second: RoPE:
    interleaved, base 500 000, all 64 columns.
    """
    for name, function in (("one", one), ("other", other)):
        if not callable(function):
            raise TypeError(f"{name} must be callable, got {shown(function)}")
    width = even_width(head_dim, "head_dim")
    return _Comparison((one, other), width, positive_number(tolerance, "tolerance")).result()


class Difference(NamedTuple):
    """One call of both functions, and by how much they differ where that is not allowed."""

    calls: tuple[Call, Call]
    by: Array  # of the shape of x: 0 where it is allowed, infinite where one returned no numbers
    of_unit_vectors: bool = False  # of one token alone, in head n the unit vector of column n

    @property
    def positions(self) -> list[int]:
        """The positions at which they differ, each once, the least first."""
        positions = np.broadcast_to(self.calls[0].positions[..., np.newaxis], self.by.shape)
        return [int(position) for position in np.unique(positions[self.by > 0])]


class _Comparison:
    """Two functions that are called alike, and the differences of one token alone so far."""

    def __init__(
        self,
        both: tuple[Rotary, Rotary],
        width: int,
        tolerance: float,
        roles: tuple[str, str] = ("first", "second"),
        length: float = math.inf,
    ) -> None:
        self.both, self.width, self.tolerance, self.roles = both, width, tolerance, roles
        self.length = length  # positions from 0 on that are looked at
        self.callers = [Caller(function, width) for function in both]
        # Vectors of 1 and -1 that show any difference of two columns, in few heads for any width.
        # Head 0 has a 1 in all columns, and head n + 1 the sign of bit n of a column's number. Two
        # columns differ in some bit: they have one sign in head 0 and two in that bit's head, so
        # that what they add to a number cannot cancel in both.
        bits = np.arange(width) >> np.arange(width.bit_length())[:, np.newaxis] & 1
        signs = np.concatenate([np.ones((1, width)), 1.0 - 2 * bits])
        self.signs = signs[np.newaxis, :, np.newaxis]
        # The largest difference of an entry, by the position of one token alone.
        self.difference_at: dict[int, float] = {}

    def calls(self, kind: str, x: Array, positions: Any) -> tuple[Call, Call]:
        """Return the same call of either function."""
        one, other = (caller.call(kind, x, positions) for caller in self.callers)
        return one, other

    def difference(self, calls: tuple[Call, Call]) -> Difference | None:
        """Return how the two differ in a call; None if by no more than the tolerance allows."""
        one, other = calls
        if one.result is None or other.result is None:
            return Difference(calls, np.full(one.x.shape, np.inf))
        # The tolerance is that of an entry made of one 1. Random numbers are larger, and two of
        # them add to an entry. What signs of 1 and -1 show is decided by unit vectors afterwards.
        largest = np.abs(one.x).max()
        times = 2 * largest if largest > 1 else 1.0
        allowed = times * (self.tolerance + GROWTH * one.positions[..., np.newaxis])
        differences = np.abs(one.result - other.result)
        by = np.where(differences <= allowed, 0.0, differences)
        return Difference(calls, by) if by.any() else None

    def of_one_token(self, position: int) -> Difference | None:
        """Return how the two differ for one token alone, by unit vectors; None if they agree."""
        units = np.eye(self.width)[np.newaxis, :, np.newaxis]  # each in a head of its own
        one, other = self.calls("call_alone", units, [position])
        if one.result is not None and other.result is not None:
            self.difference_at[position] = float(np.abs(one.result - other.result).max())
        difference = self.difference((one, other))
        return difference and difference._replace(of_unit_vectors=True)

    def result(self) -> RopeComparison:
        """Return the comparison: where the two first differ, or that they agree."""
        difference, both_end = self.first_of_one_token(), []
        end = difference.positions[0] if difference else self.length
        # A table that ends in both is no difference. Two functions that refuse a position before
        # NEAR have no table that could be compared.
        if difference and end >= NEAR and all(call.problem for call in difference.calls):
            both_end = [Finding("both_end", position=end, problem=difference.calls[0].problem)]
            difference = None
        # What differs at a position between those, or in another call before that one, comes first.
        # Positions between those are looked at as far as the longest text of a `Caller` goes.
        difference = (
            self.first_in_blocks(int(min(end, PROMPT))) or self.first_in_texts(end) or difference
        )
        differences = tuple(sorted(self.difference_at.items()))
        if difference is None:
            positions, entries = zip(*differences, strict=True)
            same = Finding("same", positions=len(positions), last=positions[-1], most=max(entries))
            return RopeComparison((same, *both_end), None, None, differences)
        finding, columns = self.described(difference)
        reports: tuple[RopeReport, ...] = ()
        # A problem that is quoted says enough of a function that gives no numbers.
        if finding.kind != "one_gives_none":
            reports = tuple(check_rope(function, self.width) for function in self.both)
        of_each = []
        for role, report in zip(self.roles, reports, strict=False):  # there may be no reports
            # What `check_rope` looked at does not matter here.
            findings = [each for each in report.findings if each is not report.ground]
            of_each.append(Finding("report_of", role=role, findings=findings))
        return RopeComparison((finding, *of_each), finding.position, columns, differences, reports)

    def first_of_one_token(self) -> Difference | None:
        """Return the first difference of one token alone, at PLACES and by bisection, or None."""
        last_equal = -1  # the last place at which the two agree; none is known before position 0
        for position in (place for place in PLACES if place < self.length):
            if self.of_one_token(position):
                first = first_between(last_equal, position, lambda k: bool(self.of_one_token(k)))
                return self.of_one_token(first)
            last_equal = position
        return None

    def first_in_blocks(self, end: int) -> Difference | None:
        """Return the first difference below `end` that one token alone shows, or None.

        All positions of a block are called in one text. Where that differs, the token is called
        alone: what only a text shows is left to `first_in_texts`.
        """
        for begin in range(0, end, BLOCK):
            positions = range(begin, min(begin + BLOCK, end))
            x = np.repeat(self.signs, len(positions), axis=2)  # the same vectors at each position
            difference = self.difference(self.calls("call_prompt", x, positions))
            for position in difference.positions if difference else ():
                if alone := self.of_one_token(position):
                    return alone
        return None

    def first_in_texts(self, end: float) -> Difference | None:
        """Return the difference in the first of the calls of `Caller` that shows one, or None.

        Positions of these calls, which are made as models make them, are below `end`.
        """
        caller = self.callers[0]
        # One token alone far down was compared before, by unit vectors.
        for arguments in caller.calls_of_models(far=[], end=end):
            if difference := self.difference(self.calls(*arguments)):
                return difference
        # Positions by text are all below NEAR. Not every function takes them.
        for pair in caller.calls_with_positions_by_text() if end >= NEAR else ():
            for arguments in pair:
                calls = self.calls(*arguments)
                difference = self.difference(calls)
                if difference and not any(call.problem for call in calls):
                    return difference
        return None

    def described(self, difference: Difference) -> tuple[Finding, tuple[int, ...] | None]:
        """Return (finding on where the two differ, columns that differ or None).

        There are no columns where one gives no numbers, or where one token alone does not show the
        difference.
        """
        calls, position = difference.calls, difference.positions[0]
        where: dict[str, Any] = {"position": position, "call": calls[0].use}
        for role, call in zip(self.roles, calls, strict=True):
            if call.problem:
                return Finding("one_gives_none", **where, role=role, problem=call.problem), None
        # The largest difference at that position.
        here = np.where(calls[0].positions[..., np.newaxis] == position, difference.by, 0)
        text, head, token, column = map(int, np.unravel_index(here.argmax(), here.shape))
        results = (np.asarray(call.result) for call in calls)  # both have one: none has a problem
        one, other = (result[text, head, token] for result in results)
        numbers: dict[str, Any] = {
            "column": column,
            "numbers": (float(one[column]), float(other[column])),
            "roles": self.roles,
        }
        if not difference.of_unit_vectors:
            place = {"token": token, "text": text, "head": head}
            return Finding("differ_in_call", **where, **place, **numbers), None
        unit = head  # head n has the unit vector of column n
        # Columns are named that differ. That of the unit vector is named beside them, since it is
        # one of the pair. What is less than a thousandth of the largest may be rounding.
        differences = np.abs(one - other)
        columns = {unit, *np.flatnonzero(differences > 1e-3 * differences.max()).tolist()}
        finding = Finding("differ_for_unit", position=position, one=unit, **numbers)
        return finding, tuple(sorted(columns))


def assert_rope(
    function: Callable[..., Any],
    head_dim: SupportsIndex,
    *,
    expect: Any,
    layout: Layout | None = None,
    length: SupportsIndex | None = None,
    tolerance: float = 1e-3,
) -> None:
    """Raise an AssertionError where a function that applies RoPE differs from what is expected.

    Parameters
    ----------
    function : callable
        ``function(x, positions)``, as `check_rope` takes it.
    head_dim : int
        Columns of a head, even.
    expect : dict, ScaledFrequencies, callable or array_like
        A model's config, as `rotary_settings` reads it; what that function returns; rotary
        settings with ``rope_theta``; what `scaled_frequencies` returns; another function, as the
        original of a port; or a list of frequencies, in radians per token of each pair of the
        first columns.
    layout : {"interleaved", "halves"}, optional
        Which columns form a pair, where `expect` does not say so. By default that of `function`:
        a config says nothing of it.
    length : int, optional
        How many positions the function has to know, if its table ends. By default it is called
        with positions up to 131 073.
    tolerance : float, optional
        As `compare_rope` has it; for results, or cosines, in bfloat16: 0.02.

    Raises
    ------
    AssertionError
        If the function differs: the message has the first position at which it does, the column,
        both numbers, and what `check_rope` says of the function. Its argument is what
        `compare_rope` returns for the two.
    TypeError
        If `function` cannot be called.
    ValueError
        If `expect` is none of these, cannot be read, or is for heads of another width.

    Examples
    --------
    >>> from posenc import rope
    >>> from posenc_check import assert_rope
    >>> def mine(x, positions):
    ...     return rope(x, positions, layout="halves")
    >>> assert_rope(mine, 64, expect={"rope_theta": 10_000.0})
    """
    if not callable(function):
        raise TypeError(f"function must be callable, got {shown(function)}")
    width = even_width(head_dim, "head_dim")
    allowed = positive_number(tolerance, "tolerance")
    expected = expect
    if not callable(expect):
        # What cannot be read is refused before the function is called.
        frequencies = frequencies_by_length(expect, width)
        pairs: Any = known_layout(layout) if layout else check_rope(function, width).layout
        # A function of no known layout differs from halves, too.
        expected = plain_rope(frequencies, pairs or "halves")
    # `check_rope`, which says what a function that differs is, calls it with NEAR tokens at least.
    positions = math.inf if length is None else whole_number(length, "length", least=NEAR)
    both, roles = (function, expected), ("function", "expected")
    comparison = _Comparison(both, width, allowed, roles, positions).result()
    if not comparison.same:
        raise AssertionError(comparison)
