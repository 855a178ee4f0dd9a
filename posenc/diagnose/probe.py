"""Calls of a function that should turn queries and keys, as it is used, and what came back."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from posenc._checks import plain_tensor, real_array, shown
from posenc.diagnose.programs import At
from posenc.diagnose.rounding import Array, number

# The first tokens of a text, and tokens that come with each one far down, to see whether they are
# turned as without it.
NEAR = 24
BESIDE = (1, 7, NEAR - 1)

# Tokens of a prompt, more than 4 096; where a piece of it begins, at a position that 16 bits do not
# hold; heads of a wide layer; how many times as large as 2 the entries of a real query may be.
PROMPT, PIECE, HEADS, LARGE = 4200, 3001, 64, 64

# A short text as it comes: name, texts and heads, positions. Gaps are where left padding ends, a
# position is left out, or a text is packed.
USES: tuple[tuple[str, tuple[int, int], npt.ArrayLike], ...] = (
    *(("one token alone", (1, 2), [place]) for place in (0, *BESIDE)),
    ("positions with gaps", (1, 2), (3, 4, 5, 9, 10, 20)),
    ("positions in another order", (1, 2), (7, 2, 11, 0, 5, 3, 0, 1)),
    ("a batch of three", (3, 2), range(19)),
    (f"{HEADS} heads", (1, HEADS), (5, 6, 7)),
)

OWN = "a batch whose texts have positions of their own"

# Unit vectors of a call, and the positions at which they are turned.
UNITS, TURNED_AT = 4, (0, 7, NEAR - 1)

# A smaller entry is the noise of a matrix product.
NOISE = 1e-9


class NotTurnedError(Exception):
    """A call that did not return x turned; what it did instead, in a sentence."""


class Call(NamedTuple):
    """One call, and what came back: numbers, or in `problem` what there was in their place."""

    name: str
    at: At
    result: Array | None
    problem: str = ""
    raised: bool = False  # the function itself refused it, as a table that has ended does


class Probe:
    """One function, and every call of it."""

    def __init__(self, function: Callable[..., Any], width: int) -> None:
        self.function, self.width = function, width
        self.calls: list[Call] = []
        self.before: tuple[float, ...] = ()
        self.notes: list[str] = []
        self.first = self.second = np.arange(0)
        self.out = np.arange(width)  # the column at which each column of x comes out
        self.rng = np.random.default_rng(0)

    def draw(self, *shape: int) -> Array:
        """Return eighths other than 0: they have few bits, so what rounds them is the function."""
        drawn: Array = self.rng.integers(-16, 16, size=(*shape, self.width)) / 8
        drawn[drawn >= 0] += 0.125
        return drawn

    def ask(self, name: str, x: Array, positions: npt.ArrayLike) -> Call:
        """Call the function; nothing that it raises, but for a lack of memory or time, escapes."""
        places = np.array(positions, np.int64)
        given, passed = x.copy(), places.copy()
        result, problem, raised = None, "", False
        try:
            result = self._numbers(self.function(given, passed), x.shape)
        except (MemoryError, TimeoutError):
            raise
        except NotTurnedError as error:
            problem = str(error)
        except Exception as error:
            said = f"It raised {type(error).__name__}: {error}".rstrip(": ")
            problem, raised = said if said.endswith((".", "!", "?")) else said + ".", True
        if not np.array_equal(passed, places):
            self.notes.append("It writes into the positions that it is given.")
        if not np.array_equal(given, x):
            self.notes.append("It writes into x.")
        of_texts = np.broadcast_to(places.reshape(-1, 1, x.shape[2]), (len(x), 1, x.shape[2]))
        at = At(x, of_texts.astype(float), self.before)
        self.before = (*self.before, at.longest)
        return Call(name, at, result, problem, raised)

    def see(self, name: str, x: Array, positions: npt.ArrayLike) -> Call:
        """Make a call that the verdict has to explain."""
        self.calls.append(self.ask(name, x, positions))
        return self.calls[-1]

    def _numbers(self, result: Any, shape: tuple[int, ...]) -> Array:
        try:
            values = np.array(real_array(plain_tensor(result), "the result"))
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise NotTurnedError(
                f"It returned what is no array of finite real numbers: {shown(result)}."
            ) from error
        if values.shape != shape:
            raise NotTurnedError(f"From shape {shape} it returned shape {values.shape}.")
        return values

    def near(self) -> None:
        """Make the first call twice, and find which columns turn together, by unit vectors."""
        x = self.draw(1, 3, NEAR)
        first, again = (self.see("the first tokens", x, range(NEAR)) for _ in range(2))
        if first.result is None:
            raise NotTurnedError(first.problem)
        if again.result is None or (first.result != again.result).any():
            raise NotTurnedError("It is not deterministic: the same call gives other numbers.")
        reached = np.concatenate(
            [self._reached(start) for start in range(0, self.width, UNITS)], axis=1
        )
        groups: dict[tuple[int, ...], list[int]] = {}
        for column, ends in enumerate(np.any(reached, axis=0)):
            groups.setdefault(tuple(np.flatnonzero(ends).tolist()), []).append(column)
        for rows, columns in groups.items():
            if len(rows) != len(columns) or len(rows) > 2:
                raise NotTurnedError(
                    f"Columns do not turn in pairs: column {columns[0]} of x reaches {len(rows)} "
                    "of the result."
                )
            # Where each comes out at position 0, unless the pair is turned there already.
            still = [end for column in columns for end in np.flatnonzero(reached[0, column])]
            self.out[columns] = still if sorted(still) == list(rows) != columns else rows
        pairs = sorted(columns for columns in groups.values() if len(columns) == 2)
        if pairs:
            self.first, self.second = np.array(pairs).T

    def _reached(self, start: int) -> npt.NDArray[np.bool_]:
        """Return which columns of the result some of x reach: (positions, some, columns)."""
        count, turns = min(UNITS, self.width - start), len(TURNED_AT)
        x = np.zeros((1, 2, turns, count, self.width))
        x[..., np.arange(count), start + np.arange(count)] = 1
        call = self.ask("", x.reshape(1, 2, -1, self.width), np.repeat(TURNED_AT, count))
        if call.result is None:
            raise NotTurnedError(f"At positions {list(TURNED_AT)}, unit vectors: {call.problem}")
        entries = np.abs(call.result[0]).max(axis=0)
        reached: npt.NDArray[np.bool_] = entries.reshape(turns, count, self.width) > NOISE
        return reached

    def rows(self, name: str, positions: npt.ArrayLike, texts: int = 1) -> Array | None:
        """Return cosines and sines at positions, each entry as it is: (4, tokens, pairs).

        One head has ones in the first column of each pair, one in the second, and one more has
        numbers of few bits everywhere. The rows are what these four entries are of the pair: how
        much of each column the first one has, and then the second.
        """
        x = self.draw(texts, 3, np.size(positions))
        x[0, :2] = 0
        x[0, 0] = 1
        x[0, 0][:, self.second] = 0
        x[0, 1][:, self.second] = 1
        call = self.see(name, x, positions)
        if call.result is None:
            return None
        of = call.result[0, :2]
        return np.stack(
            [of[n][:, self.out[to]] for to in (self.first, self.second) for n in (0, 1)]
        )

    def as_used(self) -> None:
        """Make the calls of a short text as it comes: alone, with gaps, in any order, a batch."""
        for name, shape, positions in USES:
            self.see(name, self.draw(*shape, np.size(positions)), positions)

    def text(self, most: int) -> None:
        """Call with a prompt, a piece of a text, and the first tokens again after it.

        Half as many tokens of short texts in one row show what a function makes of a token by its
        number in the call, whatever it does in long texts.
        """
        count = min(PROMPT, most)
        x, half = self.draw(1, 1, count), np.arange((count + 1) // 2)
        self.see(f"a prompt of {number(count)} tokens", x, range(count))
        self.see("short texts packed in a row", x[:, :, : len(half)], half % NEAR)
        begin = max(0, min(PIECE, count - 64))
        end = min(begin + 64, count)
        self.see("a piece of a text", LARGE * self.draw(1, 2, end - begin), range(begin, end))
        self.after()
        x, each = self.draw(3, 2, 19), np.arange(19) + np.array([[0], [3], [1]])
        for places in (each, each[:, np.newaxis]):
            call = self.ask(OWN, x, places)
            if call.result is not None:  # few functions take such positions
                self.calls.append(call)
                return

    def after(self) -> None:
        """Repeat the first call, after all that were longer."""
        x = self.calls[0].at.x
        self.see("the first tokens after a longer text", x, range(NEAR))


def first_between(good: int, bad: int, is_bad: Callable[[int], bool]) -> int:
    """Return the first bad position, by halves, where good ones come before bad ones."""
    while bad - good > 1:
        middle = (bad + good) // 2
        good, bad = (good, middle) if is_bad(middle) else (middle, bad)
    return bad
