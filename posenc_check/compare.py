"""Compare a function that applies RoPE with another, or with what is expected of it."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from posenc._checks import (
    Layout,
    even_width,
    known_layout,
    positive_number,
    real_array,
    shown,
    whole_number,
)
from posenc.rotary import rope
from posenc_check.config import rotary_settings
from posenc_check.findings import Finding
from posenc_check.probe import NEAR, PROMPT, Call, Probe, first_between, for_arrays
from posenc_check.rope import RopeReport, check_rope
from posenc_check.rounding import Array
from posenc_check.settings import ScaledFrequencies, scaled_frequencies
from posenc_check.words import sentence

__all__ = ["RopeComparison", "assert_rope", "compare_rope"]

Rotary = Callable[[NDArray[np.float64], NDArray[np.int64]], Any]

# Positions at which one token alone is looked at: the first ones, and round the lengths at which
# lists, caches, tables and types of integers end.
FIRST = 20
LENGTHS = (128, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536, 131_072)
PLACES = (*range(FIRST), *(k + n for k in LENGTHS for n in range(-2, 2)))
# What `rotary_settings` returns has these keys.
SETTINGS = {"head_dim", "rope_parameters", "max_position_embeddings", "elsewhere"}
# Tokens of a call in which all positions of a range are looked at.
BLOCK = 256
# A float32 angle is off by up to 6e-8 of itself, and the frequency in it by as much again.
GROWTH = 2e-7


class RopeComparison(NamedTuple):
    """Where two rotary functions differ, if they do; ``str(comparison)`` says it in words.

    Attributes
    ----------
    findings : tuple of Finding
        Where they first differ, and what `check_rope` finds of each; or how far they agree.
    position : int or None
        The first position at which they differ.
    columns : tuple of int or None
        Where one token alone shows it: the column whose unit vector shows it most, and those in
        which the two results differ.
    differences : tuple of (int, float)
        The largest difference in any entry at each position where one token alone was looked at.
    reports : tuple of RopeReport
        What `check_rope` finds of each; empty if they agree.
    """

    findings: tuple[Finding, ...]
    position: int | None
    columns: tuple[int, ...] | None
    differences: tuple[tuple[int, float], ...]
    reports: tuple[RopeReport, ...] = ()

    @property
    def same(self) -> bool:
        """Whether the two agree wherever they were called."""
        return self.position is None

    @property
    def text(self) -> str:
        """The comparison in words."""
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
        Each is called as ``function(x, positions)``, with x of shape (batch, heads, tokens,
        head_dim) and integer positions of shape (tokens,), and returns the turned x. Where PyTorch
        is imported, it may also be a function of tensors.
    head_dim : int
        Columns of one head, positive and even.
    tolerance : float, optional
        The largest difference of an entry that counts as none, where unit vectors are turned;
        2e-7 of the position is added, for angles in float32. For results in bfloat16: 0.02.

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

    See Also
    --------
    check_rope : Says of one function what it does.
    assert_rope : Raises an AssertionError where a function differs from what is expected.

    Notes
    -----
    At each position a rotary function is a matrix, and the images of the unit vectors are its
    columns. They are compared one token at a time, from position 0 on and round lengths at which
    lists change and tables end; then all positions up to 4200 together, and in the calls of
    `check_rope`: short texts, a batch, a batch with one token each, another order, a prompt. Where
    one token at a time shows a difference beyond 4200, all positions before it are looked at, too.
    If both refuse positions before the last, they are compared as far as they go.

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
    allowed = positive_number(tolerance, "tolerance")
    with np.errstate(invalid="ignore"):  # where neither has numbers
        return _Pair((one, other), width, allowed).compared()


class _Pair:
    """Two functions that are called alike."""

    def __init__(
        self,
        both: tuple[Rotary, Rotary],
        width: int,
        allowed: float,
        roles: tuple[str, str] = ("first", "second"),
    ) -> None:
        self.both, self.width, self.allowed, self.roles = both, width, allowed, roles
        self.probes = [Probe(each, width) for each in both]
        self.units = np.eye(width)[np.newaxis, :, np.newaxis]  # each in a head of its own
        # The largest difference of a text of one token, by its position.
        self.difference_at: dict[int, float] = {}

    def asked(self, use: Finding, x: Array, places: Any) -> tuple[list[Call], Array]:
        """Return both calls, and how far apart: 0 where that is allowed, infinite without one."""
        one, other = calls = [probe.ask(use, x, places) for probe in self.probes]
        if one.result is None or other.result is None:
            return calls, np.array(np.inf)
        gaps = np.abs(one.result - other.result)
        if x is self.units:
            self.difference_at[places[0]] = float(gaps.max())
        most = self.allowed + GROWTH * one.positions[..., np.newaxis]
        return calls, np.where(gaps <= most * np.abs(x).max(), 0.0, gaps)

    def alone(self, place: int) -> tuple[list[Call], Array]:
        """Return the calls of both with all unit vectors, as one token alone, and how far apart."""
        return self.asked(Finding("call_alone"), self.units, [place])

    def differ_alone(self, place: int) -> bool:
        """Return whether one token alone shows a difference at a position."""
        return bool(self.alone(place)[1].any())

    def compared(self) -> RopeComparison:
        """Return where they first differ: in one token alone, in ranges, in texts as they come."""
        good, alone, ended = -1, None, None
        for place in PLACES:
            if self.differ_alone(place):
                alone = first_between(good, place, self.differ_alone)
                break
            good = place
        if alone is not None and alone >= NEAR:
            calls, _ = self.alone(alone)
            if all(call.problem for call in calls):
                ended = Finding("both_end", position=alone, problem=calls[0].problem)
        end = PROMPT if alone is None or ended else alone
        end = min(end, alone) if ended and alone else end
        if earlier := self.in_blocks(end):
            return earlier
        if alone is not None and not ended:
            return self.differing(*self.alone(alone))
        return self.as_texts_come(end, ended)

    def in_blocks(self, end: int) -> RopeComparison | None:
        """Return where all positions below one, many in a call, first show a difference.

        Entries are 1 and -1. Any two columns have one sign in the first head and two in another,
        and in one of these the changes of a cosine and of a sine add up.
        """
        bits = np.arange(self.width) >> np.arange(self.width.bit_length())[:, np.newaxis] & 1
        signs = np.concatenate([np.ones((1, self.width)), 1.0 - 2 * bits])[
            np.newaxis, :, np.newaxis
        ]
        for begin in range(0, end, BLOCK):
            tokens = min(BLOCK, end - begin)
            use = Finding("call_block", begin=begin, tokens=tokens)
            x = np.repeat(signs, tokens, axis=2)
            calls, off = self.asked(use, x, range(begin, begin + tokens))
            if not off.any():
                continue
            alone = (k for k in range(begin, begin + tokens) if self.differ_alone(k))
            if (place := next(alone, None)) is not None:
                return self.differing(*self.alone(place))
            twice = 2 * (self.allowed + GROWTH * calls[0].positions[..., np.newaxis])
            if (off > twice).any():  # more than two entries that are allowed add up to
                return self.differing(calls, off)
        return None

    def as_texts_come(self, end: int, ended: Finding | None) -> RopeComparison:
        """Return where they first differ in the calls of a text as it comes, if they do."""
        probe = self.probes[0]
        first = Finding("call_first"), probe.start, range(NEAR)
        for use, x, positions in (first, *probe.uses(sorted(self.difference_at), end)):
            if use.kind == "call_together":  # the calls before have looked at these positions
                continue
            calls, off = self.asked(use, x, positions)
            if off.any() and not (use.kind == "call_own" and any(call.problem for call in calls)):
                return self.differing(calls, off)
        most = max(self.difference_at.values())
        same = Finding(
            "same", positions=len(self.difference_at), last=max(self.difference_at), most=most
        )
        return self.result(tuple(each for each in (same, ended) if each))

    def result(self, findings: tuple[Finding, ...], **more: Any) -> RopeComparison:
        """Return a comparison with what one token alone has shown."""
        about = {
            "position": None,
            "columns": None,
            "differences": tuple(sorted(self.difference_at.items())),
        }
        return RopeComparison(findings, **about | more)

    def differing(self, calls: list[Call], off: Array) -> RopeComparison:
        """Return the comparison of functions that differ in a call, with a report on each."""
        place, where = _first(calls, off)
        columns = None
        if where is None:
            which = int(calls[0].problem is None)
            about: dict[str, Any] = {"call": calls[0].use, "role": self.roles[which]}
            about["problem"] = calls[which].problem
            return self.result(
                (Finding("one_gives_none", position=place, **about),), position=place
            )
        text, head, token, column = where
        f, g = (np.asarray(call.result)[text, head, token] for call in calls)
        about = {"column": column, "numbers": (float(f[column]), float(g[column]))}
        about["roles"] = self.roles
        if calls[0].x is self.units:
            gaps = np.abs(f - g)
            columns = tuple(sorted({head, *np.flatnonzero(gaps > gaps.max() / 1000).tolist()}))
            differ = Finding("differ_for_unit", position=place, one=head, **about)
        else:
            about |= {"token": token, "text": text, "head": head}
            differ = Finding("differ_in_call", position=place, call=calls[0].use, **about)
        reports = tuple(check_rope(function, self.width) for function in self.both)
        of_each = [
            Finding("report_of", role=role, findings=list(report.findings[:-1]))
            for role, report in zip(self.roles, reports, strict=True)
        ]
        about = {"position": place, "columns": columns, "reports": reports}
        return self.result((differ, *of_each), **about)


def _first(calls: list[Call], off: Array) -> tuple[int, tuple[int, int, int, int] | None]:
    """Return the least position at which two calls differ, and (text, head, token, column) there.

    Where one of them gave no numbers, the position is the least of the call.
    """
    if any(call.problem for call in calls):
        return int(calls[0].positions.min()), None
    places = np.broadcast_to(calls[0].positions[..., np.newaxis], off.shape)
    least = places[off > 0].min()
    text, head, token, column = np.unravel_index(
        np.where(places == least, off, 0).argmax(), off.shape
    )
    return int(least), (int(text), int(head), int(token), int(column))


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
    expect : dict, ScaledFrequencies, RopeReport, callable or array_like
        A model's config, as `rotary_settings` reads it; what that function returns; rotary
        settings with ``rope_theta``; what `scaled_frequencies` or `check_rope` returns; another
        function, as the original of a port; or a list of frequencies, in radians per token of
        each pair of the first columns.
    layout : {"interleaved", "halves"}, optional
        Which columns form a pair, where `expect` does not say so. By default that of `function`:
        a config says nothing of it.
    length : int, optional
        How many positions the function has to know, if its table ends. By default it is called
        with positions up to 131 073.
    tolerance : float, optional
        As `compare_rope` has it; for results in bfloat16: 0.02.

    Raises
    ------
    AssertionError
        If the function differs: the message has the first position at which it does, the column,
        both numbers, and what `check_rope` says of the function.
    TypeError
        If `expect` is none of these.
    ValueError
        If `expect` cannot be read, or is for heads of another width.

    Examples
    --------
    >>> from posenc import rope
    >>> from posenc_check import assert_rope
    >>> def mine(x, positions):
    ...     return rope(x, positions, layout="halves")
    >>> assert_rope(mine, 64, expect={"rope_theta": 10_000.0})
    >>> try:
    ...     assert_rope(mine, 64, expect={"rope_theta": 500_000.0})
    ... except AssertionError as error:
    ...     print(error)
    They first differ at position 1: for a single token that is 1 in column 3 and 0 elsewhere,
    column 35 is 0.409309 with the function, 0.288086 with what is expected. check_rope says of
    the function: RoPE: halves, base 10 000, all 64 columns. check_rope says of what is expected:
    RoPE: halves, base 500 000, all 64 columns.
    """
    found = compared_with(
        function, head_dim, expect, layout=layout, length=length, tolerance=tolerance
    )
    if not found.same:
        raise AssertionError(str(found))


