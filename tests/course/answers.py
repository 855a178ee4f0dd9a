"""Answers to the exercises: a right one in another style than the check's own, some wrong ones."""

import cmath
import math

import numpy as np

from posenc import attention, decode_positions, frequencies, shift_matrix, sinusoidal

# --- beyond --------------------------------------------------------------------------------------


def bias_row_by_row(length, slope):
    return np.array([[-slope * abs(k - m) for m in range(length)] for k in range(length)])


# --- binary --------------------------------------------------------------------------------------


def bits_by_text(k, width):
    return np.array([int(digit) for digit in f"{k:0{width}b}"[::-1]])


def gray_by_xor(width):
    k = np.arange(2**width)
    return (k ^ k >> 1)[:, np.newaxis] >> np.arange(width) & 1


def another_gray(width):
    """Reversed, slowest bit first, and begun at another code: a Gray code all the same."""
    return 1 - gray_by_xor(width)[::-1, ::-1]


def move_hands_from_the_table(shift, width):
    """Solve for it: hands before and after, at as many positions as there are columns."""
    k = np.arange(2 * width)[:, np.newaxis] * 2.0**width / (2 * width) / np.pi
    angles = [2 * np.pi * at / 2.0 ** np.arange(1, width + 1) for at in (k, k + shift)]
    now, later = (np.stack([np.sin(a), np.cos(a)], -1).reshape(len(k), -1) for a in angles)
    return np.linalg.lstsq(now, later, rcond=None)[0].T


# --- bug_zoo -------------------------------------------------------------------------------------


def frequencies_by_hand(table):
    row = table[1]
    return [math.atan2(row[i], row[i + 1]) for i in range(0, len(row), 2)]


def in_halves_by_row(table):
    half = table.shape[1] // 2
    return int(np.allclose(table[0], [0] * half + [1] * half))


# --- formula -------------------------------------------------------------------------------------


def entry_as_a_shifted_sine(k, j, d, n=10_000):
    angle = k * math.exp(-math.log(n) * (j - j % 2) / d)
    return math.sin(angle + (j % 2) * math.pi / 2)


def interleave_by_order(halves):
    d = halves.shape[1]
    order = [*range(0, d, 2), *range(1, d, 2)]
    return halves[:, np.argsort(order)]


def base_by_search(L, d, first):
    def calm(n):
        return math.sin((L - 1) * n ** (-2 * first / d)) < 0.1

    low, high = 10, 10**12  # restless, calm
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if calm(middle) else (middle, high)
    return high


# --- in_a_model ----------------------------------------------------------------------------------


def read_places_by_the_rest(sums, W):
    return [decode_positions(row @ (np.eye(len(W)) - W)) for row in sums]


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


# --- promises ------------------------------------------------------------------------------------


def distance_by_cosines(gap, d):
    return (d - 2 * sum(np.cos(omega * gap) for omega in frequencies(d))) ** 0.5


def twin_by_a_loop(d, base, length):
    best, nearest = np.inf, None
    for k in range(1, length):
        rows = sinusoidal([0, k], d, base=base)
        apart = np.linalg.norm(rows[1] - rows[0])
        if apart < best:
            best, nearest = apart, k
    return nearest


# --- right_table ---------------------------------------------------------------------------------


