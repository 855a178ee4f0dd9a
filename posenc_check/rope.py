"""What does this function do to queries and keys? A program with a name that does the same."""

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from posenc._checks import even_width, shown
from posenc_check.findings import Finding
from posenc_check.ladder import (
    FEW_PAIRS,
    SPEEDS,
    USUAL_BASES,
    Followed,
    Ladder,
    followed,
    named,
    nearest_list,
)
from posenc_check.probe import NEAR, Call, NotTurnedError, Probe, first_between
from posenc_check.programs import CHANGES, RotaryProgram
from posenc_check.rounding import SHORT, UNIT, Array, coarsest, wrap
from posenc_check.storage import rounded_to
from posenc_check.words import sentence

__all__ = ["RopeReport", "check_rope"]

# How far from 0 the count of the first token is looked for.
MOST_OFFSET = 2**14
# How many numbers of each call are read to tell their type.
ENTRIES = 20_000
# Calls that show whether angles were exact.
FAR_CALLS = ("call_far", "call_together", "call_alone", "call_ends")
# A pair that a long text slows by more than this is one that does not turn: no rule slows so much.
MOST_SLOWED = 2.0**20


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
            before.append(call.whole)
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


class Miss(NamedTuple):
    """A number that a program does not give: where it is, and by how much it differs."""

    part: Call
    position: int
    token: int
    text: int
    head: int
    column: int
    by: float


