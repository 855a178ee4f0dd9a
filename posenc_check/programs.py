"""Programs that turn queries and keys, and the causes that change what they give.

A cause is an entry of `CHANGES` with a sentence in ``sentences.toml``. The entry says at which
stages of the program the cause acts and what it makes of the values there. A cause is named only
where the program with it gives all the numbers that a function returned.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from posenc_check.findings import Finding
from posenc_check.frequency_lists import FrequencyList
from posenc_check.probe import Call
from posenc_check.rounding import UNIT, Array, Indices, rounded_to


class Change(NamedTuple):
    """What a cause does to the values of a program's stages.

    Positions have the shape (texts, 1, tokens), or one that broadcasts with heads. Lists of
    frequencies, angles, and the entries (cos, -sin, sin, cos) of "turn" have one entry for each
    pair, and the result has the shape of x.
    """

    stages: str  # where it acts, some of: positions, lists, angles, turn, result
    step: Callable[[Any, Call, Any], Any]  # of the values of a stage, a call, and the finding
    clue: str = ""  # what in `Search.causes` has the values of the finding; "" if it has none
    practice: bool = False  # whether models do it on purpose, so that it is no bug


def _text_numbers(call: Call) -> Array:
    """Return the number of each text in its batch, from 0 on, as a float: (texts, 1, 1)."""
    # The shape is that of positions, (texts, heads, tokens).
    return np.arange(len(call.x), dtype=float).reshape(-1, 1, 1)


def _alone(call: Call) -> bool:
    """Return whether a call has one token of each text, as where the others are in a cache."""
    return len(call.tokens) == 1


def _other_text_alone(call: Call) -> Any:
    """Return whether each text has one token alone and is not the first: (texts, 1, 1, 1)."""
    # The shape is that of x, (texts, heads, tokens, width).
    return _alone(call) & (_text_numbers(call) > 0)[..., np.newaxis]


def _other_head(call: Call) -> npt.NDArray[np.bool_]:
    """Return whether each head is not the first: (heads, 1, 1)."""
    return np.arange(call.x.shape[1]).reshape(-1, 1, 1) > 0


def _position_by_memory(positions: Array, call: Call, _cause: Any) -> Array:
    """Return positions as ``view`` deals them out, where heads and tokens should be swapped.

    Their shape is (texts, heads, tokens), and that of the argument (texts, 1, tokens).

    ``view`` leaves the numbers where they are in memory, which has all tokens of head 0, then those
    of head 1. Read as (tokens, heads), so many neighbours as there are heads are one token.
    """
    heads, tokens = call.x.shape[1], len(call.tokens)
    place_in_memory = np.arange(heads)[:, np.newaxis] * tokens + call.tokens
    token_by_view = place_in_memory // heads
    return positions[:, 0, token_by_view]


def _position_by_cache(positions: Array, call: Call, _cause: Any) -> Array:
    """Return the positions of the first call with as many tokens, or of this one if it is first.

    A cache that is looked up by length alone gives these.
    """
    for earlier in call.earlier:  # positions of the calls before, (texts, 1, tokens)
        # The cache of one text fits any number of texts, and that of several only as many.
        if earlier.shape[2] == len(call.tokens) and len(earlier) in (1, len(call.x)):
            return np.broadcast_to(earlier, positions.shape)
    return positions


def _position_in_tf32(positions: Array, _call: Call, cause: Any) -> Array:
    """Return positions with the 11 bits of TF32, cut off or rounded, as the finding says.

    Positions are not negative. Halves are rounded up, as the instruction cvt.rna does it; to even
    is not tried.
    """
    exponent = np.frexp(np.maximum(positions, 1))[1]  # positions are below 2**exponent
    step = np.ldexp(1.0, exponent - 11)
    return np.asarray(np.floor(positions / step + (0.5 if cause.rounds else 0)) * step)


def _rounded(values: Array, _call: Call, cause: Any) -> Array:
    """Return values rounded to the type that the finding names."""
    return rounded_to(values, cause.dtype)


def _cosines_rounded(values: Array, _call: Call, cause: Any) -> Array:
    """Return cosines and sines rounded; they are multiplied by the finding's factor after that."""
    after = cause.factor_after_rounding
    return np.asarray(after * rounded_to(values / after, cause.dtype))


