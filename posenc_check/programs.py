"""Programs that turn queries and keys, and the causes that change what they give.

A cause is an entry of `CHANGES` with a sentence in `posenc_check.words`. The entry says at which
stage of the program the cause acts and what it makes of the values there. A cause is named only
where the program with it gives all the numbers that a function returned.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from posenc_check.findings import Finding
from posenc_check.ladder import Ladder
from posenc_check.probe import Call, Indices
from posenc_check.rounding import UNIT, Array, angle_error
from posenc_check.storage import rounded_to

# Where a tenth of the numbers differ by more than a tenth, no rounding explains them.
FAR_OFF = 0.1

# What a cause makes of the values of a stage, for a call. The finding has the cause's own values.
Step = Callable[[Any, Call, Any], Any]


class Change(NamedTuple):
    """What a cause does, at each stage at which it acts."""

    steps: dict[str, Step]  # by stage: positions, lists, angles, turn, result
    clue: str = ""  # which clues of `posenc_check.rope_search` have the values of the finding
    practice: bool = False  # whether models do it on purpose, so that it is no bug


def _positions(step: Step, clue: str = "") -> Change:
    """Return a change of positions, of shape (texts, heads, tokens) or one that broadcasts."""
    return Change({"positions": step}, clue)


def _turn(entries: Callable[..., tuple[Array, ...]]) -> Change:
    """Return a change of what makes the first and second column of a pair: (c, -s, s, c)."""
    return Change({"turn": lambda values, _call, _cause: np.array(entries(*values))})


def _unturned_from(which: Callable[[Call], Any], value: str, clue: str) -> Change:
    """Return the change that leaves x as it is from a number on, a value of the finding."""
    return Change(
        {"result": lambda y, call, cause: np.where(which(call) >= vars(cause)[value], call.x, y)},
        clue,
    )


def _rounded(values: Array, _call: Call, cause: Any) -> Array:
    return rounded_to(values, cause.dtype)


def _texts(call: Call) -> Array:
    """Return the number of each text in its batch, of shape (texts, 1, 1)."""
    return np.arange(len(call.x), dtype=float).reshape(-1, 1, 1)


def _heads(call: Call) -> Array:
    """Return the number of each head, of shape (1, heads, 1)."""
    return np.arange(call.x.shape[1], dtype=float).reshape(1, -1, 1)


def _alone(call: Call) -> bool:
    """Return whether a call has one token of each text, as with a cache."""
    return len(call.all_positions[0, 0]) == 1


def _of_view(_positions: Array, call: Call, _cause: Any) -> Array:
    """Return the positions that tokens get where ``view`` stands for a swap of heads and tokens."""
    heads, tokens = call.x.shape[1], call.all_positions.shape[2]
    taken = (np.arange(heads)[:, np.newaxis] * tokens + call.tokens) // heads
    return call.all_positions[:, 0][:, taken]


def _cached(positions: Array, call: Call, _cause: Any) -> Array:
    """Return the positions of the first call that had as many tokens."""
    for earlier in call.earlier:
        if earlier.shape[2] == call.all_positions.shape[2] and len(earlier) in (1, len(call.x)):
            return earlier[:, :, call.tokens] + 0 * positions
    return positions


def _longest(call: Call) -> float:
    """Return the largest position of a call."""
    return float(call.all_positions.max())


def _longest_so_far(call: Call, _limit: float) -> float:
    """Return the largest position of a call and of all before."""
    return max([_longest(call), *(float(each.max()) for each in call.earlier)])


def _longest_since_short(call: Call, limit: float) -> float:
    """Return the largest position since a text was shorter than the limit, as Transformers does."""
    largest = [*(float(each.max()) for each in call.earlier), _longest(call)]
    short = [n for n, most in enumerate(largest) if most < limit - 1]
    return max(largest[short[-1] + 1 if short else 0 :], default=_longest(call))


def _dynamic(longest: Callable[[Call, float], float], practice: bool = True) -> Change:
    """Return dynamic NTK, which slows the slowest pair the more, the longer the text is."""

    def step(lists: Array, call: Call, cause: Any) -> Array:
        tokens = longest(call, cause.position) + 1
        most = max(1.0, 1 + cause.factor * (tokens / cause.position - 1))
        slower = most ** np.linspace(0, 1, lists.shape[-1])
        result: Array = lists / slower
        return result

    return Change({"lists": step}, "dynamic", practice)


def _second_list(lists: Array, call: Call, cause: Any) -> Array:
    """Return the frequencies of a text, which are others from a length on."""
    return lists * cause.ratio if _longest(call) >= cause.position else lists


def _temperature(entries: Array, call: Call, cause: Any) -> Array:
    """Return cosines and sines that grow by a step at each multiple of a position."""
    steps = np.log1p(call.positions // cause.position)
    return np.asarray(entries * (1 + cause.beta * steps)[..., np.newaxis])


def _growth(entries: Array, call: Call, cause: Any) -> Array:
    """Return cosines and sines that grow in each pair by a rate of its own, as in xPos."""
    return np.asarray(entries * np.exp(call.positions[..., np.newaxis] * cause.rates))


CHANGES: dict[str, Change] = {
    # Which position a token is turned by.
    "positions_unused": _positions(lambda p, call, _: call.tokens + 0 * p),
    "first_position_only": _positions(
        lambda _p, call, _cause: call.all_positions[..., :1] + call.tokens
    ),
    "positions_less_the_first": _positions(lambda p, call, _: p - call.all_positions[..., :1]),
    "positions_of_first_text": _positions(lambda p, _call, _cause: p[:1]),
    "texts_counted_on": _positions(
        lambda p, call, _: p + _texts(call) * call.all_positions.shape[2]
    ),
    "text_as_position": _positions(lambda p, call, _: _texts(call) + 0 * p),
    "head_as_position": _positions(lambda p, call, _: _heads(call) + 0 * p),
    "view_for_transpose": _positions(_of_view),
    "positions_by_length": _positions(_cached),
    "alone_one_ahead": _positions(lambda p, call, _: p + _alone(call)),
    "alone_at_zero": _positions(lambda p, call, _: p * (not _alone(call))),
    "position_offset": _positions(lambda p, _, cause: p + cause.steps, "measured"),
    "positions_end": _positions(lambda p, _, cause: np.minimum(p, cause.position - 1), "position"),
    "positions_begin_again": _positions(lambda p, _, cause: p % cause.position, "position"),
    "positions_turn_negative": _positions(
        lambda p, _, cause: (p + cause.position) % (2 * cause.position) - cause.position, "position"
    ),
    # What is rounded to 16 bits.
    "positions_rounded": Change({"positions": _rounded}, "type"),
    "angles_rounded": Change({"angles": _rounded}, "type"),
    "list_rounded": Change({"lists": _rounded}, "measured"),
    "chain_rounded": Change(dict.fromkeys(("positions", "lists", "angles"), _rounded), "type"),
    "cosines_rounded": Change({"turn": _rounded}, "type", practice=True),
    # Which frequencies a text is turned by.
    "other_list_in_long_texts": Change({"lists": _second_list}, "list", practice=True),
    "dynamic": _dynamic(lambda call, _: _longest(call)),
    "dynamic_kept": _dynamic(_longest_since_short),
    "dynamic_never_reset": _dynamic(_longest_so_far, practice=False),
    "columns_of_other_layout": Change({"lists": lambda w, _, cause: w[0, cause.deal]}, "measured"),
    "columns_apart": Change(
        {"lists": lambda w, _, cause: np.array([w[0], cause.other])}, "measured"
    ),
    # How long what is turned becomes.
    "temperature": Change({"turn": _temperature}, "temperature", practice=True),
    "growth": Change({"turn": _growth}, "growth", practice=True),
    # Which cosines and sines are added, with which sign.
    "turned_backwards": _turn(lambda a, b, c, d: (a, -b, -c, d)),
    "minus_missing": _turn(lambda a, b, c, d: (a, -b, c, d)),
    "minus_twice": _turn(lambda a, b, c, d: (a, b, -c, d)),
    "cosine_and_sine_swapped": _turn(lambda a, b, c, d: (-b, -a, d, c)),
    "sines_for_cosines": _turn(lambda _a, b, c, _d: (-b, b, c, c)),
    "in_place": _turn(lambda a, b, c, d: (a, b, a * c, d + b * c)),
    # What is not turned at all.
    "unturned_positions": _unturned_from(
        lambda c: c.positions[..., np.newaxis], "position", "position"
    ),
    "unturned_long_texts": _unturned_from(_longest, "position", "position"),
    "unturned_tokens": _unturned_from(lambda call: call.tokens[:, np.newaxis], "token", "token"),
    "unturned_heads": _unturned_from(lambda call: _heads(call)[..., np.newaxis], "head", "head"),
    "unturned_texts": _unturned_from(lambda call: _texts(call)[..., np.newaxis], "text", "text"),
    "alone_other_texts_unturned": Change(
        {"result": lambda y, c, _: np.where(_alone(c) & (_texts(c) > 0)[..., None], c.x, y)}
    ),
    "alone_other_texts_zero": Change(
        {"result": lambda y, c, _: np.where(_alone(c) & (_texts(c) > 0)[..., None], 0.0, y)}
    ),
    "zeros_from_position": Change(
        {"result": lambda y, call, cause: y * (call.positions < cause.position)[..., np.newaxis]},
        "position",
    ),
    "zeros_at_position_0": Change(
        {"result": lambda y, call, _: y * (call.positions != 0)[..., np.newaxis]}
    ),
}


class RotaryProgram(NamedTuple):
    """A function that turns pairs of columns by position times frequency, with causes."""

    order: Indices  # the column of x that comes out at each
    first: Indices  # of the result
    second: Indices
    lists: Array  # radians per token: (1, pairs)
    factor: float = 1.0
    still: Any = 1.0  # what each column that does not turn is multiplied by
    changes: tuple[Finding, ...] = ()  # each of a kind in `CHANGES`
    ladder: Ladder | None = None  # the list as it is known by name
    kind: str = "float32"  # the type of the angles
    doubt: Any = 0.0  # how far frequencies may be off, as parts of themselves, if measured

    def changed(self, *changes: Finding) -> "RotaryProgram":
        """Return the program with further causes."""
        return self._replace(changes=(*self.changes, *changes))

    def is_like(self, other: "RotaryProgram") -> bool:
        """Return whether another program for the same columns has the same list and causes."""
        return (
            np.array_equal(self.lists, other.lists)
            and self.factor == other.factor
            and [each.kind for each in self.changes] == [each.kind for each in other.changes]
        )

    def _stage(self, name: str, values: Any, call: Call) -> Any:
        """Return the values of a stage after the causes that act there."""
        for change in self.changes:
            if step := CHANGES[change.kind].steps.get(name):
                values = step(values, call, change)
        return values

    def _entries(self, call: Call, wider: int = 0, longer: int = 0) -> Array:
        """Return (c, -s, s, c) of each pair: (4, texts, heads, tokens, pairs).

        With `wider` of 1 or -1 angles are as far to one side as the rounding of their type, and of
        the logarithm of the frequency, may move them; with `longer` cosines and sines are.
        """
        shift = wider * self._doubt_of_angles()
        places = self._stage("positions", call.positions, call)[..., np.newaxis, np.newaxis]
        angles = places * self._stage("lists", self.lists, call) * (1 + shift)
        angles = self._stage("angles", angles, call)
        size = 1 + longer * 4 * UNIT[self.kind]
        cosine, sine = size * np.cos(angles), size * np.sin(angles)
        four = np.array([cosine[..., 0, :], -sine[..., 0, :], sine[..., -1, :], cosine[..., -1, :]])
        turn: Array = self.factor * self._stage("turn", four, call)
        return turn

    def _doubt_of_angles(self) -> Array:
        """Return how far angles may be off, as a part of each."""
        times = 2.0 if self.ladder and self.ladder.fitted else 1.0  # the fitted number is off, too
        doubt: Array = angle_error(np.array(times), self.lists, self.kind) + self.doubt
        for change in self.changes:  # a list that was measured in long texts
            doubt = np.maximum(doubt, vars(change).get("doubt", 0.0))
        return doubt

    def turned(self, call: Call) -> Array:
        """Return x turned."""
        a, b, c, d = self._entries(call)
        x = call.x[..., self.order]
        one, other = x[..., self.first], x[..., self.second]
        result = self.still * x
        result[..., self.first] = a * one + b * other
        result[..., self.second] = c * one + d * other
        turned: Array = self._stage("result", result, call)
        return turned

    def excess(self, call: Call, unit: float) -> Array:
        """Return by how much numbers differ from this program's beyond what rounding explains.

        Results are rounded to `unit`, up to six times on their way. A number that is near the
        middle between two of a short type may be rounded either way.
        """
        assert call.result is not None
        turned, size = self.turned(call), np.abs(call.x[..., self.order])
        one, other = size[..., self.first], size[..., self.second]
        size = np.maximum(size, np.abs(turned))
        length = np.hypot(size[..., self.first], size[..., self.second])
        size[..., self.first] = size[..., self.second] = length
        off: Array = np.abs(call.result - turned) - (6 * unit + 4 * UNIT[self.kind]) * size
        if (off <= 0).all():
            return off
        reach = call.positions[..., np.newaxis] * np.abs(self.lists * self._doubt_of_angles())
        if not (reach > 1).any() and np.count_nonzero(off > FAR_OFF * size) > FAR_OFF * off.size:
            return off
        # Where an angle may be off by more than a radian, it says nothing.
        off[..., self.first] -= np.where(reach > 1, 2 * length, 0)
        off[..., self.second] -= np.where(reach > 1, 2 * length, 0)
        entries = self._entries(call)
        for wider, longer in ((1, 0), (0, 1)):
            sides = self._entries(call, wider, longer), self._entries(call, -wider, -longer)
            a, b, c, d = np.abs(np.array(sides) - entries).max(axis=0)
            off[..., self.first] -= a * one + b * other
            off[..., self.second] -= c * one + d * other
        return off
