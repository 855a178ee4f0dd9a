"""Programs that turn queries and keys, and the changes that bugs make to them.

A change is an entry of `CHANGES`: what is said of it, at which stage it is made and how, and where
its number comes from. To add one, write its entry and a test; it is named only where the program
that it makes gives all the numbers.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from posenc_check.ladder import Ladder
from posenc_check.probe import Call, Indices
from posenc_check.rounding import UNIT, Array, angle_error, number, rounded


class Change(NamedTuple):
    """What a bug, or a habit of some models, makes of a stage of a program."""

    stage: str
    does: Callable[[Any, Call, Any], Any]  # of what there is, of the call, and of a number
    by: str = ""  # where the number comes from: a key of the clues
    right: bool = False  # whether models do it on purpose


def _places(move: Callable[[Array, Call, Any], Array], by: str = "") -> Change:
    return Change("positions", move, by)


def _turn(four: Callable[..., tuple[Array, ...]]) -> Change:
    """Return the change of the turn (c, -s, s, c): what columns are made of, first and second."""
    return Change("turn", lambda values, _call, _n: np.array(four(*values)))


def _rounded(short: str, stage: str, by: str) -> Change:
    return Change(stage, lambda values, _call, _n: rounded(values, short), by)


def _still(which: Callable[[Call], Any], by: str) -> Change:
    """Return the change that leaves x as it is from a number on."""
    return Change("result", lambda y, call, n: np.where(which(call) >= n, call.x, y), by)


def _dynamic(longest: Callable[[Call, float], float]) -> Change:
    """Return dynamic NTK, whose slowest pair is as much slower as the text longer."""

    def does(lists: Array, call: Call, n: tuple[int, float, Array]) -> Array:
        limit, factor, ratio = n
        slower = max(1.0, factor * (longest(call, limit) + 1) / limit - (factor - 1))
        result: Array = lists * ratio / slower ** np.linspace(0, 1, lists.shape[-1])
        return result

    return Change("lists", does, "dynamic", right=True)


def _kept(call: Call, limit: float) -> float:
    """Return the longest text since one was shorter than the limit, as Transformers keeps it."""
    longest = [*call.before, float(call.whole.max())]
    short = [n for n, most in enumerate(longest) if most < limit - 1]
    return max(longest[short[-1] + 1 if short else 0 :], default=float(call.whole.max()))


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
FIRST_ONE = "Only the first position of a call is used; from there tokens are counted on, "
ALONE = "In a call of one token, as with a cache, "
OTHER = "other frequencies in texts of {after} tokens or more"
DYNAMIC = f"{OTHER} (dynamic, factor {{n[1]:.6g}})"
LENGTH = "with a length that depends on the position, "

CHANGES: dict[str, Change] = {}
for _short, _wrong in (  # where a type of 16 bits goes wrong first, among positions
    ("bfloat16", "position 257 is turned as position 256"),
    ("float16", "position 2 049 is turned as position 2 048"),
):
    for _said, _stage, _by in (
        (f"Its positions are rounded to {_short}: {_wrong}.", "positions", ""),
        (f"Its angles are rounded to {_short}.", "angles", ""),
        (f"Its cosines and sines were rounded to {_short}, as in a cached table.", "turn", ""),
        (LIST_IN.format(_short), "lists", "read"),
    ):
        CHANGES[_said] = _rounded(_short, _stage, _by)
CHANGES |= {
    UNUSED + "call, and a token alone, as with a cache, is turned as position 0.": (
        _places(lambda p, call, _: call.tokens + 0 * p)
    ),
    FIRST_ONE + "whatever gaps and order are passed.": (
        _places(lambda _p, call, _n: call.whole[..., :1] + call.tokens)
    ),
    "The positions of the first text of a batch are used for all its texts.": (
        _places(lambda p, _call, _n: p[:1])
    ),
    "It turns by the number of the head: the axes of heads and tokens are swapped.": (
        _places(lambda p, call, _: np.arange(call.x.shape[1])[:, np.newaxis] + 0 * p)
    ),
    ALONE + "position k is turned as position k + 1.": (
        _places(lambda p, call, _: p + (call.whole.shape[2] == 1))
    ),
    ALONE + "every token is turned as position 0.": (
        _places(lambda p, call, _: p * (call.whole.shape[2] > 1))
    ),
    OFFSET: _places(lambda p, _, n: p + n, "read"),
    "Positions stop at {before}: position {k} and all after it are turned as position {before}.": (
        _places(lambda p, _, n: np.minimum(p, n - 1), "place")
    ),
    "Position {k} and all after it are not turned.": (
        _still(lambda call: call.positions[..., np.newaxis], "place")
    ),
    "Texts of {after} tokens or more are not turned.": (
        _still(lambda call: call.whole.max(), "place")
    ),
    "Token {k} of a call and all after it are not turned.": (
        _still(lambda call: call.tokens[:, np.newaxis], "token")
    ),
    "Head {k} and all after it are not turned.": (
        _still(lambda call: np.arange(call.x.shape[1]).reshape(-1, 1, 1), "head")
    ),
    "Text {k} of a batch and all after it are not turned.": (
        _still(lambda call: np.arange(len(call.x)).reshape(-1, 1, 1, 1), "text")
    ),
    "Position 0 gives zeros.": (
        Change("result", lambda y, call, _: y * (call.positions != 0)[..., np.newaxis])
    ),
    f"{OTHER} (one list for all of them, as LongRoPE)": Change(
        "lists", lambda w, call, n: w * n[1] if call.whole.max() >= n[0] else w, "lists", right=True
    ),
    DYNAMIC: _dynamic(lambda call, _: call.whole.max()),
    f"{DYNAMIC}, kept for later texts until one has fewer than {{k}} tokens": _dynamic(_kept),
    MIXED: Change("lists", lambda w, _, n: w[0, np.array(n)], "read"),
    f"{LENGTH}as an attention temperature does (1 + {{n[1]:.6g}} ln(1 + k // {{n[0]}}))": Change(
        "turn",
        lambda four, call, n: four * (1 + n[1] * np.log1p(call.positions // n[0]))[..., np.newaxis],
        *("temperatures", True),
    ),
    f"{LENGTH}by a factor of its own per token in each pair, as in xPos": Change(
        "turn",
        lambda four, call, n: four * np.exp(call.positions[..., np.newaxis] * n),
        *("growths", True),
    ),
    "It turns the other way: the sign of the sines is the opposite.": (
        _turn(lambda a, b, c, d: (a, -b, -c, d))
    ),
    "It is no rotation: a minus sign is missing before one of the two sines.": (
        _turn(lambda a, b, c, d: (a, -b, c, d))
    ),
    "In place: the first column of a pair is overwritten before the second is made of it.": (
        _turn(lambda a, b, c, d: (a, b, a * c, d + b * c))
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

    order: Indices  # the column of x that comes out at each
    first: Indices  # of the result
    second: Indices
    lists: Array  # radians per token: (1, pairs)
    factor: float = 1.0
    still: Any = 1.0  # what each column that does not turn is multiplied by
    changes: tuple[tuple[str, Any], ...] = ()
    ladder: Ladder | None = None  # the list as it is known by name
    kind: str = "float32"  # the type of the angles
    doubt: Any = 0.0  # how far frequencies may be off, as parts of themselves, if measured

    def changed(self, *changes: tuple[str, Any]) -> "Program":
        """Return the program with further changes."""
        return self._replace(changes=(*self.changes, *changes))

    def _stage(self, name: str, values: Any, call: Call) -> Any:
        for said, n in self.changes:
            if name == CHANGES[said].stage:
                values = CHANGES[said].does(values, call, n)
        return values

    def _four(self, call: Call, wider: int = 0, longer: int = 0) -> Array:
        """Return what pairs are multiplied by: (4, texts, heads, tokens, pairs).

        Angles, or sines, may be as far to one side as the rounding of their type moves them: an
        angle by that of itself and of the frequency's logarithm.
        """
        times = 2.0 if self.ladder and self.ladder.fitted else 1.0  # its number is off, too
        close = wider * (angle_error(np.array(times), self.lists, self.kind) + self.doubt)
        places = self._stage("positions", call.positions, call)[..., np.newaxis, np.newaxis]
        angles = places * self._stage("lists", self.lists, call) * (1 + close)
        angles = self._stage("angles", angles, call)
        size = 1 + longer * 4 * UNIT[self.kind]
        cosine, sine = size * np.cos(angles), size * np.sin(angles)
        four = np.array([cosine[..., 0, :], -sine[..., 0, :], sine[..., -1, :], cosine[..., -1, :]])
        turn: Array = self.factor * self._stage("turn", four, call)
        return turn

    def turned(self, call: Call) -> Array:
        """Return x turned."""
        a, b, c, d = self._four(call)
        x = call.x[..., self.order]
        one, other = x[..., self.first], x[..., self.second]
        result = self.still * x
        result[..., self.first] = a * one + b * other
        result[..., self.second] = c * one + d * other
        turned: Array = self._stage("result", result, call)
        return turned

    def off(self, call: Call, unit: float) -> Array:
        """Return how far numbers are from this program's, less what rounding explains.

        Results are rounded to `unit`, up to six times on their way. A number that is near the
        middle between two of a short type goes either way.
        """
        assert call.result is not None
        turned, size = self.turned(call), np.abs(call.x[..., self.order])
        one, other = size[..., self.first], size[..., self.second]
        size = np.maximum(size, np.abs(turned))
        length = np.hypot(size[..., self.first], size[..., self.second])
        size[..., self.first] = size[..., self.second] = length
        off: Array = np.abs(call.result - turned) - (6 * unit + 4 * UNIT[self.kind]) * size
        if not (off <= 0).all():
            four = self._four(call)
            for wider, longer in ((1, 0), (0, 1)):
                sides = self._four(call, wider, longer), self._four(call, -wider, -longer)
                a, b, c, d = np.abs(np.array(sides) - four).max(axis=0)
                off[..., self.first] -= a * one + b * other
                off[..., self.second] -= c * one + d * other
        return off
