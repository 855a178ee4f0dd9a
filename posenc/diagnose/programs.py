"""Programs that turn queries and keys, and the changes that bugs make to them.

A change is a line of `GROUPS`: what is said of it, and what it does at some stage. To add one,
write its line and a test; it is named only where the program that it makes gives all the numbers.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from posenc.diagnose.ladder import Ladder
from posenc.diagnose.rounding import UNIT, Array, number, rounded

Indices = npt.NDArray[np.integer[Any]]

# What may have become of positions, frequencies, angles, cosines and sines.
SHORTENED: dict[str, Callable[[Array], Array]] = {
    "": lambda values: values,
    "bfloat16": lambda values: rounded(values, "bfloat16"),
    "float16": lambda values: rounded(values, "float16"),
    "bfloat16, cut off": lambda values: values - values % 2.0 ** (np.frexp(values)[1] - 8),
}


class At(NamedTuple):
    """What a program is called with: x, positions of the shape (texts or 1, 1, tokens), a past."""

    x: Array
    positions: Array
    before: tuple[float, ...] = ()  # the largest position of each call before
    rows: slice | Indices = slice(None)  # the tokens that are looked at

    @property
    def places(self) -> Array:
        """Return the positions of the tokens that are looked at."""
        return self.positions[..., self.rows]

    @property
    def longest(self) -> float:
        """Return the largest position of the call."""
        return float(self.positions.max())

    def longest_since(self, short: float) -> float:
        """Return the largest position since the last call with none from `short` on."""
        most = self.longest
        for place in reversed(self.before if most >= short else ()):
            if place < short:
                break
            most = max(most, place)
        return most

    def counted(self, axis: int) -> Array:
        """Return the numbers of the texts, heads or tokens of the call."""
        shape = [1, 1, 1]
        shape[axis] = -1
        return np.arange(float(self.x.shape[axis])).reshape(shape)


class Change(NamedTuple):
    """What a bug, or a habit of some models, makes of some stages of a program."""

    stages: tuple[str, ...]
    does: Callable[[Any, At, Any], Any]  # of what there is, of the call, and of a number
    by: str = ""  # where the number comes from: a key of the clues
    right: bool = False  # whether models do it on purpose
    rounds: bool = False  # whether a number near a tie may go the other way


def _alone(move: Callable[[Array], Array]) -> Callable[..., Array]:
    return lambda p, at, _: move(p) if at.x.shape[2] == 1 else p


def _made(turn: Callable[..., tuple[Array, ...]]) -> Callable[..., Array]:
    """Return the change of the turn (c, -s, s, c): what columns are made of, first and second."""
    return lambda four, _at, _n: np.stack(turn(*four))


def _from(which: Callable[[At], Array], times: float) -> Callable[..., Array]:
    """Return the change that leaves x as it is, or gives zeros, from a number on."""
    return lambda y, at, n: np.where(
        (which(at) >= n)[..., np.newaxis], times * at.x[:, :, at.rows], y
    )


def _rounding(short: str) -> Callable[..., Array]:
    return lambda values, _at, _n: SHORTENED[short](values)


def _first_wrong(short: str) -> str:
    k = np.arange(1.0, 4096)
    row = int(np.flatnonzero(SHORTENED[short](k) != k)[0])
    turned_as = number(SHORTENED[short](k)[row])
    return f"position {number(k[row])} is turned as position {turned_as}"


def _other_list(lists: Array, longer: Any, n: Any) -> Array:
    """Return another list where a text is longer, or a position further."""
    return np.where(np.asarray(longer)[..., np.newaxis, np.newaxis] >= n[0], np.array(n[1]), lists)


def _dynamic(lists: Array, longest: float, n: tuple[Any, ...]) -> Array:
    """Return the list of dynamic NTK, whose slowest pair is as much slower as the text longer.

    The list of short texts may be read off that of long ones, which show it more finely.
    """
    limit, factor, lists = n if len(n) > 2 else (*n, lists)
    slower = max(1.0, factor * (longest + 1) / limit - (factor - 1))
    pairs = lists.shape[-1]
    result: Array = lists * slower ** (-np.arange(pairs) / max(1, pairs - 1))
    return result


OFFSET = "Position k is turned as position k {step}."
PHASES = "The first token is turned already, by no one position."
SAME = "It does the same at every position."
MIXED = (
    "The two columns of a pair turn by different angles: the table is in one layout, the pairs in "
    "the other."
)
BACKWARDS = "It turns the other way: the sign of the sines is the opposite."
NO_MINUS = "It is no rotation: a minus sign is missing before one of the two sines."
TWO_MINUS = "It is no rotation: a minus sign stands before both sines."
NEGATIVE = "All signs of the result are the opposite."
EXCHANGED = "Cosine and sine have changed places."
POSITIONS_IN = "Its positions are rounded to {}: {}."
LIST_IN = (
    "Its frequencies were rounded to {}: pair {{pair}} is off by a radian from position {{far}} on."
)
IN_PLACE = "In place: the "
UNUSED = "The positions that are passed are not used: "
ALONE = "In a call of one token, as with a cache, "
OTHER = "other frequencies in texts of {after} tokens or more"
KEPT = "and keeps them for shorter texts that come after."
UNTIL = f"{OTHER} (dynamic, factor {{n[1]:.6g}}), kept for later texts until one has fewer than"
LENGTH = "with a length that depends on the position, "

# Stages, the number's clue, whether models do so on purpose, and what is said of each change.
GROUPS: tuple[tuple[str, str, bool, dict[str, Callable[[Any, At, Any], Any]]], ...] = (
    *(
        (stages, by, False, {said.format(short, _first_wrong(short)): _rounding(short)})
        for stages, by, said in (
            ("positions", "", POSITIONS_IN),
            ("angles", "", "Its angles are rounded to {}."),
            (
                *("positions lists angles", ""),
                "Its positions and its frequencies are rounded to {}, and so is each angle, as in "
                "a module after .half() or .bfloat16(): {}.",
            ),
            ("turn", "", "Its cosines and sines were rounded to {}, as in a cached table."),
            ("lists", "read", LIST_IN),
        )
        for short in SHORTENED
        if short
    ),
    (
        *("positions", "", False),
        {
            UNUSED + "tokens are counted from the start of each call, and a token alone, as with a "
            "cache, is turned as position 0.": lambda p, at, _: at.counted(2) + 0 * p,
            UNUSED
            + "every token of a call is turned by the number of its tokens.": lambda p, at, _: (
                0 * p + at.x.shape[2]
            ),
            "Only the first position of a call is used; from there tokens are counted on, whatever "
            "gaps and order are passed.": lambda p, at, _: p[..., :1] + at.counted(2),
            "Positions are sorted before they are used: tokens in another order get another's.": (
                lambda p, _at, _n: np.sort(p, axis=-1)
            ),
            "The positions of the first text of a batch are used for all its texts.": (
                lambda p, _at, _n: p[:1]
            ),
            "Each text of a batch is turned by one position more than the text before.": (
                lambda p, at, _: p + at.counted(0)
            ),
            "It turns by the number of the head: the axes of heads and tokens are swapped.": (
                lambda p, at, _: at.counted(1) + 0 * p
            ),
            f"{ALONE}position k is turned as position k + 1.": _alone(lambda p: p + 1),
            f"{ALONE}position k is turned as position k - 1.": _alone(lambda p: p - 1),
            f"{ALONE}every token is turned as position 0.": _alone(lambda p: 0 * p),
        },
    ),
    ("positions", "read", False, {OFFSET: lambda p, _, n: p + n}),
    (
        *("positions", "positions", False),
        {
            "Positions stop at {before}: position {k} and all after it are turned as position "
            "{before}.": lambda p, _, n: np.minimum(p, n - 1),
            "Positions start over: position {k} is turned as position 0.": lambda p, _, n: p % n,
            "Position {k} and all after it turn the other way.": lambda p, _, n: np.where(
                p >= n, -p, p
            ),
            "In texts of {after} tokens or more, all turn the other way.": lambda p, at, n: (
                -p if at.longest >= n else p
            ),
        },
    ),
    *(
        ("result", by, False, {said + what: _from(which, times)})
        for by, which, said, *ends in (
            ("positions", lambda at: at.places, "Position {k}", True),
            (
                "positions",
                lambda at: at.longest + 0 * at.places,
                "In texts of {after} tokens or more, ",
            ),
            ("tokens", lambda at: at.counted(2)[..., at.rows], "Token {k} of a call", True),
            ("heads", lambda at: at.counted(1), "Head {k}", True),
            ("texts", lambda at: at.counted(0), "Text {k} of a batch", True),
        )
        for what, times in (
            (" and all after it are not turned." if ends else "nothing is turned.", 1.0),
            (" and all after it give zeros." if ends else "all is zeros.", 0.0),
        )
    ),
    (
        *("result", "", False),
        {"Position 0 gives zeros.": lambda y, at, _: y * (at.places != 0)[..., np.newaxis]},
    ),
    (
        *("lists", "lists", True),
        {
            f"{OTHER} (one list for all of them, as LongRoPE)": lambda w, at, n: _other_list(
                w, at.longest, n
            )
        },
    ),
    (
        *("lists", "lists", False),
        {
            f"It has {OTHER}, {KEPT}": lambda w, at, n: _other_list(w, at.longest_since(0), n),
            "Position {k} and all after it have other frequencies.": lambda w, at, n: _other_list(
                w, at.positions, n
            ),
        },
    ),
    (
        *("lists", "dynamic", True),
        {
            f"{OTHER} (dynamic, factor {{n[1]:.6g}})": lambda w, at, n: _dynamic(w, at.longest, n),
            f"{UNTIL} {{after}} tokens": lambda w, at, n: _dynamic(w, at.longest_since(n[0]), n),
            f"{UNTIL} {{k}} tokens": lambda w, at, n: _dynamic(w, at.longest_since(n[0] - 1), n),
        },
    ),
    (
        *("lists", "dynamic", False),
        {
            f"It has {OTHER} (dynamic, factor {{n[1]:.6g}}), {KEPT}": lambda w, at, n: _dynamic(
                w, at.longest_since(0), n
            )
        },
    ),
    ("lists", "read", False, {MIXED: lambda w, _, n: w[..., 0, :][..., np.asarray(n)]}),
    (
        *("angles", "read", False),
        {PHASES: lambda angles, _, n: angles + n, SAME: lambda angles, _, n: 0 * angles + n},
    ),
    (
        *("turn", "temperatures", True),
        {
            f"{LENGTH}as an attention temperature does (1 + {{n[1]:.6g}} ln(1 + k // {{n[0]}}))": (
                lambda four, at, n: four * (1 + n[1] * np.log1p(at.places // n[0]))[..., np.newaxis]
            )
        },
    ),
    (
        *("turn", "growths", True),
        {
            f"{LENGTH}by a factor of its own per token in each pair, as in xPos": (
                lambda four, at, n: four * np.exp(at.places[..., np.newaxis] * np.asarray(n))
            )
        },
    ),
    (
        *("result", "columns", False),
        {
            "It is no rotation: columns of the result are multiplied by different factors.": (
                lambda y, _, n: y * np.asarray(n)
            )
        },
    ),
    (
        *("turn", "", False),
        {
            BACKWARDS: _made(lambda a, b, c, d: (a, -b, -c, d)),
            NEGATIVE: _made(lambda a, b, c, d: (-a, -b, -c, -d)),
            NO_MINUS: _made(lambda a, b, c, d: (a, -b, c, d)),
            TWO_MINUS: _made(lambda a, b, c, d: (a, b, -c, d)),
            "The cosine stands in the place of the sine.": _made(
                lambda a, _b, _c, d: (a, -a, d, d)
            ),
            "The sine stands in the place of the cosine.": _made(
                lambda _a, b, c, _d: (-b, b, c, c)
            ),
            EXCHANGED: _made(lambda a, b, c, d: (-b, -a, d, c)),
            f"{IN_PLACE}first column of a pair is overwritten before the second is made of it.": (
                _made(lambda a, b, c, d: (a, b, a * c, d + b * c))
            ),
            f"{IN_PLACE}second column of a pair is overwritten before the first is made of it.": (
                _made(lambda a, b, c, d: (a + b * c, b * d, c, d))
            ),
        },
    ),
)
CHANGES = {
    said: Change(tuple(stages.split()), does, by, right, "rounded to" in said)
    for stages, by, right, group in GROUPS
    for said, does in group.items()
}


def sentence(said: str, n: Any) -> str:
    """Return what is said of a change with its number: a position, one with more, or a list."""
    short = next((short for short in SHORTENED if said == LIST_IN.format(short)), "")
    if short:
        off = np.abs(SHORTENED[short](n) - n)
        return said.format(pair=off.argmax(), far=number(np.ceil(1 / off.max())))
    k = n[0] if isinstance(n, tuple) else n
    if k is None or np.ndim(k):
        return said
    step = f"{'+' if k > 0 else '-'} {number(abs(k))}"
    return said.format(n=n, k=number(k), before=number(k - 1), after=number(k + 1), step=step)


class Program(NamedTuple):
    """A function that turns pairs of columns, by position times frequency and a few changes."""

    first: Indices
    second: Indices
    out: Indices  # the column at which each comes out
    lists: Array  # radians per token, of the first column of each pair and of the second
    factor: float = 1.0
    still: Any = 1.0  # what each column that does not turn is multiplied by
    changes: tuple[tuple[str, Any], ...] = ()
    ladder: Ladder | None = None  # the list as it is known by name
    kind: str = "float64"  # the type of the angles
    doubt: Any = 0.0  # how far the frequencies may be off, if they were measured

    def changed(self, *changes: tuple[str, Any]) -> "Program":
        """Return the program with further changes."""
        return self._replace(changes=(*self.changes, *changes))

    def _stage(self, name: str, values: Any, at: At) -> Any:
        for said, n in self.changes:
            if name in CHANGES[said].stages:
                values = CHANGES[said].does(values, at, n)
        return values

    def _turn(self, at: At, unit: float = 0.0, scale: Any = 1.0) -> tuple[Array, Array]:
        """Return the four numbers of each turn, (texts, heads, tokens, pairs), and their room.

        A computed angle is off by its type's rounding of itself and of the frequency's logarithm,
        and a frequency that was measured by no more than a rounding of the results, to `unit`.
        """
        places = self._stage("positions", at.positions, at)
        lists = self._stage("lists", self.lists * scale, at)
        if lists.ndim > 2:  # a list for each position
            lists = lists[..., at.rows, :, :]
        angles = places[..., at.rows, np.newaxis, np.newaxis] * lists
        doubt = at.places[..., np.newaxis, np.newaxis] * self.doubt
        room = np.abs(angles) * self.close + np.minimum(doubt, 8 * unit)
        angles = self._stage("angles", angles, at)
        near = 4 * UNIT[self.kind]
        room = room.max(axis=-2) + near

        def four(scale: Any, size: float) -> Array:
            cosine, sine = size * np.cos(scale * angles), size * np.sin(scale * angles)
            pairs = cosine[..., 0, :], -sine[..., 0, :], sine[..., -1, :], cosine[..., -1, :]
            turn: Array = self._stage("turn", np.stack(pairs), at)
            return turn

        middle = four(1.0, 1.0)
        if self.rounds:  # a cosine near a tie, too, may go either way
            ends = four(1 - self.close, 1 - near), four(1 + self.close, 1 + near)
            room = room + np.abs(ends[0] - ends[1]).sum(axis=0)
        return self.factor * middle, abs(self.factor) * room

    @property
    def close(self) -> Array:
        """Return how far angles may be off, as parts of themselves, twice if one was fitted."""
        logs = np.abs(np.log(np.maximum(np.abs(self.lists), 1e-30)))
        times = 2 if self.ladder and self.ladder.fitted else 1
        close: Array = times * UNIT[self.kind] * (3 + 3 * logs)
        return close

    @property
    def rounds(self) -> bool:
        """Return whether a change rounds what a tie may send either way."""
        return any(CHANGES[key].rounds for key, _ in self.changes)

    def turned(self, at: At, four: Array) -> Array:
        """Return x turned by the four numbers of each pair."""
        x = at.x[:, :, at.rows]
        one, other = x[..., self.first], x[..., self.second]
        result = np.empty_like(x)
        result[..., self.out] = self.still * x
        result[..., self.out[self.first]] = four[0] * one + four[1] * other
        result[..., self.out[self.second]] = four[2] * one + four[3] * other
        turned: Array = self._stage("result", result, at)
        return turned

    def off(self, at: At, found: Array, unit: float) -> Array:
        """Return how far numbers are from this program's, less what rounding explains.

        Results are rounded to `unit`, up to six times on their way. A number that is rounded to a
        short type, and is near the middle between two, may go either way.
        """
        x = np.abs(at.x[:, :, at.rows])
        size = np.hypot(x[..., self.first], x[..., self.second])
        least = np.full(found.shape, np.inf)
        for scale in (1.0, 1 - self.close, 1 + self.close) if self.rounds else (1.0,):
            four, room = self._turn(at, unit, scale)
            turned, allowed = self.turned(at, four), np.empty(found.shape)
            allowed[..., self.out] = 6 * unit * x
            for row, columns in ((0, self.first), (2, self.second)):
                most = np.maximum(abs(self.factor), np.hypot(four[row], four[row + 1]))
                allowed[..., self.out[columns]] = size * (6 * unit * most + room)
            allowed = np.maximum(allowed, 6 * unit * np.abs(turned))
            least = np.fmin(least, np.abs(found - turned) - allowed)
        return least

    def __call__(self, x: npt.ArrayLike, positions: Any, before: tuple[float, ...] = ()) -> Array:
        """Return x turned at positions."""
        places = np.asarray(positions, float)
        at = At(np.asarray(x, float), places.reshape(-1, 1, places.shape[-1]), before)
        return self.turned(at, self._turn(at)[0])