def _dynamic_ntk(forgets_below: Callable[[int], float], practice: bool = True) -> Change:
    """Return the change that slows a list by dynamic NTK, for the longest text it remembers.

    The function `forgets_below` takes the length beyond which a list is slowed. It returns how many
    tokens a text has at least if the texts before it are still remembered.
    """

    def step(lists: Array, call: Call, cause: Any) -> Array:
        """Return the lists slowed for a call, after the calls before it."""
        tokens = 0.0
        for positions in (*call.earlier, call.positions):
            of_call = float(positions.max()) + 1  # tokens of a text that ends at that position
            forgets = of_call < forgets_below(cause.position)
            tokens = of_call if forgets else max(tokens, of_call)
        # The last pair is slowed by this, the first not at all, and each other by a power of it.
        # Texts that are shorter than the limit slow none.
        slowed = max(1.0, 1 + cause.factor * (tokens / cause.position - 1))
        return np.asarray(lists / slowed ** np.linspace(0, 1, lists.shape[-1]))

    return Change("lists", step, clue="list", practice=practice)


def _turn(changed: Callable[..., tuple[Array, ...]]) -> Change:
    """Return a change at "turn", by a function that takes (cos, -sin, sin, cos) of a pair.

    That function returns the four entries that stand in their place.
    """
    return Change("turn", lambda values, _call, _cause: np.array(changed(*values)))


