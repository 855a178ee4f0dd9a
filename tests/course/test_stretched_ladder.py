"""The view of stretched wavelengths computes what posenc.scaling does, on the same settings."""

import itertools
import json
import shutil
import subprocess

import numpy as np
import pytest

from course.views.view import module
from posenc import frequencies, scaling

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="needs node")

RUN = """
let text = "";
process.stdin.setEncoding("utf8");
for await (const piece of process.stdin) text += piece;
process.stdout.write(JSON.stringify(JSON.parse(text).map(stretched)));
"""
LLAMA_3 = {"low_freq_factor": 1, "high_freq_factor": 4}


def by_scaling(method, width, length, **given):
    """Return the list that posenc.scaling gives for the method."""
    trained = {"original_max_position_embeddings": length}
    rules = {
        "linear": (scaling.linear, {}),
        "NTK-aware": (scaling.ntk_aware, {}),
        "YaRN": (scaling.yarn, trained),
        "Llama 3": (scaling.llama3, trained | LLAMA_3),
    }
    rule, more = rules[method]
    return rule(width, **more, **given)


METHODS = ("linear", "NTK-aware", "YaRN", "Llama 3")
SETTINGS = [
    {"method": method, "factor": factor, "length": length, "width": width, "base": base}
    for method, factor, length, width, base in itertools.product(
        METHODS, (1, 1.19, 8, 32), (512, 8192, 131_072), (4, 64, 128, 256), (10.0, 1e4, 5e5)
    )
]


def in_node(settings):
    """Return what the view's module makes of each setting."""
    source = module("stretched_ladder.js") + RUN
    command = ["node", "--input-type=module", "-e", source]
    done = subprocess.run(
        command, input=json.dumps(settings), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def test_lists_are_those_of_the_module_on_scaling():
    for given, found in zip(SETTINGS, in_node(SETTINGS), strict=True):
        d, base, length = given["width"], given["base"], given["length"]
        before = frequencies(d, base=base)
        method, factor = given["method"], given["factor"]
        after = by_scaling(method, d, length, factor=factor, rope_theta=base)
        np.testing.assert_allclose(found["before"], before, rtol=1e-13)
        np.testing.assert_allclose(found["after"], after, rtol=1e-12, err_msg=str(given))


def test_counts_are_those_of_angles():
    for given, found in zip(SETTINGS, in_node(SETTINGS), strict=True):
        before, after = np.array(found["before"]), np.array(found["after"])
        reached = before * given["length"]  # the largest angle in training
        now = after * given["length"] * given["factor"]
        slow = reached < 2 * np.pi
        np.testing.assert_array_equal(found["slow"], slow)
        np.testing.assert_array_equal(found["fresh"], slow & (now > reached * (1 + 1e-9)))
        np.testing.assert_array_equal(found["kept"], np.isclose(after, before, atol=0))
