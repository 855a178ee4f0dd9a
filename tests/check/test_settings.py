"""The frequencies that a config's settings come to."""

import math

import numpy as np
import pytest

from posenc import frequencies, scaling
from posenc_check import rotary_settings, scaled_frequencies

BASE = {"rope_theta": 10_000.0}
YARN = {"factor": 16.0, "original_max_position_embeddings": 4096}
LLAMA_3 = {
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}
LONG = {
    "short_factor": [1.0] * 64,
    "long_factor": [2.0] * 64,
    "original_max_position_embeddings": 4096,
}


@pytest.mark.parametrize(
    ("settings", "omega", "attention_factor"),
    [
        ({}, frequencies(128), 1),
        ({"rope_type": "default", "rope_theta": 5e5}, frequencies(128, base=5e5), 1),
        ({"partial_rotary_factor": 0.25, "rope_theta": 100.0}, frequencies(32, base=100), 1),
        ({"rope_type": "linear", "factor": 4.0}, frequencies(128) / 4, 1),
        ({"type": "linear", "factor": 4.0}, frequencies(128) / 4, 1),  # before version 5
        ({"rope_type": "dynamic", "factor": 3.0}, scaling.ntk_aware(128, factor=4.0), 1),
        ({"rope_type": "llama3", **LLAMA_3, "rope_theta": 5e5}, scaling.llama3(128, **LLAMA_3), 1),
        ({"rope_type": "yarn", **YARN}, scaling.yarn(128, **YARN), 0.1 * math.log(16) + 1),
        (
            {"rope_type": "yarn", **YARN, "factor": None},  # then it is 4000 / 4096
            scaling.yarn(128, **(YARN | {"factor": 4000 / 4096})),
            1,
        ),
        (
            {"rope_type": "yarn", **YARN, "beta_fast": 16.0, "attention_factor": 1.5},
            scaling.yarn(128, **YARN, beta_fast=16),
            1.5,
        ),
        ({"rope_type": "longrope", **LONG, "factor": 32.0}, frequencies(128) / 2, 1.19023807),
        (
            {"rope_type": "proportional", "partial_rotary_factor": 0.25, "factor": 2.0},
            scaling.p_rope(128, partial_rotary_factor=0.25, factor=2),
            1,
        ),
    ],
)
def test_settings_are_read_as_the_configs_write_them(settings, omega, attention_factor):
    settings = BASE | settings
    before = dict(settings)
    found, factor, _ = scaled_frequencies(
        128, settings, sequence_length=8000, max_position_embeddings=4000
    )
    np.testing.assert_allclose(found, omega, rtol=1e-14)
    assert math.isclose(factor, attention_factor, rel_tol=1e-8)
    assert settings == before


@pytest.mark.parametrize(("length", "factor", "slower"), [(4096, 1.25, 1), (4097, 1.5, 2)])
def test_phi_3_5_moe_has_a_factor_for_each_list(length, factor, slower):
    settings = BASE | LONG | {"type": "su", "short_mscale": 1.25, "long_mscale": 1.5}
    found = scaled_frequencies(128, settings, sequence_length=length)
    assert found.attention_factor == factor
    np.testing.assert_array_equal(found.frequencies, frequencies(128) / slower)
    assert found.elsewhere == {}


def test_alpha_raises_the_base_once_and_for_all():
    hunyuan = BASE | {"type": "dynamic", "alpha": 1000.0, "factor": 1.0, "beta_fast": 32}
    found = scaled_frequencies(128, hunyuan, sequence_length=10**6)
    np.testing.assert_array_equal(found.frequencies, scaling.ntk_aware(128, factor=1000))
    assert found.elsewhere == {
        "factor": "is not read by dynamic with alpha, only by linear, dynamic, yarn, llama3, "
        "longrope, proportional",
        "beta_fast": "is not read by dynamic with alpha, only by yarn",
    }


def test_an_axial_list_has_a_ladder_for_each_side():
    found = scaled_frequencies(64, BASE | {"rope_type": "axial"})
    np.testing.assert_array_equal(found.frequencies, np.tile(frequencies(32), 2))
    assert "posenc.axes.axial_frequencies" in found.elsewhere["rope_type"]


def test_heads_that_turn_as_one_are_read_as_one():
    # EfficientLoFTR turns eight heads of 32 columns as two of 128.
    config = {"model_type": "efficientloftr", "hidden_size": 256, "num_attention_heads": 8}
    settings = rotary_settings(config | {"rope_parameters": BASE | {"partial_rotary_factor": 4.0}})
    assert settings["head_dim"] == 128
    found, _, elsewhere = scaled_frequencies(**settings)
    np.testing.assert_allclose(found, frequencies(128), rtol=1e-15)
    assert elsewhere["partial_rotary_factor"] == "4 heads of 32 columns turn as one"


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ({"mrope_section": [16, 24, 24]}, {"mrope_section"}),
        ({"type": "mrope", "mrope_section": [16, 24, 24]}, {"mrope_section"}),
        ({"factor": 8.0}, {"factor"}),
        ({"rope_type": "linear", "factor": 8.0, "truncate": False}, {"truncate"}),
        ({"rope_type": "yarn", **YARN, "llama_4_scaling_beta": 0.1}, {"llama_4_scaling_beta"}),
        ({"rope_type": "yarn", **YARN, "mscale": 2.0}, {"mscale"}),
        ({"rope_type": "yarn", **YARN, "attn_factor": 0.8}, {"attn_factor"}),
        ({"rope_type": "yarn", **YARN, "finetuned": True}, {"finetuned"}),
        ({"rope_type": "yarn", **YARN, "extrapolation_factor": 1.0}, {"extrapolation_factor"}),
        ({"rope_type": "yarn", **YARN, "max_position_embeddings": 9}, {"max_position_embeddings"}),
        ({"rope_type": "yarn", **YARN, "mscale": 1.0, "mscale_all_dim": 1.0}, {"mscale_all_dim"}),
        ({"original_max_position_embeddings": 4096}, {"original_max_position_embeddings"}),
        ({"alpha": 8.0}, {"alpha"}),
    ],
)
def test_what_changes_no_frequency_is_reported(settings, names):
    found = scaled_frequencies(128, BASE | settings)
    assert set(found.elsewhere) == names
    without = {name: value for name, value in settings.items() if name not in names}
    if names != {"mscale_all_dim"}:  # which the attention factor reads as well
        alone = scaled_frequencies(128, BASE | without)
        np.testing.assert_array_equal(found.frequencies, alone.frequencies)
        assert found.attention_factor == alone.attention_factor
        assert alone.elsewhere == {}


def test_the_words_on_mscale_all_dim_are_deepseeks_scale():
    # transformers 5.23.0, deepseek_v2: yarn_get_mscale(40, 0.707) is 1.2608, squared on scores.
    settings = {"rope_type": "yarn", **YARN, "factor": 40.0, "mscale": 0.707}
    found = scaled_frequencies(64, BASE | settings | {"mscale_all_dim": 0.707})
    words = found.elsewhere["mscale_all_dim"].partition(": by ")[2]
    assert eval(words, {"math": math}) == pytest.approx(1.2608**2, abs=1e-4)
