"""The table by rotation: a few rows are made of sines, and turning them gives the others.

A position is so many stretches of 16 blocks, so many blocks, so many groups of 16 rows, and so
many rows. Each of the four has a short list made of sines. A row of the table is a product of
four, one from each list.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from threading import Thread
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from posenc._checks import AnyFloats, FloatArray, Layout
from posenc._kept import kept
from posenc.frequencies import split_frequencies

Pairs: TypeAlias = NDArray[np.complex128]
Run: TypeAlias = tuple[int, int, int]  # the row where it begins, its first position, its length

ROWS_IN_GROUP, BLOCKS_IN_STRETCH = 16, 16

# Pairs in a block, up to width 4096: 512 kB of complex numbers, for a processor's cache.
PAIRS_IN_BLOCK = 2**15

# A thread must save more than its start takes. A fourth saved little where this was measured.
ENTRIES_PER_THREAD, MOST_THREADS = 2**22, 3

# Fewer consecutive positions than these are evaluated one by one.
SHORTEST_RUN = 16

# Beyond this neighbouring float64 angles are more than a radian apart.
LARGEST_ANGLE = 2.0**53

# An interleaved row of these is a row of complex numbers, and can be multiplied into.
COMPLEX: dict[Any, Any] = {np.dtype(np.float64): np.complex128, np.dtype(np.float32): np.complex64}


# Filling a table, C-contiguous, of shape (n, d_model)


@np.errstate(all="ignore")  # sines next to 0 underflow in float16, which is as it should be
def fill_range(table: AnyFloats, layout: Layout, first: int, base: float) -> None:
    """Fill `table` with the encodings of the positions from the int `first` on."""
    count, width = table.shape
    end = first + count
    if not count:
        return
    _check_angle(float(max(-first, end - 1)), width, base)
    if first >= 0 and end <= _rows_in_block(width):  # nothing to turn
        _store(_some_first_rows(width, base, end)[first:end], table, layout)
        return
    _fill_runs(table, layout, [(0, first, count)], base)


@np.errstate(all="ignore")
def fill_positions(table: AnyFloats, layout: Layout, positions: FloatArray, base: float) -> None:
    """Fill `table` with the encodings of positions of shape (n,); long runs by rotation."""
    _check_angles(positions, table.shape[1], base)
    runs = _long_runs(positions)
    done = 0
    for row, _, count in [*runs, (len(positions), 0, 0)]:
        _fill_one_by_one(table[done:row], layout, positions[done:row], base)
        done = row + count
    _fill_runs(table, layout, runs, base)


def _long_runs(positions: FloatArray) -> list[Run]:
    """Return (row, first position, count) for each long run of consecutive whole numbers."""
    if not len(positions):
        return []
    edges = np.flatnonzero(positions[1:] - positions[:-1] != 1) + 1
    bounds = np.concatenate([[0], edges, [len(positions)]])
    starts, stops = bounds[:-1], bounds[1:]
    chosen = (stops - starts >= SHORTEST_RUN) & (positions[starts] % 1 == 0)
    return [
        (start, int(positions[start]), stop - start)
        for start, stop in zip(starts[chosen].tolist(), stops[chosen].tolist(), strict=True)
    ]


def _fill_one_by_one(table: AnyFloats, layout: Layout, positions: FloatArray, base: float) -> None:
    height = max(1, 2 * PAIRS_IN_BLOCK // table.shape[1])
    for start in range(0, len(table), height):
        rows = slice(start, start + height)
        _store(_rows(positions[rows], table.shape[1], base), table[rows], layout)


def _fill_runs(table: AnyFloats, layout: Layout, runs: Sequence[Run], base: float) -> None:
    if not runs:
        return
    width = table.shape[1]
    height = _rows_in_block(width)
    if len(table) <= height:  # its blocks will be asked for again, as by the next token of a text
        for row, first, count in _cut(runs, height):
            rows = _block(width, base, first // height)[first % height :][:count]
            _store(rows, table[row : row + count], layout)
        return
    stretch = BLOCKS_IN_STRETCH * height
    block = _first_rows(width, base, height)
    as_pairs = COMPLEX.get(table.dtype) if layout == "interleaved" else None

    def fill(parts: Iterable[Run]) -> None:
        room = None if as_pairs else np.empty_like(block)
        for part in parts:
            turns = _turns_in_stretch(width, base, part[1] // stretch)
            for row, first, count in _cut([part], height):
                rows, target = block[first % height :][:count], table[row : row + count]
                if 0 <= first < height:  # not turned at all
                    _store(rows, target, layout)
                    continue
                turn = turns[first // height % BLOCKS_IN_STRETCH]
                if room is None:
                    filled: NDArray[Any] = target.view(np.dtype(as_pairs))
                    np.multiply(rows, turn, out=filled, casting="same_kind")
                else:
                    _store(np.multiply(rows, turn, out=room[:count]), target, layout)

    parts = list(_cut(runs, stretch))
    if len(parts) > 1:
        _turns_by_blocks(width, base)  # once, and not by two threads that both find none
    _share(fill, parts, table.size // ENTRIES_PER_THREAD)


def _cut(runs: Iterable[Run], length: int) -> Iterator[Run]:
    """Yield the runs, as `_long_runs` has them, cut at each multiple of `length`."""
    for row, first, count in runs:
        end = first + count
        while first < end:
            stop = min(end, first - first % length + length)
            yield row, first, stop - first
            row, first = row + stop - first, stop


def _store(pairs: Pairs, table: AnyFloats, layout: Layout) -> None:
    """Write rows of pairs into rows of a table, rounding them to its type."""
    numbers = pairs.view(np.float64)
    if layout == "halves":
        numbers = numbers.reshape(*pairs.shape, 2).swapaxes(1, 2)
    table.reshape(numbers.shape)[:] = numbers


def _share(fill: Callable[[Sequence[Any]], None], parts: Sequence[Any], threads: int) -> None:
    """Call `fill` with all of `parts`, shared between threads where that many can be had."""
    processors = getattr(os, "process_cpu_count", os.cpu_count)() or 1  # from Python 3.13 on
    threads = max(1, min(threads, MOST_THREADS, processors, len(parts)))
    errors: list[BaseException] = []

    def work(share: Sequence[Any]) -> None:
        try:
            # A thread starts with a state of its own.
            with np.errstate(all="ignore"):  # at its end the buffer has its old size again
                # NumPy may copy a turn that it repeats, in pieces that stay in the fastest cache.
                np.setbufsize(256)
                fill(share)
        except BaseException as error:
            errors.append(error)

    mine, *others = [list(parts[number::threads]) for number in range(threads)]
    helpers = []
    for share in others:
        helper = Thread(target=work, args=(share,))
        try:
            helper.start()
        except RuntimeError:  # a browser's Python has no threads, nor has one that is ending
            mine = mine + share
        else:
            helpers.append(helper)
    work(mine)
    for helper in helpers:
        helper.join()
    if errors:
        raise errors[0]


# The four lists


def _rows_in_block(d_model: int) -> int:
    """Return the rows of a block: a power of 2, at least a group."""
    return 1 << max(ROWS_IN_GROUP, 2 * PAIRS_IN_BLOCK // d_model).bit_length() - 1


def _some_first_rows(d_model: int, base: float, count: int) -> Pairs:
    """Return at least the first `count` rows, a power of 2: few different blocks are kept."""
    return _first_rows(d_model, base, 1 << (count - 1).bit_length())


@kept
def _first_rows(d_model: int, base: float, count: int) -> Pairs:
    """Return the first `count` rows of every table of this width and base; a power of 2."""
    group = _rows(np.arange(0.0, min(count, ROWS_IN_GROUP)), d_model, base)
    if count <= ROWS_IN_GROUP:
        return group
    turns = _turns(np.arange(0.0, count, ROWS_IN_GROUP), d_model, base)
    return (turns[:, np.newaxis] * group).reshape(count, d_model // 2)


@kept
def _block(d_model: int, base: float, number: int) -> Pairs:
    """Return the rows of a block, wherever it is."""
    block = _first_rows(d_model, base, _rows_in_block(d_model))
    stretch, in_stretch = divmod(number, BLOCKS_IN_STRETCH)
    return block * _turns_in_stretch(d_model, base, stretch)[in_stretch] if number else block


@kept
def _turns_in_stretch(d_model: int, base: float, number: int) -> Pairs:
    """Return what turns the first block to each of a stretch, of shape (16, d_model/2)."""
    start = float(number * BLOCKS_IN_STRETCH * _rows_in_block(d_model))
    return _turns(np.array([start]), d_model, base) * _turns_by_blocks(d_model, base)


@kept
def _turns_by_blocks(d_model: int, base: float) -> Pairs:
    """Return the turns by 0, 1, 2 and more blocks, for one stretch."""
    return _turns(_rows_in_block(d_model) * np.arange(0.0, BLOCKS_IN_STRETCH), d_model, base)


def _turns(offsets: FloatArray, d_model: int, base: float) -> Pairs:
    """Return what rows of pairs are multiplied by to be moved by `offsets`: cos - j sin."""
    return -1j * _rows(offsets, d_model, base)


# Sines


def rows_of_pairs(positions: FloatArray, d_model: int, base: float) -> Pairs:
    """Return sin(kω) + j cos(kω) for each position k and frequency ω, as complex numbers."""
    _check_angles(positions, d_model, base)
    return _rows(positions, d_model, base)


def _check_angles(positions: FloatArray, d_model: int, base: float) -> None:
    """Raise a ValueError if a position has an angle that leaves float64 no digits."""
    if positions.size:
        _check_angle(float(positions.flat[np.abs(positions).argmax()]), d_model, base)


def _check_angle(position: float, d_model: int, base: float) -> None:
    omega, _, _ = split_frequencies(d_model, base)
    angle = abs(position) * max(omega.item(0), omega.item(-1))
    if not angle <= LARGEST_ANGLE:
        raise ValueError(
            "positions and base must give angles of at most 2**53 radians, beyond which float64 "
            f"has no fractions, got {angle:.3g} from position {position!r} and base {base}"
        )


@np.errstate(all="ignore")
def _rows(positions: FloatArray, d_model: int, base: float) -> Pairs:
    """Return sin(kω) + j cos(kω), as above.

    float64 rounds ω and kω, which at position 1 000 000 costs up to 1e-10 rad. What the
    rounding loses is computed as a second, tiny angle, and the rows are turned on by it.
    """
    omega, upper, lower = split_frequencies(d_model, base)
    k = positions[:, np.newaxis]
    upper_k = _upper_half(k)
    angle = k * omega
    # Two upper halves have 26 bits each: their product is exact, and so is the difference.
    lost = upper_k * upper
    lost -= angle
    lost += (k - upper_k) * upper
    lost += k * lower
    sine, cosine = np.sin(angle), np.cos(angle)
    # The sine of so small an angle is that angle, to the last bit, and its cosine is 1.
    tiny = np.abs(lost).max(initial=0.0) < 2.0**-28
    sine_lost, cosine_lost = (lost, 1.0) if tiny else (np.sin(lost), np.cos(lost))
    pairs = np.empty(angle.shape, np.complex128)
    np.add(sine * cosine_lost, cosine * sine_lost, out=pairs.real)
    np.subtract(cosine * cosine_lost, sine * sine_lost, out=pairs.imag)
    return pairs


def _upper_half(numbers: FloatArray) -> FloatArray:
    """Return float64 `numbers` with the lower 27 of their 53 significant bits set to 0."""
    return (numbers.view(np.int64) & -(2**27)).view(np.float64)
