"""Stretched frequencies: what each rule promises; drawn pair by pair in test_drawn.py."""

import math

import numpy as np

from posenc import frequencies, scaling


def test_equal_turns_of_llama3_make_a_step():
    # Llama 4 Scout: low_freq_factor is high_freq_factor.
    settings = {"factor": 8, "low_freq_factor": 1.0, "high_freq_factor": 1.0}
    omega = frequencies(128, base=5e5)
    expected = [w if 8192 * w / (2 * math.pi) >= 1 else w / 8 for w in omega]
    found = scaling.llama3(128, **settings, original_max_position_embeddings=8192)
    np.testing.assert_allclose(found, expected, rtol=1e-14)


def test_a_ramp_of_yarn_may_end_far_beyond_the_last_pair():
    # A pair turns 5e-324 times over the text far beyond the last: the ramp ends where it must.
    settings = {"factor": 4, "original_max_position_embeddings": 4096}
    found = scaling.yarn(8, **settings, beta_slow=5e-324)
    omega = np.array([1, 0.1, 0.01, 0.001])
    # low is floor(4 ln(4096 / 64π) / ln 10 000) = 1, high is 2 * 4 - 1 = 7
    ramp = np.array([0, 0, 1 / 6, 2 / 6])
    np.testing.assert_allclose(found, omega * (1 - ramp) + omega / 4 * ramp, rtol=1e-14)
