"""Calls of a function that should turn queries and keys, as it is used, and what came back."""

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from posenc._checks import plain_tensor, real_array, shown
from posenc_check.findings import Finding
from posenc_check.rounding import Array

Indices = npt.NDArray[np.integer[Any]]

# The first tokens of a text, and those of them that come with each token far down, to see whether
# they are turned as without it.
NEAR = 24
BESIDE = (1, 7, NEAR - 1)

# Positions far down a text. Each is at most twice the one before, so that the frequency that all
# before agree on says how often a pair has turned; odd ones are rounded by a short float.
FAR = sorted([*(2**k - 1 for k in range(5, 18)), *(3 * 2**k - 1 for k in range(4, 16)), 257, 2049])

PROMPT = 4200  # tokens of the longest text
LARGE = 64  # how many times the entries of large queries exceed those of others
# Tokens of texts between the short ones and the prompt.
LENGTHS_OF_TEXTS = (2, 33, 65, 128, 200, 257, 513, 1025)
# Positions about which a type of integers ends: int8, uint8, int16 and uint16.
ENDS_OF_INTEGERS = [2**bits + n for bits in (7, 8, 15, 16) for n in (-2, -1, 0, 1)]

# Unit vectors of a call, and the positions at which they are turned. An entry below NOISE is the
# rounding error of a matrix product.
UNITS, TURNED_AT, NOISE = 4, (0, 7, NEAR - 1), 1e-9


