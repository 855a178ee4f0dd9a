"""What does this function do to queries and keys? A program with a name that does the same."""

import math
from collections.abc import Callable, Iterable, Iterator
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from posenc._checks import even_width, shown
from posenc_check.ladder import FEW_PAIRS, SPEEDS, followed, named
from posenc_check.probe import FAR_TEXT, NEAR, OWN, Call, NotTurnedError, Probe, first_between
from posenc_check.programs import CHANGES, LIST_IN, MIXED, OFFSET, Program, sentence
from posenc_check.rounding import ENTRIES, SHORT, UNIT, Array, coarsest, number, rounded, wrap

__all__ = ["RopeReport", "check_rope"]

# How far from 0 the count of the first token is looked for.
MOST_OFFSET = 64

Miss = dict[str, Any]  # a number that a program does not give: where it is, and by how much

UNTOLD = " Or, which these calls do not tell apart: "


class RopeReport(NamedTuple):
    """What `check_rope` found; ``str(report)`` says it in a few sentences.

    Attributes
    ----------
    rotary : bool
        Whether the function is a rotary embedding without a bug. Its settings may be any.
    text : str
        The finding in words.
    problems : tuple of str
        What is wrong, one sentence each; empty if nothing.
    layout : {"interleaved", "halves", None}
        Which columns turn together.
    width : int
        Columns that turn.
    frequencies : ndarray of float64
        Radians per token of each pair, as measured.
    base : float
        The base of those frequencies, if they follow a rule known here, before they were scaled.
    scaling : str
        How they differ from the ladder of that base, in words; empty if they do not.
    attention_factor : float
        What the turned columns are multiplied by, at the first tokens.
    ground : str
        What the finding holds of, and what was not looked at.
    program : Program or None
        What gives the same numbers; None if nothing known here does.
    """

    rotary: bool
    text: str
    problems: tuple[str, ...] = ()
    layout: str | None = None
    width: int = 0
    frequencies: Array | None = None
    base: float | None = None
    scaling: str = ""
    attention_factor: float = 1.0
    ground: str = ""
    program: Program | None = None

    def __str__(self) -> str:
        """Return the finding in words, problems first, and its ground last."""
        return " ".join(filter(None, [*self.problems, self.text, self.ground]))

    def reproduce(self) -> Callable[[npt.ArrayLike, npt.ArrayLike], Array]:
        """Return a function of x and positions that gives the numbers that were measured.

        Like the function that was examined it may remember the longest text so far.

        Raises
        ------
        ValueError
            If no known cause reproduces them.
        """
        if self.program is None:
            raise ValueError(f"no program known here gives the same numbers, got {self}")
        program = self.program
        before: list[float] = []

        def function(x: npt.ArrayLike, positions: npt.ArrayLike) -> Array:
            call = Call.of("", np.asarray(x, float), positions, tuple(before))
            before.append(float(np.max(positions)))
            return program.turned(call)

        return function


@np.errstate(all="ignore")
def check_rope(function: Callable[..., Any], head_dim: int) -> RopeReport:
    r"""Call a function that applies RoPE as it is used: name its settings, or the bug it has.

    Parameters
    ----------
    function : callable
        ``function(x, positions)`` returns x turned: x is an array of shape (batch, heads,
        tokens, head_dim), positions an int array of shape (tokens,). Wrap code that takes
        something else; it may compute in any type, as its result shows. It may also take
        positions of the shape (batch, tokens), or raise an error there.
    head_dim : int
        Columns of a head, even.

    Returns
    -------
    RopeReport
        Fields for a program; ``str`` of it is the answer in words.

    Raises
    ------
    TypeError
        If `function` cannot be called, or `head_dim` is no integer.
    ValueError
        If `head_dim` is odd, below 2 or above 262 144.

    Notes
    -----
    Unit vectors show which columns mix, and further positions how fast each pair turns. From that a
    program is made: pairs, a list of frequencies, and a change, if there is one. What is said is
    the name of a program that gives all numbers of all calls, as far as they are rounded. If two
    changes do, both are named; if none does, the first number that differs is.

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
    >>> print(check_rope(lambda x, positions: rope(x, positions + 1), 64).problems[0])
    Position k is turned as position k + 1.
    """
    if not callable(function):
        raise TypeError(f"function must be callable, got {shown(function)}")
    width = even_width(head_dim, "head_dim")
    probe = Probe(function, width)
    try:
        probe.walk()
    except NotTurnedError as problem:
        return RopeReport(False, "", (str(problem),))
    return _Reading(probe).report()


def _without_a_rule(omega: Array) -> str:
    """Return what no list of a model has, if a list has it."""
    fast = np.flatnonzero((omega < 0) | (omega > np.append(np.inf, omega[:-1]) * (1 - 1e-6)))
    if not fast.size:
        return next((bug for first, bug in SPEEDS.items() if abs(omega[0] / first - 1) < 1e-5), "")
    speed = number(float(omega[fast[0]]))
    return f"Pair {fast[0]} turns by {speed} a token; in a model each turns less, none backwards."


