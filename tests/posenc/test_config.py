"""What is read off a config: the dialects of the last years, each as its models have it."""

import re

import numpy as np
import pytest

from posenc import frequencies, scaling
from posenc.config import rotary_settings

HEADS = {"hidden_size": 4096, "num_attention_heads": 32}
TWO = {
    "full_attention": {
        "rope_type": "proportional",
        "partial_rotary_factor": 0.25,
        "rope_theta": 1e6,
    },
    "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
}


@pytest.mark.parametrize(
    ("config", "width", "parameters"),
    [
        (HEADS | {"rope_theta": 5e5, "rope_scaling": None}, 128, {"rope_theta": 5e5}),
        (HEADS | {"rope_theta": 5e5, "head_dim": 64}, 64, {"rope_theta": 5e5}),
        (HEADS | {"rope_parameters": {"rope_theta": 1e6}}, 128, {"rope_theta": 1e6}),
        (
            HEADS | {"rope_theta": 1e4, "rope_scaling": {"type": "linear", "factor": 4.0}},
            128,
            {"rope_theta": 1e4, "type": "linear", "factor": 4.0},
        ),
        (
            HEADS | {"rotary_emb_base": 10_000, "rotary_pct": 0.25},  # GPT-NeoX
            128,
            {"rope_theta": 10_000, "partial_rotary_factor": 0.25},
        ),
        (
            {"n_embd": 4096, "n_head": 16, "rotary_dim": 64, "rope_theta": 1e4},  # GPT-J's names
            256,
            {"rope_theta": 1e4, "partial_rotary_factor": 0.25},
        ),
        (
            HEADS | {"qk_rope_head_dim": 64, "rope_theta": 1e4, "partial_rotary_factor": 0.5},
            64,
            {"rope_theta": 1e4},
        ),
        ({"text_config": HEADS | {"rope_theta": 5e5}}, 128, {"rope_theta": 5e5}),
        (
            HEADS
            | {"rope_theta": 1e4, "original_max_position_embeddings": 4096}
            | {"rope_scaling": {"type": "su"}},  # Phi-3
            128,
            {"type": "su", "rope_theta": 1e4, "original_max_position_embeddings": 4096},
        ),
        (
            {"embed_dim": 1280, "hidden_size": 3584, "num_heads": 16, "rope_theta": 1e4},
            80,
            {"rope_theta": 1e4},
        ),
    ],
)
def test_settings_are_found_where_configs_have_them(config, width, parameters):
    before = repr(config)
    found = rotary_settings(config)
    assert found == {"head_dim": width, "rope_parameters": parameters}
    assert repr(config) == before


def test_what_is_read_is_what_scaled_frequencies_takes():
    config = HEADS | {"rope_theta": 1e6, "max_position_embeddings": 131_072.0}
    config["rope_scaling"] = {"type": "yarn", "original_max_position_embeddings": 32_768}
    omega, factor = scaling.scaled_frequencies(**rotary_settings(config))
    settings = {"factor": 4, "original_max_position_embeddings": 32_768, "rope_theta": 1e6}
    np.testing.assert_allclose(omega, scaling.yarn(128, **settings), rtol=1e-15)
    assert factor == scaling.yarn_attention_factor(factor=4)


@pytest.mark.parametrize(
    ("config", "full", "sliding"),
    [
        ({"rope_parameters": TWO}, (256, TWO["full_attention"]), (256, TWO["sliding_attention"])),
        (
            {"rope_parameters": TWO, "global_head_dim": 512},
            (512, TWO["full_attention"]),
            (256, TWO["sliding_attention"]),
        ),
        (
            {
                "rope_parameters": TWO,
                "layer_types": ["sliding_attention", "full_attention"],
                "per_layer_config": {"1": {"head_dim": 512}},
            },
            (512, TWO["full_attention"]),
            (256, TWO["sliding_attention"]),
        ),
        (  # Gemma 3: the scaling is that of the full layers
            {
                "rope_theta": 1e6,
                "rope_local_base_freq": 1e4,
                "rope_scaling": {"rope_type": "linear", "factor": 8.0},
            },
            (256, {"rope_theta": 1e6, "rope_type": "linear", "factor": 8.0}),
            (256, {"rope_theta": 1e4}),
        ),
        (  # ModernBERT
            {"global_rope_theta": 160_000.0, "local_rope_theta": 1e4},
            (256, {"rope_theta": 160_000.0}),
            (256, {"rope_theta": 1e4}),
        ),
    ],
)
def test_each_kind_of_layers_has_its_own(config, full, sliding):
    config = {"head_dim": 256} | config
    for layers, (width, parameters) in (("full_attention", full), ("sliding_attention", sliding)):
        found = rotary_settings(config, layers=layers)
        assert found == {"head_dim": width, "rope_parameters": parameters}
    with pytest.raises(ValueError, match=re.escape("['full_attention', 'sliding_attention']")):
        rotary_settings(config)


def test_a_name_of_layers_is_allowed_where_all_are_alike():
    found = rotary_settings(HEADS | {"rope_theta": 1e4}, layers="full_attention")
    omega, _ = scaling.scaled_frequencies(**found)
    np.testing.assert_allclose(omega, frequencies(128))
