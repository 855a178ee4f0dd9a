"""Which program gives all that a function returned, and with which cause.

The angles that unit vectors show make a program without a cause. Where that misses numbers, each
cause of `CHANGES` is tried, and named if the program with it gives all numbers of all calls.
"""

import math
from collections.abc import Iterable, Iterator
from typing import Any

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
# A program that gives none of so many of the smallest calls has no limit to be looked for.
HOPELESS = 12


class Search:
    """The search for a program that gives all that a function returned."""

    def __init__(self, probe: Probe) -> None:
        self.probe = probe
        some = [call.result.flat[:ENTRIES] for call in probe.calls if call.result is not None]
        self.kind = coarsest(np.concatenate(some))  # the type of the numbers
        self.unit = UNIT[self.kind]
        table = coarsest(probe.table)  # the cosines may be of a coarser type
        self.table_unit = max(self.unit, UNIT[table])
        rounded = UNIT[table] > self.unit and table in SHORT
        self.rounded_cosines = (Finding("cosines_rounded", dtype=table),) if rounded else ()

    @property
    def calls(self) -> list[Call]:
        """All calls with numbers, small ones first, since these show most bugs."""
        calls = [call for call in self.probe.calls if call.result is not None]
        return sorted(calls, key=lambda call: call.x.size)

    def gives(self, program: RotaryProgram, calls: Iterable[Call]) -> bool:
        """Return whether a program gives all numbers of calls."""
        return all((program.excess(call, self.unit) <= 0).all() for call in calls)

    def missed_calls(self, program: RotaryProgram) -> list[Call]:
        """Return the calls of which a program does not give all numbers.

        Where it gives none of the first calls, no other is looked at.
        """
        missed: list[Call] = []
        for number, call in enumerate(self.calls):
            if len(missed) == number == HOPELESS:
                break
            if not self.gives(program, [call]):
                missed.append(call)
        return missed

    def difference(self, program: RotaryProgram, call: Call) -> Finding:
        """Return the first number of a call that a program does not give."""
        excess = np.moveaxis(program.excess(call, self.unit), 2, 0)
        token, text, head, column = np.argwhere(~(excess <= 0))[0].tolist()
        return Finding(
            "unexplained",
            layout=self.probe.layout.name,
            call=call.use,
            position=int(call.positions[text, 0, token]),
            token=token,
            text=text,
            head=head,
            column=column,
            by=float(excess[token, text, head, column]),
        )

    def explanation(self) -> tuple[RotaryProgram, Finding | None]:
        """Return the program that gives all numbers, with its cause, and None.

        If none does, return the nearest without a cause, and the first number that it misses.
        """
        nearest: tuple[RotaryProgram, int] | None = None
        for program in self.programs():
            missed = self.missed_calls(program)
            if not missed:
                return program, None
            for cause in self.causes(program, missed):
                caused = program.caused(cause)
                if self.gives(caused, missed) and self.gives(caused, self.calls):
                    return caused, None
            if nearest is None or len(missed) < nearest[1]:
                nearest = program, len(missed)
        assert nearest is not None
        program, _ = nearest
        first = min(self.missed_calls(program), key=lambda call: float(call.positions.max()))
        return program, self.difference(program, first)

    def causes(self, program: RotaryProgram, missed: list[Call]) -> Iterator[Finding]:
        """Yield every cause that may be, with each of the values that it may have."""
        limits = self.limits(program, missed)
        clues: dict[str, list[dict[str, Any]]] = {
            "": [{}],
            "measured": [],  # a program of `programs` has the cause with its values already
            "type": [{"dtype": short} for short in SHORT],
            "position": [{"position": limit} for limit in limits],
            "list": list(self.lists_of_long_texts(program, limits)),
        }
        for kind, change in CHANGES.items():
            for values in clues[change.clue]:
                yield Finding(kind, **values)

    def limits(self, program: RotaryProgram, missed: list[Call]) -> list[int]:
        """Return the positions from which on a function may do something else.

        They are the first that is missed in a prompt, and the one from which on texts are missed.
        """
        prompts = [call for call in missed if call.use.kind == "call_prompt"]
        limits = [self.difference(program, call).position for call in prompts]
        far = [int(call.positions.max()) for call in missed if call.use.kind == "call_far"]
        if far:
            good = int(self.probe.places[self.probe.places < min(far)].max())
            limits.append(first_between(good, min(far), lambda n: self.misses_text(program, n)))
        return [limit for limit in dict.fromkeys(limits[::-1]) if limit > 0]

    def misses_text(self, program: RotaryProgram, place: int) -> bool:
        """Return whether a program does not give the numbers of a text with a position."""
        text = self.probe.far_text(place)
        return text.result is None or not self.gives(program, [text])

    def lists_of_long_texts(
        self, program: RotaryProgram, limits: list[int]
    ) -> Iterator[dict[str, Any]]:
        """Yield the values of a second list and of dynamic NTK, as the longest text shows them.

        A dynamic NTK with the factor s slows the last pair of a text of L tokens by
        1 + s (L/n - 1), where n is the limit from which on it acts. That is solved for s, which in
        models has few digits.
        """
        places = self.probe.places
        if self.probe.table_of_long is None:
            return
        cosine, minus_sine = self.probe.table_of_long[:2]
        long = measured_frequencies(np.arctan2(-minus_sine, cosine), places, self.table_unit)
        ratio = long.omega / program.lists[0]
        # No model slows a pair a million times in long texts, or turns one much faster: the first
        # pair of Phi-3 vision turns 2 % faster.
        if long.good < len(places) or not ((ratio > 1e-6) & (ratio < 1.05)).all():
            return
        doubt = np.minimum(long.error, 8 * self.table_unit / places[-1])
        for n in limits:
            if NEAR <= n <= places[-1]:
                factor = float(1 / ratio[-1] - 1) / ((float(places[-1]) + 1) / n - 1)
                factor = round(4 * factor) / 4
                yield {"position": n, "ratio": ratio, "doubt": doubt, "factor": factor}

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
        plain = self.program_of(first, places)
        yield plain
        if not self.alike(first, second):
            yield from self.two_lists(plain, first, second)
            # With a view for a transpose as many tokens of head 0 as heads have one position.
            yield self.program_of((a + 1j * c)[:NEAR:3], places[: NEAR // 3])
        # Angles that do not grow evenly in float32 may be rounded to 16 bits.
        kinds = (kind for kind in ("float32", *SHORT) if self.grow_evenly(first, kind))
        if (kind := next(kinds, "float32")) in SHORT:
            yield self.program_of(first, places, kind)

    def grow_evenly(self, turns: Complex, kind: str) -> bool:
        """Return whether angles of a type grow by one frequency over all places."""
        places = self.probe.places
        measured = measured_frequencies(np.angle(turns), places, self.table_unit, kind)
        return measured.good == len(places)

    def alike(self, one: npt.NDArray[Any], other: npt.NDArray[Any]) -> bool:
        """Return whether two parts of the table are equal at first sight, at the first places."""
        apart, most = np.abs(one - other)[:NEAR].max(), np.abs(self.probe.table).max()
        return bool(apart <= ROUNDINGS * self.table_unit * most)

    def two_lists(
        self, plain: RotaryProgram, first: Complex, second: Complex
    ) -> Iterator[RotaryProgram]:
        """Yield programs in which the two columns of a pair have frequencies of their own."""
        probe = self.probe
        # Each column may have the frequency that a table in the other layout has there.
        rank = np.argsort(np.argsort(np.r_[probe.first, probe.second]))
        deal = rank // 2 if probe.layout.name == "halves" else rank % len(probe.first)
        both = np.concatenate([first, second], axis=1)[:, np.unique(deal, return_index=True)[1]]
        mixed = Finding("columns_of_other_layout", deal=deal.reshape(2, -1))
        yield self.program_of(both, probe.places).caused(mixed)
        other = measured_frequencies(np.angle(second), probe.places, self.table_unit).omega
        times = other / plain.lists[0]
        equal = np.ptp(times) <= 1e-5 * np.abs(times).max()
        values = {"other": other, "times": float(np.median(times)) if equal else 0.0}
        yield plain.caused(Finding("columns_apart", **values))

    def program_of(self, turns: Complex, places: Array, kind: str = "float32") -> RotaryProgram:
        """Return the program whose pairs turn by complex numbers, with a row for each place.

        `kind` is the type of their angles.
        """
        probe, layout = self.probe, self.probe.layout
        measured = measured_frequencies(np.angle(turns), places, self.table_unit, kind)
        # Where all turn backwards, that is a cause of its own.
        sign = -1.0 if (measured.omega < 0).all() else 1.0
        measured = measured._replace(omega=sign * measured.omega)
        omega, angles = measured.omega, sign * np.angle(turns[: measured.good])
        # A factor is one of all pairs: where they differ, these are no turns of one token.
        sizes = np.abs(turns[0])
        alike = np.ptp(sizes) <= ROUNDINGS * max(self.table_unit, 1e-6) * sizes.max()
        factor = float(np.median(sizes)) or 1.0 if alike else 1.0
        # A measured frequency is off by no more than a rounding of the last angle.
        error = np.minimum(measured.error, 8 * self.unit / probe.places[-1])
        program = RotaryProgram(
            order=np.argsort(probe.out),
            first=probe.out[probe.first],
            second=probe.out[probe.second],
            lists=omega[np.newaxis],
            factor=1.0 if abs(factor - 1) <= max(2 * self.table_unit, 1e-6) else factor,
            causes=self.rounded_cosines,
            doubt=error + angle_error(omega, omega, "float32"),
        )
        if steps := _offset(angles[0], omega, max(8 * self.table_unit, 1e-6)):
            program = program.caused(Finding("position_offset", steps=steps))
        places = places[: measured.good] + steps
        known = rule_of(measured, angles, places, layout.turning, layout.pairs, self.table_unit)
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
