"""Programs that turn queries and keys, and the changes that bugs make to them.

A change is an entry of `CHANGES`: what is said of it, and what it does at a stage. To add one,
write its entry and a test; it is named only where the program that it makes gives all the numbers.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from posenc.diagnose.ladder import Ladder
from posenc.diagnose.rounding import UNIT, Array, angle_error, number, rounded

Indices = npt.NDArray[np.integer[Any]]

# Where a type of 16 bits goes wrong first, among positions.
SHORTENED = {
    "bfloat16": "position 257 is turned as position 256",
    "float16": "position 2 049 is turned as position 2 048",
}


class At(NamedTuple):
    """What a program is called with: x, positions of the shape (texts, 1, tokens), a past."""

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
    """What a bug, or a habit of some models, makes of a stage of a program."""

    stage: str
    does: Callable[[Any, At, Any], Any]  # of what there is, of the call, and of a number
    by: str = ""  # where the number comes from: a key of the clues
    right: bool = False  # whether models do it on purpose
    rounds: bool = False  # whether a number near a tie may go the other way


def _places(move: Callable[[Array, At, Any], Array], by: str = "") -> Change:
    return Change("positions", move, by)


def _turn(four: Callable[..., tuple[Array, ...]]) -> Change:
    """Return the change of the turn (c, -s, s, c): what columns are made of, first and second."""
    return Change("turn", lambda values, _at, _n: np.stack(four(*values)))


def _from(which: Callable[[At], Array], by: str) -> Change:
    """Return the change that leaves x as it is from a number on."""

    def does(y: Array, at: At, n: Any) -> Array:
        return np.where((which(at) >= n)[..., np.newaxis], at.x[:, :, at.rows], y)

    return Change("result", does, by)


def _rounding(short: str, stage: str, by: str = "") -> Change:
    return Change(stage, lambda values, _at, _n: rounded(values, short), by, rounds=True)


def _dynamic(longest: Callable[[At, float], float]) -> Change:
    """Return dynamic NTK, whose slowest pair is as much slower as the text longer."""

    def does(_lists: Array, at: At, n: Any) -> Array:
        limit, factor, lists = n
        slower = max(1.0, factor * (longest(at, limit) + 1) / limit - (factor - 1))
        pairs = lists.shape[-1]
        result: Array = lists * slower ** (-np.arange(pairs) / max(1, pairs - 1))
        return result

    return Change("lists", does, "dynamic", right=True)


OFFSET = "Position k is turned as position k {step}."
MIXED = (
    "The two columns of a pair turn by different angles: the table is in one layout, the pairs in "
    "the other."
)
LIST_IN = (
    "Its frequencies were rounded to {}: "
    "pair {{n[0]}} is off by a radian from position {{n[1]}} on."
)
UNUSED = "The positions that are passed are not used: tokens are counted from the start of each "
BY_HEAD = "It turns by the number of the head: the axes of heads and tokens are swapped."
FIRST_ONE = "Only the first position of a call is used; from there tokens are counted on, "
ALONE = "In a call of one token, as with a cache, "
OTHER = "other frequencies in texts of {after} tokens or more"
DYNAMIC = f"{OTHER} (dynamic, factor {{n[1]:.6g}})"
LENGTH = "with a length that depends on the position, "

CHANGES: dict[str, Change] = {}
for _short, _wrong in SHORTENED.items():
    CHANGES |= {
        f"Its positions are rounded to {_short}: {_wrong}.": _rounding(_short, "positions"),
        f"Its angles are rounded to {_short}.": _rounding(_short, "angles"),
        f"Its cosines and sines were rounded to {_short}, as in a cached table.": (
            _rounding(_short, "turn")
        ),
        LIST_IN.format(_short): _rounding(_short, "lists", "read"),
    }
CHANGES |= {
    UNUSED + "call, and a token alone, as with a cache, is turned as position 0.": (
        _places(lambda p, at, _: at.counted(2) + 0 * p)
    ),
    FIRST_ONE + "whatever gaps and order are passed.": (
        _places(lambda p, at, _: p[..., :1] + at.counted(2))
    ),
    "The positions of the first text of a batch are used for all its texts.": (
        _places(lambda p, _at, _n: p[:1])
    ),
    BY_HEAD: _places(lambda p, at, _: at.counted(1) + 0 * p, "read"),
    ALONE + "position k is turned as position k + 1.": (
        _places(lambda p, at, _: p + (at.x.shape[2] == 1))
    ),
    ALONE + "every token is turned as position 0.": (
        _places(lambda p, at, _: p * (at.x.shape[2] > 1))
    ),
    OFFSET: _places(lambda p, _, n: p + n, "read"),
    "Positions stop at {before}: position {k} and all after it are turned as position {before}.": (
        _places(lambda p, _, n: np.minimum(p, n - 1), "positions")
    ),
}
for _said, _by, _which in (
    ("Position {k} and all after it ", "positions", lambda at: at.places),
    ("Texts of {after} tokens or more ", "positions", lambda at: at.longest + 0 * at.places),
    ("Token {k} of a call and all after it ", "tokens", lambda at: at.counted(2)[..., at.rows]),
    ("Head {k} and all after it ", "heads", lambda at: at.counted(1)),
    ("Text {k} of a batch and all after it ", "texts", lambda at: at.counted(0)),
):
    CHANGES[_said + "are not turned."] = _from(_which, _by)
CHANGES |= {
    "Position 0 gives zeros.": Change(
        "result", lambda y, at, _: y * (at.places != 0)[..., np.newaxis]
    ),
    f"{OTHER} (one list for all of them, as LongRoPE)": Change(
        "lists", lambda w, at, n: n[1] if at.longest >= n[0] else w, "lists", right=True
    ),
    DYNAMIC: _dynamic(lambda at, _: at.longest),
    # Transformers goes back where a text is shorter than the model was trained for.
    f"{DYNAMIC}, kept for later texts until one has fewer than {{k}} tokens": (
        _dynamic(lambda at, limit: at.longest_since(limit - 1))
    ),
    MIXED: Change("lists", lambda w, _, n: w[..., 0, :][..., np.asarray(n)], "read"),
    f"{LENGTH}as an attention temperature does (1 + {{n[1]:.6g}} ln(1 + k // {{n[0]}}))": Change(
        "turn",
        lambda four, at, n: four * (1 + n[1] * np.log1p(at.places // n[0]))[..., np.newaxis],
        *("temperatures", True),
    ),
    f"{LENGTH}by a factor of its own per token in each pair, as in xPos": Change(
        "turn",
        lambda four, at, n: four * np.exp(at.places[..., np.newaxis] * np.asarray(n)),
        *("growths", True),
    ),
    "It turns the other way: the sign of the sines is the opposite.": (
        _turn(lambda a, b, c, d: (a, -b, -c, d))
    ),
    "It is no rotation: a minus sign is missing before one of the two sines.": (
        _turn(lambda a, b, c, d: (a, -b, c, d))
    ),
    "In place: the first column of a pair is overwritten before the second is made of it.": (
        _turn(lambda a, b, c, d: (a, b, a * c, d + b * c))._replace(rounds=True)
    ),
}


def sentence(said: str, n: Any) -> str:
    """Return what is said of a change with its number: a position, one with more, or a list."""
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
    lists: Array  # radians per token: (1, pairs)
    factor: float = 1.0
    still: Any = 1.0  # what each column that does not turn is multiplied by
    changes: tuple[tuple[str, Any], ...] = ()
    ladder: Ladder | None = None  # the list as it is known by name
    kind: str = "float32"  # the type of the angles; float64 gives these numbers, too
    doubt: Any = 0.0  # how far the frequencies may be off, if they were measured

    def changed(self, *changes: tuple[str, Any]) -> "Program":
        """Return the program with further changes."""
        return self._replace(changes=(*self.changes, *changes))

    def _stage(self, name: str, values: Any, at: At) -> Any:
        for said, n in self.changes:
            if name == CHANGES[said].stage:
                values = CHANGES[said].does(values, at, n)
        return values

    def _turn(self, at: At, unit: float = 0.0, scale: Any = 1.0) -> tuple[Array, Array]:
        """Return the four numbers of each turn, (texts, heads, tokens, pairs), and their room.

        A computed angle is off by its type's rounding of itself and of the frequency's logarithm,
        and a frequency that was measured by no more than a rounding of the results, to `unit`.
        """
        places = self._stage("positions", at.positions, at)[..., at.rows, np.newaxis, np.newaxis]
        angles = places * self._stage("lists", self.lists * scale, at)
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
        return self.factor * middle, room

    @property
    def close(self) -> Array:
        """Return how far angles may be off, as parts of themselves, twice if one was fitted."""
        times = 2.0 if self.ladder and self.ladder.fitted else 1.0
        return angle_error(np.array(times), self.lists, self.kind)

    @property
    def rounds(self) -> bool:
        """Return whether a change rounds what a tie may send either way."""
        return any(CHANGES[said].rounds for said, _ in self.changes)

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
                allowed[..., self.out[columns]] = size * most * (6 * unit + room)
            allowed = np.maximum(allowed, 6 * unit * np.abs(turned))
            least = np.fmin(least, np.abs(found - turned) - allowed)
        return least

    def __call__(self, x: npt.ArrayLike, positions: Any, before: tuple[float, ...] = ()) -> Array:
        """Return x turned at positions."""
        places = np.asarray(positions, float)
        at = At(np.asarray(x, float), places.reshape(-1, 1, places.shape[-1]), before)
        return self.turned(at, self._turn(at)[0])
