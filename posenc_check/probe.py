"""Calls of a function that should turn queries and keys, as it is used, and what came back."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from posenc._checks import plain_tensor, real_array, shown
from posenc_check.rounding import Array, number

Indices = npt.NDArray[np.integer[Any]]

# The first tokens of a text, and tokens that come with each one far down, to see whether they are
# turned as without it.
NEAR = 24
BESIDE = (1, 7, NEAR - 1)

# Positions far down a text. Each is at most twice the one before, so that the frequency that all
# before agree on tells how often a pair has turned; odd ones are rounded by a short float.
FAR = sorted([*(2**k - 1 for k in range(5, 18)), *(3 * 2**k - 1 for k in range(4, 16)), 257, 2049])

# Tokens of a prompt, more than 4 096, and how many of a call are looked at together; where a piece
# of it begins, at a position that 16 bits do not hold; heads of a wide layer; how many times as
# large as 2 the entries of a real query may be.
PROMPT, PART, PIECE, HEADS, LARGE = 4200, 64, 3001, 64, 64

# A short text as it comes: name, texts and heads, positions. Gaps are where left padding ends, a
# position is left out, or a text is packed.
USES: tuple[tuple[str, tuple[int, int], npt.ArrayLike], ...] = (
    *(("one token alone", (1, 2), [place]) for place in (0, *BESIDE)),
    ("positions with gaps", (1, 2), (3, 4, 5, 9, 10, 20)),
    ("positions in another order", (1, 2), (7, 2, 11, 0, 5, 3, 0, 1)),
    ("a batch of three", (3, 2), range(19)),
    (f"{HEADS} heads", (1, HEADS), (5, 6, 7)),
)
FAR_TEXT = "a text with position"
TOGETHER = "near and far positions together"
OWN = "a batch whose texts have positions of their own"

# Unit vectors of a call, and the positions at which they are turned. A smaller entry than this is
# the noise of a matrix product.
UNITS, TURNED_AT, NOISE = 4, (0, 7, NEAR - 1), 1e-9


class NotTurnedError(Exception):
    """A call that did not return x turned; what it did instead, in a sentence."""


class Call(NamedTuple):
    """One call or a part of its tokens, and what came back: numbers, or a problem."""

    name: str
    x: Array
    positions: Array  # (texts, 1, tokens)
    whole: Array  # those of all tokens of the call
    tokens: Indices  # the number of each in the call
    before: tuple[float, ...]  # the largest position of each call before
    result: Array | None = None
    problem: str = ""

    @classmethod
    def of(cls, name: str, x: Array, positions: Any, before: tuple[float, ...]) -> "Call":
        """Return a call that nothing came back from yet."""
        places = np.asarray(positions, float).reshape(-1, 1, x.shape[2])
        places = np.broadcast_to(places, (len(x), 1, x.shape[2]))
        return cls(name, x, places, places, np.arange(x.shape[2]), before)

    def parts(self) -> Iterator["Call"]:
        """Yield parts of a call that has numbers, since a prompt is long."""
        for begin in range(0, len(self.tokens) if self.result is not None else 0, PART):
            rows = slice(begin, begin + PART)
            of = {name: getattr(self, name)[:, :, rows] for name in ("x", "positions", "result")}
            yield self._replace(tokens=self.tokens[rows], **of)


class Probe:
    """One function, and every call of it."""

    def __init__(self, function: Callable[..., Any], width: int) -> None:
        self.function, self.width = function, width
        self.calls: list[Call] = []  # that a verdict has to explain
        self.before: tuple[float, ...] = ()
        self.notes: list[str] = []
        self.first = self.second = np.arange(0)
        self.layout: str | None = None
        self.out = np.arange(width)  # the column at which each column of x comes out
        self.rng = np.random.default_rng(0)
        self.start = self.draw(1, 3, NEAR)  # the first tokens of a text
        self.again = "the first tokens after a longer text", self.start, range(NEAR)

    def draw(self, *shape: int) -> Array:
        """Return eighths other than 0: they have few bits, so what rounds them is the function."""
        drawn: Array = self.rng.integers(-16, 16, size=(*shape, self.width)) / 8
        drawn[drawn >= 0] += 0.125
        return drawn

    def ask(self, name: str, x: Array, positions: npt.ArrayLike) -> Call:
        """Call the function; nothing that it raises, but for a lack of memory or time, escapes."""
        places = np.array(positions, np.int64)
        given, passed = x.copy(), places.copy()
        result, problem = None, ""
        returned: Any = self  # until the function returns
        try:
            returned = self.function(given, passed)
            result = np.array(real_array(plain_tensor(returned), "the result"))
        except (MemoryError, TimeoutError):
            raise
        except Exception as error:
            if returned is self:
                problem = f"It raised {type(error).__name__}: {error}".rstrip(": ")
                problem += "" if problem.endswith((".", "!", "?")) else "."
            else:
                what = shown(returned)
                problem = f"It returned what is no array of finite real numbers: {what}."
        if result is not None and result.shape != x.shape:
            problem = f"From shape {x.shape} it returned shape {result.shape}."
            result = None
        if not np.array_equal(passed, places):
            self.notes.append("It writes into the positions that it is given.")
        if not np.array_equal(given, x):
            self.notes.append("It writes into x.")
        call = Call.of(name, x, places, self.before)._replace(result=result, problem=problem)
        self.before = (*self.before, call.whole.max())
        return call

    def see(self, name: str, x: Array, positions: npt.ArrayLike) -> Call:
        """Make a call that the verdict has to explain."""
        self.calls.append(self.ask(name, x, positions))
        return self.calls[-1]

    def near(self) -> None:
        """Make the first call twice, and find which columns turn together, by unit vectors."""
        first, again = (
            self.needed(self.see("the first tokens", self.start, range(NEAR))) for _ in range(2)
        )
        if (first != again).any():
            raise NotTurnedError("It is not deterministic: the same call gives other numbers.")
        reached = np.zeros((len(TURNED_AT), self.width, self.width), bool)
        for start in range(0, self.width, UNITS):
            some = np.eye(self.width)[start : start + UNITS]
            units = np.tile(some, (1, 2, len(TURNED_AT), 1))
            turned = self.needed(self.ask("", units, np.repeat(TURNED_AT, len(some))))
            entries = np.abs(turned[0]).max(axis=0).reshape(len(TURNED_AT), *some.shape)
            reached[:, start : start + UNITS] = entries > NOISE
        groups: dict[tuple[int, ...], list[int]] = {}
        for column in range(self.width):
            ends = np.flatnonzero(reached[:, column].any(axis=0))
            groups.setdefault(tuple(ends.tolist()), []).append(column)
        for rows, columns in groups.items():
            if len(rows) != len(columns) or len(rows) > 2:
                raise NotTurnedError(
                    f"Columns do not turn in pairs: column {columns[0]} of x reaches {len(rows)} "
                    "of the result."
                )
            # In another place each comes out where it does at position 0.
            moved = list(rows) != columns and not reached[0, columns[0], rows[0]]
            self.out[columns] = rows[::-1] if moved else rows
        pairs = sorted(columns for columns in groups.values() if len(columns) == 2)
        if not pairs:
            raise NotTurnedError(f"It turns nothing, at positions {list(TURNED_AT)}.")
        self.first, self.second = np.array(pairs).T
        self.pairs = len(pairs)  # of the layout, with those that do not turn
        self.begin, step = int(self.first[0]), int(self.second[0] - self.first[0])
        if (self.second - self.first == step).all():
            if step == 1 and (np.diff(self.first) == 2).all():
                self.layout = "interleaved"
            elif (np.diff(self.first) == 1).all() and self.begin + 2 * step <= self.width:
                self.layout, self.pairs = "halves", step

    def walk(self) -> None:
        """Make the calls, those of growing length first, as far as the function goes."""
        self.near()
        call = self.see("the first tokens, unit vectors", self.units(1, NEAR), range(NEAR))
        seen, places = [self.table_of(call)], list(range(NEAR))
        self.ended, self.why = 0, ""  # the first position that is refused
        for place in FAR:
            call = self.far_text(place, self.units(1, 4))
            if call.problem:
                self.why = self.calls.pop().problem
                self.ended = first_between(places[-1], place, self.refuses)
                break
            seen.append(self.table_of(call)[:, -1:])
            places.append(place)
        self.table, self.places = np.concatenate(seen, axis=1), np.array(places, float)
        self.long: Array | None = None
        for name, x, positions in self.uses(places, self.ended or PROMPT):
            call = self.see(name, x, positions)
            if name == TOGETHER and not call.problem:
                self.long = self.table_of(call)[:, np.argsort(positions)]
            if name == OWN and not call.problem:
                break
            if name == OWN:  # few functions take it
                self.calls.pop()

    def refuses(self, place: int) -> bool:
        """Return whether a text with a position gives no numbers."""
        return bool(self.ask("", self.draw(1, 3, 4), [*BESIDE, place]).problem)

    def needed(self, call: Call) -> Array:
        """Return what came back, without which nothing can be said."""
        if call.result is None:
            raise NotTurnedError(call.problem)
        return call.result

    def far_text(self, place: int, x: Array) -> Call:
        """See three of the first tokens with one far down."""
        return self.see(f"{FAR_TEXT} {number(place)}", x, [*BESIDE, place])

    def units(self, texts: int, tokens: int) -> Array:
        """Return x whose first two heads of the first text have a 1 in one column of each pair.

        The third has numbers of few bits, as all of the other texts.
        """
        x = self.draw(texts, 3, tokens)
        x[0, :2] = 0
        x[0, 0] = 1
        x[0, 0][:, self.second] = 0
        x[0, 1][:, self.second] = 1
        return x

    def table_of(self, call: Call) -> Array:
        """Return how much of each column the first of a pair has, then the second.

        They are cosines and sines, each entry as it is: (4, tokens, pairs).
        """
        one, other = self.needed(call)[0, :2]
        ends = self.out[self.first], self.out[self.second]
        return np.array([head[:, end] for end in ends for head in (one, other)])

    def uses(self, places: Sequence[float], most: int) -> Iterator[tuple[str, Array, Any]]:
        """Yield calls of texts as they come, with positions that a function takes.

        Half as many tokens of short texts in one row as in a prompt show what a function makes of a
        token by its number in the call, whatever it does in long texts.
        """
        for name, shape, positions in USES:
            yield name, self.draw(*shape, np.size(positions)), positions
        last = len(places) - 1
        for place in places[len(places) // 2 :: 4]:
            heads = HEADS if place > places[-1] / 4 else 2
            yield "one token alone", self.draw(1, heads, 1), [place]
        order = np.append(self.rng.permutation(last), last)
        yield TOGETHER, self.units(3, len(order)), np.array(places)[order]
        count = min(PROMPT, most)
        x, half = self.draw(1, 1, count), np.arange((count + 1) // 2)
        yield f"a prompt of {number(count)} tokens", x, range(count)
        yield "short texts packed in a row", x[:, :, : len(half)], half % NEAR
        begin = max(0, min(PIECE, count - 64))
        end = min(begin + 64, count)
        yield "a piece of a text", LARGE * self.draw(1, 2, end - begin), range(begin, end)
        yield self.again
        x, each = self.draw(3, 2, 19), np.arange(19) + np.array([[0], [3], [1]])
        yield from ((OWN, x, places) for places in (each, each[:, np.newaxis]))


def first_between(good: int, bad: int, is_bad: Callable[[int], bool]) -> int:
    """Return the first bad position, by halves, where good ones come before bad ones."""
    while bad - good > 1:
        middle = (bad + good) // 2
        good, bad = (good, middle) if is_bad(middle) else (middle, bad)
    return bad
