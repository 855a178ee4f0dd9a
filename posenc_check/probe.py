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

# How many positions from 0 on are looked at one by one, chosen by eye: with 12 or 48 the same bugs
# of the field are named. BESIDE are those of them that stand in one text with each far position: a
# far token may change how near ones are turned.
NEAR = 24
BESIDE = (1, 7, NEAR - 1)

# Positions far down a text, to the last of 131 072 tokens. Each is at most twice the one before, so
# that the frequency that all before agree on says how often a pair has turned. All are odd, since
# short floats round odd ones; 257 and 2049 are the first integers that bfloat16 and float16 round.
FAR = sorted([*(2**k - 1 for k in range(5, 18)), *(3 * 2**k - 1 for k in range(4, 16)), 257, 2049])

PROMPT = 4200  # tokens of the longest text: just beyond 4096, where many tables and lists end
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


# What a function is called with: the kind of the call, x and positions.
Arguments = tuple[str, Array, Any]


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
        """Return a call without a result, with its positions in the shape (texts, 1, tokens).

        `positions` are those of all texts alike, (tokens,), or of each text: (texts, tokens) or
        (texts, 1, tokens).
        """
        texts, _heads, tokens, _width = x.shape
        by_text = np.asarray(positions, float).reshape(-1, 1, tokens)
        return cls(use, x, np.broadcast_to(by_text, (texts, 1, tokens)), earlier)

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
    for candidate in (function, with_tensors(torch.float64), with_tensors(torch.float32)):
        try:
            candidate(np.ones((1, 1, 2, width)), np.arange(2))  # a text of two tokens
        except (MemoryError, TimeoutError):  # these say nothing of the type of x
            raise
        except Exception:  # the function does not take x of this type
            continue
        return candidate
    return function


def pairs_of(reached: npt.NDArray[np.bool_]) -> tuple[Indices, Indices, Indices]:
    """Return (first column of each pair, second one, the column where each column of x comes out).

    Raise NotTurnedError if columns reach others in any way but one to one, or two to two.
    ``reached[i, j]`` says whether column i of x reaches column j of the result at some position.
    """
    width = reached.shape[-1]
    output_column = np.arange(width)
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
        output_column[inputs] = outputs
    pairs = sorted(inputs for inputs in inputs_by_outputs.values() if len(inputs) == 2)
    first, second = np.array(pairs, int).reshape(-1, 2).T  # two empty columns if there are none
    return first, second, output_column


class Layout(NamedTuple):
    """Which columns form pairs, as far as the pairs that turn show it."""

    name: str | None  # "interleaved", "halves", or None for any other
    parts: int  # blocks of columns side by side that have the layout, each on its own
    begin: int  # the column at which the first block begins
    pairs: int  # how many, with those that do not turn
    turning: Indices  # the number of each pair that turns


