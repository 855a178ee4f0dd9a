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
from posenc_check.frequency_lists import measured_frequencies, rule_of
from posenc_check.probe import NEAR, Call, Probe, first_between
from posenc_check.programs import CHANGES, RotaryProgram
from posenc_check.rounding import SHORT, UNIT, Array, angle_error, coarsest, wrap
from posenc_check.storage import rounded_to

Complex = npt.NDArray[np.complex128]

# How far from 0 the position is looked for as which the first token is turned.
MOST_OFFSET = 2**14
# How many numbers of each call are read to tell their type.
ENTRIES = 20_000
# Numbers that differ by fewer roundings than this are equal at first sight, which says what is
# worth trying. Whether a program is right is decided by all numbers, within their roundings.
ROUNDINGS = 16
# A program that gives no number in so many of the smallest calls has no limit to be looked for.
HOPELESS = 12
# No rule slows a pair as much: what a long text slows more does not turn.
MOST_SLOWED = 2.0**20


class Miss(NamedTuple):
    """A number that a program does not give: where it is, and by how much it differs."""

    call: Call
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
        some = [call.result.flat[:ENTRIES] for call in probe.calls if call.result is not None]
        self.kind = coarsest(np.concatenate(some))
        self.unit = UNIT[self.kind]
        table = coarsest(probe.table)
        self.stored = max(self.unit, UNIT[table])
        # The cosines may be of a coarser type than what is turned by them.
        rounded = UNIT[table] > self.unit and table in SHORT
        self.rounded = (Finding("cosines_rounded", dtype=table),) if rounded else ()

    @property
    def calls(self) -> list[Call]:
        """All calls with numbers, small ones first, since these show most bugs."""
        calls = [call for call in self.probe.calls if call.result is not None]
        return sorted(calls, key=lambda call: call.x.size)

    def gives(self, program: RotaryProgram, calls: Iterable[Call]) -> bool:
        """Return whether a program gives all numbers of calls."""
        return all((program.excess(call, self.unit) <= 0).all() for call in calls)

    def missed(self, program: RotaryProgram) -> list[Miss]:
        """Return the first number of each call that a program does not give.

        Where it gives none of the first calls, no other is looked at.
        """
        missed: list[Miss] = []
        for number, call in enumerate(self.calls):
            if len(missed) == number == HOPELESS:
                break
            excess = np.moveaxis(program.excess(call, self.unit), 2, 0)
            for token, text, head, column in np.argwhere(~(excess <= 0))[:1].tolist():
                position, by = (
                    int(call.positions[text, 0, token]),
                    float(excess[token, text, head, column]),
                )
                missed.append(Miss(call, position, token, text, head, column, by))
        return missed

    # --- Causes

    def explained(self) -> Explanation:
        """Return the programs that give all numbers, if there are any."""
        nearest: Explanation | None = None
        for program in self.programs():
            missed = self.missed(program)
            if not missed:
                return Explanation([program], program, missed)
            if found := self.with_a_cause(program, missed):
                return Explanation(found, program, missed)
            if nearest is None or len(missed) < len(nearest.missed):
                nearest = Explanation([], program, missed)
        assert nearest is not None
        return nearest._replace(missed=self.missed(nearest.nearest))  # with calls at its limit

    def with_a_cause(self, program: RotaryProgram, missed: list[Miss]) -> list[RotaryProgram]:
        """Return the program with each cause that gives all numbers."""
        clues, wrong = self.clues(program, missed), [miss.call for miss in missed]
        causes = (
            Finding(kind, **values)
            for kind, change in CHANGES.items()
            for values in clues[change.clue]
        )
        changed = [program.caused(cause) for cause in causes]
        return [
            each for each in changed if self.gives(each, wrong) and self.gives(each, self.calls)
        ]

    def clues(self, program: RotaryProgram, missed: list[Miss]) -> dict[str, list[dict[str, Any]]]:
        """Return the values that causes may have, by the name of the clue, from what is missed."""
        limits = self.limits(program, missed)
        lists, dynamic = self.lists_of_long_texts(program, limits)
        return {
            "": [{}],
            "measured": [],  # `programs` has them already
            "type": [{"dtype": short} for short in SHORT],
            "position": [{"position": limit} for limit in limits],
            "list": lists,
            "dynamic": dynamic,
        }

    def limits(self, program: RotaryProgram, missed: list[Miss]) -> list[int]:
        """Return the positions from which on a function may do something else.

        They are the first that is missed in a text, and the one from which on texts are missed. A
        list that changes slowly shows it later, and mostly changes at a power of two.
        """
        long = {miss.position for miss in missed if miss.call.x.shape[2] > 8} - {0}
        far = [
            int(miss.call.positions.max()) for miss in missed if miss.call.use.kind == "call_far"
        ]
        if not far:
            return sorted(long)[:3]
        good = int(self.probe.places[self.probe.places < min(far)].max())
        limit = first_between(
            good, min(far), lambda place: not self.gives(program, [self.probe.far_text(place)])
        )
        powers = [2**k for k in range(4, 18) if good < 2**k <= min(far)]
        return list(dict.fromkeys([limit, *powers, *sorted(long)[:2]]))

    def lists_of_long_texts(
        self, program: RotaryProgram, limits: list[int]
    ) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """Return the values of a second list and of dynamic NTK, as the longest text shows them.

        A dynamic NTK with the factor s slows the last pair of a text of L tokens by
        1 + s (L/n - 1), where n is the limit from which on it acts. That is solved for s.
        """
        places, lists, dynamic = self.probe.places, [], []
        if self.probe.table_of_long is None:
            return [], []
        cosine, minus_sine = self.probe.table_of_long[:2]
        long = measured_frequencies(np.arctan2(-minus_sine, cosine), places, self.stored)
        ratio = long.omega / program.lists[0]
        turns = long.good == len(places) and (ratio * MOST_SLOWED > 1).all()
        # A model's list falls from 1 radian per token on.
        may_be_a_list = turns and long.omega[0] < 1.001 and faster_pair(long.omega) is None
        for n in limits if may_be_a_list else ():
            if not NEAR <= n <= places[-1]:
                continue
            doubt = np.minimum(long.error, 8 * self.stored / places[-1])
            lists.append({"position": n, "ratio": ratio, "doubt": doubt})
            factor = float(1 / ratio[-1] - 1) / ((float(places[-1]) + 1) / n - 1)
            # A model's factor is mostly a whole number; measured in a short type it is not.
            for each in (round(4 * factor) / 4, factor):
                dynamic.append({"position": n, "factor": each})
        return lists, dynamic

    # --- Programs, before a cause is looked for

    def programs(self) -> Iterator[RotaryProgram]:
        """Yield the programs that the unit vectors show, the usual one first.

        Some bugs hide the angles, so that they are read another way, each where it may be.
        """
        probe, places = self.probe, self.probe.places
        a, b, c, d = probe.table
        first, second = a - 1j * b, d + 1j * c  # what each column of a pair turns by
        if not np.ptp(probe.table, axis=1).any():
            # No position turns it: it turns by the number of the head or of the text, here 1.
            turned = (d - 1j * b)[0]
            yield self.program_of(np.array([np.abs(turned), turned]), np.arange(2.0))
            return
        if np.abs(np.angle(first[0]) - math.pi / 2).max() < 0.1:  # a sine stands for a cosine
            yield self.program_of(1j * first.conj(), places)
        if self.alike(np.abs(a), np.abs(b)):  # sines in both
            yield self.program_of(np.exp(1j * np.arcsin(np.clip(a[:2], -1, 1))), places[:2])
        yield self.program_of(first, places)
        if not self.alike(first, second):
            yield from self.two_lists(first, second)
            # With a view for a transpose as many tokens of head 0 as heads have one position.
            yield self.program_of((a + 1j * c)[:NEAR:3], places[: NEAR // 3])
        for short in SHORT:
            program = self.program_of(first, places, [short])
            if program.rule:
                yield program

    def alike(self, one: npt.NDArray[Any], other: npt.NDArray[Any]) -> bool:
        """Return whether two parts of the table are equal at first sight, at the first places."""
        apart, most = np.abs(one - other)[:NEAR].max(), np.abs(self.probe.table).max()
        return bool(apart <= ROUNDINGS * self.stored * most)

    def two_lists(self, first: Complex, second: Complex) -> Iterator[RotaryProgram]:
        """Yield programs in which the two columns of a pair have frequencies of their own."""
        probe = self.probe
        # Each column may have the frequency that a table in the other layout has there.
        rank = np.argsort(np.argsort(np.r_[probe.first, probe.second]))
        deal = rank // 2 if probe.layout.name == "halves" else rank % len(probe.first)
        both = np.concatenate([first, second], axis=1)[:, np.unique(deal, return_index=True)[1]]
        mixed = Finding("columns_of_other_layout", deal=deal.reshape(2, -1))
        yield self.program_of(both, probe.places).caused(mixed)
        program = self.program_of(first, probe.places)
        other = measured_frequencies(np.angle(second), probe.places, self.stored).omega
        times = other / program.lists[0]
        equal = np.ptp(times) <= 1e-5 * np.abs(times).max()
        values = {"other": other, "times": float(np.median(times)) if equal else 0.0}
        yield program.caused(Finding("columns_apart", **values))

    def program_of(
        self, turns: Complex, places: Array, kinds: Iterable[str] = ("float32", *SHORT[::-1])
    ) -> RotaryProgram:
        """Return the program whose pairs turn as complex numbers, with a row for each place."""
        probe, layout = self.probe, self.probe.layout
        measured = measured_frequencies(np.angle(turns), places, self.stored, tuple(kinds))
        sign = -1.0 if (measured.omega < 0).all() else 1.0
        measured = measured._replace(omega=sign * measured.omega)
        omega, angles = measured.omega, sign * np.angle(turns[: measured.good])
        factor = float(np.median(np.abs(turns[0]))) or 1.0
        steps = _offset(angles[0], omega, max(8 * self.stored, 1e-6))
        program = RotaryProgram(
            np.argsort(probe.out),
            probe.out[probe.first],
            probe.out[probe.second],
            omega[np.newaxis],
            1.0 if abs(factor - 1) <= max(2 * self.stored, 1e-6) else factor,
            causes=self.rounded + ((Finding("position_offset", steps=steps),) if steps else ()),
            # A measured frequency is off by no more than a rounding of the last angle.
            doubt=np.minimum(measured.error, 8 * self.unit / probe.places[-1])
            + angle_error(omega, omega, "float32"),
        )
        known = rule_of(
            measured,
            angles,
            places[: measured.good] + steps,
            layout.turning,
            layout.pairs,
            self.stored,
        )
        if known is None:
            return program
        rule, short = known
        listed = rule.frequencies[layout.turning]
        doubt = (2 if rule.fitted else 1) * angle_error(listed, listed, "float32")
        program = program._replace(lists=listed[np.newaxis], rule=rule, doubt=doubt)
        if not short:
            return program
        lost = np.abs(rounded_to(listed, short) - listed)
        values = {"pair": int(lost.argmax()), "position": math.ceil(1 / lost.max())}
        return program.caused(Finding("list_rounded", dtype=short, **values))


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
