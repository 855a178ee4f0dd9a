"""The table by rotation: a few rows are made of sines, and turning them gives the others."""

from functools import lru_cache

import numpy as np

from posenc.waves import split_frequencies, upper_half

# A position is read as 512 a + 16 b + c, as a clock reads hours, minutes and seconds: row c,
# turned on by 16 b tokens, turned on by 512 a tokens. Only c, b and a need sines.
SHORT_TURN, LONG_TURN = 16, 512

# Pairs worked on at a time: 256 kB of complex numbers stay in a processor's cache.
BLOCK_PAIRS = 2**14


def fill_by_rotation(table, sines, cosines, base):
    """Fill `table`, of shape (n, d_model), with the encodings of the positions 0 to n - 1."""
    count, width = table.shape
    block, short_turns = _beginning(width, base)
    height = len(block)
    if count <= height:
        _store(block[:count], table, sines, cosines)
        return
    if short_turns is None:
        fill_directly(table, sines, cosines, np.arange(0.0, count), base)
        return
    long_turns = -1j * rows_of_pairs(np.arange(0.0, count, LONG_TURN), width, base)
    # An interleaved row of float64 is a row of complex numbers, which can be multiplied into.
    in_place = sines.step == 2 and table.dtype == np.float64
    turned = table.view(np.complex128) if in_place else np.empty_like(block)
    with np.errstate():  # at its end the buffer has its old size again
        np.setbufsize(512)  # the turn that NumPy repeats then stays in the fastest cache
        for start in range(0, count, height):
            rows = slice(start, min(start + height, count))
            turn = long_turns[start // LONG_TURN] * short_turns[start % LONG_TURN // SHORT_TURN]
            new = turned[rows] if in_place else turned[: rows.stop - start]
            np.multiply(block[: rows.stop - start], turn, out=new)
            if not in_place:
                _store(new, table[rows], sines, cosines)


def fill_directly(table, sines, cosines, positions, base):
    """Fill `table`, of shape (n, d_model), with the encodings of `positions`, of shape (n,)."""
    height = max(1, BLOCK_PAIRS // (table.shape[1] // 2))
    for start in range(0, len(table), height):
        rows = slice(start, start + height)
        new = rows_of_pairs(positions[rows], table.shape[1], base)
        _store(new, table[rows], sines, cosines)


def _store(pairs, table, sines, cosines):
    """Write rows of pairs into a table, rounding them to its type."""
    if sines.step == 2:
        table[:] = pairs.view(np.float64)
    else:
        table[:, sines], table[:, cosines] = pairs.real, pairs.imag


@lru_cache(maxsize=4)
def _beginning(d_model, base):
    """Return the block of rows that every table begins with, and the turns by 16 b tokens.

    The height of the block depends on the width alone, so two tables of one width agree in
    every bit of the rows they share. It is a power of 2, so blocks fill a long turn.
    """
    pairs = d_model // 2
    height = max(SHORT_TURN, min(LONG_TURN, 1 << (BLOCK_PAIRS // pairs).bit_length() - 1))
    _, _, lower = split_frequencies(d_model, base)
    if not lower.any():
        # Frequencies as short as 1 or 1/4 lose no digits, and a turn would: no turns.
        return rows_of_pairs(np.arange(0.0, height), d_model, base), None
    turns = -1j * rows_of_pairs(np.arange(0.0, LONG_TURN, SHORT_TURN), d_model, base)
    first_rows = rows_of_pairs(np.arange(0.0, SHORT_TURN), d_model, base)
    block = turns[: height // SHORT_TURN, np.newaxis] * first_rows
    return block.reshape(height, pairs), turns


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