class _Search:
    """The search for programs that give all that a function returned."""

    def __init__(self, probe: Probe) -> None:
        self.probe = probe
        self.read_calls()
        self.limits: list[int] = []  # positions from which on texts are turned otherwise
        some = [call.result.flat[:ENTRIES] for call in probe.calls if call.result is not None]
        self.kind = coarsest(np.concatenate(some))
        self.unit = UNIT[self.kind]
        # A table of cosines may be of a coarser type, before a factor or after.
        self.stored = max(self.unit, UNIT[coarsest(probe.table)])

    def read_calls(self) -> None:
        """Set `parts` to all that came back, a part of a call at a time, small ones first."""
        calls = sorted(self.probe.calls, key=lambda call: call.x.size)
        self.parts = [part for call in calls for part in call.parts()]

    def gives(self, program: RotaryProgram, parts: Iterable[Call] | None = None) -> bool:
        """Return whether a program gives all numbers of parts of calls, by default of all."""
        parts = self.parts if parts is None else parts
        return all((program.excess(part, self.unit) <= 0).all() for part in parts)

    def missed(self, program: RotaryProgram) -> list[Miss]:
        """Return the first number of each call that a program does not give."""
        missed: dict[int, Miss] = {}
        for part in self.parts:
            if id(part.whole) not in missed:
                off = np.moveaxis(program.excess(part, self.unit), 2, 0)
                for row, text, head, column in np.argwhere(~(off <= 0))[:1].tolist():
                    position, token = int(part.positions[text, 0, row]), int(part.tokens[row])
                    by = float(off[row, text, head, column])
                    missed[id(part.whole)] = Miss(part, position, token, text, head, column, by)
        return list(missed.values())

    def readings(self) -> Iterator[RotaryProgram]:
        """Yield programs without a cause that the numbers may come from, the usual one first."""
        probe = self.probe
        (a, b, c, d), near = probe.table, slice(NEAR)
        if probe.by_text is not None:
            turned = (probe.by_text[0] - 1j * probe.by_text[1])[0]  # of text 1
            yield self.program_of(np.array([np.abs(turned), turned]), np.arange(2.0))
            return
        row, other = a - 1j * b, d + 1j * c  # the first column of a pair, and the second
        if not np.ptp(row, axis=0).any():
            turned = (d - 1j * b)[0]  # of head 1, if it turns by the number of the head
            yield self.program_of(np.array([np.abs(turned), turned]), np.arange(2.0))
            return
        size = np.abs(row).max()
        if np.abs(np.abs(a) - np.abs(b))[near].max() <= 16 * self.stored * size:
            yield self.program_of_sines(a)
        if np.abs(np.angle(row[0]) - math.pi / 2).max() < 0.1:  # a sine is 0 where a cosine is 1
            yield self.program_of(1j * row.conj(), probe.places)
        yield self.program_of(row, probe.places)
        for short in SHORT:
            measured = followed(np.angle(row), probe.places, self.stored, [short])
            program = self.of_list(measured, np.angle(row[: measured.good]), probe.places, 1.0)
            if program.ladder:
                yield program
        if np.abs(row - other)[near].max() > 16 * self.unit * size:
            yield from self.of_two_lists(row, other)
        heads = np.abs(a + 1j * c)[near], np.abs(d - 1j * b)[near]
        if np.abs(a - d)[near].max() > 0.1 > max(np.ptp(each) for each in heads):
            a, b, _, _ = probe.table_of_one_head()
            yield self.program_of(a - 1j * b, np.arange(float(NEAR)))

    def of_two_lists(self, row: Array, other: Array) -> Iterator[RotaryProgram]:
        """Yield programs in which the two columns of a pair have frequencies of their own."""
        probe = self.probe
        # Each column may have the frequency that a table in the other layout has there.
        rank = np.argsort(np.argsort(np.r_[probe.first, probe.second]))
        deal = rank // 2 if probe.layout.name == "halves" else rank % len(probe.first)
        both = np.concatenate([row, other], axis=1)[:, np.unique(deal, return_index=True)[1]]
        mixed = Finding("columns_of_other_layout", deal=deal.reshape(2, -1))
        yield self.program_of(both, probe.places).changed(mixed)
        program = self.program_of(row, probe.places)
        second = followed(np.angle(other), probe.places, self.stored).omega
        times = second / program.lists[0]
        known = np.ptp(times) <= 1e-5 * np.abs(times).max()
        about = {"other": second, "times": float(np.median(times)) if known else 0.0}
        yield program.changed(Finding("columns_apart", **about))

    def program_of_sines(self, sines: Array) -> RotaryProgram:
        """Return the program whose sines are given, where no cosine shows."""
        omega = np.arcsin(np.clip(sines[1], -1, 1))
        error = 8 * self.stored / np.maximum(np.abs(omega), 1e-300)
        measured = Followed(omega, error, 2, "float32")
        return self.of_list(measured, np.array([0 * omega, omega]), np.arange(2.0), 1.0)

    def program_of(self, z: Array, places: Array) -> RotaryProgram:
        """Return the program whose pairs turn as the complex z, which has a row for each place."""
        measured = followed(np.angle(z), places, self.stored)
        sign = -1.0 if (measured.omega < 0).all() else 1.0
        measured = measured._replace(omega=sign * measured.omega)
        factor = float(np.median(np.abs(z[0]))) or 1.0
        factor = 1.0 if abs(factor - 1) <= max(2 * self.stored, 1e-6) else factor
        return self.of_list(measured, sign * np.angle(z[: measured.good]), places, factor)

    def of_list(
        self, measured: Followed, angles: Array, places: Array, factor: float
    ) -> RotaryProgram:
        """Return the program with a measured list, or with the list that it is known to be."""
        probe, omega = self.probe, measured.omega
        call, order = probe.calls[0], np.argsort(probe.out)
        assert call.result is not None
        times = call.result[0, 0, -1] / call.x[0, 0, -1, order]
        steps = _offset(angles[0], omega, max(8 * self.stored, 1e-6))
        program = RotaryProgram(
            order,
            probe.out[probe.first],
            probe.out[probe.second],
            omega[np.newaxis],
            factor,
            np.where(np.abs(times - factor) < np.abs(times - 1), factor, 1.0),
            (Finding("position_offset", steps=steps),) if steps else (),
            # A measured frequency is off by no more than a rounding of the last angle.
            doubt=np.minimum(measured.error, 8 * self.unit / places[-1] / np.abs(omega)),
        )
        places = places[: measured.good] + steps
        layout = probe.layout
        rule = named(measured, angles, places, layout.turning, layout.pairs, self.stored)
        if rule is None:
            return program
        ladder, short = rule
        listed = ladder.frequencies[layout.turning]
        program = program._replace(lists=listed[np.newaxis], ladder=ladder, doubt=0.0)
        if not short:
            return program
        off = np.abs(rounded_to(listed, short) - listed)
        lost = {"pair": int(off.argmax()), "position": math.ceil(1 / off.max())}
        return program.changed(Finding("list_rounded", dtype=short, **lost))

    def explained(self) -> tuple[list[RotaryProgram], RotaryProgram, list[Miss]]:
        """Return programs that give all numbers, the nearest without a cause, and what it misses.

        There is more than one if the calls do not tell the causes apart, and none may be known.
        """
        nearest = None
        for program in self.readings():
            missed = self.asked_at_limits(program, self.missed(program))
            if not missed:
                return [program], program, missed
            causes = self.causes(program, missed)
            if found := self.with_a_cause(program, causes, missed):
                return found, program, missed
            if nearest is None or len(missed) < len(nearest[1]):
                nearest = program, missed, causes
        assert nearest is not None
        program, missed, causes = nearest
        return self.with_practice_and_a_cause(program, causes, missed), program, missed

    def causes(self, program: RotaryProgram, missed: list[Miss]) -> list[Finding]:
        """Return every cause that may be, with each of the values that it may have."""
        clues = self.clues(program, missed)
        return [
            Finding(kind, **values)
            for kind, change in CHANGES.items()
            for values in clues[change.clue]
        ]

    def with_a_cause(
        self, program: RotaryProgram, causes: list[Finding], missed: list[Miss]
    ) -> list[RotaryProgram]:
        """Return the program with each cause that gives all numbers."""
        wrong = [miss.part for miss in missed]
        changed = (program.changed(cause) for cause in causes)
        return [each for each in changed if self.gives(each, wrong) and self.gives(each)]

    def with_practice_and_a_cause(
        self, program: RotaryProgram, causes: list[Finding], missed: list[Miss]
    ) -> list[RotaryProgram]:
        """Return programs with a cause beside what models do on purpose, such as a second list.

        The practice shows in texts with a far position, and alone gives the farthest of them.
        """
        far = [miss.part for miss in missed if miss.part.use.kind == "call_far"][-1:]
        for practice in causes if far else ():
            one = program.changed(practice)
            if not CHANGES[practice.kind].practice or not self.gives(one, far):
                continue
            if found := self.with_a_cause(one, causes, self.missed(one)):
                return found
        return []

    def asked_at_limits(self, program: RotaryProgram, missed: list[Miss]) -> list[Miss]:
        """Return what a program misses, after calls at the position from which on it misses texts.

        That position is looked for once: long texts may be turned otherwise.
        """
        probe = self.probe
        far = [miss.part for miss in missed if miss.part.use.kind == "call_far"]
        if self.limits or not far:
            return missed
        bad = min(int(part.whole.max()) for part in far)
        good = int(probe.places[probe.places < bad].max())

        def is_bad(k: int) -> bool:
            return not self.gives(program, probe.far_text(k, probe.draw(1, 2, 4)).parts())

        limit = first_between(good, bad, is_bad)
        # A list that changes slowly shows it later, and mostly changes at a power of two.
        self.limits = [limit, *(2**k for k in range(4, 18) if good < 2**k <= bad)]
        for place in (limit - 1, limit):
            probe.see(Finding("call_alone"), probe.draw(1, 2, 1), [place])
        probe.see(*probe.again)
        self.read_calls()
        return self.missed(program)

    def clues(self, program: RotaryProgram, missed: list[Miss]) -> dict[str, list[dict[str, Any]]]:
        """Return the values that causes may have, by the name of the clue, from what is missed."""
        long = [miss for miss in missed if miss.part.whole.shape[2] > 8]
        tokens = sorted({miss.token for miss in long} - {0})[:3]
        limits = [*self.limits[:2], *sorted({miss.position for miss in long} - {0})[:2]]
        limits = list(dict.fromkeys(limits))
        table, places = self.probe.table, self.probe.places
        last = float(places[-1])
        far = [n for n in limits if NEAR <= n <= last]
        lengths = np.hypot(*table[:2, -1]) / abs(program.factor)
        most = float(np.median(lengths)) - 1
        lists, dynamic = self.lists_of_long_texts(program, far)
        return {
            "": [{}],
            "measured": [],
            "type": [{"dtype": short} for short in SHORT],
            "position": [{"position": n} for n in limits],
            "token": [{"token": n} for n in tokens],
            "head": [{"head": n} for n in sorted({miss.head for miss in missed} - {0})[:3]],
            "text": [{"text": n} for n in sorted({miss.text for miss in missed} - {0})[:3]],
            "growth": [{"rates": np.log(lengths) / last}],
            # A single step of the temperature would fit any size from a limit on.
            "temperature": [
                {"position": n, "beta": most / math.log1p(last // n)} for n in far if 2 * n <= last
            ],
            "list": lists,
            "dynamic": dynamic,
        }

    def lists_of_long_texts(
        self, program: RotaryProgram, limits: list[int]
    ) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """Return candidate values for a second list and for dynamic NTK, from the longest text.

        A dynamic NTK with the factor s slows the last pair of a text of L tokens by
        1 + s (L/n - 1), where n is the limit from which on it acts. Solved for s, that is a
        candidate; the comparison of all numbers decides.
        """
        places, lists, dynamic = self.probe.places, [], []
        if self.probe.long is None:
            return [], []
        cosine, minus_sine = self.probe.long[:2]
        long = followed(np.arctan2(-minus_sine, cosine), places, self.stored)
        ratio = long.omega / program.lists[0]
        known = long.good == len(places) and (ratio * MOST_SLOWED > 1).all()
        for n in limits if known and _faster_pair(long.omega) is None else ():
            excess = (float(places[-1]) + 1) / n - 1
            factor = float(1 / ratio[-1] - 1) / excess
            rounded_factor = round(4 * factor) / 4
            # What is left once this factor is divided out corrects the list that short texts gave.
            correction = ratio * (1 + rounded_factor * excess) ** np.linspace(0, 1, len(ratio))
            lists.append({"position": n, "ratio": ratio})
            candidates = (rounded_factor, 1.0), (rounded_factor, correction), (factor, 1.0)
            for candidate, of_list in candidates:
                dynamic.append({"position": n, "factor": candidate, "ratio": of_list})
        return lists, dynamic


def _offset(angles: Array, omega: Array, tolerance: float) -> int:
    """Return the position as which the first token is turned, as its angles show it; 0 if none."""
    steps = np.arange(-MOST_OFFSET, MOST_OFFSET + 1)
    for angle, speed in sorted(zip(angles, omega, strict=True), key=lambda each: -abs(each[1])):
        allowed = 8 * tolerance + 1e-5 * np.abs(steps * speed)
        steps = steps[np.abs(wrap(angle - steps * speed)) <= allowed]
    return int(min(steps, key=abs, default=0))


def _faster_pair(omega: Array) -> Finding | None:
    """Return the first pair that turns faster than the one before, or backwards, if one does."""
    fast = np.flatnonzero((omega < 0) | (omega > np.append(np.inf, omega[:-1]) * (1 - 1e-6)))
    if not fast.size:
        return None
    return Finding("pair_faster", pair=int(fast[0]), frequency=float(omega[fast[0]]))


def _report(probe: Probe) -> RopeReport:
    """Return what is found of the program, or the first number that none gives."""
    search = _Search(probe)
    found, nearest, missed = search.explained()
    layout = probe.layout
    omega, error = np.zeros((2, layout.pairs))
    omega[layout.turning], error[layout.turning] = nearest.lists[0], nearest.doubt
    faults: list[Finding] = []
    remarks: list[Finding] = []
    setting = None
    base, rules = _base_and_rules(
        nearest.ladder, layout.name, 2 * layout.pairs, probe.width, faults
    )
    if not found:
        faults = [_unexplained(probe, missed)]
    else:
        program = found[0]
        causes = list(program.changes)
        if len(found) > 1:
            of_kind = {each.changes[-1].kind: each.changes[-1] for each in reversed(found)}
            last = tuple(reversed(of_kind.values()))
            causes[-1:] = [Finding("one_of", causes=last)] if last[1:] else last
        for cause in causes:
            practice = CHANGES[program.changes[-1].kind if cause.kind == "one_of" else cause.kind]
            (remarks if practice.practice else faults).append(cause)
        _look_at_list(program, omega, error, faults, remarks)
        _look_at_columns(probe, program, faults, remarks)
        if probe.ended and probe.why.kind == "raised":
            remarks.append(Finding("ends", position=probe.ended - 1, **_values(probe.why)))
        if search.kind not in SHORT and not program.changes:
            far = [part for part in search.parts if part.use.kind in FAR_CALLS]
            exact = search.gives(program._replace(kind="float64"), far)
            remarks += [] if exact else [Finding("float32_angles")]
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
            factor=program.factor,
            remarks=tuple(remarks),
        )
    faults += [note for n, note in enumerate(probe.notes) if note not in probe.notes[:n]]
    if probe.ended and probe.why.kind != "raised":
        faults.append(Finding("from_position", position=probe.ended, problem=probe.why))
    for call in probe.calls:
        if call.problem and not 0 < probe.ended <= call.whole.max():
            faults.append(Finding("in_call", call=call.use, problem=call.problem))
            break
    return RopeReport(
        tuple(faults),
        setting,
        _ground(probe, search.kind),
        layout.name,
        2 * layout.pairs,
        omega,
        base or None,
        rules,
        nearest.factor,
        found[0] if found else None,
    )


def _values(finding: Finding) -> dict[str, Any]:
    """Return the values of a finding without its kind."""
    return {name: value for name, value in vars(finding).items() if name != "kind"}


def _base_and_rules(
    ladder: Ladder | None, layout: str | None, width: int, head_dim: int, faults: list[Finding]
) -> tuple[float | None, tuple[Finding, ...]]:
    """Return the base of a list and its rules; a bug that the list shows is added to `faults`.

    The list of a part of the head may be the beginning of the list for the whole head. In the
    interleaved layout that is p-RoPE. In halves it is a slip, since p-RoPE pairs other columns.
    """
    if ladder is None:
        return None, ()
    faults += [ladder.fault] if ladder.fault else []
    if width == head_dim or ladder.rules or ladder.fault or not ladder.base:
        return ladder.base, ladder.rules
    value = ladder.base ** (head_dim / width)
    usual = [base for base in USUAL_BASES if abs(value / base - 1) < 1e-6]
    if not usual or ladder.base in USUAL_BASES[:5]:
        return ladder.base, ()
    about = {"base": usual[0], "columns": width, "head_dim": head_dim}
    if ladder.base >= 100:
        return ladder.base, (Finding("list_of_whole_head_too", **about),)
    if layout == "interleaved":
        return usual[0], (Finding("still_pairs", count=(head_dim - width) // 2),)
    faults.append(Finding("list_of_whole_head", **about))
    return usual[0], (Finding("over_whole_head", head_dim=head_dim),)


def _look_at_list(
    program: RotaryProgram,
    omega: Array,
    error: Array,
    faults: list[Finding],
    remarks: list[Finding],
) -> None:
    """Add what is found of a list that follows no rule."""
    if program.ladder is not None:
        return
    speed = next(
        (fault for first, fault in SPEEDS.items() if abs(omega[0] / first - 1) < 1e-5), None
    )
    near = None if speed else nearest_list(omega, error)
    faster = _faster_pair(omega[omega != 0])
    if near:
        kind, where = ("slowed_by_no_rule", remarks) if near.slows else ("pairs_off_list", faults)
        where.append(Finding(kind, base=near.base, runs=near.runs))
    elif speed or faster:
        faults.append(speed or faster)  # type: ignore[arg-type]
    sure = program.lists[0][np.broadcast_to(program.doubt, omega[omega != 0].shape) < 2.0**-18]
    if len(np.unique(sure)) >= FEW_PAIRS and coarsest(sure, 2.0**-18) in SHORT:
        faults.append(Finding("list_of_few_bits", dtype=coarsest(sure, 2.0**-18)))


def _look_at_columns(
    probe: Probe, program: RotaryProgram, faults: list[Finding], remarks: list[Finding]
) -> None:
    """Add what is found of pairs, of columns that do not turn, and of their order."""
    layout = probe.layout
    if layout.name is None:
        pairs = list(zip(probe.first.tolist(), probe.second.tolist(), strict=True))[:3]
        faults.append(Finding("unknown_layout", pairs=pairs))
    times = np.delete(program.still, [*program.first, *program.second])
    if many := np.count_nonzero(times != 1):
        remarks.append(Finding("still_columns_scaled", count=many))
    # Where each column comes out if pairs of neighbours go in and halves come out.
    plain = np.arange(probe.width)
    dealt, turning = plain.copy(), layout.begin + np.arange(2 * layout.pairs)
    dealt[turning[0::2]], dealt[turning[1::2]] = np.split(turning, 2)
    if layout.name == "interleaved" and (probe.out == dealt).all() and (dealt != plain).any():
        remarks.append(Finding("neighbours_to_halves"))
    elif (probe.out != plain).any():
        column = int(np.flatnonzero(probe.out != plain)[0])
        comes_out_as = int(probe.out[column])
        faults.append(Finding("columns_out_of_order", column=column, comes_out_as=comes_out_as))


def _unexplained(probe: Probe, missed: list[Miss]) -> Finding:
    """Return the first number that differs from plain RoPE, where no known cause gives it."""
    miss = min(missed, key=lambda miss: (miss.part.whole.max(), miss.position))
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
        last=int(max(call.whole.max() for call in calls)),
        uses=[use for n, use in enumerate(uses) if use not in uses[:n]],
        kind_of_numbers=kind,
        own=bool(probe.takes_own),
        longest=max(len(call.tokens) for call in calls),
    )
