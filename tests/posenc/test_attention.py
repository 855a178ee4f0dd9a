"""Scaled dot-product attention: against a plain loop, and against the theorems of the course."""

import math
import re

import numpy as np
import pytest

from posenc import alibi_bias, alibi_slopes, attention

INF = math.inf
EYE = np.eye(3)


def plain_loop(queries, keys, values, bias, causal):
    """Return outputs and weights of one sequence, one number after another."""
    d_k = len(keys[0])
    outputs, weights = [], []
    for i, query in enumerate(queries):
        exponentials = []
        for j, key in enumerate(keys):
            score = sum(query[c] * key[c] for c in range(d_k)) / math.sqrt(d_k) + bias[i][j]
            exponentials.append(0.0 if causal and j > i else math.exp(score))
        row = [exponential / sum(exponentials) for exponential in exponentials]
        weights.append(row)
        outputs.append(
            [sum(row[j] * values[j][c] for j in range(len(keys))) for c in range(len(values[0]))]
        )
    return np.array(outputs), np.array(weights)


def tokens(*shape, seed=0):
    """Return repeatable normal numbers."""
    return np.random.default_rng(seed).normal(size=shape)


def close(actual, expected):
    np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("n_queries", [0, 1, 2, 5, 6])
def test_causal_with_fewer_queries_takes_them_for_the_last(n_queries):
    # What a decoder with a cache asks: the last rows of the whole.
    x, values = tokens(2, 6, 4), tokens(2, 6, 3, seed=1)
    whole = attention(x, x, values, causal=True)
    last = attention(x[:, 6 - n_queries :], x, values, causal=True)
    for some, all_ in zip(last, whole, strict=True):
        close(some, all_[:, 6 - n_queries :])


def test_minus_infinity_hides_a_key_as_if_it_were_absent():
    q, k, v = tokens(3, 4), tokens(5, 4, seed=1), tokens(5, 2, seed=2)
    outputs, weights = attention(q, k, v, bias=[0, 0, -INF, 0, 0])
    kept = [0, 1, 3, 4]
    assert (weights[:, 2] == 0).all()
    close(outputs, attention(q, k[kept], v[kept])[0])


@pytest.mark.parametrize(
    ("queries", "keys", "values", "bias", "outputs", "weights"),
    [
        ((4, 3), (5, 3), (5, 2), (), (4, 2), (4, 5)),
        ((7, 4, 3), (5, 3), (5, 2), (5,), (7, 4, 2), (7, 4, 5)),
        ((4, 3), (7, 5, 3), (5, 2), (4, 1), (7, 4, 2), (7, 4, 5)),
        ((6, 1, 4, 3), (7, 5, 3), (5, 2), (7, 1, 1), (6, 7, 4, 2), (6, 7, 4, 5)),
        ((4, 3), (5, 3), (5, 2), (7, 4, 5), (7, 4, 2), (7, 4, 5)),
        ((0, 3), (5, 3), (5, 2), (), (0, 2), (0, 5)),
        ((0, 4, 3), (0, 5, 3), (0, 5, 2), (), (0, 4, 2), (0, 4, 5)),
        ((4, 3), (5, 3), (5, 0), (), (4, 0), (4, 5)),
        ((7, 6, 4), (6, 4), (6, 3), (6, 6), (7, 6, 3), (7, 6, 6)),
    ],
)
def test_each_sequence_is_attended_as_by_a_plain_loop(
    queries, keys, values, bias, outputs, weights
):
    shapes = (queries, keys, values, bias)
    drawn = [tokens(*shape, seed=seed) for seed, shape in enumerate(shapes)]
    causal = queries[-2] == keys[-2]
    found = attention(*drawn[:3], bias=drawn[3], causal=causal)
    assert [array.shape for array in found] == [outputs, weights]
    assert [array.dtype for array in found] == [np.float64, np.float64]
    ends = queries[-2:], keys[-2:], values[-2:], weights[-2:]
    whole = [
        np.broadcast_to(array, (*outputs[:-2], *last))
        for array, last in zip(drawn, ends, strict=True)
    ]
    for index in np.ndindex(outputs[:-2]):
        for made, expected in zip(
            found, plain_loop(*(array[index] for array in whole), causal=causal), strict=True
        ):
            close(made[index], expected.reshape(made[index].shape))