def compared_with(
    function: Callable[..., Any],
    head_dim: SupportsIndex,
    expect: Any,
    *,
    layout: Layout | None = None,
    length: SupportsIndex | None = None,
    tolerance: float = 1e-3,
) -> RopeComparison:
    """Return where a function differs from what is expected, as `assert_rope` takes the two."""
    if not callable(function):
        raise TypeError(f"function must be callable, got {shown(function)}")
    width = even_width(head_dim, "head_dim")
    allowed = positive_number(tolerance, "tolerance")
    expected = _expected(expect, width)
    if expected is None:
        listed = _list_of(expect, width)
        pairs: Any = known_layout(layout) if layout else check_rope(function, width).layout
        expected = _of_list(listed, pairs or "halves")
    both = (for_arrays(function, width), expected)
    if length is not None:
        most = whole_number(length, "length", least=NEAR)
        both = (_ending(both[0], most), _ending(both[1], most))
    with np.errstate(invalid="ignore"):
        return _Pair(both, width, allowed, ("function", "expected")).compared()


def _expected(expect: Any, width: int) -> Rotary | None:
    """Return the function that is expected, if `expect` is one or a report on one."""
    if isinstance(expect, RopeReport):
        if expect.width and expect.setting and expect.setting.head_dim != width:
            of = f"a report on heads of {expect.setting.head_dim} columns"
            raise ValueError(f"expect must be for head_dim, got {of} and head_dim {width}")
        return expect.reproduce()
    return expect if callable(expect) else None