# In the steps p are positions, w frequencies, and y the result. Where `+ 0 * p` stands, numbers of
# another kind are given the shape of p.
CHANGES: dict[str, Change] = {
    # Which position a token is turned by.
    "positions_unused": Change("positions", lambda p, call, _: call.tokens + 0 * p),
    "first_position_only": Change("positions", lambda p, call, _: p[..., :1] + call.tokens),
    "positions_less_the_first": Change("positions", lambda p, _call, _: p - p[..., :1]),
    "positions_of_first_text": Change("positions", lambda p, _call, _: p[:1]),
    "texts_counted_on": Change(
        "positions", lambda p, call, _: p + _text_numbers(call) * len(call.tokens)
    ),
    "text_as_position": Change("positions", lambda p, call, _: _text_numbers(call) + 0 * p),
    "head_as_position": Change(
        "positions", lambda p, call, _: np.arange(call.x.shape[1])[:, np.newaxis] + 0 * p
    ),
    "view_for_transpose": Change("positions", _position_by_memory),
    "positions_by_length": Change("positions", _position_by_cache),
    "alone_one_ahead": Change("positions", lambda p, call, _: p + _alone(call)),
    "alone_at_zero": Change("positions", lambda p, call, _: p * (not _alone(call))),
    "position_offset": Change("positions", lambda p, _, cause: p + cause.steps, clue="measured"),
    "positions_end": Change(
        "positions", lambda p, _, cause: np.minimum(p, cause.position - 1), clue="position"
    ),
    "positions_begin_again": Change(
        "positions", lambda p, _, cause: p % cause.position, clue="position"
    ),
    "positions_turn_negative": Change(
        "positions",
        lambda p, _, cause: (p + cause.position) % (2 * cause.position) - cause.position,
        clue="position",
    ),
    # What is rounded to 16 bits.
    "positions_rounded": Change("positions", _rounded, clue="type"),
    "positions_in_tf32": Change("positions", _position_in_tf32, clue="TF32"),
    "angles_rounded": Change("angles", _rounded, clue="type"),
    "list_rounded": Change("lists", _rounded, clue="measured"),
    "chain_rounded": Change("positions lists angles", _rounded, clue="type"),
    "cosines_rounded": Change("turn", _cosines_rounded, clue="cosines", practice=True),
    # Which frequencies a text is turned by.
    "other_list_in_long_texts": Change(
        "lists",
        lambda w, call, cause: w * cause.ratio if call.positions.max() >= cause.position else w,
        clue="list",
        practice=True,
    ),
    "dynamic": _dynamic_ntk(lambda _: math.inf),
    "dynamic_kept": _dynamic_ntk(lambda limit: limit),  # as Transformers keeps a list
    "dynamic_never_reset": _dynamic_ntk(lambda _: 0, practice=False),
    "columns_of_other_layout": Change(
        "lists", lambda w, _, cause: w[0, cause.deal], clue="measured"
    ),
    "columns_apart": Change(
        "lists", lambda w, _, cause: np.array([w[0], cause.other]), clue="measured"
    ),
    # Which cosines and sines are added, with which sign: a, b, c, d are cos, -sin, sin, cos.
    "turned_backwards": _turn(lambda a, b, c, d: (a, -b, -c, d)),
    "minus_missing": _turn(lambda a, b, c, d: (a, -b, c, d)),
    "minus_twice": _turn(lambda a, b, c, d: (a, b, -c, d)),
    "cosine_and_sine_swapped": _turn(lambda a, b, c, d: (-b, -a, d, c)),
    "sines_for_cosines": _turn(lambda _a, b, c, _d: (-b, b, c, c)),
    # The second column is c (a x + b y) + d y, of a pair (x, y) whose x was overwritten before.
    "in_place": _turn(lambda a, b, c, d: (a, b, a * c, d + b * c)),
    # What is not turned at all.
    "alone_other_texts_unturned": Change(
        "result", lambda y, call, _: np.where(_other_text_alone(call), call.x, y)
    ),
    "alone_other_texts_zero": Change(
        "result", lambda y, call, _: np.where(_other_text_alone(call), 0.0, y)
    ),
    "other_heads_unturned": Change(
        "result", lambda y, call, _: np.where(_other_head(call), call.x, y)
    ),
    "other_heads_zero": Change("result", lambda y, call, _: np.where(_other_head(call), 0.0, y)),
    "zeros_from_position": Change(
        "result",
        lambda y, call, cause: y * (call.positions < cause.position)[..., np.newaxis],
        clue="position",
    ),
    "zeros_at_position_0": Change(
        "result", lambda y, call, _: y * (call.positions != 0)[..., np.newaxis]
    ),
}


# How many roundings a result may have gone through, as where all is computed in 16 bits: those of
# cosine and sine, of two products, of their sum, and of a factor.
ROUNDINGS = 6
# How far an entry may be off, as a part of the size of its pair, in a function that computes in
# float32: cosine and sine, and the two products with them, are rounded.
FLOAT32_SLACK = 4 * UNIT["float32"]


