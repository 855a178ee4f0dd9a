"""Answers to the exercises: right ones whose numbers, order or type are not the reference's, and
some wrong ones that no chapter declares. The chapters' solutions are judged where they are run."""

import cmath
import math

import numpy as np

from posenc import attention, decode_positions, frequencies, shift_matrix, sinusoidal


def gray_by_xor(width):
    k = np.arange(2**width)
    return (k ^ k >> 1)[:, np.newaxis] >> np.arange(width) & 1


def another_gray(width):
    """Reversed, slowest bit first, and begun at another code: a Gray code all the same."""
    return 1 - gray_by_xor(width)[::-1, ::-1]


def in_halves_by_row(table):
    half = table.shape[1] // 2
    return int(np.allclose(table[0], [0] * half + [1] * half))


def base_by_search(L, d, first):
    def calm(n):
        return math.sin((L - 1) * n ** (-2 * first / d)) < 0.1

    low, high = 10, 10**12  # restless, calm
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if calm(middle) else (middle, high)
    return high


def twin(tokens):
    exchanged = np.arange(8)
    exchanged[[0, 1]] = 1, 0
    return exchanged[tokens]


def twin_by_copying(tokens):
    result = tokens.copy()
    result[tokens == 0] = 1
    result[tokens == 1] = 0
    return result


def in_place(tokens):
    tokens[:] = twin(tokens)
    return tokens


def with_fractions(tokens):
    return np.where(tokens < 2, 1.0 - tokens, tokens)


def distance_by_cosines(gap, d):
    return (d - 2 * sum(np.cos(omega * gap) for omega in frequencies(d))) ** 0.5


def first_position_decoded(row):
    return float(np.round(decode_positions(row[np.newaxis])[0]))


def base_of_either(config):
    return {**config, **config.get("rope_parameters", {})}["rope_theta"]


def new_angles_in_a_loop(omega, slowed, trained, longer):
    count = 0
    for before, after in zip(omega, slowed, strict=True):
        wave = 2 * np.pi / before
        count += wave > trained and longer * after / before > trained * 1.0001
    return count


def shift_by_blocks(shift, omegas):
    matrix = np.zeros((2 * len(omegas), 2 * len(omegas)))
    for i, omega in enumerate(omegas):
        cosine, sine = np.cos(omega * shift), np.sin(omega * shift)
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[cosine, sine], [-sine, cosine]]
    return matrix


SLOWEST = frequencies(16, base=100)[-1]


def read_by_a_complex_number(matrix):
    return float(np.angle(matrix[15, 15] - 1j * matrix[15, 14]) / SLOWEST)


def look_back_by_scores(table, back):
    # Row k asks for what lies `back` after it: read by columns, that is `back` before.
    scores = 30 * (table @ shift_matrix(back, table.shape[1]).T @ table.T).T
    scores[np.triu_indices(len(table), k=1)] = -np.inf
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def without_a_mask(table, back):
    return attention(50 * table @ shift_matrix(-back, table.shape[1]).T, table, table)[1]


def too_quiet(table, back):
    return attention(3 * table @ shift_matrix(-back, table.shape[1]).T, table, table)[1]


def first_rise_by_a_loop(d):
    kernel = [sum(np.cos(omega * gap) for omega in frequencies(d)) for gap in range(202)]
    for gap in range(201):
        if kernel[gap + 1] > kernel[gap]:
            return np.float64(gap)
    return None


def opening_by_complex_numbers(first, second):
    return cmath.phase(complex(*second[::-1]) / complex(*first[::-1]))


def one_wave_as_a_complex_number(p, q):
    return list(cmath.polar(complex(p, q)))


def finished_by_a_loop(length, width, base):
    count, wavelength = 0, 2 * math.pi
    while count < width // 2 and wavelength <= length - 1:
        count += 1
        wavelength = 2 * math.pi * base ** (2 * count / width)
    return count


def telling_from_the_table(gap, width, base, blur):
    hands = sinusoidal([5, 5 + gap], width, base=base).reshape(2, -1, 2)
    moved = np.linalg.norm(hands[1] - hands[0], axis=1)
    return [i for i, far in enumerate(moved) if far > blur]


def follows_by_a_matrix(layer, rows, order):
    permutation = np.eye(len(rows))[order]
    return np.abs(layer(permutation @ rows) - permutation @ layer(rows)).max() < 1e-9


def read_by_loops(X, embedding):
    d = X.shape[1]
    found = []
    for row, place in zip(X, sinusoidal(*X.shape), strict=True):
        wanted = row - place
        misses = [np.abs(wanted - np.sqrt(d) * word).sum() for word in embedding]
        found.append(int(np.argmin(misses)))
    return found


RIGHT = {
    "ex-binary-gray": another_gray,
    "ex-zoo-layout": in_halves_by_row,
    "ex-formula-base": base_by_search,
    "ex-model-twin": twin_by_copying,
    "ex-promises-distance": distance_by_cosines,
    "ex-right-table-first": first_position_decoded,
    "ex-rope-in-models-base": base_of_either,
    "ex-rope-stretching-new": new_angles_in_a_loop,
    "ex-rotation-read": read_by_a_complex_number,
    "ex-similarity-back": look_back_by_scores,
    "ex-similarity-first-rise": first_rise_by_a_loop,
    "ex-sine-recap-opening": opening_by_complex_numbers,
    "ex-sine-recap-mixture": one_wave_as_a_complex_number,
    "ex-wavelengths-count": finished_by_a_loop,
    "ex-wavelengths-noise": telling_from_the_table,
    "ex-order-follows": follows_by_a_matrix,
    "ex-example-read": read_by_loops,
}

WRONG = {
    "ex-binary-gray": [
        (lambda width: gray_by_xor(width).T, "transposed"),
        (lambda width: 2 * gray_by_xor(width), "other than 0 and 1"),
        (lambda width: gray_by_xor(width) * 0, "two rows are the same"),
        (lambda width: np.roll(gray_by_xor(width), 1, 1)[:-1], "Look at the shape"),
        (
            lambda width: np.array(gray_by_xor(width))[np.argsort(np.arange(2**width) % 2)],
            "from row",
        ),
    ],
    "ex-model-twin": [(in_place, "Work on a copy"), (with_fractions, "Keep them whole")],
    "ex-rotation-turn": [
        (lambda shift, omegas: np.abs(shift_by_blocks(shift, omegas)), "right for some"),
        (lambda shift, omegas: -shift_by_blocks(shift, omegas), "Look at the signs"),
        (lambda shift, omegas: shift_by_blocks(shift, omegas).ravel(), "should be (4, 4)"),
        (lambda shift, omegas: shift_by_blocks(shift, omegas).astype(np.float32), "short float"),
        (lambda shift, omegas: shift_by_blocks(shift, omegas) + 0j, "complex numbers"),
        (
            lambda shift, omegas: shift_by_blocks(abs(shift), omegas),
            "right for some inputs. Look at the input shift = -1.25",
        ),
        (shift_by_blocks(2, [1, 0.1]), "wants a function"),
        (lambda: shift_by_blocks(2, [1, 0.1]), "it raises TypeError"),
    ],
    "ex-similarity-back": [
        (without_a_mask, "Where is the mask"),
        (too_quiet, "turn up the volume"),
    ],
}
