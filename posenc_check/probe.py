"""Calls of a function that should apply RoPE, made as models make them, and what they returned."""

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from posenc._checks import plain_tensor, real_array, shown
from posenc_check.findings import Finding
from posenc_check.rounding import Array, Indices

# How many positions from 0 on are looked at one by one, and those of them that stand beside each
# far position: a far token may change how near ones are turned.
NEAR = 24
BESIDE = (1, 7, NEAR - 1)

# Positions far down a text. Each is at most twice the one before, so that the frequency that all
# before agree on says how often a pair has turned. All are odd, since short floats round odd ones;
# 257 and 2049 are the first integers that bfloat16 and float16 round.
FAR = sorted([*(2**k - 1 for k in range(5, 18)), *(3 * 2**k - 1 for k in range(4, 16)), 257, 2049])

PROMPT = 4200  # tokens of the longest text
PIECE = 64  # tokens of a piece of a prompt, as they are read one piece after the other
BATCH = 19  # tokens of each text of a batch: even the texts that begin later end before NEAR
BEGINS = (0, 3, 1)  # the first position of each text, where texts have positions of their own
LATER = 4  # positions between the first token of such a text and the one that follows alone
FAR_IN_BATCH = 1500  # beyond all texts of LENGTHS_OF_TEXTS, within the prompt
LARGE = 64  # what x is multiplied by in one call: it shows where a function cuts large numbers off
# Tokens of texts between the short ones and the prompt.
LENGTHS_OF_TEXTS = (2, 33, 65, 128, 200, 257, 513, 1025)
# Positions about which a type of integers ends: int8, uint8, int16 and uint16.
ENDS_OF_INTEGERS = [2**bits + n for bits in (7, 8, 15, 16) for n in (-2, -1, 0, 1)]

# How many unit vectors a call has, so that it stays small, and the positions at which each is
# turned. An entry of the result below NOISE is the rounding error of a matrix product.
UNITS, TURNED_AT, NOISE = 4, (0, 7, NEAR - 1), 1e-9


class NotTurnedError(Exception):
    """A call that did not return x turned; its argument, a finding, says what it did instead."""


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
        """Return a call without a result, its positions in the shape (texts, 1, tokens)."""
        # Given are those of all texts alike, or of each: (tokens,), (texts, tokens) or the result.
        places = np.asarray(positions, float).reshape(-1, 1, x.shape[2])
        return cls(use, x, np.broadcast_to(places, (len(x), 1, x.shape[2])), earlier)

    @property
    def tokens(self) -> Indices:
        """The number of each token in its text, from 0 on, of shape (tokens,)."""
        return np.arange(self.x.shape[2])


def for_arrays(function: Callable[..., Any], width: int) -> Callable[..., Any]:
    """Return a function of arrays: the one given, or one that calls it with tensors of PyTorch.

    PyTorch is not imported here: a function of tensors exists only where somebody imported it. A
    function that takes neither is returned as it is: what it raises is reported when it is called.
    """
    torch = sys.modules.get("torch")
    if torch is None:
        return function

    def with_tensors(dtype: Any) -> Callable[..., Any]:
        """Return a function of arrays that calls `function` with x as a tensor of a type."""
        tensor = torch.from_numpy
        return lambda x, positions: function(tensor(x).to(dtype), tensor(positions))

    # The finer type first, since it shows more digits of the result.
    for each in (function, with_tensors(torch.float64), with_tensors(torch.float32)):
        try:
            each(np.ones((1, 1, 2, width)), np.arange(2))
        except (MemoryError, TimeoutError):  # these say nothing of the type of x
            raise
        except Exception:  # the function does not take x of this type
            continue
        return each
    return function


def pairs_of(reached: npt.NDArray[np.bool_]) -> tuple[Indices, Indices, Indices]:
    """Return (first column of each pair, second one, the column where each column of x comes out).

    Raise NotTurnedError if columns reach others in any way but one to one, or two to two.
    ``reached[i, j]`` says whether column i of x reaches column j of the result at some position.
    """
    width = reached.shape[-1]
    comes_out = np.arange(width)
    # Two columns are a pair where they reach the same two columns of the result.
    inputs_by_outputs: dict[tuple[int, ...], list[int]] = {}
    for column in range(width):
        outputs = tuple(np.flatnonzero(reached[column]).tolist())
        inputs_by_outputs.setdefault(outputs, []).append(column)
    for outputs, inputs in inputs_by_outputs.items():
        if len(outputs) != len(inputs) or len(outputs) > 2:
            raise NotTurnedError(Finding("no_pairs", column=inputs[0], reaches=len(outputs)))
        # A pair may come out in other columns. They are taken to be in growing order there as well,
        # as in all code of the field.
        comes_out[inputs] = outputs
    pairs = sorted(inputs for inputs in inputs_by_outputs.values() if len(inputs) == 2)
    first, second = np.array(pairs, int).reshape(-1, 2).T  # two empty columns if there are none
    return first, second, comes_out


