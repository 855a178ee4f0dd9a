"""Which program gives all that a function returned, and with which cause.

The angles that unit vectors show make a program without a cause. Where that misses numbers, each
cause of `CHANGES` is tried, and named if the program with it gives all numbers of all calls.
"""

import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc.scaling import yarn_attention_factor
from posenc_check.findings import Finding
from posenc_check.frequency_lists import measured_frequencies, rule_of
from posenc_check.probe import NEAR, Call, Probe, first_between
from posenc_check.programs import CHANGES, FLOAT32_SLACK, ROUNDINGS, RotaryProgram
from posenc_check.rounding import (
    SHORT,
    TINY,
    UNIT,
    Array,
    angle_error,
    coarsest,
    last_place,
    rounded_to,
    wrap,
)

Complex = npt.NDArray[np.complex128]

# These three only say what is worth trying: whether a program is right is decided by all numbers,
# within their own roundings. All functions of the tests have the same verdict with a quarter of the
# first two or four times as much, and with a tenth of the last or ten times as much.
# Two measurements that differ by fewer roundings than this may be equal.
MAY_BE_EQUAL = 16
# How many roundings of an entry an angle may be off by that is measured by cosine and sine.
OF_ANGLE = 8
# What is computed in float32 may be off by this much, though the result is a float64.
FLOAT32_ERROR = 1e-6