class NotTurnedError(Exception):
    """A call that did not return x turned; its finding says what it did instead."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding)
        self.finding = finding


class Call(NamedTuple):
    """One call, and what came back: numbers, or a problem."""

    use: Finding  # how the function was called; its kind has a name in `posenc_check.words`
    x: Array
    positions: Array  # (texts, 1, tokens)
    earlier: tuple[Array, ...]  # the positions of each call before
    result: Array | None = None
    problem: Finding | None = None

    @classmethod
    def of(cls, use: Finding, x: Array, positions: Any, earlier: tuple[Array, ...]) -> "Call":
        """Return a call that nothing came back from yet."""
        places = np.asarray(positions, float).reshape(-1, 1, x.shape[2])
        return cls(use, x, np.broadcast_to(places, (len(x), 1, x.shape[2])), earlier)

    @property
    def tokens(self) -> Indices:
        """The number of each token in its text."""
        return np.arange(self.x.shape[2])


def for_arrays(function: Callable[..., Any], width: int) -> Callable[..., Any]:
    """Return the function, or where it takes tensors of PyTorch alone, one that passes tensors.

    PyTorch is not imported here: a function of tensors exists only where somebody imported it.
    """
    torch = sys.modules.get("torch")
    if torch is None:
        return function

    def of_type(kind: Any) -> Callable[..., Any]:
        def on_tensors(x: Array, positions: Any) -> Any:
            return function(torch.from_numpy(x).to(kind), torch.from_numpy(positions))

        return on_tensors

    for each in (function, of_type(torch.float64), of_type(torch.float32)):
        try:
            each(np.ones((1, 1, 2, width)), np.arange(2))
        except (MemoryError, TimeoutError):
            raise
        except Exception:  # that one takes no such x
            continue
        return each
    return function


def pairs_of(reached: npt.NDArray[np.bool_]) -> tuple[Indices, Indices, Indices]:
    """Return the first and second columns of the pairs, and the column at which each comes out.

    ``reached[n, i, j]`` says whether column i of x reaches column j of the result at one of a few
    positions, of which the first is 0.
    """
    width = reached.shape[-1]
    out = np.arange(width)
    groups: dict[tuple[int, ...], list[int]] = {}
    for column in range(width):
        ends = np.flatnonzero(reached[:, column].any(axis=0))
        groups.setdefault(tuple(ends.tolist()), []).append(column)
    for rows, columns in groups.items():
        if len(rows) != len(columns) or len(rows) > 2:
            raise NotTurnedError(Finding("no_pairs", column=columns[0], reaches=len(rows)))
        # In another place each column comes out where it does at position 0.
        moved = list(rows) != columns and not reached[0, columns[0], rows[0]]
        out[columns] = rows[::-1] if moved else rows
    pairs = sorted(columns for columns in groups.values() if len(columns) == 2)
    first, second = np.array(pairs, int).reshape(-1, 2).T
    return first, second, out


class Layout(NamedTuple):
    """Which columns form pairs: by name, and where the columns that turn begin."""

    name: str | None  # "interleaved", "halves", or None
    parts: int  # of the columns that turn; each has the layout
    begin: int
    pairs: int  # of the layout, with those that do not turn
    turning: Indices  # the number of each pair that turns


def layout_of(first: Indices, second: Indices, width: int) -> Layout:
    """Return the layout of pairs, of which some may not turn."""
    count, begin, step = len(first), int(first[0]), int(second[0] - first[0])
    if (second - first == step).all():
        if step == 1 and ((first - begin) % 2 == 0).all():
            all_turn = begin == 2 and first[-1] == width - 2 and count > 2
            begin = 0 if all_turn else begin  # all pairs but the first
            pairs = int(first[-1] - begin) // 2 + 1
            if 2 * count > pairs:
                return Layout("interleaved", 1, begin, pairs, (first - begin) // 2)
        if begin + 2 * step > width >= 2 * step:  # the first pairs do not turn
            begin = width - 2 * step
        if first[-1] < begin + step and begin + 2 * step <= width:
            return Layout("halves", 1, begin, step, first - begin)
        block, place = np.divmod(first - begin, 2 * step)
        index = block * step + place
        if (place < step).all() and np.array_equal(index, np.arange(count)):
            return Layout("halves", count // step, begin, count, index)
    return Layout(None, 1, begin, count, np.arange(count))


class Caller:
    """A function that is called; what it raises is kept as data."""

    def __init__(self, function: Callable[..., Any], width: int) -> None:
        self.function, self.width = for_arrays(function, width), width
        self.earlier: tuple[Array, ...] = ()  # the positions of each call
        self.rng = np.random.default_rng(0)

    def draw(self, *shape: int) -> Array:
        """Return eighths other than 0: they have few bits, so what rounds them is the function."""
        drawn: Array = self.rng.integers(-16, 16, size=(*shape, self.width)) / 8
        drawn[drawn >= 0] += 0.125
        return drawn

    def ask(self, kind: str, x: Array, positions: npt.ArrayLike) -> Call:
        """Call the function; nothing that it raises, but for a lack of memory or time, escapes."""
        use = Finding(kind, tokens=x.shape[2])
        places = np.array(positions, np.int64)
        result: Array | None = None
        problem: Finding | None = None
        try:
            returned = self.function(x.copy(), places.copy())
        except (MemoryError, TimeoutError):
            raise
        except Exception as error:
            problem = Finding("raised", error=type(error).__name__, message=str(error))
        else:
            try:
                result = np.array(real_array(plain_tensor(returned), "the result"))
            except Exception:  # an object may refuse to be read in any way
                problem = Finding("returned_no_numbers", value=shown(returned))
        if result is not None and result.shape != x.shape:
            problem = Finding("returned_other_shape", given=x.shape, returned=result.shape)
            result = None
        call = Call.of(use, x, places, self.earlier)._replace(result=result, problem=problem)
        self.earlier = (*self.earlier, call.positions)
        return call

    def texts(self, far: Sequence[int], end: float) -> Iterator[tuple[str, Array, Any]]:
        """Yield calls of texts as they come: kind, x and positions, all below `end`.

        At positions in `far` a token comes alone.
        """
        count = int(min(PROMPT, end))
        calls: list[tuple[str, tuple[int, int], Sequence[float]]] = [
            *(("call_alone", (1, 2), [place]) for place in (0, *BESIDE)),
            *(("call_alone", (1, 64), [place]) for place in far),
            ("call_order", (1, 2), (7, 2, 11, 0, 5, 3, 0, 1)),
            ("call_batch", (3, 2), range(19)),
            ("call_batch_alone", (3, 2), [9]),
            ("call_batch_alone", (2, 1), [1500]),
            *(("call_length", (1, 2), range(tokens)) for tokens in LENGTHS_OF_TEXTS),
            ("call_ends", (1, 2), [k for k in ENDS_OF_INTEGERS if k < end]),
            ("call_prompt", (1, 1), range(count)),
            ("call_piece", (1, 2), range(count // 2 + 1, count)[:64]),
            ("call_again", (1, 3), range(NEAR)),
        ]
        for kind, shape, positions in calls:
            if len(positions) and max(positions) < end:
                x = self.draw(*shape, len(positions)) * (LARGE if kind == "call_piece" else 1)
                yield kind, x, positions

    def own_positions(self) -> Iterator[list[tuple[str, Array, Any]]]:
        """Yield two calls with a row of positions for each text, in either shape."""
        x, rows = self.draw(3, 2, 19), np.arange(19) + np.array([[0], [3], [1]])
        for own in (rows, rows[:, np.newaxis]):
            yield [("call_own", x, own), ("call_own", x[:, :, :1], own[..., :1] + 4)]


class Probe(Caller):
    """A function, the calls of it that a verdict explains, and the pairs and angles they show."""

    def __init__(self, function: Callable[..., Any], width: int) -> None:
        super().__init__(function, width)
        self.calls: list[Call] = []  # that a verdict has to explain
        self.text = 0  # whose unit vectors are looked at

    def see(self, kind: str, x: Array, positions: npt.ArrayLike) -> Call:
        """Make a call that the verdict has to explain."""
        call = self.ask(kind, x, positions)
        # All entries of x have few bits, so that float32 holds them exactly in half the memory.
        self.calls.append(call._replace(x=call.x.astype(np.float32)))
        return self.calls[-1]

    def needed(self, call: Call) -> Array:
        """Return what came back, without which nothing can be said."""
        if call.result is None:
            assert call.problem is not None
            raise NotTurnedError(call.problem)
        return call.result

    def reached(self) -> npt.NDArray[np.bool_]:
        """Return which columns of the result unit vectors reach: (positions, column, column)."""
        reached = np.zeros((len(TURNED_AT), self.width, self.width), bool)
        for start in range(0, self.width, UNITS):
            some = np.eye(self.width)[start : start + UNITS]
            units = np.tile(some, (1 + self.text, 2, len(TURNED_AT), 1))
            call = self.ask("call_units", units, np.repeat(TURNED_AT, len(some)))
            entries = np.abs(self.needed(call)).max(axis=(0, 1))
            entries = entries.reshape(len(TURNED_AT), *some.shape)
            reached[:, start : start + UNITS] = entries > NOISE
        return reached

    def walk(self) -> None:
        """Make the calls, those of growing length first, as far as the function goes."""
        self.find_pairs()
        call = self.see("call_first_units", self.units(NEAR), range(NEAR))
        tables, places = [self.table_of(call)], list(range(NEAR))
        self.ended, self.why = 0, Finding("raised")  # the first position that is refused, and how
        for place in FAR:
            call = self.far_text(place)
            if call.problem:
                self.why = call.problem
                self.calls.pop()
                self.ended = first_between(places[-1], place, self.refuses)
                break
            tables.append(self.table_of(call)[:, -1:])
            places.append(place)
        self.table, self.places = np.concatenate(tables, axis=1), np.array(places, float)
        # What pairs turn by in a long text, which may be other angles.
        call = self.see("call_together", self.units(len(places)), places[::-1])
        self.table_of_long = None if call.problem else self.table_of(call)[:, ::-1]
        # The farthest first, which shows whether a function keeps the list of a longer text.
        for text in self.texts(places[:NEAR:-4], self.ended or math.inf):
            self.see(*text)
        self.takes_own = self.see_own()

    def see_own(self) -> bool:
        """Return whether it takes positions with a row for each text, and see such calls."""
        for calls in self.own_positions():
            seen = [self.ask(*call) for call in calls]
            if not seen[0].problem:
                self.calls += seen
                return True
        return False

    def find_pairs(self) -> None:
        """Make the first call twice, and find which columns turn together, by unit vectors."""
        x = self.draw(1, 3, NEAR)
        first, again = (self.needed(self.see("call_first", x, range(NEAR))) for _ in range(2))
        if (first != again).any():
            raise NotTurnedError(Finding("not_deterministic"))
        for self.text in (0, 1):  # it may turn by the number of the text, which is 0 for the first
            self.first, self.second, self.out = pairs_of(self.reached())
            if len(self.first):
                break
        else:
            raise NotTurnedError(Finding("nothing_turned", positions=list(TURNED_AT)))
        self.layout = layout_of(self.first, self.second, self.width)

    def refuses(self, place: int) -> bool:
        """Return whether a text with a position gives no numbers."""
        return self.ask("call_far", self.draw(1, 3, 4), [*BESIDE, place]).problem is not None

    def far_text(self, place: int) -> Call:
        """See three of the first tokens with one far down."""
        return self.see("call_far", self.units(4), [*BESIDE, place])

    def units(self, tokens: int) -> Array:
        """Return x whose first two heads of a text have a 1 in one column of each pair.

        All else has numbers of few bits.
        """
        x = self.draw(1 + self.text, 3, tokens)
        x[self.text, 0] = x[self.text, 1] = 1
        x[self.text, 0][:, self.second] = 0
        x[self.text, 1][:, self.first] = 0
        return x

    def table_of(self, call: Call) -> Array:
        """Return how much of each column the first of a pair has, then the second.

        They are cosines and sines, each entry as it is: (4, tokens, pairs).
        """
        heads = self.needed(call)[self.text, :2]
        ends = self.out[self.first], self.out[self.second]
        return np.array([head[:, end] for end in ends for head in heads])


def first_between(good: int, bad: int, is_bad: Callable[[int], bool]) -> int:
    """Return the first bad position by bisection, where good ones come before bad ones."""
    while bad - good > 1:
        middle = (bad + good) // 2
        good, bad = (good, middle) if is_bad(middle) else (middle, bad)
    return bad
