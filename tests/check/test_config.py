"""What is read off a config: the dialects of the last years, each as its models have it."""

import re

import numpy as np
import pytest

from posenc import frequencies, scaling
from posenc_check import kinds_of_layers, rotary_settings, scaled_frequencies
from posenc_check.config import DATA

SMALL = {"hidden_size": 256, "num_attention_heads": 2}
PYTHIA = {"rotary_pct": 0.25, "rotary_emb_base": 10_000}
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
    omega, factor, _ = scaled_frequencies(**rotary_settings(config))
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
                "per_layer_config": {"01": {"head_dim": 512}},  # Transformers writes 01
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


def test_the_part_of_a_class_may_be_one_of_all_columns():
    sizes = {"hidden_size": 4096, "num_attention_heads": 32}
    columns = {"qk_nope_head_dim": 64, "qk_rope_head_dim": 64}
    assert rotary_settings({"model_type": "mistral4"} | sizes | columns)["head_dim"] == 64


YARN = {"rope_type": "yarn", "factor": 8.0, "original_max_position_embeddings": 8192}
OLMO_3 = SMALL | {"rope_theta": 5e5, "rope_scaling": YARN}
GEMMA_3 = {"head_dim": 256, "rope_theta": 1e6, "rope_local_base_freq": 1e4}
GEMMA_3["rope_scaling"] = {"rope_type": "linear", "factor": 8.0}
DEEPSEEK_V4 = {"head_dim": 512, "qk_rope_head_dim": 64, "rope_theta": 1e4}
DEEPSEEK_V4 |= {"compress_rope_theta": 1.6e5, "rope_scaling": YARN | {"factor": 16}}
DEEPSEEK_V4["rope_scaling"]["original_max_position_embeddings"] = 65_536
BY_TYPE = {"rope_scaling": DEEPSEEK_V4["rope_scaling"] | {"rope_type": None, "type": "yarn"}}
V4_BY_TYPE = DEEPSEEK_V4 | BY_TYPE
QWEN_2 = SMALL | {"rope_theta": 1e6, "original_max_position_embeddings": 8192.0}
QWEN_2 |= {"rope_scaling": {"type": "yarn", "factor": 8.0}}
QWEN_2_TWICE = SMALL | {"rope_theta": 1e6, "rope_parameters": YARN | {"rope_theta": 1e6}}
QWEN_2_TWICE["rope_scaling"] = {"type": "yarn"} | {k: YARN[k] for k in YARN if k != "rope_type"}
GEMMA_3_BY_KIND = GEMMA_3 | {"rope_scaling": None}  # without the bases, which stand beside them
GEMMA_3_BY_KIND["rope_parameters"] = {"full_attention": GEMMA_3["rope_scaling"]}
MINIMAX_M2 = SMALL | {"head_dim": 128, "rotary_dim": 64, "rope_theta": 5e6}
G4 = {"head_dim": 256, "per_layer_config": {}}  # as to_dict() of Gemma 4 writes equal widths
G4_ONE = {"layer_types": ["full_attention"] * 2}
G4_ONE["rope_parameters"] = {"full_attention": TWO["full_attention"]}
GPT_J = {"n_embd": 4096, "n_head": 16}
LINEAR_TWICE = {
    name: {"rope_theta": None, "rope_type": "linear", "factor": 8.0}
    for name in ("rope_parameters", "rope_scaling")
}
LLAMA_4 = SMALL | {"head_dim": 128, "rope_theta": 5e5, "num_hidden_layers": 8}