def to_paper_by_order(table):
    half = table.shape[1] // 2
    order = [half + i // 2 if i % 2 == 0 else i // 2 for i in range(2 * half)]
    return table[:, order]


def first_position_decoded(row):
    return float(np.round(decode_positions(row[np.newaxis])[0]))


# --- rope ----------------------------------------------------------------------------------------


def speeds(keys):
    d = keys.shape[1]
    return 10_000.0 ** (-np.arange(0, d, 2) / d)


def move_as_complex_numbers(keys, by):
    hands = np.ascontiguousarray(keys).view(complex) * np.exp(-1j * by * speeds(keys))
    return hands.view(float)


def port_by_index(W):
    d = W.shape[1]
    return W[:, [*range(0, d, 2), *range(1, d, 2)]]


def raised_by_logarithms(base, d, s):
    return math.exp(math.log(base) + math.log(s) * d / (d - 2))


# --- rope_axes -----------------------------------------------------------------------------------


def places_in_a_loop(rows, columns):
    return [(row, column) for row in range(rows) for column in range(columns)]


def angles_by_kron(places, omega):
    return np.kron(places, omega)


# --- rope_in_models ------------------------------------------------------------------------------


def turn_part_by_hand(x, positions, width):
    angles = np.outer(positions, frequencies(width))
    half = width // 2
    first, second = x[:, :half], x[:, half:width]
    cosine, sine = np.cos(angles), np.sin(angles)
    turned = [cosine * first - sine * second, sine * first + cosine * second, x[:, width:]]
    return np.concatenate(turned, axis=1)


def base_of_either(config):
    return {**config, **config.get("rope_parameters", {})}["rope_theta"]


# --- rope_stretching -----------------------------------------------------------------------------


def ntk_base_from_the_last_pair(base, d, factor):
    last = frequencies(d, base=base)[-1] / factor
    return last ** (-d / (d - 2))


def new_angles_in_a_loop(omega, slowed, trained, longer):
    count = 0
    for before, after in zip(omega, slowed, strict=True):
        wave = 2 * np.pi / before
        count += wave > trained and longer * after / before > trained * 1.0001
    return count


# --- rotation ------------------------------------------------------------------------------------


def shift_by_blocks(shift, omegas):
    matrix = np.zeros((2 * len(omegas), 2 * len(omegas)))
    for i, omega in enumerate(omegas):
        cosine, sine = np.cos(omega * shift), np.sin(omega * shift)
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[cosine, sine], [-sine, cosine]]
    return matrix


def shift_entry_by_entry(shift, omegas):
    rows = [[0.0] * (2 * len(omegas)) for _ in range(2 * len(omegas))]
    for i, omega in enumerate(omegas):
        rows[2 * i][2 * i] = rows[2 * i + 1][2 * i + 1] = np.cos(omega * shift)
        rows[2 * i][2 * i + 1] = np.sin(omega * shift)
        rows[2 * i + 1][2 * i] = -np.sin(omega * shift)
    return rows