def layout_of(first: Indices, second: Indices, width: int) -> Layout:
    """Return the layout of a head, by the columns of its turning pairs; name None if unknown.

    Column ``first[i]`` turns with column ``second[i]``. Pairs that do not turn are not seen, and
    are counted where they stand between or before others.
    """
    turning, begin, distance = len(first), int(first[0]), int(second[0] - first[0])
    unknown = Layout(None, 1, begin, turning, np.arange(turning))
    if (second - first != distance).any():
        return unknown
    # Neighbours are looked for first: of one pair side by side, both layouts are the same.
    if distance == 1 and ((first - begin) % 2 == 0).all():
        # All pairs turn but the first, whose frequency is 0. Of fewer than three, columns 0 and 1
        # may as well belong to no pair.
        if begin == 2 and first[-1] == width - 2 and turning > 2:
            begin = 0
        pairs = int(first[-1] - begin) // 2 + 1
        # A layout is named only where most of its pairs turn: two far apart are no layout.
        if 2 * turning > pairs:
            return Layout("interleaved", 1, begin, pairs, (first - begin) // 2)
    # A block has `distance` first columns, and then as many second ones. A block that would pass
    # the end of the head begins earlier: its first pairs do not turn, as where frequency 0 is 0.
    # Columns that are farther apart than half the head are no halves: `begin` is below 0 then.
    begin = min(begin, width - 2 * distance)
    block, pair_in_block = np.divmod(first - begin, 2 * distance)
    parts = int(block[-1]) + 1
    number = block * distance + pair_in_block
    # Of several blocks all pairs turn, since no block with a gap is known.
    complete = parts == 1 or np.array_equal(number, np.arange(parts * distance))
    if begin >= 0 and complete and (pair_in_block < distance).all():
        return Layout("halves", parts, begin, parts * distance, number)
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
        x: Array = self.rng.integers(-16, 16, size=(*shape, self.width)) / 8
        x[x >= 0] += 0.125
        return x

    def call(self, kind: str, x: Array, positions: npt.ArrayLike) -> Call:
        """Return a call of the function, with its result or the problem that it had.

        What the function raises is a problem, but for a lack of memory or time, there or where its
        result is read: that is no bug of the function, and is raised.
        """
        integers = np.array(positions, np.int64)
        result: Array | None = None
        problem: Finding | None = None
        try:
            returned = self.function(x.copy(), integers.copy())  # it may write into what it gets
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
            problem = Finding("returned_other_shape", passed=x.shape, returned=result.shape)
            result = None
        call = Call.of(Finding(kind, tokens=x.shape[2]), x, integers, self.earlier)
        self.earlier = (*self.earlier, call.positions)
        return call._replace(result=result, problem=problem)

    def calls_of_models(self, far: Sequence[int], end: float) -> Iterator[Arguments]:
        """Yield the arguments of calls as models make them, with positions below `end`.

        At each position in `far` there is a call for one token alone.
        """
        prompt = int(min(PROMPT, end))  # tokens
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
            ("call_prompt", (1, 1), range(prompt)),
            # A prompt may be read piece by piece. This is a later piece, from no round position on.
            ("call_piece", (1, 2), range(prompt // 2 + 1, prompt)[:PIECE]),
            # After all these a function may have kept something.
            ("call_again", (1, 3), range(NEAR)),
        ]
        for kind, shape, positions in calls:
            if len(positions) and max(positions) < end:  # a small end may leave a call no positions
                x = self.draw(*shape, len(positions)) * (LARGE if kind == "call_piece" else 1)
                yield kind, x, positions

    def calls_with_positions_by_text(self) -> Iterator[list[Arguments]]:
        """Yield the arguments of two pairs of calls in which each text has other positions.

        The second call of a pair has one later token of each text, as with a cache. Positions have
        the shape (texts, tokens) in the first pair, as in Transformers, and (texts, 1, tokens) in
        the second, as code in NumPy takes them that lets positions broadcast with heads.
        """
        x = self.draw(len(BEGINS), 2, BATCH)  # texts, heads, tokens
        by_text = np.arange(BATCH) + np.array(BEGINS)[:, np.newaxis]
        for rows in (by_text, by_text[:, np.newaxis]):
            yield [("call_own", x, rows), ("call_own_alone", x[:, :, :1], rows[..., :1] + LATER)]


class Probe(Caller):
    """A function, the calls of it that a verdict explains, and the pairs and angles they show."""

    # What `make_calls` finds.
    first: Indices  # the first column of each pair of x
    second: Indices
    output_column: Indices  # the column of the result at which each column of x comes out
    layout: Layout
    text_of_units: int  # which text of a batch has the unit vectors: 1 if text 0 is not turned
    positions: Array  # at which unit vectors were turned, in growing order
    matrices: Array  # what unit vectors became there, as `matrices_of` has it
    matrices_of_long_text: Array | None  # the same where all of these positions are in one text
    first_refused: int  # the first position that is refused, 0 if none is
    refusal: Finding  # how that one is refused; not set if none is
    takes_positions_by_text: bool  # whether each text may have other positions

    def __init__(self, function: Callable[..., Any], width: int) -> None:
        """Begin without calls; `make_calls` makes them."""
        super().__init__(function, width)
        self.calls: list[Call] = []  # those that a verdict has to explain

    def record(self, kind: str, x: Array, positions: npt.ArrayLike) -> Call:
        """Return a call of the function, added to those that the verdict has to explain."""
        call = self.call(kind, x, positions)
        # All entries of x have few bits, so that float32 holds them exactly in half the memory.
        self.calls.append(call._replace(x=call.x.astype(np.float32)))
        return self.calls[-1]

    def make_calls(self) -> None:
        """Make all calls, small positions first, and set the attributes that say what they show.

        Raise NotTurnedError if columns do not turn in pairs, or a first call returns no numbers.
        """
        self.find_pairs()
        call = self.record("call_first_units", self.unit_vectors(NEAR), range(NEAR))
        matrices, positions = [self.matrices_of(call)], list(range(NEAR))
        self.first_refused = 0
        for position in FAR:
            call = self.record_far(position)
            if call.problem:
                self.refusal = call.problem
                # The search asks a program for the numbers of each call that is kept.
                self.calls.pop()
                self.first_refused = first_between(positions[-1], position, self.refuses)
                break
            matrices.append(self.matrices_of(call)[:, -1:])  # the last token is the far one
            positions.append(position)
        self.matrices = np.concatenate(matrices, axis=1)
        self.positions = np.array(positions, float)
        # All positions in one text: a long text may have another list.
        call = self.record("call_together", self.unit_vectors(len(positions)), positions)
        self.matrices_of_long_text = None if call.problem else self.matrices_of(call)
        # One token far down comes after a long text, so that a list that is kept shows. Each such
        # call takes time: every fourth of the far positions is enough, from the last one down.
        fourths = positions[:NEAR:-4]
        for arguments in self.calls_of_models(fourths, self.first_refused or math.inf):
            self.record(*arguments)
        self.takes_positions_by_text = self.record_positions_by_text()

    def record_positions_by_text(self) -> bool:
        """Return whether each text may have other positions; if so, add two calls to `calls`."""
        for pair in self.calls_with_positions_by_text():  # a function may take either shape alone
            calls = [self.call(*arguments) for arguments in pair]
            if not calls[0].problem:
                self.calls += calls
                return True
        return False

    def find_pairs(self) -> None:
        """Set which columns are pairs, and their layout; raise NotTurnedError if no pair turns.

        A function that returns two results for one call is refused as well.
        """
        x = self.draw(1, 3, NEAR)
        once, again = (numbers_of(self.record("call_first", x, range(NEAR))) for _ in range(2))
        if (once != again).any():
            raise NotTurnedError(Finding("not_deterministic"))
        # Some code turns by the number of the text, which is 0 for the first: the second shows it.
        for text in (0, 1):
            self.text_of_units = text
            reached, changes = self.reached_columns()
            self.first, self.second, self.output_column = pairs_of(reached)
            if len(self.first):
                self.layout = layout_of(self.first, self.second, self.width)
                return
        kind = "columns_alone" if changes else "nothing_turned"
        raise NotTurnedError(Finding(kind, positions=list(TURNED_AT)))

    def reached_columns(self) -> tuple[npt.NDArray[np.bool_], bool]:
        """Return whether column i of x reaches column j at one of TURNED_AT, of shape (i, j).

        The second value says whether what it gives there changes from position to position.
        """
        reached, changes = np.zeros((self.width, self.width), bool), False
        for start in range(0, self.width, UNITS):
            units = np.eye(self.width)[start : start + UNITS]
            # All units at the first position, then all at the next. Of two heads, the second shows
            # what turns by the number of the head.
            tokens = np.tile(units, (1 + self.text_of_units, 2, len(TURNED_AT), 1))
            call = self.call("call_units", tokens, np.repeat(TURNED_AT, len(units)))
            at_positions = (*call.x.shape[:2], len(TURNED_AT), *units.shape)
            numbers = numbers_of(call).reshape(at_positions)
            # Of all texts, heads and positions.
            reached[start : start + UNITS] = np.abs(numbers).max(axis=(0, 1, 2)) > NOISE
            changes = changes or bool(np.ptp(numbers, axis=2).max() > NOISE)
        return reached, changes

    def refuses(self, position: int) -> bool:
        """Return whether a text with a token at a position gives no numbers."""
        # A call as `record_far` makes it, of three heads, since its refusal began the bisection:
        # the far token alone may not be refused. It is not recorded: no verdict has to explain
        # where the bisection has looked.
        positions = [*BESIDE, position]
        return self.call("call_far", self.draw(1, 3, len(positions)), positions).problem is not None

    def record_far(self, position: int) -> Call:
        """Return a call, added to `calls`, for three of the first tokens and one at `position`."""
        positions = [*BESIDE, position]
        return self.record("call_far", self.unit_vectors(len(positions)), positions)

    def unit_vectors(self, tokens: int) -> Array:
        """Return x (texts, 3 heads, tokens, width): unit vectors of all pairs in heads 0 and 1.

        In head 0 the first column of each pair is 1 and the second 0, in head 1 the other way
        round. Head 2, and the text before if there is one, are random: there a program has to
        explain pairs of which both columns count, at far positions too.
        """
        text = self.text_of_units
        x = self.draw(1 + text, 3, tokens)
        x[text, 0] = x[text, 1] = 1
        x[text, 0][:, self.second] = 0
        x[text, 1][:, self.first] = 0
        return x

    def matrices_of(self, call: Call) -> Array:
        """Return (cos, -sin, sin, cos) of each pair by a call of unit vectors: (4, tokens, pairs).

        They are that if the function is right; of a wrong one they are whatever stands there.
        """
        of_first, of_second = numbers_of(call)[self.text_of_units, :2]  # heads 0 and 1
        first, second = self.output_column[self.first], self.output_column[self.second]
        return np.array(
            [of_first[:, first], of_second[:, first], of_first[:, second], of_second[:, second]]
        )


def numbers_of(call: Call) -> Array:
    """Return the numbers of a call; raise NotTurnedError with its problem if it has none."""
    if call.result is None:
        assert call.problem is not None
        raise NotTurnedError(call.problem)
    return call.result


def first_between(good: int, bad: int, is_bad: Callable[[int], bool]) -> int:
    """Return the first bad position above `good` by bisection; all from there to `bad` are bad."""
    while bad - good > 1:
        middle = (bad + good) // 2
        good, bad = (good, middle) if is_bad(middle) else (middle, bad)
    return bad
