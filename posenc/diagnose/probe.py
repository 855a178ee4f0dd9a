"""Calls of a function that should turn queries and keys, and the sines and cosines they show."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from posenc._checks import plain_tensor, real_array, shown
from posenc.diagnose.rounding import UNIT, Array, coarsest, number

# The first tokens of a text.
NEAR = 24

# Tokens that come with each one far down, to see whether they are turned as without it.
BESIDE = (1, 7, NEAR - 1)

# A position that most functions take, where slow pairs have turned.
LATER = 4095

# Left padding ends, a position is left out, a text is packed.
GAPS = (3, 4, 5, 9, 10, 20)

# What a function raises of itself. Anything else, a timeout or a lack of memory, is the caller's.
RAISED = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
)

# Numbers that are passed in one call, at most.
MOST_ENTRIES = 2**17

# A smaller entry is the noise of a matrix product; a few roundings of 16 bits are less than this.
NOISE, SHORT_ROUNDINGS = 1e-9, 2.0**-5


class NotTurnedError(Exception):
    """A call that did not return x turned; what it did instead, in a sentence.

    `raised` tells that the function itself refused the call, as a table that has ended does.
    """

    def __init__(self, said: str, raised: bool = False) -> None:
        super().__init__(said)
        self.raised = raised


class Turns(NamedTuple):
    """The cosine and the sine of each pair at some positions, each of shape (tokens, pairs)."""

    cosines: Array
    sines: Array
    drawn: Array  # what became of vectors of few bits, shape (2, tokens, width)

    def differ(self, other: "Turns", bits: float = 4.0) -> bool:
        """Return whether two are more than so many roundings apart."""
        near = bits * UNIT[coarsest(other.cosines)] * float(np.abs(other.cosines).max())
        apart = (np.abs(one - two).max() for one, two in zip(self[:2], other[:2], strict=True))
        return bool(max(apart) > near)

    def at(self, rows: Any) -> "Turns":
        """Return some of the tokens."""
        return Turns(self.cosines[rows], self.sines[rows], self.drawn[:, rows])


def joined(parts: list[Turns]) -> Turns:
    """Return the turns at one list of positions after the other."""
    axes = (0, 0, 1)
    columns = zip(*parts, strict=True)
    return Turns(*(np.concatenate(c, axis=axis) for c, axis in zip(columns, axes, strict=True)))


class Probe:
    """One function, the columns it turns together, and how it turns tokens in company."""

    def __init__(self, function: Callable[..., Any], width: int, dtype: np.dtype[Any]) -> None:
        self.function, self.width, self.dtype = function, width, dtype
        # Eighths have few bits: what rounds them is the function.
        draw = np.random.default_rng(0).integers(-16, 17, size=(2, width)) / 8
        self.vectors = draw + (draw == 0)
        self.order = np.arange(width)  # the column that each comes out at
        self.first = self.second = self.still = np.arange(0)

    def call(self, x: Array, positions: npt.ArrayLike) -> Array:
        """Return what the function makes of a copy of x, as an array of its own."""
        try:
            result = self.function(x.astype(self.dtype, order="C"), np.array(positions, np.int64))
        except RAISED as error:
            raise NotTurnedError(f"It raised {type(error).__name__}: {error}", True) from error
        try:
            values = np.array(real_array(plain_tensor(result), "the result"))
        except RAISED as error:
            raise NotTurnedError(
                f"It returned what is no array of finite real numbers: {shown(result)}."
            ) from error
        if values.shape != x.shape:
            raise NotTurnedError(f"From shape {x.shape} it returned shape {values.shape}.")
        return values

    def first_tokens(self) -> Turns:
        """Return the turns of the first tokens, after the columns are known."""
        x = np.broadcast_to(self.vectors[0], (1, 3, NEAR, self.width))
        try:
            self.call(x, np.arange(NEAR))
        except NotTurnedError as problem:
            for count in range(1, NEAR):
                try:
                    self.call(x[:, :, :count], np.arange(count))
                except NotTurnedError as first:
                    if count == 1:
                        break
                    raise NotTurnedError(f"From position {count - 1} on: {first}") from problem
            raise
        self._compare_heads()
        self._find_pairs()
        return self.turns(np.arange(NEAR))

    def _compare_heads(self) -> None:
        x = np.broadcast_to(self.vectors[0], (1, 3, len(GAPS), self.width))
        found = self.call(x, GAPS)
        constant = np.ptp(found, axis=2).max() == 0
        if np.ptp(found, axis=1).max() > 16 * UNIT[coarsest(found)] * np.abs(found).max():
            raise NotTurnedError(
                "It turns by the number of the head: the axes of heads and tokens are swapped."
                if constant
                else "It does not do the same to every head: axes are mixed up."
            )
        if constant:
            same = (found == x).all()
            raise NotTurnedError(
                "It changes nothing, at any position."
                if same
                else "It does the same at every position."
            )

    def _find_pairs(self) -> None:
        """Find which columns of the result each column of x reaches, by unit vectors."""
        reached: dict[tuple[int, ...], list[int]] = {}
        places = [7, LATER]  # near the beginning a short float may not show that a slow pair turns
        try:
            self.call(np.broadcast_to(self.vectors[0], (1, 3, 2, self.width)), places)
        except NotTurnedError:
            places = [1, 7]
        step = max(1, MOST_ENTRIES // (2 * self.width))
        for start in range(0, self.width, step):
            columns = np.arange(start, min(start + step, self.width))
            x = np.zeros((1, len(columns), 2, self.width))
            x[0, columns - start, :, columns] = 1
            reach = np.abs(self.call(x, places)[0]).max(axis=1) > NOISE
            for column, row in zip(columns.tolist(), reach, strict=True):
                reached.setdefault(tuple(np.flatnonzero(row).tolist()), []).append(column)
        for rows, columns_of in reached.items():
            if len(rows) != len(columns_of) or len(rows) > 2:
                raise NotTurnedError(
                    f"Columns do not turn in pairs: column {columns_of[0]} of x reaches "
                    f"{len(rows)} of the result. It is not linear, or axes are mixed up."
                )
            self.order[columns_of] = rows
        pairs = sorted(columns_of for columns_of in reached.values() if len(columns_of) == 2)
        if not pairs:
            raise NotTurnedError("No pair of columns turns.")
        self.first, self.second = np.array(pairs).T
        self.still = np.setdiff1d(np.arange(self.width), np.array(pairs))

    def turns(self, positions: npt.ArrayLike, batch: int = 1) -> Turns:
        """Return the turns at some positions, if there is nothing else that the function does.

        One head has ones in the first column of each pair, one in the second, and two more
        have numbers of few bits everywhere.
        """
        x = np.zeros((batch, 4, np.size(positions), self.width))
        x[:, 0][..., np.concatenate([self.first, self.still])] = 1
        x[:, 1][..., self.second] = 1
        x[:, 2:] = self.vectors[:, np.newaxis]
        found = self.call(x, positions)[..., self.order]
        if np.ptp(found, axis=0).max() > 16 * UNIT[coarsest(found)] * np.abs(found).max():
            raise NotTurnedError("Texts of one batch are turned in different ways.")
        one, other, drawn = found[-1, 0], found[-1, 1], found[-1, 2:]
        cosines, sines = one[:, self.first], one[:, self.second]
        minus_sines, again = other[:, self.first], other[:, self.second]
        for given, turned in zip(self.vectors, drawn, strict=True):
            a, b = given[self.first], given[self.second]
            expected = one * given
            expected[:, self.first] = cosines * a + minus_sines * b
            expected[:, self.second] = sines * a + again * b
            near = SHORT_ROUNDINGS * np.abs(expected).max()
            if np.abs(turned - expected).max() > near:
                raise NotTurnedError(
                    "It does not do the same to every vector: it is not linear, or heads are "
                    "mixed up."
                )
        near = 4 * UNIT[coarsest(one)] * np.abs(one).max()
        for said, wrong in _no_rotation(cosines, sines, minus_sines, again, near):
            if wrong:
                raise NotTurnedError(said)
        return Turns(cosines, sines, drawn)

    def company(self, near: Turns) -> Iterator[str]:
        """Yield what is wrong with tokens that come alone, with gaps, or in a batch."""
        try:
            alone = {k: self.turns([k]) for k in (0, *BESIDE)}
        except NotTurnedError as problem:
            yield f"One token at a time, as with a cache: {problem}"
            return
        wrong = [k for k, turns in alone.items() if turns.differ(near.at([k]), 16)]
        if wrong:
            unused = not any(turns.differ(alone[0], 16) for turns in alone.values())
            yield "One token at a time, as with a cache, " + (
                "every token is turned as the first: its position is not used."
                if unused
                else f"position {wrong[0]} is turned otherwise."
            )
            return
        listed = ", ".join(map(str, GAPS))
        for count, said in ((1, "With gaps"), (2, "In a batch of two")):
            try:
                if self.turns(GAPS, count).differ(near.at(list(GAPS)), 16):
                    yield f"{said}, at positions {listed}, tokens are turned otherwise than alone."
            except NotTurnedError as problem:
                yield f"{said}, at positions {listed}: {problem}"

    def why_not(self, place: int) -> tuple[str, bool]:
        """Return why a far position fails, empty if it does not, and whether it raises."""
        try:
            self.turns([*BESIDE, place])
        except NotTurnedError as problem:
            return str(problem), problem.raised
        return "", False

    def beside(self, place: int) -> Turns:
        """Return the turns of a few first tokens in a text that has one far down."""
        return self.turns([*BESIDE, place]).at(slice(-1))


def first_between(good: int, bad: int, is_bad: Callable[[int], bool]) -> int:
    """Return the first bad position, by halves, where good ones come before bad ones."""
    while bad - good > 1:
        middle = (bad + good) // 2
        good, bad = (good, middle) if is_bad(middle) else (middle, bad)
    return bad


def _no_rotation(
    cosines: Array, sines: Array, minus_sines: Array, again: Array, near: float
) -> Iterator[tuple[str, bool]]:
    """Yield what a matrix [[cosine, -sine], [sine, cosine]] is not, and whether it is not."""
    apart = np.abs(cosines - again).max() > near
    # A factor for each column, before or after the turn, cancels in one of these.
    before = np.abs(cosines * minus_sines + again * sines).max()
    after = np.abs(cosines * sines + again * minus_sines).max()
    yield (
        "It is no rotation: the two columns of a pair are scaled by different factors.",
        bool(apart and min(before, after) <= near * np.abs(cosines).max()),
    )
    yield (
        "The two columns of a pair turn by different angles: the table is in one layout, the "
        "pairs in the other.",
        bool(apart),
    )
    yield (
        "It is no rotation: a minus sign is missing before one of the two sines.",
        bool(np.abs(sines - minus_sines).max() <= near < np.abs(sines).max()),
    )
    yield (
        "It is no rotation: the two sines of a pair differ.",
        bool(np.abs(sines + minus_sines).max() > near),
    )


def refusal(place: int, said: str) -> str:
    """Return the sentence on a function that fails from some position on."""
    return f"From position {number(place)} on: {said}"
