"""Which program gives all that a function returned, and with which cause.

The angles that unit vectors show make a program without a cause. Where that misses numbers, each
cause of `CHANGES` is tried, and named if the program with it gives all numbers of all calls.
"""

import math
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from posenc_check.findings import Finding
from posenc_check.ladder import Followed, followed, named
from posenc_check.probe import NEAR, Call, Probe, first_between
from posenc_check.programs import CHANGES, RotaryProgram
from posenc_check.rounding import SHORT, UNIT, Array, coarsest, wrap
from posenc_check.storage import rounded_to

Complex = npt.NDArray[np.complex128]

# How far from 0 the position is looked for as which the first token is turned.
MOST_OFFSET = 2**14
# How many numbers of each call are read to tell their type.
ENTRIES = 20_000
# Numbers that differ by fewer roundings than this are equal at first sight, which says what is
# worth trying. Whether a program is right is decided by all numbers, within their roundings.
ROUNDINGS = 16
# No rule slows a pair as much: what a long text slows more does not turn.
MOST_SLOWED = 2.0**20
# Causes may act from a limit on; this many of each kind of limit are tried.
FEW = 3


class Miss(NamedTuple):
    """A number that a program does not give: where it is, and by how much it differs."""

    part: Call
    position: int
    token: int
    text: int
    head: int
    column: int
    by: float


class Explanation(NamedTuple):
    """The programs that give all numbers, and the nearest one without a cause."""

    programs: list[RotaryProgram]  # more than one if the calls do not tell causes apart
    nearest: RotaryProgram
    missed: list[Miss]  # by the nearest


