"""The order task: the same as attention over the whole text."""

import numpy as np
import pytest

from posenc import attention, rope, sinusoidal
from posenc_course.experiments.order_task import KINDS, TRAINED, WIDTH, answer, begin, texts, train

every_kind = pytest.mark.parametrize("kind", KINDS)


@pytest.fixture
def rng():
    return np.random.default_rng(3)


def test_an_unknown_kind_is_refused():
    with pytest.raises(ValueError, match=r"one of .*'RoPE'.*, got 'rope'"):
        train("rope", seed=0)


def test_texts_and_their_twins(rng):
    tokens = texts(6, rng)
    some, twins = np.split(tokens, 2)
    assert len(some) == 15  # every two of six places
    assert len({tuple(np.flatnonzero(row < 2)) for row in some}) == 15
    assert ((some == 0).argmax(axis=1) < (some == 1).argmax(axis=1)).all()
    exchanged = np.where(some == 0, 1, np.where(some == 1, 0, some))
    np.testing.assert_array_equal(exchanged, twins)
    assert len(texts(6, rng, keep=4)) == 8


@every_kind
@pytest.mark.parametrize("mask", [False, True])
def test_is_the_attention_of_the_book(rng, kind, mask):
    theta = begin(kind, rng, 3)
    tokens = texts(TRAINED, rng, keep=5)
    first = 4
    found = answer(theta, tokens, kind, first_place=first, mask=mask)
    places = np.arange(first, first + TRAINED)
    for start in range(3):
        one = {name: value[start] for name, value in theta.items()}
        for number, row in enumerate(tokens):
            x = one["words"][row]
            if kind == "learned":
                x = x + one["places"][places]
            if kind == "sinusoidal":
                x = x + sinusoidal(places, WIDTH)
            queries, keys = x @ one["W_Q"], x @ one["W_K"]
            if kind == "RoPE":
                queries, keys = rope(queries, places), rope(keys, places)
            gathered, _ = attention(queries, keys, x @ one["u"], causal=mask)
            expected = gathered[row == 0].item() + one["c"].item()
            np.testing.assert_allclose(found[start, number], expected)
