"""The table by rotation: a few rows are made of sines, and turning them gives the others.

A position is so many stretches of 16 blocks, so many blocks, so many groups of 16 rows, and so
many rows. Each of the four has a list made of sines. A row of the table is a product of four.
"""

import os
from functools import lru_cache

import numpy as np

from posenc.waves import split_frequencies, upper_half

ROWS_IN_GROUP, BLOCKS_IN_STRETCH = 16, 16

# Pairs in a block, up to width 4096: 512 kB of complex numbers, for a processor's cache.
BLOCK_PAIRS = 2**15

# A thread must save more than its start takes. A fourth saved little where this was measured.
ENTRIES_PER_THREAD, MOST_THREADS = 2**22, 3

# An interleaved row of these is a row of complex numbers, and can be multiplied into.
COMPLEX = {np.dtype(np.float64): np.complex128, np.dtype(np.float32): np.complex64}


@np.errstate(under="ignore")  # sines next to 0 underflow in float16, which is as it should be
def fill_by_rotation(table, layout, base):
    """Fill `table`, C-contiguous, of shape (n, d_model), with the encodings of 0 to n - 1."""
    count, width = table.shape
    height = _rows_in_block(width)
    if count <= height:
        enough = 1 << (count - 1).bit_length()  # a power of 2: few different blocks are kept
        _store(_first_rows(width, base, enough)[:count], table, layout)
        return
    if _short_frequencies(width, base):
        fill_directly(table, layout, np.arange(0.0, count), base)
        return
    block, turns_by_blocks = _first_rows(width, base, height), _turns_by_blocks(width, base)
    stretch = BLOCKS_IN_STRETCH * height
    turns_by_stretches = _turns(np.arange(0.0, count, stretch), width, base)
    rest = count % height
    blocks = table[: count - rest].reshape(-1, height, width)
    as_pairs = COMPLEX.get(table.dtype) if layout == "interleaved" else None

    def fill(stretches):
        room = None if as_pairs else np.empty_like(block)
        with np.errstate():  # at its end the buffer has its old size again
            # NumPy may copy a turn that it repeats, in pieces that stay in the fastest cache.
            np.setbufsize(256)
            for number in stretches:
                targets = blocks[number * BLOCKS_IN_STRETCH :][:BLOCKS_IN_STRETCH]
                turns = turns_by_stretches[number] * turns_by_blocks
                turns = turns[: len(targets), np.newaxis]
                if as_pairs:
                    np.multiply(block, turns, out=targets.view(as_pairs), casting="same_kind")
                else:
                    for rows, turn in zip(targets, turns, strict=True):
                        _store(np.multiply(block, turn, out=room), rows, layout)

    _share(fill, len(turns_by_stretches), table.size // ENTRIES_PER_THREAD)
    if rest:  # part of a block, in the last stretch
        turn = turns_by_stretches[-1] * turns_by_blocks[len(blocks) % BLOCKS_IN_STRETCH]
        _store(block[:rest] * turn, table[count - rest :], layout)


@np.errstate(under="ignore")
def fill_directly(table, layout, positions, base):
    """Fill `table`, as above, with the encodings of `positions`, of shape (n,)."""
    height = max(1, 2 * BLOCK_PAIRS // table.shape[1])
    for start in range(0, len(table), height):
        rows = slice(start, start + height)
        _store(rows_of_pairs(positions[rows], table.shape[1], base), table[rows], layout)


def _store(pairs, table, layout):
    """Write rows of pairs into rows of a table, rounding them to its type."""
    numbers = pairs.view(np.float64)
    if layout == "halves":
        numbers = numbers.reshape(*pairs.shape, 2).swapaxes(1, 2)
    table.reshape(numbers.shape)[:] = numbers


def _share(fill, count, parts):
    """Call `fill` for the numbers below `count`, in up to `parts` threads at the same time."""
    processors = getattr(os, "process_cpu_count", os.cpu_count)() or 1  # from Python 3.13 on
    parts = min(parts, MOST_THREADS, processors, count)
    if parts <= 1:
        fill(range(count))
        return
    from concurrent.futures import ThreadPoolExecutor  # takes longer than importing posenc

    cuts = [count * part // parts for part in range(parts + 1)]
    with ThreadPoolExecutor(parts) as pool:
        list(pool.map(fill, map(range, cuts, cuts[1:])))  # raises what was raised in a thread


def _rows_in_block(d_model):
    """Return the rows of a block: a power of 2, at least a group."""
    return 1 << max(ROWS_IN_GROUP, 2 * BLOCK_PAIRS // d_model).bit_length() - 1


@lru_cache(maxsize=16)
def _first_rows(d_model, base, count):
    """Return the first `count` rows of every table of this width and base; a power of 2."""
    if count <= ROWS_IN_GROUP or _short_frequencies(d_model, base):
        return rows_of_pairs(np.arange(0.0, count), d_model, base)
    group = rows_of_pairs(np.arange(0.0, ROWS_IN_GROUP), d_model, base)
    turns = _turns(np.arange(0.0, count, ROWS_IN_GROUP), d_model, base)
    return (turns[:, np.newaxis] * group).reshape(count, d_model // 2)


@lru_cache(maxsize=4)
def _turns_by_blocks(d_model, base):
    """Return the turns by 0, 1, 2 and more blocks, for one stretch."""
    return _turns(_rows_in_block(d_model) * np.arange(0.0, BLOCKS_IN_STRETCH), d_model, base)


def _short_frequencies(d_model, base):
    """Return whether frequencies are as short as 1 and 1/4: they lose no digits, a turn would."""
    _, _, lower = split_frequencies(d_model, base)
    return not lower.any()


def _turns(offsets, d_model, base):
    """Return what rows of pairs are multiplied by to be moved by `offsets`: cos - j sin."""
    return -1j * rows_of_pairs(offsets, d_model, base)


def rows_of_pairs(positions, d_model, base):
    """Return sin(kω) + j cos(kω) for each position k and frequency ω, as complex numbers.

    float64 rounds ω and kω, which at position 1 000 000 costs up to 1e-10 rad. What the
    rounding loses is computed as a second, tiny angle, and the rows are turned on by it.
    """
    omega, upper, lower = split_frequencies(d_model, base)
    k = positions[:, np.newaxis]
    upper_k = upper_half(k)
    angle = _angles(k, omega, base)
    # Two upper halves have 26 bits each: their product is exact, and so is the difference.
    lost = (upper_k * upper - angle) + (k - upper_k) * upper + k * lower
    return _sine_and_cosine(angle) * (-1j * _sine_and_cosine(lost))


def _angles(positions, omega, base):
    """Return positions times frequencies, if float64 can hold them."""
    with np.errstate(over="ignore"):
        angles = positions * omega
    if not np.isfinite(angles).all():
        raise ValueError(
            f"positions and base must give angles that float64 can hold, got base {base} "
            f"and positions up to {np.abs(positions).max()}"
        )
    return angles


def _sine_and_cosine(angles):
    """Return sin + j cos. Times -j that is cos - j sin, which turns such rows by `angles`."""
    pairs = np.empty(angles.shape, np.complex128)
    np.sin(angles, out=pairs.real)
    np.cos(angles, out=pairs.imag)
    return pairs
