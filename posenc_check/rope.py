"""What does this function do to queries and keys? A program with a name that does the same."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from posenc._checks import even_width, shown
from posenc_check.findings import Finding
from posenc_check.ladder import FEW_PAIRS, SPEEDS, USUAL_BASES, Ladder, nearest_list
from posenc_check.probe import NEAR, Call, Layout, NotTurnedError, Probe
from posenc_check.programs import CHANGES, RotaryProgram
from posenc_check.rope_search import Miss, Search, faster_pair
from posenc_check.rounding import SHORT, Array, coarsest
from posenc_check.words import sentence

__all__ = ["RopeReport", "check_rope"]

# Calls that show whether angles were exact.
FAR_CALLS = ("call_far", "call_together", "call_alone", "call_ends")
# Kinds of findings that are no bug, beside the causes that models have on purpose.
REMARKS = {"slowed_by_no_rule", "still_columns_scaled", "neighbours_to_halves", "ends"}
REMARKS |= {"float32_angles"}
# A list of a part of the head with one of these bases needs no other explanation.
EXPECTED_BASES = USUAL_BASES[:5]
# With a smaller base a list of a part of the head is the beginning of that of the whole head.
LEAST_BASE = 100.0
# A frequency that is known as well as this tells whether it has the bits of a short type.
KNOWN = 2.0**-18


class RopeReport(NamedTuple):
    """What `check_rope` found, as data; ``str(report)`` says it in a few sentences.

    Attributes
    ----------
    faults : tuple of Finding
        What is wrong; empty if nothing.
    setting : Finding or None
        The settings of the rotary embedding, and with them what else a program gives; None if no
        program known here gives the numbers.
    ground : Finding or None
        What was called, and what was not.
    layout : {"interleaved", "halves", None}
        Which columns turn together.
    width : int
        Columns that turn.
    frequencies : ndarray of float64
        Radians per token of each pair, as measured.
    base : float or None
        The base of those frequencies, if they follow a rule known here, before they were scaled.
    rules : tuple of Finding
        How the frequencies differ from the plain ones of that base.
    attention_factor : float
        What the turned columns are multiplied by, at the first tokens.
    program : RotaryProgram or None
        What gives the same numbers; None if nothing known here does.
    """

    faults: tuple[Finding, ...] = ()
    setting: Finding | None = None
    ground: Finding | None = None
    layout: str | None = None
    width: int = 0
    frequencies: Array | None = None
    base: float | None = None
    rules: tuple[Finding, ...] = ()
    attention_factor: float = 1.0
    program: RotaryProgram | None = None

    @property
    def rotary(self) -> bool:
        """Whether the function is a rotary embedding without a bug. Its settings may be any."""
        return not self.faults

    @property
    def remarks(self) -> tuple[Finding, ...]:
        """What was found beside the settings and is no bug, such as cosines in bfloat16."""
        return self.setting.remarks if self.setting else ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All that was found: what is wrong, the settings, and what was called."""
        return tuple(each for each in (*self.faults, self.setting, self.ground) if each)

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong, one sentence each."""
        return tuple(map(sentence, self.faults))

    @property
    def text(self) -> str:
        """The settings and the remarks in a sentence; empty if no program gives the numbers."""
        return sentence(self.setting) if self.setting else ""

    @property
    def scaling(self) -> str:
        """How the frequencies differ from the plain ones of their base, in words."""
        return ", ".join(map(sentence, self.rules))

    def __str__(self) -> str:
        """Return the findings in words, what is wrong first, and what was called last."""
        return " ".join(map(sentence, self.findings))

    def reproduce(self) -> Callable[[npt.ArrayLike, npt.ArrayLike], Array]:
        """Return a function of x and positions that gives the numbers that were measured.

        Like the function that was examined it may remember earlier calls.

        Raises
        ------
        ValueError
            If no known cause reproduces them.
        """
        if self.program is None:
            raise ValueError(f"no program known here gives the same numbers, got {self}")
        program = self.program
        before: list[Array] = []

        def function(x: npt.ArrayLike, positions: npt.ArrayLike) -> Array:
            call = Call.of(Finding("call_own"), np.asarray(x, float), positions, tuple(before))
            before.append(call.all_positions)
            return program.turned(call)

        return function


@np.errstate(all="ignore")
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
    rounded. If two causes do, both are named; if none does, the first number that differs is.

    A function of several coordinates is examined one coordinate at a time, the others at 0: the
    second example does so. Each answer is then that of one coordinate.

    An error that the function raises is reported, but for a TimeoutError, a MemoryError, and what
    is no Exception, as an interrupt: these reach the caller.

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

    Rows and columns of an image, each in half of a head of 32 columns:

    >>> import numpy as np
    >>> from posenc.axes import axial_frequencies, axial_rope
    >>> omega, axes = axial_frequencies(32, 2)
    >>> def of_columns(x, k):
    ...     return axial_rope(x, np.stack([0 * k, k], axis=-1), omega, axes)
    >>> print(check_rope(of_columns, 32).text)
    RoPE: interleaved, base 10 000, the last 16 of 32 columns.
    """
    if not callable(function):
        raise TypeError(f"function must be callable, got {shown(function)}")
    probe = Probe(function, even_width(head_dim, "head_dim"))
    try:
        probe.walk()
    except NotTurnedError as error:
        return RopeReport((error.finding,))
    return _report(probe)