@pytest.mark.parametrize(
    ("model_type", "config", "layers", "pairs", "second", "last", "factor"),
    [  # what the rotary modules of transformers 5.23.0 build from these entries
        ("olmo3", OLMO_3, "full_attention", 64, 0.8146172, 3.068926e-07, 1.2079442),
        ("olmo3", OLMO_3, "sliding_attention", 64, 0.8146172, 2.455141e-06, 1),
        ("gemma3_text", GEMMA_3, "full_attention", 128, 0.1122109, 1.392467e-07, 1),
        ("gemma3_text", GEMMA_3, "sliding_attention", 128, 0.930572, 0.0001074608, 1),
        ("deepseek_v4", DEEPSEEK_V4, "main", 32, 0.7498942, 0.0001333522, 1),
        ("deepseek_v4", DEEPSEEK_V4, "compress", 32, 0.687656, 5.680529e-07, 1),
        # From here to Llama 4, of transformers 5.24.0.
        ("deepseek_v4", V4_BY_TYPE, "compress", 32, 0.687656, 5.680529e-07, 1),
        ("qwen2", QWEN_2, None, 64, 0.8058422, 1.551172e-07, 1.2079442),
        ("qwen2", QWEN_2_TWICE, None, 64, 0.8058422, 1.551172e-07, 1.2079442),
        ("gemma3_text", GEMMA_3_BY_KIND, "full_attention", 128, 0.1122109, 1.392467e-07, 1),
        ("gemma3_text", GEMMA_3_BY_KIND, "sliding_attention", 128, 0.930572, 0.0001074608, 1),
        ("gemma4_text", {"head_dim": 128}, "full_attention", 256, 0.9474635, 0, 1),
        ("gemma4_text", {"head_dim": 128}, "sliding_attention", 64, 0.8659644, 0.0001154782, 1),
        ("gemma4_text", G4, "full_attention", 128, 0.8976871, 0, 1),
        ("gemma4_text", G4_ONE, None, 256, 0.9474635, 0, 1),
        ("gptj", GPT_J, None, 32, 0.7498942, 0.0001333521, 1),
        ("codegen", GPT_J, None, 32, 0.7498942, 0.0001333521, 1),
        (
            "llama",
            {"rope_theta": 1e4} | SMALL | LINEAR_TWICE,
            None,
            64,
            0.108245540,
            1.4434775e-05,
            1,
        ),
        ("llama4_text", LLAMA_4, None, 64, 0.8146172, 2.455141e-06, 1),
        ("gpt_neox", SMALL | PYTHIA, None, 16, 0.5623413, 0.0001778279, 1),
        ("gpt_neox", SMALL | PYTHIA | {"rope_theta": 1e4}, None, 16, 0.5623413, 0.0001778279, 1),
        ("qwen2_vl_vision", SMALL | {"rope_theta": 1e4}, None, 64, 0.7498942, 0.0001333522, 1),
        ("minimax_m2", MINIMAX_M2, None, 32, 0.6175287, 3.238715e-07, 1),
    ],
)
def test_the_list_is_the_one_the_library_builds(
    model_type, config, layers, pairs, second, last, factor
):
    settings = rotary_settings(config | {"model_type": model_type}, layers=layers)
    found = scaled_frequencies(**settings)
    assert found.frequencies.size == pairs
    np.testing.assert_allclose(found.frequencies[[1, -1]], [second, last], rtol=1e-6)
    assert found.attention_factor == pytest.approx(factor, abs=1e-7)


BASE = HEADS | {"rope_theta": 1e4}


@pytest.mark.parametrize(
    ("config", "key", "words"),
    [
        ({"model_type": "cohere2", "sliding_window": 4096}, "full_attention", "have no RoPE"),
        ({"model_type": "afmoe", "head_dim": 128}, "full_attention", "have no RoPE"),
        ({"model_type": "smollm3", "num_hidden_layers": 8}, "no_rope_layers", "[3, 7]"),
        ({"no_rope_layers": [1, 0, 1]}, "no_rope_layers", "[1]"),
        ({"model_type": "llama4_text", "head_dim": 128}, "no_rope_layers", "[3]"),
        ({"layer_rope_theta": [1e4, 0, 1e4]}, "base 0", "have no RoPE"),
        ({"use_dynamic_ntk": True, "seq_length": 8192}, "use_dynamic_ntk", "more than 8192"),
        ({"use_logn_attn": True, "seq_length": 8192}, "use_logn_attn", "/ log(8192)"),
        ({"rope_interleave": True}, "rope_interleave", "layout='interleaved'"),
        ({"text_config": BASE | {"mrope_section": [1, 2]}}, "mrope_section", "posenc.axes"),
    ],
)
def test_what_acts_beside_the_list_is_reported_with_it(config, key, words):
    outer = {} if "text_config" in config else BASE
    found = scaled_frequencies(**rotary_settings(outer | config))
    assert words in found.elsewhere[key]
    np.testing.assert_allclose(found.frequencies, frequencies(128))