class RotaryProgram(NamedTuple):
    """A function that turns pairs of columns by position times frequency, with causes."""

    order: Indices  # which column of x comes out at each column of the result
    first: Indices  # the first column of each pair, in the result
    second: Indices
    lists: Array  # radians per token: (1, pairs), or (2, pairs) for either column of a pair
    factor: float = 1.0  # of the turned columns
    factor_doubt: float = 0.0  # how far the factor may be off, as a part of it
    causes: tuple[Finding, ...] = ()  # each of a kind in `CHANGES`
    rule: FrequencyList | None = None  # the list as it is known by name
    doubt: Any = 0.0  # how far each frequency may be off, with the rounding of its angles

    def caused(self, cause: Finding) -> "RotaryProgram":
        """Return the program with one more cause."""
        # A cause with frequencies that were measured says how far they may be off.
        doubt = np.maximum(self.doubt, vars(cause).get("doubt", 0.0))
        return self._replace(causes=(*self.causes, cause), doubt=doubt)

    def _after_causes(self, stage: str, values: Any, call: Call) -> Any:
        """Return the values of a stage, changed by the causes that act there."""
        for cause in self.causes:
            if stage in CHANGES[cause.kind].stages.split():
                values = CHANGES[cause.kind].step(values, call, cause)
        return values

    def _positions(self, call: Call) -> Array:
        """Return the positions that tokens are turned by: (texts, heads or 1, tokens, 1)."""
        positions = self._after_causes("positions", call.positions, call)
        return np.asarray(positions[..., np.newaxis])

    def _matrices(self, call: Call, doubts: float = 0.0, size: float = 1.0) -> Array:
        """Return (cos, -sin, sin, cos) of each pair: (4, texts, heads or 1, tokens, pairs).

        `doubts` times its doubt is added to each frequency. Cosines and sines are multiplied by the
        factor, as models do, and by `size`, before the causes that round them act.
        """
        lists = self._after_causes("lists", self.lists, call) + doubts * self.doubt
        # The shape is (texts, heads or 1, tokens, 1 or 2 lists, pairs).
        angles = self._positions(call)[..., np.newaxis] * lists
        angles = self._after_causes("angles", angles, call)
        size *= self.factor
        cos, sin = size * np.cos(angles), size * np.sin(angles)
        # Of two lists, the first makes the first column of the result, and the second the second. A
        # single list makes both.
        matrices = np.array([cos[..., 0, :], -sin[..., 0, :], sin[..., -1, :], cos[..., -1, :]])
        return np.asarray(self._after_causes("turn", matrices, call))

    def turned(self, call: Call) -> Array:
        """Return the x of a call as the program turns it, with its causes, in float64."""
        a, b, c, d = self._matrices(call)
        x, y = call.x[..., self.order[self.first]], call.x[..., self.order[self.second]]
        first, second = a * x + b * y, c * x + d * y
        del a, b, c, d  # they take twice the memory of all x, which may be large
        result = call.x[..., self.order].astype(float)  # x of a `Probe` is kept in float32
        result[..., self.first], result[..., self.second] = first, second
        return np.asarray(self._after_causes("result", result, call))

    def excess(self, call: Call, unit: float) -> Array:
        """Return by how much each number of a call is farther off than rounding to `unit` explains.

        It is at most 0 where the program explains the number, and has the shape of x. The call has
        a result.
        """
        assert call.result is not None
        # What is no longer needed is written over, since a call may be large.
        turned, x = self.turned(call), np.abs(call.x[..., self.order])
        excess = call.result - turned
        excess = np.abs(excess, out=excess)
        size = np.maximum(x, np.abs(turned, out=turned), out=turned)
        # Each column of the result is a sum of products with both columns of its pair, and is
        # rounded by a part of the length of the pair.
        length = np.hypot(size[..., self.first], size[..., self.second])
        size[..., self.first] = size[..., self.second] = length
        size *= ROUNDINGS * unit + FLOAT32_SLACK
        excess -= size
        if (excess <= 0).all():  # as for most calls: what follows could allow only more
            return excess
        # An angle that is off moves a column by as much times the length of the pair, but never by
        # more than twice that length.
        angle = np.minimum(np.abs(self._positions(call)) * self.doubt, 2.0)
        excess[..., self.first] -= angle * length
        excess[..., self.second] -= angle * length
        if any(CHANGES[cause.kind].clue in ("type", "cosines") for cause in self.causes):
            # A number near the middle between two of a short type may be rounded to either. Both
            # come up where frequencies, or cosines and sines, are moved as far as they are unsure.
            # The largest move of each entry of the four is allowed.
            moved = [self._matrices(call, doubts=side) for side in (1, -1)]
            unsure = FLOAT32_SLACK + self.factor_doubt
            moved += [self._matrices(call, size=1 + side * unsure) for side in (1, -1)]
            a, b, c, d = np.abs(np.array(moved) - self._matrices(call)).max(axis=0)
            first, second = x[..., self.first], x[..., self.second]
            excess[..., self.first] -= a * first + b * second
            excess[..., self.second] -= c * first + d * second
        return excess
