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