def test_the_words_on_llama_4s_temperature_can_be_called():
    words = rotary_settings(LLAMA_4 | {"attn_temperature_tuning": True, "floor_scale": 4096})
    call = words["elsewhere"]["attn_temperature_tuning"].partition("posenc.scaling.")[2]
    found = eval(call, {**vars(scaling), "positions": np.array([4094, 4095])})
    # transformers 5.23.0, llama4: log1p(floor((position + 1) / floor_scale)) * attn_scale + 1
    np.testing.assert_allclose(found, [1, 1 + 0.1 * np.log(2)])
    assert "elsewhere" not in rotary_settings(BASE | {"attn_temperature_tuning": False})


def test_layers_of_exaone_all_turn_where_no_window_is_set():
    config = BASE | {"model_type": "exaone4", "sliding_window": None}
    assert "elsewhere" not in rotary_settings(config)
    with pytest.raises(ValueError, match="sliding_window must be a number"):
        rotary_settings(config | {"model_type": "cohere2"})  # there none turns


def test_a_list_of_bases_has_one_for_each_layer():  # Step 3.5
    config = HEADS | {"rope_theta": [1e4, 5e6, 1e4]}
    assert rotary_settings(config, layers="base 5e+06")["rope_parameters"] == {"rope_theta": 5e6}
    assert rotary_settings(HEADS | {"rope_theta": [1e4] * 3}) == rotary_settings(BASE)


@pytest.mark.parametrize(
    ("config", "words"),
    [
        (
            {"model_type": "gemma4_text", "global_head_dim": 512, "per_layer_config": {}},
            "no global_head_dim",
        ),
        (
            {"model_type": "gemma4_text", "per_layer_config": {"1": {"head_dim": 128}}}
            | {"layer_types": ["sliding_attention"] * 2 + ["full_attention"]},
            "one head_dim for all layers [0, 1] of sliding_attention",
        ),
        ({"model_type": "gemma3", "text_config": "x"}, "text_config must be a dict, got 'x'"),
        ({"model_type": "llama4", "head_dim": 64}, "head_dim in its text_config"),
        ({"model_type": []}, "model_type must be a text"),
        ({"model_type": "mine", "vision_config": {"model_type": []}}, "got 'mine'"),
        (
            {"model_type": "phi", "rotary_dim": 64, "partial_rotary_factor": "0.5"},
            "partial_rotary_factor must be real, got '0.5'",
        ),
        (
            GPT_J | {"model_type": "gptj", "partial_rotary_factor": 0.5},
            "one value under all its names",
        ),
        (BASE | {"model_type": "llama", "rotary_dim": 64}, "no rotary_dim"),
        (BASE | {"model_type": "llama", "yarn_only_types": ["full_attention"]}, "yarn_only_types"),
        (BASE | {"yarn_only_types": ["full_attention"]}, "layer_types must be as long"),
        ({"model_type": "step3p5", "yarn_only_types": 5}, "yarn_only_types must be a list"),
        ({"model_type": "step3p5", "rope_theta": [[1e4]]}, "layer_rope_theta must be a list"),
        (
            {"model_type": "step3p5", "rope_theta": [0, 1e4], "layer_types": ["full", "sliding"]},
            "rope_theta must be positive",
        ),
    ],
)
def test_what_is_refused_is_refused_for_its_reason_before_a_kind_is_chosen(config, words):
    with pytest.raises((TypeError, ValueError), match=re.escape(words)):
        kinds_of_layers(config)


def test_a_key_that_only_a_class_may_have_is_passed_over():
    for entries in ({"still_from_last": 4}, {"still_from_last": 0, "num_hidden_layers": 4}):
        assert rotary_settings(BASE | entries) == rotary_settings(BASE)


def test_a_config_of_a_text_may_be_read_as_of_a_whole_model():
    for layers in ("full_attention", "sliding_attention"):
        found = rotary_settings(GEMMA_3, layers=layers, model_type="gemma3")
        assert found == rotary_settings(GEMMA_3, layers=layers, model_type="gemma3_text")


