"""Configs as models published them: the list that each stands for, or why it is not read.

`configs.json` has the entries about positions of each file, where they were read, and for each kind
of layers the number of pairs, the second and the last frequency and the factor. These were built by
the rotary modules of Transformers, or are base ** (-2 i / columns) where it has no module to build.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from posenc_check import kinds_of_layers, rotary_settings, scaled_frequencies
from posenc_check.config import ConfigRefused
from posenc_check.config_report import config_findings, config_report
from posenc_check.words import sentence

FILES = json.loads(Path(__file__).with_name("configs.json").read_text(encoding="utf-8"))
READ = [file for file in FILES if "lists" in file]
REFUSED = [file for file in FILES if "refused" in file]


def named(files):
    return pytest.mark.parametrize("file", files, ids=[file["model"] for file in files])


def test_there_are_sixty_and_each_says_where_it_was_read():
    assert len(READ) >= 54
    assert len(FILES) >= 60
    assert all(file["source"] for file in FILES)


@named(READ)
def test_a_published_file_is_read(file):
    assert kinds_of_layers(file["config"]) == [layers or None for layers in file["lists"]]
    for layers, (pairs, second, last, factor) in file["lists"].items():
        found = scaled_frequencies(**rotary_settings(file["config"], layers=layers or None))
        assert found.frequencies.size == pairs
        np.testing.assert_allclose(found.frequencies[[1, -1]], [second, last], rtol=3e-6)
        assert found.attention_factor == pytest.approx(factor, rel=1e-6)


@named(READ)
def test_its_report_has_a_ladder_for_each_list(file):
    findings = config_findings(file["config"])
    kinds = [finding.kind for finding in findings]
    both = kinds.count("beyond")  # of LongRoPE
    assert kinds.count("ladder") == len(file["lists"]) + both
    assert "program" in kinds
    assert "tokens a turn" in config_report(json.dumps(file["config"]))


@named(REFUSED)
def test_what_is_not_read_is_refused_for_its_reason(file):
    with pytest.raises(ConfigRefused) as caught:
        rotary_settings(file["config"])
    assert caught.value.finding.kind == file["refused"]


LLAMA = {"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "rope_theta": 1e4}
LINEAR = {"rope_type": "linear", "factor": 4.0}
WHOLE = {"rope_theta": 1e4, "rope_type": "default"}
# What is refused, and a change with which it is read: None stands for a key that is left out.
LLAMA_3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
LLAMA_3["original_max_position_embeddings"] = 8192
TO_CURE = [
    ("unknown model_type", {"model_type": "mine"}, {"model_type": "llama"}),
    ("slip", {"rop_scaling": LINEAR}, {"rop_scaling": None, "rope_scaling": LINEAR}),
    ("slip", {"rop_scaling": LINEAR}, {"rop_scaling": None}),
    ("unknown model_type", {"model_type": "mine", "rotary_pct": 0.5}, {"model_type": None}),
    ("not read by the code", {"partial_rotary_factor": 0.5}, {"model_type": None}),
    ("unknown key", {"rotary_scaling_factor": 2}, {"rotary_scaling_factor": None}),
    ("not read by the code", {"partial_rotary_factor": 0.5}, {"partial_rotary_factor": None}),
    ("not read by the code", {"rotary_dim": 64}, {"rotary_dim": None}),
    (
        "not read by the code",
        {"model_type": "cohere2_moe", "rope_scaling": LINEAR},
        {"rope_scaling": None},
    ),
    ("missing", {"model_type": "gpt_oss"}, {"rope_parameters": WHOLE}),
    (
        "missing kinds",
        {"model_type": "gemma4_text"},
        {
            "rope_theta": None,
            "rope_parameters": {"full_attention": WHOLE, "sliding_attention": WHOLE},
        },
    ),
]


# Entries of other formats, as their programs write them, and what the refusal says they are.
OTHER_FORMATS = [
    ("GGUF", {"llama.rope.freq_base": 1e4, "llama.rope.dimension_count": 128}, {}),
    ("Mistral", {"yarn": {"factor": 16, "beta": 32, "alpha": 1, "apply_scale": False}}, {}),
    ("Meta", {"use_scaled_rope": True}, {"rope_scaling": LLAMA_3}),
    ("Megatron", {"rotary_interleaved": False}, {}),
    ("Megatron", {"use_rope_scaling": True}, {"rope_scaling": LLAMA_3}),
    ("diffusers", {"axes_dims_rope": [16, 56, 56]}, {}),
    ("neighbours", {"rope_is_neox_style": False}, {}),
]
TO_CURE += [
    ("other format", entries, dict.fromkeys(entries) | change)
    for _, entries, change in OTHER_FORMATS
]


@pytest.mark.parametrize(("name", "entries", "change"), OTHER_FORMATS)
def test_another_format_is_named(name, entries, change):
    (finding,) = config_findings(LLAMA | entries)
    assert finding.format == name
    for setting in change.get("rope_scaling", {}).values():
        assert str(setting) in sentence(finding)


@pytest.mark.parametrize(("kind", "entries", "change"), TO_CURE)
def test_what_is_refused_is_read_after_a_change(kind, entries, change):
    with pytest.raises(ConfigRefused) as caught:
        rotary_settings(LLAMA | entries)
    assert caught.value.finding.kind == kind
    better = {key: value for key, value in (LLAMA | entries | change).items() if value is not None}
    assert "ladder" in {finding.kind for finding in config_findings(better)}


def test_both_lists_of_phi_3_are_shown_with_the_length_at_which_they_change():
    (phi,) = [file["config"] for file in FILES if file["model"] == "Phi-3.5 mini"]
    findings = config_findings(phi)
    kinds = [finding.kind for finding in findings]
    before, after = kinds.index("up to"), kinds.index("beyond")
    assert findings[before].tokens == findings[after].tokens == 4096
    scaling = phi["rope_scaling"]
    for start, name in ((before, "short_factor"), (after, "long_factor")):
        ladder = findings[start + 1]
        for pair, tokens in ladder.pairs:
            expected = 2 * np.pi * 1e4 ** (2 * pair / 96) * scaling[name][pair]
            assert tokens == pytest.approx(expected)


def test_what_a_file_leaves_to_its_class_is_said():
    (gemma,) = [file["config"] for file in FILES if file["model"] == "Gemma 3 4B"]
    settings = rotary_settings(gemma, layers="sliding_attention")
    assert "256 is what the class" in settings["elsewhere"]["head_dim"]


def test_a_key_that_the_code_does_not_read_is_said():
    (modernbert,) = [file["config"] for file in FILES if file["model"] == "ModernBERT base"]
    settings = rotary_settings(modernbert, layers="full_attention")
    assert "not read by the code of modernbert" in settings["elsewhere"]["position_embedding_type"]
    (qwen,) = [file["config"] for file in FILES if file["model"] == "Qwen2.5 7B 1M"]
    assert "in chunks" in rotary_settings(qwen)["elsewhere"]["dual_chunk_attention_config"]


def test_what_only_other_programs_read_is_said():
    (qwen,) = [file["config"] for file in FILES if file["model"] == "DeepSeek-R1-0528-Qwen3-8B"]
    found = scaled_frequencies(**rotary_settings(qwen))
    assert "vLLM and SGLang multiply" in found.elsewhere["attn_factor"]
    (ocr,) = [file["config"] for file in FILES if file["model"] == "DeepSeek-OCR"]
    assert "Llama's heads" in rotary_settings(ocr)["elsewhere"]["use_mla"]
    (glm,) = [file["config"] for file in FILES if file["model"] == "GLM-5.2"]
    for value, layout in ((True, "interleaved"), (False, "halves")):
        words = rotary_settings(glm | {"indexer_rope_interleave": value})["elsewhere"]
        assert f"layout='{layout}'" in words["indexer_rope_interleave"]


def test_the_config_that_has_the_text_is_named():  # VibeVoice
    parts = {"decoder_config": LLAMA, "vision_config": {"model_type": "gemma4_vision"}}
    (finding,) = config_findings({"model_type": "vibevoice", **parts})
    assert finding.inside == ["decoder_config"]


def test_a_slip_among_the_settings_of_a_scaling_is_named():
    scaling = LLAMA_3 | {"original_max_position_embedding": 8192}
    del scaling["original_max_position_embeddings"]
    with pytest.raises(ValueError, match="nearly original_max_position_embeddings"):
        scaled_frequencies(**rotary_settings(LLAMA | {"rope_scaling": scaling}))


def test_frequencies_that_cannot_be_told_are_no_crash():
    settings = LLAMA | {"rope_scaling": {"rope_type": "linear", "factor": 1e308}}
    assert "frequencies that float64 can hold" in config_report(json.dumps(settings))


def test_bases_that_a_class_does_not_read_are_refused_where_they_differ():
    (mimo,) = [file["config"] for file in FILES if file["model"] == "MiMo-V2-Flash"]
    only_one = {"rope_theta": None, "swa_rope_theta": 1e6}
    for entry in (
        {"rope_theta": 1e6},
        {"swa_rope_theta": 1e6},
        {"partial_rotary_factor": 0.5},
        only_one,
    ):
        with pytest.raises(ConfigRefused) as caught:
            rotary_settings(mimo | entry, layers="full_attention")
        assert caught.value.finding.kind == "missing kinds"


@pytest.mark.parametrize(
    ("model", "change"),
    [
        ("MiniMax-M3", {"rotary_dim": 128}),
        ("MiniMax-M3", {"partial_rotary_factor": None}),
        ("Bamba 9B", {"attn_rotary_emb": 32}),
        ("Phi-1", {"rotary_dim": 64}),
    ],
)
def test_columns_that_a_class_does_not_read_have_to_be_those_that_turn(model, change):
    (config,) = [file["config"] for file in FILES if file["model"] == model]
    if "text_config" in config:
        change = {"text_config": config["text_config"] | change}
    with pytest.raises(ConfigRefused) as caught:
        rotary_settings(config | change)
    assert caught.value.finding.kind == "not read by the code"


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"yarn_only_types": None}, ConfigRefused),  # its class and its own code differ then
        ({"yarn_only_types": ["sliding_attention"]}, ConfigRefused),
        ({"layer_types": None}, ValueError),
        ({"partial_rotary_factors": [0.5] * 3}, ValueError),
        ({"partial_rotary_factors": [0.5, 1.0, 1.0, 0.5] * 12}, ValueError),  # two of one kind
        ({"partial_rotary_factors": 0.5}, TypeError),
    ],
)
def test_lists_by_layer_that_say_no_list_by_kind_are_refused(change, error):
    (step,) = [file["config"] for file in FILES if file["model"] == "Step-3.5-Flash"]
    with pytest.raises(error, match="layer"):
        rotary_settings(step | change, layers="full_attention")


def test_bases_by_layer_count_where_the_class_has_kinds():  # with no scaling, and no parts
    (step,) = [file["config"] for file in FILES if file["model"] == "Step-3.5-Flash"]
    gone = ("rope_scaling", "yarn_only_types", "partial_rotary_factors")
    step = {key: value for key, value in step.items() if key not in gone}
    for layers, base in (("full_attention", 5e6), ("sliding_attention", 1e4)):
        found = scaled_frequencies(**rotary_settings(step, layers=layers))
        np.testing.assert_allclose(found.frequencies, base ** (-np.arange(64) / 64))


def test_layers_that_predict_further_tokens_are_not_numbered():
    (step,) = [file["config"] for file in FILES if file["model"] == "Step-3.5-Flash"]
    kinds = [finding for finding in config_findings(step) if finding.kind == "columns"]
    assert sorted(number for kind in kinds for number in kind.numbers) == list(range(45))


def test_settings_beside_those_of_each_kind_are_said_to_do_nothing():
    # What to_dict() of Gemma 3 returns in transformers 5.24.0 for one scaling without kinds.
    both = dict.fromkeys(("full_attention", "sliding_attention"), WHOLE)
    config = LLAMA | {"model_type": "gemma3_text", "rope_theta": None}
    # The class fills in the settings of a kind that is missing.
    for kinds in (both, {"full_attention": WHOLE}):
        config["rope_parameters"] = {"rope_type": "yarn", "factor": 4.0, **kinds}
        found = rotary_settings(config, layers="full_attention")
        assert {"rope_type", "factor"} <= found["elsewhere"].keys()
