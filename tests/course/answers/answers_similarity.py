"""Answers to the exercises of the chapter "Similarity and attention", right and wrong."""

import numpy as np

from posenc import attention, frequencies, shift_matrix


def look_back(table, back):
    W_Q = 50 * shift_matrix(-back, table.shape[1])
    return attention(table @ W_Q.T, table, table, causal=True)[1]


def look_back_by_scores(table, back):
    # Row k asks for what lies `back` after it: read by columns, that is `back` before.
    scores = 30 * (table @ shift_matrix(back, table.shape[1]).T @ table.T).T
    scores[np.triu_indices(len(table), k=1)] = -np.inf
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def look_ahead(table, back):
    return look_back(table, -back)


def without_a_mask(table, back):
    return attention(50 * table @ shift_matrix(-back, table.shape[1]).T, table, table)[1]


def ahead_without_a_mask(table, back):
    return attention(900 * table @ shift_matrix(back, table.shape[1]).T, table, table)[1]


def too_quiet(table, back):
    return attention(3 * table @ shift_matrix(-back, table.shape[1]).T, table, table)[1]


def at_itself(table, back):
    return np.eye(len(table)) + 0 * back


def no_head_at_all(table, back):
    return np.maximum(np.arange(len(table)) - back, 0)


def first_rise(d):
    K = np.cos(np.multiply.outer(np.arange(202), frequencies(d))).sum(axis=-1)
    return int(np.flatnonzero(np.diff(K) > 0)[0])


def first_rise_by_a_loop(d):
    kernel = [sum(np.cos(omega * gap) for omega in frequencies(d)) for gap in range(202)]
    for gap in range(201):
        if kernel[gap + 1] > kernel[gap]:
            return np.float64(gap)
    return None


def where_it_ends(d):
    return first_rise(d) + 1


def lowest(d):
    gaps = np.arange(200)
    return int(np.cos(np.multiply.outer(gaps, frequencies(d))).sum(axis=-1).argmin())


def over_the_wrong_axis(d):
    K = np.cos(np.multiply.outer(np.arange(202), frequencies(d))).sum(axis=0)
    return int(np.flatnonzero(np.diff(K) > 0)[0])


def of_pair_0(d):
    return 3 + 0 * d


ANSWERS = {
    "ex-similarity-back": {
        "right": [look_back, look_back_by_scores],
        "wrong": [
            (look_ahead, "turns ahead and the mask"),
            (ahead_without_a_mask, "no mask stops it"),
            (without_a_mask, "Where is the mask"),
            (too_quiet, "turn up the volume"),
            (no_head_at_all, "Return the weights"),
            (at_itself, "Every token looks at itself"),
        ],
    },
    "ex-similarity-first-rise": {
        "right": [first_rise, first_rise_by_a_loop],
        "wrong": [
            (where_it_ends, "That is where the rise ends"),
            (lowest, "That is where K is smallest"),
            (of_pair_0, "pair 0 alone"),
            (over_the_wrong_axis, "all pairs for each distance"),
        ],
    },
}
