"""Linear biases of attention scores, against what their authors printed."""

import numpy as np
import pytest

from posenc import alibi_bias, alibi_slopes, attention

# Press, Smith and Lewis, "Train Short, Test Long", 2022, section 3, prints the slopes for 8 and
# for 16 heads, as powers of 2. Those for other counts are what the function get_slopes of the
# authors' code returns: ofirpress/attention_with_linear_biases, fairseq/models/transformer.py,
# commit 3b7c2eca8397d27be08c6dffad9b60855507f9b7.
SLOPES = {
    1: [-8],
    2: [-4, -8],
    3: [-4, -8, -2],
    4: [-2, -4, -6, -8],
    5: [-2, -4, -6, -8, -1],
    6: [-2, -4, -6, -8, -1, -3],
    7: [-2, -4, -6, -8, -1, -3, -5],
    8: [-1, -2, -3, -4, -5, -6, -7, -8],
    12: [-1, -2, -3, -4, -5, -6, -7, -8, -0.5, -1.5, -2.5, -3.5],
    16: [-k / 2 for k in range(1, 17)],
    20: [*(-k / 2 for k in range(1, 17)), -0.25, -0.75, -1.25, -1.75],
}


@pytest.mark.parametrize("heads", SLOPES)
def test_slopes_are_those_of_the_authors(heads):
    slopes = alibi_slopes(heads)
    assert slopes.dtype == np.float64
    np.testing.assert_allclose(slopes, np.exp2(SLOPES[heads]), rtol=1e-15)


def test_bias_is_0_and_not_minus_0_at_the_token_itself():
    diagonal = np.diagonal(alibi_bias(4, 5, 5), axis1=1, axis2=2)
    assert not diagonal.any()
    assert not np.signbit(diagonal).any()


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_bias_of_a_shorter_type_is_rounded_once(dtype):
    bias = alibi_bias(6, 3, 300, dtype=dtype)
    assert bias.dtype == dtype
    np.testing.assert_array_equal(bias, alibi_bias(6, 3, 300).astype(dtype))


def test_fewer_queries_are_the_last_ones():
    np.testing.assert_array_equal(alibi_bias(8, 3, 7), alibi_bias(8, 7, 7)[:, 4:])


def test_under_a_causal_mask_the_bias_of_the_authors_code_gives_the_same_attention(rng):
    # Their code adds slope * key index instead: within a row the two differ by a constant, which
    # the softmax takes out.
    queries, keys, values = rng.normal(size=(3, 8, 10, 16))
    theirs = alibi_slopes(8)[:, np.newaxis, np.newaxis] * np.arange(10)
    for ours, other in zip(
        attention(queries, keys, values, bias=alibi_bias(8, 10, 10), causal=True),
        attention(queries, keys, values, bias=theirs, causal=True),
        strict=True,
    ):
        np.testing.assert_allclose(ours, other, atol=1e-13)