def _list_of(expect: Any, width: int) -> Callable[[int], tuple[Array, float]]:
    """Return a function from the length of a text to its frequencies and attention factor."""
    if isinstance(expect, ScaledFrequencies):
        listed = expect.frequencies, expect.attention_factor
        return lambda _tokens: listed
    if not isinstance(expect, Mapping):
        omega = real_array(expect, "expect")
        if omega.ndim != 1 or not 0 < omega.size <= width // 2:
            what = f"a list of at most {width // 2} frequencies"
            raise ValueError(f"expect must be {what}, got {shown(expect)}")
        return lambda _tokens: (omega, 1.0)
    settings = dict(expect)
    if "rope_theta" in settings and not settings.keys() & {"head_dim", "hidden_size", "model_type"}:
        settings = {"head_dim": width, "rope_parameters": settings}
    elif not settings.keys() <= SETTINGS:
        settings = rotary_settings(settings)
    if settings.get("head_dim") != width:
        raise ValueError(f"expect must be for head_dim {width}, got {settings.get('head_dim')}")

    def of_length(tokens: int) -> tuple[Array, float]:
        return scaled_frequencies(**settings, sequence_length=tokens)[:2]

    of_length(1)  # so that settings that cannot be read are refused at once
    return of_length


def _of_list(listed: Callable[[int], tuple[Array, float]], layout: Layout) -> Rotary:
    """Return plain RoPE with a list of frequencies and a factor, of the first columns."""

    def function(x: Array, positions: NDArray[np.int64]) -> Any:
        omega, factor = listed(int(positions.max()) + 1)
        turned = np.array(rope(x, positions, frequencies=omega, layout=layout))
        turned[..., : 2 * len(omega)] *= factor
        return turned

    return function


def _ending(function: Rotary, length: int) -> Rotary:
    """Return a function that refuses positions from a length on."""

    def ending(x: Array, positions: NDArray[np.int64]) -> Any:
        if positions.max() >= length:
            raise IndexError(f"length is {length}")
        return function(x, positions)

    return ending
