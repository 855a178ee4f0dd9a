"""What a function that should apply RoPE does: its settings, or the bug that it has."""

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from posenc._checks import even_width, shown
from posenc_check.findings import Finding
from posenc_check.frequency_lists import USUAL_BASES, FrequencyList, leaving_pairs
from posenc_check.probe import NEAR, Layout, NotTurnedError, Probe
from posenc_check.programs import CHANGES, FLOAT32_SLACK, ROUNDINGS, RotaryProgram
from posenc_check.rope_search import Search
from posenc_check.rounding import UNIT, Array, angle_error
from posenc_check.words import sentence

__all__ = ["RopeReport", "check_rope"]


class RopeReport(NamedTuple):
    """What `check_rope` found, as data; ``str(report)`` says it in a few sentences.

    Where no pair turns, there are faults and nothing else.
    """

    faults: tuple[Finding, ...] = ()  # what is wrong
    setting: Finding | None = None  # the settings and the remarks; None if no program is found
    ground: Finding | None = None  # what was called, and what was not
    layout: str | None = None  # which columns form pairs: interleaved, halves, or None for others
    width: int = 0  # columns that turn
    # Radians per token of each pair; None if the fault is "heads_differ".
    frequencies: Array | None = None
    base: float | None = None  # of those frequencies, before they were scaled by a rule
    rules: tuple[Finding, ...] = ()  # how they differ from the plain ones of that base
    attention_factor: float = 1.0  # what the turned columns are multiplied by
    program: RotaryProgram | None = None  # gives the same numbers; None if none is known

    @property
    def rotary(self) -> bool:
        """Whether the function is a rotary embedding without a bug. Its settings may be any."""
        return not self.faults

    @property
    def remarks(self) -> tuple[Finding, ...]:
        """What was found beside the settings and is no bug, such as cosines in bfloat16; or ()."""
        return self.setting.remarks if self.setting else ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All that was found: what is wrong, the settings with remarks, and what was called."""
        return tuple(each for each in (*self.faults, self.setting, self.ground) if each)

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong, one sentence each."""
        return tuple(map(sentence, self.faults))

    @property
    def text(self) -> str:
        """The settings and the remarks in a sentence; empty if no program gives the numbers."""
        return sentence(self.setting) if self.setting else ""

    def __str__(self) -> str:
        """Return the findings in words, what is wrong first, and what was called last."""
        return " ".join(map(sentence, self.findings))


@np.errstate(all="ignore")  # a wrong program may overflow, and is refused by comparison
def check_rope(function: Callable[..., Any], head_dim: int) -> RopeReport:
    r"""Return what a function that applies RoPE does: its settings, or the bug it has.

    Parameters
    ----------
    function : callable
        ``function(x, positions)`` returns x turned: x is an array of shape (batch, heads,
        tokens, head_dim), positions an int array of shape (tokens,). It may compute in any type,
        as its result shows; where PyTorch is imported, it may also be a function of tensors. It
        may take positions of the shape (batch, tokens), or raise an error there. Wrap code that
        takes something else.
    head_dim : int
        Columns of a head, even.

    Returns
    -------
    RopeReport
        Findings for a program; ``str`` of it is the answer in words.

    Raises
    ------
    TypeError
        If `function` cannot be called, or `head_dim` is no integer.
    ValueError
        If `head_dim` is odd, below 2 or above 262 144.

    See Also
    --------
    assert_rope : The same as a test, against what you expect.
    compare_rope : Two functions, and where they first differ.

    Notes
    -----
    Unit vectors show which columns mix, and further positions how fast each pair turns. From that a
    program is made: pairs, a list of frequencies, and a cause, if the function is not plain RoPE. A
    cause is named only if the program with it gives all numbers of all calls, as far as they are
    rounded; if none does, the first number that differs is.

    Of several coordinates one is examined at a time, with the others at 0. An error that the
    function raises is reported, but for a TimeoutError, a MemoryError, and what is no Exception, as
    an interrupt: these reach the caller.

    References
    ----------
    Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding", 2024.

    Examples
    --------
    >>> from posenc import rope
    >>> from posenc_check import check_rope
    >>> print(check_rope(lambda x, positions: rope(x, positions, layout="halves"), 64).text)
    RoPE: halves, base 10 000, all 64 columns.
    >>> report = check_rope(lambda x, positions: rope(x, positions + 1), 64)
    >>> print(report.problems[0], report.faults[0].kind, report.faults[0].steps)
    Position k is turned as position k + 1. position_offset 1
    """
    if not callable(function):
        raise TypeError(f"function must be callable, got {shown(function)}")
    probe = Probe(function, even_width(head_dim, "head_dim"))
    try:
        probe.make_calls()
    except NotTurnedError as error:
        (problem,) = error.args  # a finding
        return RopeReport(faults=(problem,))
    return _report(probe)