def in_halves_by_a_permutation(matrix):
    width = len(matrix)
    permutation = np.zeros((width, width))
    for i in range(width // 2):
        permutation[i, 2 * i] = permutation[width // 2 + i, 2 * i + 1] = 1
    return permutation @ matrix @ permutation.T


SLOWEST = frequencies(16, base=100)[-1]


def read_by_a_complex_number(matrix):
    return float(np.angle(matrix[15, 15] - 1j * matrix[15, 14]) / SLOWEST)


# --- serving -------------------------------------------------------------------------------------


def packed_by_a_loop(lengths):
    return [k for length in lengths for k in range(length)]


def move_by_a_matrix(cached, by):
    return cached @ shift_matrix(-by, cached.shape[1]).T


# --- similarity ----------------------------------------------------------------------------------


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


# --- sine_recap ----------------------------------------------------------------------------------


def pair_by_a_loop(k, wavelength):
    turn = 2 * math.pi / wavelength
    return [[math.sin(turn * place), math.cos(turn * place)] for place in k]


def opening_by_complex_numbers(first, second):
    return cmath.phase(complex(*second[::-1]) / complex(*first[::-1]))


def one_wave_as_a_complex_number(p, q):
    return list(cmath.polar(complex(p, q)))


# --- wavelengths ---------------------------------------------------------------------------------


def finished_by_a_loop(length, width, base):
    count, wavelength = 0, 2 * math.pi
    while count < width // 2 and wavelength <= length - 1:
        count += 1
        wavelength = 2 * math.pi * base ** (2 * count / width)
    return count


def base_by_halving(length, width, slow):
    low, high = 0.0, 100.0  # of ln n
    for _ in range(200):
        middle = (low + high) / 2
        tokens = 2 * math.pi * math.exp(middle * (1 - 2 * slow / width))
        low, high = (middle, high) if tokens < length - 1 else (low, middle)
    return math.exp(low)


def telling_from_the_table(gap, width, base, blur):
    hands = sinusoidal([5, 5 + gap], width, base=base).reshape(2, -1, 2)
    moved = np.linalg.norm(hands[1] - hands[0], axis=1)
    return [i for i, far in enumerate(moved) if far > blur]


# --- why_order_matters ---------------------------------------------------------------------------


def follows_by_a_matrix(layer, rows, order):
    permutation = np.eye(len(rows))[order]
    return np.abs(layer(permutation @ rows) - permutation @ layer(rows)).max() < 1e-9


def causal_weights_by_a_loop(scores):
    table = [[0.0] * len(scores) for _ in scores]
    for k in range(len(scores)):
        total = sum(np.exp(scores[k][: k + 1]))
        for j in range(k + 1):
            table[k][j] = np.exp(scores[k][j]) / total
    return table


# --- worked_example ------------------------------------------------------------------------------


def next_row_by_complex_numbers(row, row_1):
    turned = (row[1::2] + 1j * row[0::2]) * (row_1[1::2] + 1j * row_1[0::2])
    return np.ravel(list(zip(turned.imag, turned.real, strict=True)))


def positions_by_loops(padding, L):
    return [[k - tokens for k in range(L)] for tokens in padding]


def read_by_loops(X, embedding):
    d = X.shape[1]
    found = []
    for row, place in zip(X, sinusoidal(*X.shape), strict=True):
        wanted = row - place
        misses = [np.abs(wanted - np.sqrt(d) * word).sum() for word in embedding]
        found.append(int(np.argmin(misses)))
    return found


RIGHT = {
    "ex-beyond-bias": bias_row_by_row,
    "ex-binary-bits": bits_by_text,
    "ex-binary-gray": another_gray,
    "ex-binary-hands": move_hands_from_the_table,
    "ex-zoo-frequencies": frequencies_by_hand,
    "ex-zoo-layout": in_halves_by_row,
    "ex-formula-entry": entry_as_a_shifted_sine,
    "ex-formula-inverse": interleave_by_order,
    "ex-formula-base": base_by_search,
    "ex-model-place": read_places_by_the_rest,
    "ex-model-twin": twin_by_copying,
    "ex-promises-distance": distance_by_cosines,
    "ex-promises-twin": twin_by_a_loop,
    "ex-right-table-order": to_paper_by_order,
    "ex-right-table-first": first_position_decoded,
    "ex-rope-move": move_as_complex_numbers,
    "ex-beyond-port": port_by_index,
    "ex-beyond-ntk": raised_by_logarithms,
    "ex-rope-axes-grid": places_in_a_loop,
    "ex-rope-axes-angles": angles_by_kron,
    "ex-rope-in-models-part": turn_part_by_hand,
    "ex-rope-in-models-base": base_of_either,
    "ex-rope-stretching-base": ntk_base_from_the_last_pair,
    "ex-rope-stretching-new": new_angles_in_a_loop,
    "ex-rotation-turn": shift_entry_by_entry,
    "ex-rotation-halves": in_halves_by_a_permutation,
    "ex-rotation-read": read_by_a_complex_number,
    "ex-serving-positions": packed_by_a_loop,
    "ex-serving-move": move_by_a_matrix,
    "ex-similarity-back": look_back_by_scores,
    "ex-similarity-first-rise": first_rise_by_a_loop,
    "ex-sine-recap-pair": pair_by_a_loop,
    "ex-sine-recap-opening": opening_by_complex_numbers,
    "ex-sine-recap-mixture": one_wave_as_a_complex_number,
    "ex-wavelengths-count": finished_by_a_loop,
    "ex-wavelengths-base": base_by_halving,
    "ex-wavelengths-noise": telling_from_the_table,
    "ex-order-follows": follows_by_a_matrix,
    "ex-order-mask": causal_weights_by_a_loop,
    "ex-example-turn": next_row_by_complex_numbers,
    "ex-example-padding": positions_by_loops,
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