class Search:
    """The search for a program that gives all that a function returned in the calls of a probe."""

    def __init__(self, probe: Probe) -> None:
        """Read the types of numbers, and of cosines and sines, off the results of a probe."""
        self.probe = probe
        # The first 20 000 numbers of each call tell their type. More would only take time.
        beginnings = [call.result.flat[:20_000] for call in probe.calls if call.result is not None]
        self.kind = coarsest(np.concatenate(beginnings))
        self.unit = UNIT[self.kind]
        # Cosines and sines may be of a coarser type. Unit vectors show them as they are, or times a
        # factor, which stands alone at position 0. That is worth a finding for 16 bits alone:
        # float32 beside float64 is usual.
        self.kind_of_cosines = coarsest(probe.matrices)
        # What they were multiplied by once they had been rounded; 1 if they were before.
        self.factor_after_rounding = 1.0
        factor = self.factor_of(np.hypot(*probe.matrices[:2, 0]), UNIT[self.kind])
        for short in SHORT if self.kind_of_cosines not in SHORT else ():
            cosines = probe.matrices / factor
            off = np.abs(rounded_to(cosines, short) - cosines)
            if (off <= FLOAT32_ERROR * np.abs(cosines)).all():
                self.kind_of_cosines, self.factor_after_rounding = short, factor
                break
        self.unit_of_cosines = UNIT[self.kind_of_cosines]
        self.rounded_cosines: tuple[Finding, ...] = ()
        if self.unit_of_cosines > self.unit and self.kind_of_cosines in SHORT:
            values = {"factor_after_rounding": self.factor_after_rounding}
            rounded = Finding("cosines_rounded", dtype=self.kind_of_cosines, **values)
            self.rounded_cosines = (rounded,)

    @property
    def calls(self) -> list[Call]:
        """The calls that returned numbers."""
        # Made anew each time, since the search adds calls to the probe.
        return [call for call in self.probe.calls if call.result is not None]

    def gives(self, program: RotaryProgram, calls: Iterable[Call]) -> bool:
        """Return whether a program gives all numbers of these calls, but for rounding."""
        return all((program.excess(call, self.unit) <= 0).all() for call in calls)

    def missed_calls(self, program: RotaryProgram) -> list[Call]:
        """Return the calls of which a program does not give all numbers."""
        return [call for call in self.calls if not self.gives(program, [call])]

    def difference(self, program: RotaryProgram, call: Call) -> Finding:
        """Return the finding on the first number of a call that a program misses: where, how much.

        The first is that of the first token.
        """
        # Tokens come first in the search. "Not at most 0" holds for what is no number, too.
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
        """Return (the program that gives all numbers, None), or (the likeliest, a missed number).

        The missed number is a finding: where, and how far.
        """
        programs = list(self.programs())
        for program in programs:
            missed = self.missed_calls(program)
            if not missed:
                return program, None
            for cause in self.causes(program, missed):
                with_cause = program.caused(cause)
                # The calls that the program misses are compared first: they rule most causes out.
                if self.gives(with_cause, [*missed, *self.calls]):
                    return with_cause, None
        likeliest = programs[0]
        # The search for limits has added calls, of which the one at the smallest positions shows
        # where the function begins to differ.
        missed = self.missed_calls(likeliest)
        first = min(missed, key=lambda call: float(call.positions.max()))
        finding = (
            self.difference_of_heads(first)
            or self.factor_by_position(likeliest, by_pair=False)
            or self.factor_by_position(likeliest, by_pair=True)
        )
        return likeliest, finding or self.difference(likeliest, first)

    def factor_by_position(self, program: RotaryProgram, by_pair: bool) -> Finding | None:
        """Return the finding on a factor that changes with the position, or None.

        Every token, or with `by_pair` every pair of its columns, has a factor, in all heads and
        calls the same at one position: divided by it, all numbers are those of the program.
        """
        places, factors = [], []
        for call in self.calls:
            turned, result = program.turned(call), np.array(call.result, float)
            ones = np.stack([program.first, program.second])  # columns of each pair
            product = (turned * result)[..., ones].sum(axis=(1, 3))  # texts, tokens, pairs
            square = (turned * turned)[..., ones].sum(axis=(1, 3))
            if by_pair:
                factor = product / square
                result[..., ones] /= factor[:, np.newaxis, :, np.newaxis]
            else:
                factor = product.sum(axis=-1, keepdims=True) / square.sum(axis=-1, keepdims=True)
                result /= factor[:, np.newaxis]
            if not self.gives(program, [call._replace(result=result)]):
                return None
            places.append(call.positions[:, 0].ravel())
            factors.append(factor.reshape(-1, factor.shape[-1]))
        positions, begins = np.unique(np.sort(np.concatenate(places)), return_index=True)
        of_all = np.concatenate(factors)[np.argsort(np.concatenate(places), kind="stable")]
        # Of each position, the least and the largest factor of all tokens there.
        least, most = (each.reduceat(of_all, begins) for each in (np.minimum, np.maximum))
        room = 2 * (ROUNDINGS * self.unit + FLOAT32_SLACK) * np.abs(most)
        changed = np.flatnonzero((np.abs(most - most[0]) > room).any(axis=1))
        if (most - least > room).any() or not changed.size:
            return None
        return Finding(
            "factor_by_position",
            by_pair=bool((np.ptp(most, axis=1) > room.max(axis=1)).any()),
            layout=self.probe.layout.name,
            base=program.rule.base if program.rule else None,
            start=float(most[0, 0]),
            position=int(positions[changed[0]]),
            factor=float(most[changed[0], 0]),
            last=int(positions[-1]),
            end=float(most[-1, 0]),
        )

    def difference_of_heads(self, call: Call) -> Finding | None:
        """Return the finding on heads that a function does not treat alike, or None.

        The first text of a call is passed again, with the numbers of head 0 in all heads.
        """
        x = np.repeat(call.x[:1, :1].astype(float), call.x.shape[1], axis=1)
        result = self.probe.call(call.use.kind, x, call.positions[0, 0]).result
        if result is None:
            return None
        off = np.abs(result - result[:, :1])
        # Each may be rounded on its own.
        differs = off > (ROUNDINGS * self.unit + FLOAT32_SLACK) * np.abs(result).max()
        if not differs.any():
            return None
        # The first is that of the first token, as in `difference`.
        token, head, column = np.argwhere(np.moveaxis(differs[0], 1, 0))[0].tolist()
        return Finding(
            "heads_differ",
            call=call.use,
            position=int(call.positions[0, 0, token]),
            token=token,
            head=head,
            column=column,
            by=float(off[0, head, token, column]),
        )

    def causes(self, program: RotaryProgram, missed: list[Call]) -> Iterator[Finding]:
        """Yield each cause that a program may lack, once for each set of values it may have.

        `missed` are the calls that the program does not give. What has a cause's values is the clue
        of its entry in `CHANGES`.
        """
        limits = self.limits(program, missed)
        values_by_clue: dict[str, list[dict[str, Any]]] = {
            "": [{}],  # the cause has no values
            "measured": [],  # a program of `programs` has the cause with its values already
            "type": [{"dtype": short} for short in SHORT],
            "TF32": [{"rounds": False}, {"rounds": True}],
            "cosines": [
                {"dtype": short, "factor_after_rounding": factor}
                for short in SHORT
                for factor in dict.fromkeys((1.0, program.factor))  # each once
            ],
            "position": [{"position": limit} for limit in limits],
            "list": list(self.lists_of_long_texts(program, limits)),
        }
        for kind, change in CHANGES.items():
            for values in values_by_clue[change.clue]:
                yield Finding(kind, **values)

    def limits(self, program: RotaryProgram, missed: list[Call]) -> list[int]:
        """Return positions from which on the function may leave a program, likely ones first.

        They are the first far position in short texts that the program misses, which is looked for
        by bisection, and then the first one in a prompt: a mistake may be one of long texts alone,
        or begin at a near position. At 0 there is nothing to be left.
        """
        limits = []
        far = [int(call.positions.max()) for call in missed if call.use.kind == "call_far"]
        if far:
            # The program gives the calls for all positions before the first that it misses.
            before = self.probe.positions[self.probe.positions < min(far)]
            limit = first_between(
                int(before.max()), min(far), lambda position: self.misses_text(program, position)
            )
            limits.append(limit)
        prompts = [call for call in missed if call.use.kind == "call_prompt"]
        limits += [self.difference(program, call).position for call in prompts]
        return [limit for limit in dict.fromkeys(limits) if limit > 0]  # each once

    def misses_text(self, program: RotaryProgram, position: int) -> bool:
        """Return whether a program misses a number of a text with a token at `position`, or all."""
        call = self.probe.record_far(position)
        return call.result is None or not self.gives(program, [call])

    def lists_of_long_texts(
        self, program: RotaryProgram, limits: list[int]
    ) -> Iterator[dict[str, Any]]:
        """Yield the values of a cause for each limit: texts that reach it have another list.

        There are none unless the angles of a long text grow evenly, by a list that models may have.
        The values are the limit from which on it acts, the ratio of its frequencies to those of the
        program, their doubt, and the factor that dynamic NTK would have. That, with a factor s,
        slows the last pair of a text of L tokens by 1 + s (L/n - 1), where n is the limit.
        """
        positions = self.probe.positions
        if self.probe.matrices_of_long_text is None:  # the function refuses such a text
            return
        cosine, minus_sine, *_ = self.probe.matrices_of_long_text
        angles = np.arctan2(-minus_sine, cosine)
        measured = measured_frequencies(angles, positions, self.unit_of_cosines)
        ratio = measured.omega / program.lists[0]
        # No model slows a pair a million times in long texts, or turns one much faster: the first
        # pair of Phi-3 vision turns 2 % faster.
        plausible = (ratio > 1e-6) & (ratio < 1.05)
        if measured.good < len(positions) or not plausible.all():
            return
        slowed, length = float(1 / ratio[-1]), float(positions[-1]) + 1
        for limit in limits:
            if limit <= positions[-1]:  # the text that was measured reaches the limit
                factor = (slowed - 1) / (length / limit - 1)
                factor = round(4 * factor) / 4  # models have whole, half and quarter factors
                yield {
                    "position": limit,
                    "ratio": ratio,
                    "doubt": measured.error,
                    "factor": factor,
                }

    # --- Programs, before a cause is looked for

    def programs(self) -> Iterator[RotaryProgram]:
        """Yield the programs that the unit vectors show, the likeliest first.

        Some bugs hide the angles. Where the unit vectors look like one of these, the angles are
        read in another way.
        """
        probe, positions = self.probe, self.probe.positions
        # A pair (x, y) becomes (a x + b y, c x + d y). For a rotation by an angle, that is
        # multiplication by cos + i sin, which each of the two columns shows on its own.
        a, b, c, d = probe.matrices
        by_first, by_second = a - 1j * b, d + 1j * c
        if not np.ptp(probe.matrices, axis=1).any():
            # All positions are turned alike: the number of the text or of the head stands for them.
            # That number is 1 where unit vectors of second columns are: in head 1, and in text 1 if
            # text 0 is not turned. Number 0 turns nothing.
            by_number_1 = (d - 1j * b)[0]
            yield self.program_of(np.array([np.abs(by_number_1), by_number_1]), np.arange(2.0))
            return
        if np.abs(np.angle(by_first[0]) - math.pi / 2).max() < 0.1:
            # Position 0 is turned by a quarter, but for rounding, which moves no angle by 0.1
            # radian: cosine and sine may be swapped.
            yield self.program_of(1j * by_first.conj(), positions)
        if self.may_be_equal(np.abs(a), np.abs(b)):
            # Sines stand where cosines should. They tell an angle up to a quarter turn, which no
            # pair has passed at positions 0 and 1. Rounding, or a factor, may bring one above 1.
            turns = np.exp(1j * np.arcsin(np.clip(a[:2], -1, 1)))
            yield self.program_of(turns, positions[:2])
        plain = self.program_of(by_first, positions)
        yield plain
        if not self.may_be_equal(by_first, by_second):
            yield from self.with_two_lists(plain, by_first, by_second)
            # Where heads are not turned alike, head 0 shows its own angles by a and c.
            yield self.program_of(a + 1j * c, positions)
            # With a view for a transpose, so many tokens of head 0 as there are heads, here three,
            # are turned by one position: tokens 0, 3, 6, ... by positions 0, 1, 2, ... These are of
            # the one call that has the first NEAR tokens. Both a and c are seen in head 0, and b in
            # head 1, whose tokens are turned by other positions.
            yield self.program_of((a + 1j * c)[:NEAR:3], positions[: NEAR // 3])
        # Angles that do not grow evenly in float32 may be rounded to 16 bits.
        if not self.grow_evenly(by_first, "float32"):
            for short in SHORT:
                if self.grow_evenly(by_first, short):
                    yield self.program_of(by_first, positions, short)
                    return

    def grow_evenly(self, turns: Complex, kind: str) -> bool:
        """Return whether angles, rounded to a type, are position times frequency at all positions.

        `turns` are the angles as complex numbers of any length, a row for each position.
        """
        positions = self.probe.positions
        measured = measured_frequencies(np.angle(turns), positions, self.unit_of_cosines, kind)
        return measured.good == len(positions)

    def may_be_equal(self, one: npt.NDArray[Any], other: npt.NDArray[Any]) -> bool:
        """Return whether two entries of all matrices agree at all positions, but for rounding."""
        difference = np.abs(one - other).max()
        return bool(
            difference <= MAY_BE_EQUAL * self.unit_of_cosines * np.abs(self.probe.matrices).max()
        )

    def with_two_lists(
        self, plain: RotaryProgram, by_first: Complex, by_second: Complex
    ) -> Iterator[RotaryProgram]:
        """Yield two programs in which the two columns of a pair may have different frequencies.

        `plain` has those of first columns alone. `by_first` and `by_second` are how first and
        second columns turn, as complex numbers: (positions, pairs).
        """
        probe, pairs = self.probe, len(self.probe.first)
        # The rank of each column among those that turn: first columns of pairs, then second ones.
        rank = np.argsort(np.argsort(np.r_[probe.first, probe.second]))
        # Cosines and sines may be made for the other layout. For neighbours, columns 2i and 2i + 1
        # have frequency i; for halves, columns i and i + pairs.
        frequency_of = rank // 2 if probe.layout.name == "halves" else rank % pairs
        one_column = np.unique(frequency_of, return_index=True)[1]  # one for each frequency
        turns = np.concatenate([by_first, by_second], axis=1)[:, one_column]
        mixed = Finding("columns_of_other_layout", deal=frequency_of.reshape(2, -1))
        yield self.program_of(turns, probe.positions).caused(mixed)
        of_second = measured_frequencies(
            np.angle(by_second), probe.positions, self.unit_of_cosines
        ).omega
        ratios = of_second / plain.lists[0]
        # Arithmetic in float32 moves a frequency by well below 1e-5 of it.
        one_ratio = np.ptp(ratios) <= 1e-5 * np.abs(ratios).max()
        # Without one ratio for all pairs, the sentence has none: that is what 0 stands for.
        times = float(np.median(ratios)) if one_ratio else 0.0
        yield plain.caused(Finding("columns_apart", other=of_second, times=times))

    def program_of(self, turns: Complex, positions: Array, kind: str = "float32") -> RotaryProgram:
        """Return the program whose pairs turn at each position as the complex numbers `turns` do.

        They have a row for each position, as `measured_frequencies` needs them. `kind` is the type
        of their angles. If all positions are counted from another than 0, or the list was rounded
        to 16 bits, the program has that cause.
        """
        probe, layout = self.probe, self.probe.layout
        measured = measured_frequencies(np.angle(turns), positions, self.unit_of_cosines, kind)
        # Where all turn backwards, that is a cause of its own.
        sign = -1.0 if (measured.omega < 0).all() else 1.0
        omega = sign * measured.omega
        angles = sign * np.angle(turns[: measured.good])
        # A measured frequency is off by no more than a rounding of the last angle.
        error = np.minimum(measured.error, OF_ANGLE * self.unit / positions[-1])
        program = RotaryProgram(
            order=np.argsort(probe.output_column),  # the inverse
            first=probe.output_column[probe.first],
            second=probe.output_column[probe.second],
            lists=omega[np.newaxis],
            factor=self.factor_of(np.abs(turns[0]), self.unit_of_cosines),
            causes=self.rounded_cosines,
            doubt=error + angle_error(omega, omega, "float32"),
        )
        tolerance = max(OF_ANGLE * self.unit_of_cosines, FLOAT32_ERROR)
        if offset := offset_of_positions(angles[0], omega, tolerance):
            program = program.caused(Finding("position_offset", steps=offset))
        rule_and_type = rule_of(
            measured._replace(omega=omega),
            angles,
            positions[: measured.good] + offset,
            layout.turning,
            layout.pairs,
            self.unit_of_cosines,
        )
        if rule_and_type is None:
            return self.with_finer_factor(program, turns[: measured.good], positions)
        # The list of a rule is exact, so that only rounding makes it uncertain.
        rule, short = rule_and_type
        omega = rule.frequencies[layout.turning]
        doubt = angle_error(omega, omega, "float32")
        program = program._replace(lists=omega[np.newaxis], rule=rule, doubt=doubt)
        program = self.with_finer_factor(program, turns[: measured.good], positions)
        if not short:
            return program
        lost = np.abs(rounded_to(omega, short) - omega)  # radians per token
        # From this position on, the pair that lost most is off by a radian.
        values = {"pair": int(lost.argmax()), "position": math.ceil(1 / lost.max())}
        return program.caused(Finding("list_rounded", dtype=short, **values))

    def with_finer_factor(
        self, program: RotaryProgram, turns: Complex, positions: Array
    ) -> RotaryProgram:
        """Return the program with the factor that cosines and sines had before they were rounded.

        Position 0 shows the factor itself, rounded to 16 bits. Each number g cos of another
        position, which was rounded to the nearest, bounds the factor g: all leave a narrow range.
        It is 1, or YaRN's, if that lies there, and else the number of fewest digits near the
        middle. The program is returned as it is where cosines have more bits, or no g fits.
        """
        if self.kind_of_cosines not in SHORT:
            return program
        if self.factor_after_rounding != 1:  # which position 0 shows as it is
            return program._replace(factor=self.factor_after_rounding)
        positions = positions[: len(turns), np.newaxis]
        angles = positions * program.lists[0]
        entries = np.abs([turns.real, turns.imag])
        exact = np.abs([np.cos(angles), np.sin(angles)])
        unsure = FLOAT32_ERROR + positions * program.doubt
        half_step = last_place(entries, self.kind_of_cosines) / 2
        least = float(((entries - half_step) / (exact + unsure)).max())
        most = float(((entries + half_step) / np.maximum(exact - unsure, TINY)).min())
        if least > most:
            return program
        rules = program.rule.rules if program.rule else ()
        scaled_by_yarn = [rule for rule in rules if rule.kind == "yarn_scaling"]
        factors = [1.0, *(yarn_attention_factor(factor=r.factor) for r in scaled_by_yarn)]
        middle = (least + most) / 2
        factors += [float(f"{middle:.{digits}g}") for digits in range(1, 17)]
        factor = next((each for each in factors if least <= each <= most), middle)
        doubt = max(most - factor, factor - least) / factor
        return program._replace(factor=factor, factor_doubt=doubt)

    def factor_of(self, lengths: Array, unit: float) -> float:
        """Return the factor that all pairs have in common, by their lengths; 1 if there is none.

        Cosines are rounded to `unit`. A factor that is nearly 1 counts as 1, and pairs of length 0
        have none. Pairs that differ are no rotations times one factor.
        """
        tolerance = max(unit, FLOAT32_ERROR)
        if np.ptp(lengths) > MAY_BE_EQUAL * tolerance * lengths.max():
            return 1.0
        factor = float(np.median(lengths))
        # Two roundings, or what is computed in float32, may move a factor of 1 as far.
        near_1 = abs(factor - 1) <= max(2 * unit, FLOAT32_ERROR)
        return 1.0 if near_1 or factor == 0 else factor


def offset_of_positions(angles: Array, omega: Array, tolerance: float) -> float:
    """Return the n nearest to 0 for which position k is turned as k + n; 0 if none fits.

    It is whole, or if no whole one fits, whole and a half.

    It is read off the `angles` of the pairs at position 0, within a `tolerance` in radians, for
    their frequencies `omega`. Each pair leaves those offsets whose angle it has.
    """
    whole = np.arange(-(2**14), 2**14 + 1)  # no model skips more positions
    for offsets in (whole, whole + 0.5):  # patches of an image may have their middle for a position
        for angle, frequency in zip(angles, omega, strict=True):
            # A measured frequency is off by up to 1e-5 of itself, times the offset.
            allowed = tolerance + 1e-5 * np.abs(offsets * frequency)
            offsets = offsets[np.abs(wrap(angle - offsets * frequency)) <= allowed]
        if offsets.size:
            nearest: float = min(offsets.tolist(), key=abs)
            return nearest
    return 0