def _report(probe: Probe) -> RopeReport:
    """Return the report on a probed function: its settings and bugs, or an unexplained number."""
    search = Search(probe)
    program, difference = search.explanation()
    layout = probe.layout
    omega, error = np.zeros((2, layout.pairs))  # pairs that do not turn stay at 0, exactly
    # Of two lists, for either column of a pair, the first stands for both.
    omega[layout.turning], error[layout.turning] = program.lists[0], program.doubt
    # Heads that differ may have a list each.
    unequal = difference is not None and difference.kind == "heads_differ"
    rule = None if unequal else program.rule
    base, rules, fault = _base_and_rules(rule, layout, probe.width)
    if difference:  # without a program that gives all numbers, no cause is known
        findings = [difference]
    else:
        # Pairs are compared with usual lists where no rule is known that gives all of them.
        off_list = None if program.rule else leaving_pairs(omega, error)
        findings = [finding for finding in (fault, *program.causes, off_list) if finding]
        findings += _findings_on_columns(probe)
    findings += _findings_on_refusals(probe)
    remarks = tuple(finding for finding in findings if _is_practice(finding))
    setting = Finding(
        "rope",
        layout=layout.name,
        parts=layout.parts,
        base=base,
        frequency=float(omega[0]),  # of a single pair, whose frequency has no base
        begin=layout.begin,
        width=2 * layout.pairs,
        head_dim=probe.width,
        rules=rules,
        factor=program.factor,
        remarks=remarks,
    )
    return RopeReport(
        faults=tuple(finding for finding in findings if not _is_practice(finding)),
        setting=None if difference else setting,
        ground=_what_was_called(probe, search.kind),
        layout=layout.name,
        width=2 * layout.pairs,
        frequencies=None if unequal else omega,
        base=base or None,  # 0 stands for any base
        rules=rules,
        attention_factor=program.factor,
        program=None if difference else program,
    )


def _is_practice(finding: Finding) -> bool:
    """Return whether models do on purpose what a finding says, so that it is no bug."""
    if finding.kind in CHANGES:
        return CHANGES[finding.kind].practice
    # A list by a rule that is not known here, DeepSeek's order of columns, a table that ends.
    return finding.kind in ("slowed_by_no_rule", "neighbours_to_halves", "ends")