def test_float32_stays_float32_if_all_three_are():
    x = tokens(4, 6).astype(np.float32)
    exact = x.astype(np.float64)
    for bias in (None, tokens(4, 4)):
        outputs, weights = attention(x, x, x, bias=bias, causal=True)
        assert (outputs.dtype, weights.dtype) == (np.float32, np.float32)
        expected = attention(exact, exact, exact, bias=bias, causal=True)
        np.testing.assert_allclose(outputs, expected[0], rtol=0, atol=1e-6)
        np.testing.assert_allclose(weights, expected[1], rtol=0, atol=1e-6)
    for mixed in [(exact, x, x), (x, exact, x), (x, x, exact)]:
        assert attention(*mixed)[0].dtype == np.float64


@pytest.mark.parametrize("level", [-1e6, -1e300, np.finfo(float).min, 1e6, 1e300])
def test_row_of_equally_large_biases_is_still_shared_out(level):
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        _, weights = attention(np.zeros((1, 2)), np.zeros((4, 2)), np.eye(4), bias=level)
    np.testing.assert_array_equal(weights, [[0.25] * 4])


def test_opposite_extreme_scores_leave_all_weight_on_the_larger():
    bias = [[1.7e308, -1.7e308]]
    _, weights = attention([[1.0]], [[1.0], [1.0]], np.eye(2), bias=bias)
    np.testing.assert_array_equal(weights, [[1, 0]])


@pytest.mark.parametrize("mask", [[[1, 1, 0]], [1, 0, 0], np.ones((3, 3), np.uint8), [[True] * 3]])
def test_mask_is_refused_and_the_message_says_what_to_write(mask):
    with pytest.raises(TypeError, match=re.escape("make np.where(mask, 0, -np.inf)")):
        attention(EYE, EYE, EYE, bias=mask)
    hidden = np.where(mask, 0, -np.inf)
    seen = np.broadcast_to(mask, (3, 3)).astype(bool)
    np.testing.assert_array_equal(attention(EYE, EYE, EYE, bias=hidden)[1] > 0, seen)


# Linear biases, against what their authors printed


# Press, Smith and Lewis, "Train Short, Test Long", 2022, section 3, prints the slopes for 8 and
# for 16 heads, as powers of 2. Those for other counts are what the function get_slopes of the
# authors' code returns: ofirpress/attention_with_linear_biases, fairseq/models/transformer.py,
# commit 3b7c2eca8397d27be08c6dffad9b60855507f9b7.
SLOPES = {
    1: [-8],
    2: [-4, -8],
    3: [-4, -8, -2],
    6: [-2, -4, -6, -8, -1, -3],
    8: [-1, -2, -3, -4, -5, -6, -7, -8],
    12: [-1, -2, -3, -4, -5, -6, -7, -8, -0.5, -1.5, -2.5, -3.5],
    16: [-k / 2 for k in range(1, 17)],
}


@pytest.mark.parametrize("heads", SLOPES)
def test_slopes_are_those_of_the_authors(heads):
    slopes = alibi_slopes(heads)
    assert slopes.dtype == np.float64
    np.testing.assert_allclose(slopes, np.exp2(SLOPES[heads]), rtol=1e-15)


def test_bias_is_not_minus_0_at_the_token_itself():
    assert not np.signbit(np.diagonal(alibi_bias(4, 5, 5), axis1=1, axis2=2)).any()


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_bias_of_a_shorter_type_is_rounded_once(dtype):
    bias = alibi_bias(6, 3, 300, dtype=dtype)
    assert bias.dtype == dtype
    np.testing.assert_array_equal(bias, alibi_bias(6, 3, 300).astype(dtype))


def test_each_head_loses_its_slope_for_each_token_of_distance():
    bias, slopes = alibi_bias(8, 3, 7), alibi_slopes(8)
    for head, query, key in np.ndindex(8, 3, 7):  # the queries are the last of the positions
        assert bias[head, query, key] == -slopes[head] * abs(4 + query - key)