class Search:
    """The search for programs that give all that a function returned."""

    def __init__(self, probe: Probe) -> None:
        self.probe = probe
        self.parts: list[Call] = []  # all that came back, a part of a call at a time
        self.read_calls()
        self.limits: list[int] = []  # positions from which on texts are turned otherwise
        some = [call.result.flat[:ENTRIES] for call in probe.calls if call.result is not None]
        self.kind = coarsest(np.concatenate(some))
        self.unit = UNIT[self.kind]
        # A table of cosines may be of a coarser type, before a factor or after.
        self.stored = max(self.unit, UNIT[coarsest(probe.table)])

    def read_calls(self, first: int = 0) -> list[Call]:
        """Add what came back from a call on to `parts`, small calls first, and return it."""
        calls = sorted(self.probe.calls[first:], key=lambda call: call.x.size)
        parts = [part for call in calls for part in call.parts()]
        self.parts += parts
        return parts

    def gives(self, program: RotaryProgram, parts: Iterable[Call] | None = None) -> bool:
        """Return whether a program gives all numbers of parts of calls, by default of all."""
        parts = self.parts if parts is None else parts
        return all((program.excess(part, self.unit) <= 0).all() for part in parts)

    def missed(self, program: RotaryProgram, parts: Iterable[Call] | None = None) -> list[Miss]:
        """Return the first number of each call that a program does not give."""
        missed: dict[int, Miss] = {}
        for part in self.parts if parts is None else parts:
            if id(part.all_positions) not in missed:
                excess = np.moveaxis(program.excess(part, self.unit), 2, 0)
                for row, text, head, column in np.argwhere(~(excess <= 0))[:1].tolist():
                    position, token = int(part.positions[text, 0, row]), int(part.tokens[row])
                    by = float(excess[row, text, head, column])
                    missed[id(part.all_positions)] = Miss(
                        part, position, token, text, head, column, by
                    )
        return list(missed.values())

    # --- Causes

    def explained(self) -> Explanation:
        """Return the programs that give all numbers, if there are any."""
        nearest = None
        tried: list[RotaryProgram] = []
        for program in self.readings():
            if any(program.is_like(other) for other in tried):
                continue
            tried.append(program)
            missed = self.asked_at_limits(program, self.missed(program))
            if not missed:
                return Explanation([program], program, missed)
            causes = self.causes(program, missed)
            if found := self.with_a_cause(program, causes, missed):
                return Explanation(found, program, missed)
            if nearest is None or len(missed) < len(nearest[1]):
                nearest = program, missed, causes
        assert nearest is not None
        program, missed, causes = nearest
        found = self.with_practice_and_a_cause(program, causes, missed)
        return Explanation(found, program, missed)

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

        The practice shows in texts with a far position, and alone gives the first that is missed.
        """
        far = [miss.part for miss in missed if miss.part.use.kind == "call_far"][:1]
        for practice in causes if far else ():
            one = program.changed(practice)
            if not CHANGES[practice.kind].practice or not self.gives(one, far):
                continue
            self.limits = []
            left = self.asked_at_limits(one, self.missed(one))
            if found := self.with_a_cause(one, self.causes(one, left), left):
                return found
        return []

    def asked_at_limits(self, program: RotaryProgram, missed: list[Miss]) -> list[Miss]:
        """Return what a program misses, after calls at the position from which on it misses texts.

        That position is looked for once: long texts may be turned otherwise.
        """
        probe, asked = self.probe, len(self.probe.calls)
        far = [miss.part for miss in missed if miss.part.use.kind == "call_far"]
        if self.limits or not far:
            return missed
        bad = min(int(part.all_positions.max()) for part in far)
        good = int(probe.places[probe.places < bad].max())

        def is_bad(position: int) -> bool:
            return not self.gives(program, probe.far_text(position, probe.draw(1, 2, 4)).parts())

        limit = first_between(good, bad, is_bad)
        # A list that changes slowly shows it later, and mostly changes at a power of two.
        self.limits = [limit, *(2**k for k in range(4, 18) if good < 2**k <= bad)]
        for place in (limit - 1, limit):
            probe.see(Finding("call_alone"), probe.draw(1, 2, 1), [place])
        probe.see(Finding("call_again"), probe.start, range(NEAR))
        return [*missed, *self.missed(program, self.read_calls(asked))]

    # --- The values of causes

    def clues(self, program: RotaryProgram, missed: list[Miss]) -> dict[str, list[dict[str, Any]]]:
        """Return the values that causes may have, by the name of the clue, from what is missed."""
        long = [miss for miss in missed if miss.part.all_positions.shape[2] > 8]

        def least(misses: list[Miss], name: str) -> list[int]:
            """Return the first tokens, heads or texts that are missed, but for number 0."""
            return sorted({getattr(miss, name) for miss in misses} - {0})[:FEW]

        limits = list(dict.fromkeys([*self.limits[:2], *least(long, "position")[:2]]))
        far = [n for n in limits if NEAR <= n <= self.probe.places[-1]]
        lists, dynamic = self.lists_of_long_texts(program, far)
        return {
            "": [{}],
            "measured": [],  # a reading has them already
            "type": [{"dtype": short} for short in SHORT],
            "position": [{"position": n} for n in limits],
            "token": [{"token": n} for n in least(long, "token")],
            "head": [{"head": n} for n in least(missed, "head")],
            "text": [{"text": n} for n in least(missed, "text")],
            "list": lists,
            "dynamic": dynamic,
            **self.lengths_of_far_tokens(program, far),
        }

    def lengths_of_far_tokens(
        self, program: RotaryProgram, limits: list[int]
    ) -> dict[str, list[dict[str, Any]]]:
        """Return the values of causes by which tokens far down become longer or shorter."""
        last = float(self.probe.places[-1])
        lengths = np.hypot(*self.probe.table[:2, -1]) / abs(program.factor)
        most = float(np.median(lengths)) - 1
        return {
            "growth": [{"rates": np.log(lengths) / last}],
            # A single step of the temperature would fit any size from a limit on.
            "temperature": [
                {"position": n, "beta": most / math.log1p(last // n)}
                for n in limits
                if 2 * n <= last
            ],
        }

    def lists_of_long_texts(
        self, program: RotaryProgram, limits: list[int]
    ) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """Return the values of a second list and of dynamic NTK, as the longest text shows them.

        A dynamic NTK with the factor s slows the last pair of a text of L tokens by
        1 + s (L/n - 1), where n is the limit from which on it acts. That is solved for s.
        """
        places, lists, dynamic = self.probe.places, [], []
        if self.probe.long is None:
            return [], []
        cosine, minus_sine = self.probe.long[:2]
        long = followed(np.arctan2(-minus_sine, cosine), places, self.stored)
        ratio = long.omega / program.lists[0]
        turns = long.good == len(places) and (ratio * MOST_SLOWED > 1).all()
        # A model's list falls from 1 radian per token on.
        may_be_a_list = turns and long.omega[0] < 1.001 and faster_pair(long.omega) is None
        for n in limits if may_be_a_list else ():
            doubt = np.minimum(long.error, 8 * self.stored / places[-1] / long.omega)
            lists.append({"position": n, "ratio": ratio, "doubt": doubt})
            factor = float(1 / ratio[-1] - 1) / ((float(places[-1]) + 1) / n - 1)
            # A model's factor is mostly a whole number; measured in a short type it is not.
            for each in (round(4 * factor) / 4, factor):
                dynamic.append({"position": n, "factor": each})
        return lists, dynamic

    # --- Programs without a cause

    def readings(self) -> Iterator[RotaryProgram]:
        """Yield the programs without a cause that the numbers may come from, the usual one first.

        Some bugs hide the angles, so that they are read another way, each where it may be.
        """
        if self.probe.by_text is not None:
            yield self.program_of_step(self.probe.by_text)
        elif not np.ptp(self.probe.table[:2], axis=1).any():  # no position turns head 0
            yield self.program_of_step(self.probe.table[[3, 1]])  # head 1 turns by its number
        else:
            yield from self.sines_in_both()
            yield from self.cosine_and_sine_swapped()
            yield self.program_of(self.first_columns, self.probe.places)
            yield from self.angles_of_sixteen_bits()
            yield from self.two_lists()
            yield from self.one_head()

    @property
    def first_columns(self) -> Complex:
        """What the first column of each pair turns by, as complex numbers: (places, pairs)."""
        cosine, minus_sine, _, _ = self.probe.table
        return np.asarray(cosine - 1j * minus_sine)

    def program_of_step(self, table: Array) -> RotaryProgram:
        """Return the program of functions that turn by another number than the position.

        The table has what the number 1 turns by; at 0 nothing is turned.
        """
        turned = (table[0] - 1j * table[1])[0]
        return self.program_of(np.array([np.abs(turned), turned]), np.arange(2.0))

    def sines_in_both(self) -> Iterator[RotaryProgram]:
        """Yield the program whose sines stand where the cosines should."""
        sines, others, _, _ = self.probe.table[:, :NEAR]
        apart = np.abs(np.abs(sines) - np.abs(others)).max()
        if apart > ROUNDINGS * self.stored * np.abs(self.first_columns).max():
            return
        omega = np.arcsin(np.clip(sines[1], -1, 1))
        error = 8 * self.stored / np.maximum(np.abs(omega), 1e-300)
        measured = Followed(omega, error, 2, "float32")
        yield self.of_list(measured, np.array([0 * omega, omega]), np.arange(2.0))

    def cosine_and_sine_swapped(self) -> Iterator[RotaryProgram]:
        """Yield the program whose first angles are a quarter turn: there a sine is a cosine."""
        row = self.first_columns
        if np.abs(np.angle(row[0]) - math.pi / 2).max() < 0.1:
            yield self.program_of(1j * row.conj(), self.probe.places)

    def angles_of_sixteen_bits(self) -> Iterator[RotaryProgram]:
        """Yield programs whose angles are rounded to 16 bits, if their list is known by name."""
        angles, places = np.angle(self.first_columns), self.probe.places
        for short in SHORT:
            measured = followed(angles, places, self.stored, [short])
            program = self.of_list(measured, angles[: measured.good], places)
            if program.ladder:
                yield program

    def two_lists(self) -> Iterator[RotaryProgram]:
        """Yield programs in which the two columns of a pair have frequencies of their own."""
        probe, row = self.probe, self.first_columns
        other = probe.table[3] + 1j * probe.table[2]  # the second column of each pair
        if np.abs(row - other)[:NEAR].max() <= ROUNDINGS * self.unit * np.abs(row).max():
            return
        # Each column may have the frequency that a table in the other layout has there.
        rank = np.argsort(np.argsort(np.r_[probe.first, probe.second]))
        deal = rank // 2 if probe.layout.name == "halves" else rank % len(probe.first)
        both = np.concatenate([row, other], axis=1)[:, np.unique(deal, return_index=True)[1]]
        mixed = Finding("columns_of_other_layout", deal=deal.reshape(2, -1))
        yield self.program_of(both, probe.places).changed(mixed)
        program = self.program_of(row, probe.places)
        second = followed(np.angle(other), probe.places, self.stored).omega
        times = second / program.lists[0]
        equal = np.ptp(times) <= 1e-5 * np.abs(times).max()
        values = {"other": second, "times": float(np.median(times)) if equal else 0.0}
        yield program.changed(Finding("columns_apart", **values))

    def one_head(self) -> Iterator[RotaryProgram]:
        """Yield the program of one head alone, where the heads of a call turn differently."""
        a, b, c, d = self.probe.table[:, :NEAR]
        lengths_stay = max(np.ptp(np.abs(a + 1j * c)), np.ptp(np.abs(d - 1j * b))) < 0.1
        if lengths_stay and np.abs(a - d).max() > 0.1:
            cosine, minus_sine, _, _ = self.probe.table_of_one_head()
            yield self.program_of(cosine - 1j * minus_sine, np.arange(float(NEAR)))

    def program_of(self, turns: Complex, places: Array) -> RotaryProgram:
        """Return the program whose pairs turn as complex numbers, with a row for each place."""
        measured = followed(np.angle(turns), places, self.stored)
        sign = -1.0 if (measured.omega < 0).all() else 1.0
        measured = measured._replace(omega=sign * measured.omega)
        factor = float(np.median(np.abs(turns[0]))) or 1.0
        factor = 1.0 if abs(factor - 1) <= max(2 * self.stored, 1e-6) else factor
        return self.of_list(measured, sign * np.angle(turns[: measured.good]), places, factor)

    def of_list(
        self, measured: Followed, angles: Array, places: Array, factor: float = 1.0
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
            still=np.where(np.abs(times - factor) < np.abs(times - 1), factor, 1.0),
            changes=(Finding("position_offset", steps=steps),) if steps else (),
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
        lost = np.abs(rounded_to(listed, short) - listed)
        values = {"pair": int(lost.argmax()), "position": math.ceil(1 / lost.max())}
        return program.changed(Finding("list_rounded", dtype=short, **values))


def _offset(angles: Array, omega: Array, tolerance: float) -> int:
    """Return the position as which the first token is turned, as its angles show it; 0 if none."""
    steps = np.arange(-MOST_OFFSET, MOST_OFFSET + 1)
    for angle, speed in sorted(zip(angles, omega, strict=True), key=lambda each: -abs(each[1])):
        allowed = 8 * tolerance + 1e-5 * np.abs(steps * speed)
        steps = steps[np.abs(wrap(angle - steps * speed)) <= allowed]
    return int(min(steps, key=abs, default=0))


def faster_pair(omega: Array) -> Finding | None:
    """Return the first pair that turns faster than the one before, or backwards, if one does."""
    fast = np.flatnonzero((omega < 0) | (omega > np.append(np.inf, omega[:-1]) * (1 - 1e-6)))
    if not fast.size:
        return None
    return Finding("pair_faster", pair=int(fast[0]), frequency=float(omega[fast[0]]))