class _Reading:
    """What the calls of a function show, and the search for the program that gives them."""

    def __init__(self, probe: Probe) -> None:
        self.probe = probe
        self.limits: list[int] = []  # positions at which a text is first turned otherwise
        some = [call.result.flat[:ENTRIES] for call in probe.calls if call.result is not None]
        self.kind = coarsest(np.concatenate(some))
        self.unit = UNIT[self.kind]
        # A table may be of a coarser type, before a factor or after.
        self.stored = max(self.unit, UNIT[coarsest(probe.table)])

    def parts(self) -> list[Call]:
        """Return all that came back, a part of a call at a time, small ones first."""
        calls = sorted(self.probe.calls, key=lambda call: call.x.size)
        return [part for call in calls for part in call.parts()]

    def gives(self, program: Program, parts: Iterable[Call]) -> bool:
        """Return whether a program gives all numbers of parts of calls."""
        return all((program.off(part, self.unit) <= 0).all() for part in parts)

    def missed(self, program: Program) -> list[Miss]:
        """Return the first number of each call that a program does not give."""
        missed: dict[int, Miss] = {}
        for part in self.parts():
            if id(part.whole) not in missed:
                off = np.moveaxis(program.off(part, self.unit), 2, 0)
                for row, text, head, column in np.argwhere(~(off <= 0))[:1].tolist():
                    place, token = int(part.positions[text, 0, row]), int(part.tokens[row])
                    at = {"part": part, "place": place, "token": token, "text": text, "head": head}
                    at |= {"column": column, "by": float(off[row, text, head, column])}
                    missed[id(part.whole)] = at
        return list(missed.values())

    def readings(self) -> Iterator[Program]:
        """Yield programs that the numbers may be read as, the usual one first."""
        (a, b, c, d), probe = self.probe.table, self.probe
        row, other = a - 1j * b, d + 1j * c
        if not np.ptp(row, axis=0).any():
            # The angles may be those of the head, whose number is 1 for the second unit vector.
            turned = (d - 1j * b)[0]
            yield self.read(np.array([np.abs(turned), turned]), np.arange(2.0))
            return
        yield self.read(row, probe.places)
        if np.abs(row - other)[:NEAR].max() > 16 * self.unit * np.abs(row).max():
            # Each column may have the frequency of a table in the other layout.
            rank = np.argsort(np.argsort(np.r_[probe.first, probe.second]))
            deal = rank // 2 if probe.layout == "halves" else rank % len(probe.first)
            both = np.concatenate([row, other], axis=1)[:, np.unique(deal, return_index=True)[1]]
            yield self.read(both, probe.places).changed((MIXED, deal.reshape(2, -1)))

    def read(self, z: Array, places: Array) -> Program:
        """Return the program whose pairs turn as z does, a row for each place."""
        probe, unit = self.probe, self.stored
        found = followed(np.angle(z), places, unit)
        sign = -1.0 if (found.omega < 0).all() else 1.0
        omega, angles = sign * found.omega, sign * np.angle(z[: found.good])
        close = max(8 * unit, 1e-6)
        factor = float(np.median(np.abs(z[0]))) or 1.0
        factor = 1.0 if abs(factor - 1) <= max(2 * unit, 1e-6) else factor
        call, order = probe.calls[0], np.argsort(probe.out)
        assert call.result is not None
        times = call.result[0, 0, -1] / call.x[0, 0, -1, order]
        # The position, if there is one, by which the first token is turned already.
        steps = np.array(sorted(range(-MOST_OFFSET, MOST_OFFSET + 1), key=abs))
        off = np.abs(wrap(angles[0] - np.multiply.outer(steps, omega))).max(axis=1)
        offset = int([*steps[off <= 8 * close * (1 + np.abs(steps))], 0][0])
        program = Program(
            order,
            probe.out[probe.first],
            probe.out[probe.second],
            omega[np.newaxis],
            factor,
            np.where(np.abs(times - factor) < np.abs(times - 1), factor, 1.0),
            ((OFFSET, offset),) if offset else (),
            # A frequency that was measured is off by no more than a rounding of the last angle.
            doubt=np.minimum(found.error, 8 * self.unit / places[-1] / np.abs(omega)),
        )
        places = places[: found.good] + offset
        if rule := named(found._replace(omega=omega), angles, places, probe.pairs, unit):
            ladder, short = rule
            listed = ladder.frequencies
            omega = listed[np.newaxis, : len(omega)]
            program = program._replace(lists=omega, ladder=ladder, doubt=0.0)
            if short:
                off = np.abs(rounded(listed, short) - listed)
                lost = int(off.argmax()), number(np.ceil(1 / off.max()))
                return program.changed((LIST_IN.format(short), lost))
        return program

    def explained(self) -> tuple[list[Program], Program, list[Miss]]:
        """Return programs that give all numbers, the nearest without changes, and what it misses.

        There is more than one if the calls do not tell the changes apart, and none may be known.
        """
        tried = []
        for program in self.readings():
            missed = self.asked_at_limits(program, self.missed(program))
            if not missed:
                return [program], program, missed
            numbers = self.numbers(program, missed)
            changes = [(said, n) for said, each in CHANGES.items() for n in numbers[each.by]]
            wrong = [miss["part"] for miss in missed[:4]]
            changed = [program.changed(change) for change in changes]
            if found := [each for each in changed if self.gives(each, [*wrong, *self.parts()])]:
                return found, program, missed
            tried.append((program, missed, wrong, dict(reversed(changes))))
        program, missed, wrong, singles = min(tried, key=lambda each: len(each[1]))
        # Two changes, one of which gives a call that was missed, each with its first number.
        helps = {
            said
            for said, n in singles.items()
            if any(self.gives(program.changed((said, n)), [part]) for part in wrong)
        }
        for both in permutations(singles.items(), 2):
            if helps & {said for said, _ in both}:
                twice = program.changed(*both)
                if self.gives(twice, [*wrong, *self.parts()]):
                    return [twice], program, missed
        return [], program, missed

    def asked_at_limits(self, program: Program, missed: list[Miss]) -> list[Miss]:
        """Look from each side of the position at which a text is first turned otherwise, once.

        Return what is missed then.
        """
        probe, far = self.probe, [m["part"] for m in missed if m["part"].name.startswith(FAR_TEXT)]
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
            probe.see("one token alone", probe.draw(1, 2, 1), [place])
        probe.see(*probe.again)
        return self.missed(program)

    def numbers(self, program: Program, missed: list[Miss]) -> dict[str, list[Any]]:
        """Return the numbers that changes may need, each from what a program misses."""
        long = [miss for miss in missed if miss["part"].whole.shape[2] > 8]
        found: dict[str, list[Any]] = {
            key: sorted({miss[key] for miss in of} - {0})[:3]
            for key, of in (("token", long), ("head", missed), ("text", missed), ("place", long))
        }
        found["place"] = list(dict.fromkeys([*self.limits[:2], *found["place"][:2]]))
        found |= {"": [None], "read": [], "lists": [], "dynamic": []}
        table, places = self.probe.table, self.probe.places
        last = float(places[-1])
        limits = [n for n in found["place"] if NEAR <= n <= last]
        lengths = np.hypot(*table[:2, -1]) / abs(program.factor)
        found["growths"] = [np.log(lengths) / last]
        most = float(np.median(lengths)) - 1
        # A single step would fit any factor from a limit on.
        steps = [n for n in limits if 2 * n <= last]
        found["temperatures"] = [(n, most / math.log1p(last // n)) for n in steps]
        if self.probe.long is None:
            return found
        cosine, minus_sine = self.probe.long[:2]
        other = followed(np.arctan2(-minus_sine, cosine), places, self.stored)
        ratio = other.omega / program.lists[0]
        # No model slows a pair as much as to a still one.
        known = other.good == len(places) and (ratio > 2.0**-20).all()
        for n in limits if known and not _without_a_rule(other.omega) else ():
            longer = (last + 1) / n - 1
            factor = float(1 / ratio[-1] - 1) / longer
            whole = round(4 * factor) / 4
            # A long text may show the list of short ones more finely.
            near = ratio * (1 + whole * longer) ** np.linspace(0, 1, len(ratio))
            found["lists"].append((n, ratio))
            found["dynamic"] += [(n, whole, 1.0), (n, whole, near), (n, factor, 1.0)]
        return found

    def report(self) -> RopeReport:
        """Return what is said of the program, or of the first number that none gives."""
        probe = self.probe
        found, nearest, missed = self.explained()
        program = found[0] if found else None
        ladder = program.ladder if program else None
        listed, text = np.pad(nearest.lists[0], (0, probe.pairs - len(probe.first))), ""
        findings = [*self.findings(found)] if found else [(False, self.unknown(missed))]
        if program:
            turning, begin, width = 2 * probe.pairs, probe.begin, probe.width
            if turning == width:
                columns = f"all {width} columns"
            elif begin in (0, width - turning):
                columns = f"the {'last' if begin else 'first'} {turning} of {width} columns"
            else:
                columns = f"columns {begin} to {begin + turning - 1} of {width}"
            base = "frequencies by no rule known here"
            if ladder:
                alone = f"{number(float(listed[0]))} radian per token"
                base = f"base {number(ladder.base)}" if ladder.base else alone
            parts = [probe.layout or "no known layout", base, columns]
            parts += [ladder.words] if ladder else []
            parts += [f"times {program.factor:.6g}"] if program.factor != 1 else []
            parts += [said for right, said in findings if right]
            text = f"RoPE: {', '.join(filter(None, parts))}."
        problems = [said for right, said in findings if said and not right]
        problems += dict.fromkeys(probe.notes)
        if probe.why and not probe.why.startswith("It raised"):
            problems.append(f"From position {number(probe.ended)} on: {probe.why}")
        for call in probe.calls:
            if call.problem and not 0 < probe.ended <= call.whole.max():
                problems.append(f"{call.name[0].upper()}{call.name[1:]}: {call.problem}")
                break
        rule = (ladder.base or None, ladder.words) if ladder else (None, "")
        measured = probe.layout, 2 * probe.pairs, listed, *rule, nearest.factor
        return RopeReport(not problems, text, tuple(problems), *measured, self.ground(), program)

    def findings(self, found: list[Program]) -> Iterator[tuple[bool, str]]:
        """Yield what is said of programs that give all numbers, each with whether models do so."""
        program, probe = found[0], self.probe
        ladder, changes = program.ladder, program.changes
        for said, n in changes[:-1]:
            yield CHANGES[said].right, sentence(said, n)
        if changes:
            names = dict.fromkeys(sentence(*each.changes[-1]) for each in found)
            yield CHANGES[changes[-1][0]].right, UNTOLD.join(names)
        if probe.layout is None:
            pairs = list(zip(probe.first.tolist(), probe.second.tolist(), strict=True))[:3]
            yield False, f"The pairs are in no known layout; the first are {pairs}."
        omega = program.lists[0]
        yield False, ladder.problem if ladder else _without_a_rule(omega)
        sure = omega[program.doubt < 2.0**-18] if ladder is None else omega[:0]
        if len(sure) >= FEW_PAIRS and coarsest(sure, 2.0**-18) in SHORT:
            held = f"hold no more bits than {coarsest(sure, 2.0**-18)} has"
            yield False, f"Its frequencies follow no rule known here, and {held}."
        times = np.delete(program.still, [*program.first, *program.second])
        many = np.count_nonzero(times != 1)
        yield True, f"as {many} columns that do not turn are" if many else ""
        # Neighbours of the layout that come out as halves.
        plain = np.arange(probe.width)
        dealt, turning = plain.copy(), probe.begin + np.arange(2 * probe.pairs)
        dealt[turning[0::2]], dealt[turning[1::2]] = np.split(turning, 2)
        if probe.layout == "interleaved" and (probe.out == dealt).all() and (dealt != plain).any():
            said = "(as DeepSeek; harmless if queries and keys do)"
            yield True, f"neighbours go in and halves come out {said}"
        elif (probe.out != plain).any():
            column = np.flatnonzero(probe.out != plain)[0]
            said = f"column {column} as {probe.out[column]}"
            yield False, f"Columns come out in another order: {said}."
        if probe.why.startswith("It raised"):
            why = probe.why[3:].rstrip(".")
            yield True, f"only to position {number(probe.ended - 1)}, then {why}"
        if self.kind not in SHORT and not changes:
            exact = self.gives(program._replace(kind="float64"), self.parts())
            yield True, "" if exact else "angles in float32"

    def unknown(self, missed: list[Miss]) -> str:
        """Return the measured difference, where nothing known gives the numbers."""
        miss = min(missed, key=lambda miss: (miss["part"].whole.max(), miss["place"]))
        pairs = self.probe.layout or "the pairs that its unit vectors show"
        return (
            f"No cause known here gives its numbers. From plain RoPE with the same frequencies "
            f"({pairs}) they differ first in {miss['part'].name}, token {number(miss['token'])}, "
            f"at position {number(miss['place'])}, column {miss['column']}, head {miss['head']}, "
            f"text {miss['text']}: by {miss['by']:.2g}."
        )

    def ground(self) -> str:
        """Return what the finding holds of, and what was not looked at."""
        calls = [call for call in self.probe.calls if call.result is not None]
        left_out = FAR_TEXT, "the first tokens, unit"
        names = dict.fromkeys(call.name for call in calls if not call.name.startswith(left_out))
        last = number(max(call.whole.max() for call in calls))
        own = ", positions of the shape (batch, tokens), which it does not take"
        longest = number(max(len(call.tokens) for call in calls))
        return (
            f"Looked at {len(calls)} calls: positions 0 to {NEAR - 1} and "
            f"{len(self.probe.places) - NEAR} more up to {last}; {'; '.join(names)}. x was "
            f"float64, and the numbers are {self.kind}. Not looked at: positions beyond "
            f"{last}{'' if OWN in names else own}, more than {longest} tokens in a call."
        )