def _report(probe: Probe) -> RopeReport:
    """Return what is found of the program, or the first number that none gives."""
    search = Search(probe)
    programs, nearest, missed = search.explained()
    layout = probe.layout
    omega = np.zeros(layout.pairs)
    omega[layout.turning] = nearest.lists[0]
    base, rules, fault = _base_and_rules(nearest.ladder, layout, probe.width)
    if not programs:
        findings = [_unexplained(probe, missed)]
    else:
        findings = [fault] if fault else []
        findings += _causes(programs)
        findings += _of_list(programs[0], layout) if programs[0].ladder is None else ()
        findings += _of_columns(probe, programs[0])
        findings += _of_angles(search, programs[0])
    findings += _of_calls(probe)
    remarks = tuple(each for each in findings if _is_practice(each))
    setting = Finding(
        "rope",
        layout=layout.name,
        parts=layout.parts,
        base=base,
        frequency=float(omega[0]),
        begin=layout.begin,
        width=2 * layout.pairs,
        head_dim=probe.width,
        rules=rules,
        factor=nearest.factor,
        remarks=remarks,
    )
    return RopeReport(
        faults=tuple(each for each in findings if not _is_practice(each)),
        setting=setting if programs else None,
        ground=_ground(probe, search.kind),
        layout=layout.name,
        width=2 * layout.pairs,
        frequencies=omega,
        base=base or None,
        rules=rules,
        attention_factor=nearest.factor,
        program=programs[0] if programs else None,
    )


def _is_practice(finding: Finding) -> bool:
    """Return whether models do on purpose what is found, so that it is no bug."""
    kind = finding.causes[0].kind if finding.kind == "one_of" else finding.kind
    return CHANGES[kind].practice if kind in CHANGES else kind in REMARKS


def _causes(programs: list[RotaryProgram]) -> list[Finding]:
    """Return the causes of programs; those of which the calls do not tell which it is as one."""
    causes = list(programs[0].changes)
    if len(programs) > 1:
        of_kind: dict[str, Finding] = {}
        for program in programs:
            of_kind.setdefault(program.changes[-1].kind, program.changes[-1])
        last = tuple(of_kind.values())
        causes[-1] = Finding("one_of", causes=last) if len(last) > 1 else last[0]
    return causes