def _base_and_rules(
    rule: FrequencyList | None, layout: Layout, head_dim: int
) -> tuple[float | None, tuple[Finding, ...], Finding | None]:
    """Return (base, rules, bug) of a list of frequencies; bug is None if its rule has none.

    A list without a rule has (None, (), None).

    Where a part of the head turns, its list may be the beginning of the list for the whole head,
    and then it is known by that base. In the interleaved layout that is p-RoPE. In halves it is a
    slip, since p-RoPE pairs other columns.
    """
    if rule is None:
        return None, (), None
    width = 2 * layout.pairs
    # Only a plain list may be the beginning of another, and a base of 0 stands for any base.
    if rule.rules or rule.fault or not rule.base:
        return rule.base, rule.rules, rule.fault
    if width == head_dim:
        return _list_of_all_heads(rule.base, width) or (rule.base, (), None)
    # Pair i of either list turns by base ** (-2 i / columns), with the columns of that list.
    base_of_whole_head = rule.base ** (head_dim / width)
    # Frequencies in float32 give this base to about 1e-7, and usual bases are far apart.
    usual = [base for base in USUAL_BASES if math.isclose(base_of_whole_head, base, rel_tol=1e-6)]
    if not usual:
        return rule.base, (), None
    values = {"base": usual[0], "columns": width, "head_dim": head_dim}
    if rule.base in USUAL_BASES:  # either base may be meant
        return rule.base, (Finding("list_of_whole_head_too", **values),), None
    if layout.name == "interleaved":  # p-RoPE, whose other pairs are still
        return usual[0], (Finding("still_pairs", count=(head_dim - width) // 2),), None
    rules = (Finding("over_whole_head", head_dim=head_dim),)
    return usual[0], rules, Finding("list_of_whole_head", **values)


def _list_of_all_heads(
    base: float, head_dim: int
) -> tuple[float, tuple[Finding, ...], Finding] | None:
    """Return (base, rules, bug) of the list of a head that begins that of all its heads, or None.

    `base` is that of a list for the head alone. No usual base has so many digits. No list of three
    heads or fewer is looked for, since a base of the head alone may be meant there.
    """
    if base == float(f"{base:.2e}"):
        return None
    for whole in USUAL_BASES:
        heads = round(math.log(whole) / math.log(base))
        if heads >= 4 and math.isclose(base**heads, whole, rel_tol=1e-5):
            values = {"base": whole, "pairs": head_dim // 2, "columns": head_dim * heads}
            rules = (Finding("over_all_heads", **values),)
            return whole, rules, Finding("list_of_all_heads", **values)
    return None


def _findings_on_columns(probe: Probe) -> Iterator[Finding]:
    """Yield a finding if pairs have no known layout, and one if columns come out elsewhere."""
    layout = probe.layout
    if layout.name is None:
        pairs = zip(probe.first.tolist(), probe.second.tolist(), strict=True)
        yield Finding("unknown_layout", pairs=list(pairs)[:3])  # three are enough as examples
    columns = np.arange(probe.width)
    moved = columns[probe.output_column != columns]
    if not moved.size:
        return
    # DeepSeek's code takes pairs of neighbours and returns halves: first columns, then second ones.
    turning = layout.begin + np.arange(2 * layout.pairs)
    first_half, second_half = np.split(turning, 2)
    as_halves = columns.copy()
    as_halves[turning[0::2]] = first_half
    as_halves[turning[1::2]] = second_half
    if layout.name == "interleaved" and (probe.output_column == as_halves).all():
        yield Finding("neighbours_to_halves")
    else:
        column = int(moved[0])
        comes_out_as = int(probe.output_column[column])
        yield Finding("columns_out_of_order", column=column, comes_out_as=comes_out_as)


def _findings_on_refusals(probe: Probe) -> Iterator[Finding]:
    """Yield a finding if all is refused from a position on, and one on the first call refused."""
    end = probe.first_refused  # 0 if none is
    # An error at the end of a table is usual. Other ways to end are not.
    if end and probe.refusal.kind == "raised":
        raised = {"error": probe.refusal.error, "message": probe.refusal.message}
        yield Finding("ends", position=end - 1, **raised)
    elif end:
        yield Finding("from_position", position=end, problem=probe.refusal)
    for call in probe.calls:
        beyond_end = 0 < end <= call.positions.max()  # refused for that position alone
        if call.problem and not beyond_end:
            yield Finding("in_call", call=call.use, problem=call.problem)
            return  # the first is enough: others mostly have the same cause


def _what_was_called(probe: Probe, kind: str) -> Finding:
    """Return the finding on what was called, how often and how far, and which errors it would hide.

    `kind` is the type of the numbers that came back.
    """
    # A call without numbers shows nothing of how x is turned.
    calls = [call for call in probe.calls if call.result is not None]
    uses: list[Finding] = []  # each once
    for call in calls:
        # The report counts the positions of calls with unit vectors, near and far, and names all
        # other uses.
        if call.use.kind not in ("call_first_units", "call_far") and call.use not in uses:
            uses.append(call.use)
    last = max(call.positions.max() for call in calls)
    return Finding(
        "looked_at",
        calls=len(calls),
        near=NEAR,
        far=len(probe.positions) - NEAR,
        last=int(last),
        uses=uses,
        kind_of_numbers=kind,
        # An error below this part of a pair's length, or of so many radians of the fastest pair at
        # the last position, passes for rounding. Float32 is allowed for whatever the kind: a
        # function may compute in it, and return float64.
        hidden=ROUNDINGS * UNIT[kind] + FLOAT32_SLACK,
        angle=float(angle_error(np.array(last), np.array(1.0), "float32")),
        own=probe.takes_positions_by_text,
        longest=max(len(call.tokens) for call in calls),
    )
