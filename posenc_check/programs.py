"""Programs that turn queries and keys, and the causes that change what they give.

A cause is an entry of `CHANGES` with a sentence in ``sentences.toml``. The entry says at which
stages of the program the cause acts and what it makes of the values there. A cause is named only
where the program with it gives all the numbers that a function returned.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from posenc_check.findings import Finding
from posenc_check.frequency_lists import FrequencyList
from posenc_check.probe import Call, Indices
from posenc_check.rounding import UNIT, Array
from posenc_check.storage import rounded_to


class Change(NamedTuple):
    """What a cause does, and at which stages: positions, lists, angles, turn, result."""

    stages: str
    step: Callable[[Any, Call, Any], Any]  # of the values of a stage, a call, and the finding
    clue: str = ""  # which clues of `posenc_check.rope_search` have the values of the finding
    practice: bool = False  # whether models do it on purpose, so that it is no bug


# The positions of a call have the shape (texts, 1, tokens), or one that broadcasts with heads.


def _texts(call: Call) -> Array:
    """Return the number of each text in its batch, of shape (texts, 1, 1)."""
    return np.arange(len(call.x), dtype=float).reshape(-1, 1, 1)


def _alone(call: Call) -> bool:
    """Return whether a call has one token of each text, as with a cache."""
    return len(call.tokens) == 1


def _other_text_alone(call: Call) -> Any:
    """Return which texts are not the first of a batch with one token each."""
    return _alone(call) & (_texts(call) > 0)[..., np.newaxis]


def _of_view(positions: Array, call: Call, _cause: Any) -> Array:
    """Return the positions that tokens get where ``view`` stands for a swap of heads and tokens."""
    heads, tokens = call.x.shape[1], len(call.tokens)
    taken = (np.arange(heads)[:, np.newaxis] * tokens + call.tokens) // heads
    return positions[:, 0][:, taken]


def _cached(positions: Array, call: Call, _cause: Any) -> Array:
    """Return the positions of the first call that had as many tokens."""
    for earlier in call.earlier:
        if earlier.shape[2] == len(call.tokens) and len(earlier) in (1, len(call.x)):
            return earlier + 0 * positions
    return positions


def _rounded(values: Array, _call: Call, cause: Any) -> Array:
    return rounded_to(values, cause.dtype)


def _longest(call: Call, _limit: float = 0) -> float:
    """Return the largest position of a call."""
    return float(call.positions.max())


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
        return np.asarray(lists / most ** np.linspace(0, 1, lists.shape[-1]))

    return Change("lists", step, "list", practice)


def _turn(entries: Callable[..., tuple[Array, ...]]) -> Change:
    """Return a change of what makes the first and second column of a pair: (c, -s, s, c)."""
    return Change("turn", lambda values, _call, _cause: np.array(entries(*values)))


CHANGES: dict[str, Change] = {
    # Which position a token is turned by.
    "positions_unused": Change("positions", lambda p, call, _: call.tokens + 0 * p),
    "first_position_only": Change("positions", lambda p, call, _: p[..., :1] + call.tokens),
    "positions_less_the_first": Change("positions", lambda p, _call, _: p - p[..., :1]),
    "positions_of_first_text": Change("positions", lambda p, _call, _: p[:1]),
    "texts_counted_on": Change("positions", lambda p, call, _: p + _texts(call) * len(call.tokens)),
    "text_as_position": Change("positions", lambda p, call, _: _texts(call) + 0 * p),
    "head_as_position": Change(
        "positions", lambda p, call, _: np.arange(call.x.shape[1])[:, np.newaxis] + 0 * p
    ),
    "view_for_transpose": Change("positions", _of_view),
    "positions_by_length": Change("positions", _cached),
    "alone_one_ahead": Change("positions", lambda p, call, _: p + _alone(call)),
    "alone_at_zero": Change("positions", lambda p, call, _: p * (not _alone(call))),
    "position_offset": Change("positions", lambda p, _, cause: p + cause.steps, "measured"),
    "positions_end": Change(
        "positions", lambda p, _, cause: np.minimum(p, cause.position - 1), "position"
    ),
    "positions_begin_again": Change(
        "positions", lambda p, _, cause: p % cause.position, "position"
    ),
    "positions_turn_negative": Change(
        "positions",
        lambda p, _, cause: (p + cause.position) % (2 * cause.position) - cause.position,
        "position",
    ),
    # What is rounded to 16 bits.
    "positions_rounded": Change("positions", _rounded, "type"),
    "angles_rounded": Change("angles", _rounded, "type"),
    "list_rounded": Change("lists", _rounded, "measured"),
    "chain_rounded": Change("positions lists angles", _rounded, "type"),
    "cosines_rounded": Change("turn", _rounded, "type", practice=True),
    # Which frequencies a text is turned by.
    "other_list_in_long_texts": Change(
        "lists",
        lambda w, call, cause: w * cause.ratio if _longest(call) >= cause.position else w,
        *("list", True),
    ),
    "dynamic": _dynamic(_longest),
    "dynamic_kept": _dynamic(_longest_since_short),
    "dynamic_never_reset": _dynamic(lambda call, _: _longest_since_short(call, 0), practice=False),
    "columns_of_other_layout": Change("lists", lambda w, _, cause: w[0, cause.deal], "measured"),
    "columns_apart": Change("lists", lambda w, _, cause: np.array([w[0], cause.other]), "measured"),
    # Which cosines and sines are added, with which sign.
    "turned_backwards": _turn(lambda a, b, c, d: (a, -b, -c, d)),
    "minus_missing": _turn(lambda a, b, c, d: (a, -b, c, d)),
    "minus_twice": _turn(lambda a, b, c, d: (a, b, -c, d)),
    "cosine_and_sine_swapped": _turn(lambda a, b, c, d: (-b, -a, d, c)),
    "sines_for_cosines": _turn(lambda _a, b, c, _d: (-b, b, c, c)),
    "in_place": _turn(lambda a, b, c, d: (a, b, a * c, d + b * c)),
    # What is not turned at all.
    "alone_other_texts_unturned": Change(
        "result", lambda y, call, _: np.where(_other_text_alone(call), call.x, y)
    ),
    "alone_other_texts_zero": Change(
        "result", lambda y, call, _: np.where(_other_text_alone(call), 0.0, y)
    ),
    "zeros_from_position": Change(
        "result",
        lambda y, call, cause: y * (call.positions < cause.position)[..., np.newaxis],
        "position",
    ),
    "zeros_at_position_0": Change(
        "result", lambda y, call, _: y * (call.positions != 0)[..., np.newaxis]
    ),
}


# Up to so many times a result is rounded on its way, as where all is computed in 16 bits.
ROUNDINGS = 6


class RotaryProgram(NamedTuple):
    """A function that turns pairs of columns by position times frequency, with causes."""

    order: Indices  # the column of x that comes out at each
    first: Indices  # of the result
    second: Indices
    lists: Array  # radians per token: (1, pairs)
    factor: float = 1.0
    causes: tuple[Finding, ...] = ()  # each of a kind in `CHANGES`
    rule: FrequencyList | None = None  # the list as it is known by name
    doubt: Any = 0.0  # how far each frequency may be off, with the rounding of its angles

    def caused(self, cause: Finding) -> "RotaryProgram":
        """Return the program with a further cause."""
        doubt = np.maximum(self.doubt, vars(cause).get("doubt", 0.0))
        return self._replace(causes=(*self.causes, cause), doubt=doubt)

    def _stage(self, name: str, values: Any, call: Call) -> Any:
        """Return the values of a stage after the causes that act there."""
        for cause in self.causes:
            if name in CHANGES[cause.kind].stages.split():
                values = CHANGES[cause.kind].step(values, call, cause)
        return values

    def _positions(self, call: Call) -> Array:
        """Return the positions by which tokens are turned: (texts, heads, tokens, 1)."""
        return np.asarray(self._stage("positions", call.positions, call)[..., np.newaxis])

    def _entries(self, call: Call, wider: float = 0.0, size: float = 1.0) -> Array:
        """Return (c, -s, s, c) of each pair: (4, texts, heads, tokens, pairs).

        Frequencies are so many of their doubts wider.
        """
        lists = self._stage("lists", self.lists, call) + wider * self.doubt
        angles = self._stage("angles", self._positions(call)[..., np.newaxis] * lists, call)
        cosine, sine = size * np.cos(angles), size * np.sin(angles)
        four = np.array([cosine[..., 0, :], -sine[..., 0, :], sine[..., -1, :], cosine[..., -1, :]])
        return np.asarray(self.factor * self._stage("turn", four, call))

    def turned(self, call: Call) -> Array:
        """Return x turned."""
        a, b, c, d = self._entries(call)
        result = call.x[..., self.order]
        one, other = result[..., self.first], result[..., self.second]
        result[..., self.first] = a * one + b * other
        result[..., self.second] = c * one + d * other
        return np.asarray(self._stage("result", result, call))

    def excess(self, call: Call, unit: float) -> Array:
        """Return by how much numbers differ from this program's beyond what rounding explains.

        Results are rounded to `unit`. An angle that may be off by more than two radians says
        nothing.
        """
        assert call.result is not None
        turned, x = self.turned(call), np.abs(call.x[..., self.order])
        size = np.maximum(x, np.abs(turned))
        length = np.hypot(size[..., self.first], size[..., self.second])
        size[..., self.first] = size[..., self.second] = length
        off: Array = np.abs(call.result - turned) - (ROUNDINGS * unit + 4 * UNIT["float32"]) * size
        if (off <= 0).all():
            return off
        doubt = np.minimum(np.abs(self._positions(call)) * self.doubt, 2.0)
        off[..., self.first] -= doubt * length
        off[..., self.second] -= doubt * length
        if any(CHANGES[cause.kind].clue == "type" for cause in self.causes):
            # A number that is near the middle between two of a short type is rounded either way.
            part = 4 * UNIT["float32"]
            sides = [self._entries(call, wider=side) for side in (1, -1)]
            sides += [self._entries(call, size=1 + side * part) for side in (1, -1)]
            a, b, c, d = np.abs(np.array(sides) - self._entries(call)).max(axis=0)
            off[..., self.first] -= a * x[..., self.first] + b * x[..., self.second]
            off[..., self.second] -= c * x[..., self.first] + d * x[..., self.second]
        return off