def _base_and_rules(
    ladder: Ladder | None, layout: Layout, head_dim: int
) -> tuple[float | None, tuple[Finding, ...], Finding | None]:
    """Return the base of a list, its rules, and the bug that the list shows.

    The list of a part of the head may be the beginning of the list for the whole head. In the
    interleaved layout that is p-RoPE. In halves it is a slip, since p-RoPE pairs other columns.
    """
    if ladder is None:
        return None, (), None
    width = 2 * layout.pairs
    if width == head_dim or ladder.rules or ladder.fault or not ladder.base:
        return ladder.base, ladder.rules, ladder.fault
    of_whole_head = ladder.base ** (head_dim / width)
    usual = [base for base in USUAL_BASES if abs(of_whole_head / base - 1) < 1e-6]
    if not usual or ladder.base in EXPECTED_BASES:
        return ladder.base, (), None
    values = {"base": usual[0], "columns": width, "head_dim": head_dim}
    if ladder.base >= LEAST_BASE:
        return ladder.base, (Finding("list_of_whole_head_too", **values),), None
    if layout.name == "interleaved":
        return usual[0], (Finding("still_pairs", count=(head_dim - width) // 2),), None
    rules = (Finding("over_whole_head", head_dim=head_dim),)
    return usual[0], rules, Finding("list_of_whole_head", **values)


def _of_list(program: RotaryProgram, layout: Layout) -> Iterator[Finding]:
    """Yield what is found of a list that follows no rule."""
    omega, error = np.zeros((2, layout.pairs))
    omega[layout.turning], error[layout.turning] = program.lists[0], program.doubt
    speed = [fault for first, fault in SPEEDS.items() if abs(omega[0] / first - 1) < 1e-5]
    if near := nearest_list(omega, error):  # most pairs turn as they should
        kind = "slowed_by_no_rule" if near.slows else "pairs_off_list"
        yield Finding(kind, base=near.base, runs=near.runs)
    elif speed:
        yield speed[0]
    elif faster := faster_pair(program.lists[0]):
        yield faster
    known = program.lists[0][np.broadcast_to(program.doubt, program.lists[0].shape) < KNOWN]
    short = coarsest(known, KNOWN)
    if len(np.unique(known)) >= FEW_PAIRS and short in SHORT:
        yield Finding("list_of_few_bits", dtype=short)


def _of_columns(probe: Probe, program: RotaryProgram) -> Iterator[Finding]:
    """Yield what is found of pairs, of columns that do not turn, and of their order."""
    layout = probe.layout
    if layout.name is None:
        pairs = list(zip(probe.first.tolist(), probe.second.tolist(), strict=True))[:3]
        yield Finding("unknown_layout", pairs=pairs)
    times = np.delete(program.still, [*program.first, *program.second])
    if many := np.count_nonzero(times != 1):
        yield Finding("still_columns_scaled", count=many)
    moved = np.flatnonzero(probe.out != np.arange(probe.width))
    # Where each column comes out if pairs of neighbours go in and halves come out.
    dealt, turning = np.arange(probe.width), layout.begin + np.arange(2 * layout.pairs)
    dealt[turning[0::2]], dealt[turning[1::2]] = np.split(turning, 2)
    if moved.size and layout.name == "interleaved" and (probe.out == dealt).all():
        yield Finding("neighbours_to_halves")
    elif moved.size:
        column = int(moved[0])
        comes_out_as = int(probe.out[column])
        yield Finding("columns_out_of_order", column=column, comes_out_as=comes_out_as)


def _of_angles(search: Search, program: RotaryProgram) -> Iterator[Finding]:
    """Yield whether a table ends, and whether angles are in float32, where numbers show it."""
    probe = search.probe
    if probe.ended and probe.why.kind == "raised":
        raised = {"error": probe.why.error, "message": probe.why.message}
        yield Finding("ends", position=probe.ended - 1, **raised)
    if search.kind not in SHORT and not program.changes:
        far = [part for part in search.parts if part.use.kind in FAR_CALLS]
        if not search.gives(program._replace(kind="float64"), far):
            yield Finding("float32_angles")


def _of_calls(probe: Probe) -> Iterator[Finding]:
    """Yield what a function does to its arguments, and the first call that gave no numbers."""
    yield from (each for n, each in enumerate(probe.written) if each not in probe.written[:n])
    if probe.ended and probe.why.kind != "raised":
        yield Finding("from_position", position=probe.ended, problem=probe.why)
    for call in probe.calls:
        if call.problem and not 0 < probe.ended <= call.all_positions.max():
            yield Finding("in_call", call=call.use, problem=call.problem)
            return


def _unexplained(probe: Probe, missed: list[Miss]) -> Finding:
    """Return the first number that differs from plain RoPE, where no known cause gives it."""
    miss = min(missed, key=lambda miss: (miss.part.all_positions.max(), miss.position))
    place = {name: value for name, value in miss._asdict().items() if name != "part"}
    return Finding("unexplained", layout=probe.layout.name, call=miss.part.use, **place)


def _ground(probe: Probe, kind: str) -> Finding:
    """Return what was called, and what was not."""
    calls = [call for call in probe.calls if call.result is not None]
    uses = [call.use for call in calls if call.use.kind not in ("call_far", "call_first_units")]
    return Finding(
        "looked_at",
        calls=len(calls),
        near=NEAR,
        far=len(probe.places) - NEAR,
        last=int(max(call.all_positions.max() for call in calls)),
        uses=[use for n, use in enumerate(uses) if use not in uses[:n]],
        kind_of_numbers=kind,
        own=bool(probe.takes_own),
        longest=max(len(call.tokens) for call in calls),
    )