class Layout(NamedTuple):
    """Which columns form pairs, as far as the pairs that turn show it."""

    name: str | None  # "interleaved", "halves", or None for any other
    parts: int  # blocks of columns side by side that have the layout, each on its own
    begin: int  # the column at which the first block begins
    pairs: int  # how many, with those that do not turn
    turning: Indices  # the number of each pair that turns


def layout_of(first: Indices, second: Indices, width: int) -> Layout:
    """Return the layout of a head, by the columns of its turning pairs; name None if unknown."""
    count, begin, apart = len(first), int(first[0]), int(second[0] - first[0])
    unknown = Layout(None, 1, begin, count, np.arange(count))
    if (second - first != apart).any():
        return unknown
    # Neighbours are looked for first: of one pair side by side, both layouts are the same.
    if apart == 1 and ((first - begin) % 2 == 0).all():
        # All pairs turn but the first, whose frequency is 0. Of fewer than three, columns 0 and 1
        # may as well belong to no pair.
        if begin == 2 and first[-1] == width - 2 and count > 2:
            begin = 0
        pairs = int(first[-1] - begin) // 2 + 1
        # A layout is named only where most of its pairs turn: two far apart are no layout.
        if 2 * count > pairs:
            return Layout("interleaved", 1, begin, pairs, (first - begin) // 2)
    # A block that would pass the end begins earlier: its first pairs do not turn.
    begin = min(begin, width - 2 * apart)
    block, pair = np.divmod(first - begin, 2 * apart)
    parts, number = int(block[-1]) + 1, block * apart + pair
    # Of several blocks all pairs turn, since no block with a gap is known.
    whole = parts == 1 or np.array_equal(number, np.arange(parts * apart))
    if begin >= 0 and whole and (pair < apart).all():
        return Layout("halves", parts, begin, parts * apart, number)
    return unknown


class Caller:
    """A function, the calls of it that were made, and the numbers to call it with."""

    def __init__(self, function: Callable[..., Any], width: int) -> None:
        """Set `function`, as one of arrays, and begin without calls."""
        self.function, self.width = for_arrays(function, width), width
        self.earlier: tuple[Array, ...] = ()  # the positions of each call
        self.rng = np.random.default_rng(0)  # the same numbers each time

    def draw(self, *shape: int) -> Array:
        """Return random multiples of 1/8 from -2 to 2 without 0, of shape (*shape, width).

        Every float type holds them exactly, so that all rounding is the function's. An entry of 0
        would hide what a function does to it.
        """
        drawn: Array = self.rng.integers(-16, 16, size=(*shape, self.width)) / 8
        drawn[drawn >= 0] += 0.125
        return drawn

    def ask(self, kind: str, x: Array, positions: npt.ArrayLike) -> Call:
        """Return a call of the function, with its result or the problem that it had.

        What the function raises is a problem, but for a lack of memory or time, there or where its
        result is read: that is no bug of the function, and is raised.
        """
        use = Finding(kind, tokens=x.shape[2])
        places = np.array(positions, np.int64)
        result: Array | None = None
        problem: Finding | None = None
        try:
            returned = self.function(x.copy(), places.copy())  # it may write into what it gets
        except (MemoryError, TimeoutError):
            raise
        except Exception as error:
            problem = Finding("raised", error=type(error).__name__, message=str(error))
        else:
            try:
                # A copy, since the function may return the same memory each time.
                result = np.array(real_array(plain_tensor(returned), "the result"))
            except (MemoryError, TimeoutError):
                raise
            except Exception:  # an object may refuse to be read in any way
                problem = Finding("returned_no_numbers", value=shown(returned))
        if result is not None and result.shape != x.shape:
            problem = Finding("returned_other_shape", given=x.shape, returned=result.shape)
            result = None
        call = Call.of(use, x, places, self.earlier)._replace(result=result, problem=problem)
        self.earlier = (*self.earlier, call.positions)
        return call

    def texts(self, far: Sequence[int], end: float) -> Iterator[tuple[str, Array, Any]]:
        """Yield (kind, x, positions) of calls to make, as models do, all positions below `end`.

        At each position in `far` there is a call for one token alone.
        """
        count = int(min(PROMPT, end))
        calls: list[tuple[str, tuple[int, int], Sequence[float]]] = [  # (texts, heads), positions
            # One token, as it is decoded after a prompt.
            *(("call_alone", (1, 2), [place]) for place in (0, *BESIDE)),
            # A kernel may be written for few heads, and leave the last ones of a large model out.
            *(("call_alone", (1, 64), [place]) for place in far),
            ("call_order", (1, 2), (7, 2, 11, 0, 5, 3, 0, 1)),
            ("call_batch", (3, 2), range(BATCH)),
            ("call_batch_alone", (3, 2), [9]),
            ("call_batch_alone", (2, 1), [FAR_IN_BATCH]),
            *(("call_length", (1, 2), range(tokens)) for tokens in LENGTHS_OF_TEXTS),
            ("call_ends", (1, 2), [k for k in ENDS_OF_INTEGERS if k < end]),
            ("call_prompt", (1, 1), range(count)),
            # A prompt may be read piece by piece. This is a later piece, from no round position on.
            ("call_piece", (1, 2), range(count // 2 + 1, count)[:PIECE]),
            # After all these a function may have kept something.
            ("call_again", (1, 3), range(NEAR)),
        ]
        for kind, shape, positions in calls:
            if len(positions) and max(positions) < end:  # a small end may leave a call no positions
                x = self.draw(*shape, len(positions)) * (LARGE if kind == "call_piece" else 1)
                yield kind, x, positions

    def own_positions(self) -> Iterator[list[tuple[str, Array, Any]]]:
        """Yield two pairs of calls to make (kind, x, positions), each text with its own positions.

        The second call of a pair has one later token of each text, as with a cache. Positions have
        the shape (texts, tokens) in the first pair, and (texts, 1, tokens) in the second.
        """
        x = self.draw(len(BEGINS), 2, BATCH)  # texts, heads, tokens
        rows = np.arange(BATCH) + np.array(BEGINS)[:, np.newaxis]
        for own in (rows, rows[:, np.newaxis]):
            yield [("call_own", x, own), ("call_own_alone", x[:, :, :1], own[..., :1] + LATER)]


class Probe(Caller):
    """A function, the calls of it that a verdict explains, and the pairs and angles they show."""

    # What `walk` finds.
    first: Indices  # the first column of each pair of x
    second: Indices
    out: Indices  # the column of the result at which each column of x comes out
    layout: Layout
    text: int  # the text of a batch in which unit vectors stand: 0, or 1 if the first is not turned
    places: Array  # the positions at which unit vectors were turned, in growing order
    table: Array  # what unit vectors became there, as `table_of` has it
    table_of_long: Array | None  # the same where all of these positions are in one text
    ended: int  # the first position that is refused, 0 if none is
    why: Finding  # how that one is refused; not set if none is
    takes_own: bool  # whether texts may have positions of their own

    def __init__(self, function: Callable[..., Any], width: int) -> None:
        """Begin without calls; `walk` makes them."""
        super().__init__(function, width)
        self.calls: list[Call] = []  # those that a verdict has to explain

    def see(self, kind: str, x: Array, positions: npt.ArrayLike) -> Call:
        """Return a call of the function, added to those that the verdict has to explain."""
        call = self.ask(kind, x, positions)
        # All entries of x have few bits, so that float32 holds them exactly in half the memory.
        self.calls.append(call._replace(x=call.x.astype(np.float32)))
        return self.calls[-1]

    def needed(self, call: Call) -> Array:
        """Return the numbers of a call; raise NotTurnedError with its problem if it has none."""
        if call.result is None:
            assert call.problem is not None
            raise NotTurnedError(call.problem)
        return call.result

    def reached(self) -> npt.NDArray[np.bool_]:
        """Return whether column i of x reaches column j at one of TURNED_AT, of shape (i, j)."""
        reached = np.zeros((self.width, self.width), bool)
        for start in range(0, self.width, UNITS):
            units = np.eye(self.width)[start : start + UNITS]
            # All units at the first position, then all at the next. Of two heads, the second shows
            # what turns by the number of the head.
            tokens = np.tile(units, (1 + self.text, 2, len(TURNED_AT), 1))
            call = self.ask("call_units", tokens, np.repeat(TURNED_AT, len(units)))
            entries = np.abs(self.needed(call)).max(axis=(0, 1))
            entries = entries.reshape(len(TURNED_AT), *units.shape).max(axis=0)
            reached[start : start + UNITS] = entries > NOISE
        return reached

    def walk(self) -> None:
        """Make all calls, small positions first, and set the attributes that say what they show.

        Raise NotTurnedError if columns do not turn in pairs, or a first call returns no numbers.
        """
        self.find_pairs()
        call = self.see("call_first_units", self.units(NEAR), range(NEAR))
        tables, places = [self.table_of(call)], list(range(NEAR))
        self.ended = 0
        for place in FAR:
            call = self.far_text(place)
            if call.problem:
                self.why = call.problem
                self.calls.pop()  # no program has to explain a call without numbers
                self.ended = first_between(places[-1], place, self.refuses)
                break
            tables.append(self.table_of(call)[:, -1:])  # the last token is the far one
            places.append(place)
        self.table, self.places = np.concatenate(tables, axis=1), np.array(places, float)
        # All positions in one text: a long text may have another list.
        call = self.see("call_together", self.units(len(places)), places)
        self.table_of_long = None if call.problem else self.table_of(call)
        # One token far down comes after a long text, so that a list that is kept shows. Each such
        # call takes time: every fourth of the far positions is enough, from the last one down.
        end = self.ended or math.inf  # from where on positions are refused, if they are
        for text in self.texts(places[:NEAR:-4], end):
            self.see(*text)
        self.takes_own = self.see_own()

    def see_own(self) -> bool:
        """Return whether texts may have positions of their own; if so, add two calls to `calls`."""
        for calls in self.own_positions():  # a function may take one shape, or the other
            asked = [self.ask(*call) for call in calls]
            if not asked[0].problem:
                self.calls += asked
                return True
        return False

    def find_pairs(self) -> None:
        """Set `text`, `first`, `second`, `out` and `layout`; raise NotTurnedError if no pair turns.

        A function that returns two results for one call is refused as well.
        """
        x = self.draw(1, 3, NEAR)
        once, again = (self.needed(self.see("call_first", x, range(NEAR))) for _ in range(2))
        if (once != again).any():
            raise NotTurnedError(Finding("not_deterministic"))
        # Some code turns by the number of the text, which is 0 for the first: the second shows it.
        for text in (0, 1):
            self.text = text
            self.first, self.second, self.out = pairs_of(self.reached())
            if len(self.first):
                self.layout = layout_of(self.first, self.second, self.width)
                return
        raise NotTurnedError(Finding("nothing_turned", positions=list(TURNED_AT)))

    def refuses(self, place: int) -> bool:
        """Return whether a text with a token at a position gives no numbers."""
        # A call as `far_text` makes it, of three heads, since its refusal began the bisection: the
        # far token alone may not be refused. Asked and not seen: no verdict has to explain where
        # the bisection has looked.
        positions = [*BESIDE, place]
        return self.ask("call_far", self.draw(1, 3, len(positions)), positions).problem is not None

    def far_text(self, place: int) -> Call:
        """Return a call, added to `calls`, for three of the first tokens and one at `place`."""
        positions = [*BESIDE, place]
        return self.see("call_far", self.units(len(positions)), positions)

    def units(self, tokens: int) -> Array:
        """Return x (texts, 3 heads, tokens, width): unit vectors of all pairs in heads 0 and 1.

        In head 0 the first column of each pair is 1 and the second 0, in head 1 the other way
        round. Head 2, and the text before if there is one, are random: there a program has to
        explain pairs of which both columns count, at far positions too.
        """
        x = self.draw(1 + self.text, 3, tokens)
        x[self.text, 0] = x[self.text, 1] = 1
        x[self.text, 0][:, self.second] = 0
        x[self.text, 1][:, self.first] = 0
        return x

    def table_of(self, call: Call) -> Array:
        """Return (cos, -sin, sin, cos) of each pair, from a call of `units`: (4, tokens, pairs).

        They are that if the function is right; of a wrong one they are whatever stands there.
        """
        of_first, of_second = self.needed(call)[self.text, :2]
        one, other = self.out[self.first], self.out[self.second]
        return np.array(
            [of_first[:, one], of_second[:, one], of_first[:, other], of_second[:, other]]
        )


def first_between(good: int, bad: int, is_bad: Callable[[int], bool]) -> int:
    """Return the first bad position above `good` by bisection; all from there to `bad` are bad."""
    while bad - good > 1:
        middle = (bad + good) // 2
        good, bad = (good, middle) if is_bad(middle) else (middle, bad)
    return bad
