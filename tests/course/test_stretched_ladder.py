"""The view of stretched wavelengths computes what posenc.scaling does, on the same settings."""

import itertools
from functools import partial

import numpy as np

from posenc import frequencies, scaling
from posenc_course.views import StretchedLadder
from tests.course.v8 import Module

RULES = {
    "linear": scaling.linear,
    "NTK-aware": scaling.ntk_aware,
    "YaRN": scaling.yarn,
    "Llama 3": partial(scaling.llama3, low_freq_factor=1, high_freq_factor=4),
}
SETTINGS = [
    {"method": method, "factor": factor, "length": length, "width": width, "base": base}
    for method, factor, length, width, base in itertools.product(
        RULES, (1, 1.19, 8, 32), (512, 8192, 131_072), (4, 64, 128, 256), (10.0, 1e4, 5e5)
    )
]


def test_lists_and_counts_are_those_of_the_module_on_scaling():
    made = Module(StretchedLadder._module).each("stretched", SETTINGS)
    for given, found in zip(SETTINGS, made, strict=True):
        d, base, length = given["width"], given["base"], given["length"]
        before = frequencies(d, base=base)
        method, factor = given["method"], given["factor"]
        ramp = method in ("YaRN", "Llama 3")
        trained = {"original_max_position_embeddings": length} if ramp else {}
        after = RULES[method](d, factor=factor, rope_theta=base, **trained)
        np.testing.assert_allclose(found["before"], before, rtol=1e-13)
        np.testing.assert_allclose(found["after"], after, rtol=1e-12, err_msg=str(given))
        reached = before * length  # the largest angle in training
        slow = reached < 2 * np.pi
        np.testing.assert_array_equal(found["slow"], slow)
        fresh = slow & (after * length * factor > reached * (1 + 1e-9))
        np.testing.assert_array_equal(found["fresh"], fresh)
        np.testing.assert_array_equal(found["kept"], np.isclose(after, before, atol=0))