def test_a_short_key_that_is_like_another_is_no_slip():
    assert rotary_settings(BASE | {"team": 4}) == rotary_settings(BASE)  # beam is a known key


def test_a_config_is_read_as_one_of_the_type_that_is_passed():
    found = rotary_settings(BASE | {"model_type": "mine"}, model_type="llama")
    assert found == rotary_settings(BASE)


def test_a_name_of_layers_is_allowed_where_all_are_alike():
    found = rotary_settings(HEADS | {"rope_theta": 1e4}, layers="full_attention")
    omega, *_ = scaled_frequencies(**found)
    np.testing.assert_allclose(omega, frequencies(128))


@pytest.mark.parametrize(
    ("table", "about"),
    [("models", "entries of a model type"), ("second_base", "entries of a second base")],
)
def test_the_file_of_keys_says_what_each_entry_is(table, about):
    assert {name for entry in DATA[table].values() for name in entry} == {*DATA[about]}


@pytest.mark.parametrize(
    ("model_type", "still"),
    [  # where layer_rope_theta is 0 in the default configs of transformers 5.24.0
        ("muse_glimmer_text", [*range(3, 52, 4)]),
        ("muse_spark_text", [*range(1, 62, 4)]),
    ],
)
def test_layers_of_muse_stand_still_counted_from_the_last(model_type, still):
    config = {"model_type": model_type}
    assert f"layers {still}" in rotary_settings(config)["elsewhere"]["no_rope_layers"]
    config["num_hidden_layers"] = 6
    assert "layers [1, 5]" in rotary_settings(config)["elsewhere"]["no_rope_layers"]
    bases = [123.0, 0] * 3  # its code asks only whether a base is 0, and takes rope_theta
    with pytest.raises(ValueError, match="rope_theta must have one value"):
        rotary_settings(config | {"layer_rope_theta": bases})


@pytest.mark.parametrize("place", ["text_config", "llm_config"])
def test_what_stands_beside_the_texts_config_is_refused_unless_it_repeats_the_text(place):
    # No class of transformers 5.24.0 reads an entry around the config of its text.
    text = HEADS | {"rope_theta": 1e6, "rope_scaling": YARN}
    copies = {"rope_theta": 1e6, "rope_scaling": YARN, "partial_rotary_factor": None}
    assert rotary_settings({place: text} | copies | {"temperature": 0.9}) == rotary_settings(text)
    new = HEADS | {"rope_parameters": {"rope_theta": 1e6}}  # repeated among these, or as a list
    for own, base in ((new, 1e6), (HEADS | {"rope_theta": [1e4, 1e4]}, [1e4, 1e4])):
        assert rotary_settings({place: own, "rope_theta": base}) == rotary_settings(own)
    for name, value in (("rope_theta", 1e4), ("rope_parameters", YARN), ("use_alibi", True)):
        with pytest.raises(ValueError, match=rf"must have {name} in its {place}, from which"):
            rotary_settings({place: text, name: value})


def test_a_text_config_that_is_missing_is_that_of_the_class():
    gemma = rotary_settings({"model_type": "gemma3"}, layers="sliding_attention")
    assert (gemma["head_dim"], gemma["rope_parameters"]["rope_theta"]) == (256, 1e4)
    with pytest.raises(ValueError, match="must have rope_theta in its text_config"):
        rotary_settings({"model_type": "gemma3", "rope_theta": 5e5})  # the class does not read it
    assert rotary_settings(BASE | {"model_type": "qwen2_vl"}) == rotary_settings(BASE)  # it does


def test_a_second_base_without_the_first_is_refused_for_the_first():
    with pytest.raises(ValueError, match="must have rope_theta"):
        rotary_settings(HEADS | {"rope_local_base_freq": 1e4}, layers="full_attention")


def test_what_a_text_model_does_not_read_is_said_where_the_whole_model_is_named():
    found = rotary_settings(BASE | {"model_type": "qwen2_vl", "use_rope": False})
    assert "not read by the code of qwen2_vl_text" in found["elsewhere"]["use_rope"]
