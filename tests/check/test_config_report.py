"""A pasted config: its list beside the formula, its pairs beside what conformance measured."""

import json
import math
import re

import numpy as np
import pytest

from extensions.contents import ROOT
from posenc_check.config import DATA
from posenc_check.config_report import config_findings, config_report
from posenc_check.words import sentence

MEASURED = json.loads((ROOT / "book/_static/conformance.json").read_text("utf-8"))["layouts"]
FOLDERS = {folder: name for name, folders in MEASURED.items() for folder in folders}
LLAMA = {"model_type": "llama", "head_dim": 64, "rope_theta": 5e5, "max_position_embeddings": 8192}


def report(**config):
    return config_report(json.dumps(config))


def measured(kind):
    """Return how conformance names what the folder of a model type turns."""
    pictures = ", images" if "vision" in kind else ""
    while kind:
        of_folder = [each for each in FOLDERS if each.split(",")[0] == kind]
        if of_folder:
            return FOLDERS.get(kind + pictures)
        kind = kind.rpartition("_")[0]
    return None


def test_the_pairs_are_those_that_were_measured():
    as_measured = {
        "neighbours": "neighbours",
        "both": "as rope_interleave says",
        "halves": None,
        "halves, the other way round": "not measured",
        None: "not measured",
    }
    expected = {kind: as_measured[measured(kind)] for kind in DATA["models"]}
    # Its function splits a head by `chunk`, so it is a row of the tables, not of the folders.
    expected["gpt_oss"] = None
    said = {kind: name for name, kinds in DATA["pairs"].items() for kind in kinds}
    assert dict.fromkeys(DATA["models"]) | said == expected


def test_the_ladder_is_the_formula():
    said = report(**LLAMA)
    rungs = re.findall(r"^  pair +(\d+) +(\d+) tokens a turn (-+)$", said, re.MULTILINE)
    assert [int(pair) for pair, _, _ in rungs][::7] == [0, 31]
    for pair, tokens, rung in rungs:
        wave = 2 * math.pi * 5e5 ** (2 * int(pair) / 64)
        assert int(tokens) == round(wave)
        assert len(rung) == round(3 * math.log10(wave))
    turning = sum(2 * math.pi * 5e5 ** (2 * pair / 64) <= 8192 for pair in range(32))
    assert f"In 8192 tokens, {turning} of 32 pairs make a full turn." in said
    assert "The factor is 1." in said


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"model_type": "cohere"}, ['layout="interleaved"']),
        ({"model_type": "deepseek_v3", "rope_interleave": False}, ['layout="halves"']),
        (
            {"model_type": "deepseek_v3", "qk_nope_head_dim": 128, "qk_rope_head_dim": 64},
            ['layout="interleaved"', "64 of the 192 columns", "(..., tokens, columns that turn)"],
        ),
        ({"model_type": None}, ['layout="..."', "a config without model_type"]),
        ({"text_config": LLAMA}, ["by the code of llama", 'layout="halves"']),
        ({"model_type": "phi", "partial_rotary_factor": 0.5}, ["32 of the 64 columns"]),
        ({"no_rope_layers": [1, 0]}, ["layers [1], counted from 0, do not turn"]),
        (
            {"rope_scaling": {"rope_type": "proportional", "partial_rotary_factor": 0.25}},
            ["16 of the 64 columns", "has frequency 0"],
        ),
        ({"rope_scaling": {"rope_type": "dynamic", "factor": 2.0}}, ["sequence_length="]),
        (
            {"rope_scaling": {"type": "yarn", "factor": 8.0}, "max_position_embeddings": 65_536},
            ["yarn must have original_max_position_embeddings"],
        ),
        (
            {"model_type": "falcon", "alibi": True},
            ["must be of a model that turns", "posenc.alibi_slopes"],
        ),
        ({"alibi": True}, ["alibi: is not read by the code of llama"]),
    ],
)
def test_what_a_config_asks_for_is_said(config, words):
    said = " ".join(report(**LLAMA | config).split())
    for each in words:
        assert each in said


YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32_768}
LLAMA_3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
LLAMA_3["original_max_position_embeddings"] = 8192
LONGROPE = {"rope_type": "longrope", "factor": 2.0, "original_max_position_embeddings": 4096}
LONGROPE |= {"short_factor": [1.0] * 32, "long_factor": [2.0] * 32}


@pytest.mark.parametrize(
    ("longest", "scaling", "kinds"),
    [  # those for which transformers 5.24.0 warns have kinds that begin with "unfit"
        (131_072, YARN, set()),
        (655_360, YARN, {"unfit lengths"}),
        (131_072, YARN | {"factor": 2.0}, {"unfit lengths"}),
        (40_960, YARN, {"unfit lengths"}),
        (32_768, YARN, {"same lengths"}),  # of which it does not warn
        (131_072, YARN | {"factor": None}, set()),
        (16_384, YARN | {"factor": None}, {"unfit original"}),
        (131_072, LLAMA_3, set()),  # Llama 3.1, whose 8 * 8192 is no 131072
        (8192, YARN | {"rope_theta": 2.0, "factor": 1e305}, {"unfit lengths"}),
        (8192, LLAMA_3, {"unfit original"}),
        (4096, LLAMA_3, {"unfit original"}),
        (8192, {"type": "linear", "factor": 0.25}, {"unfit factor"}),
        (8192, {"type": "dynamic", "factor": 0.5}, {"unfit factor"}),
        (2048, LONGROPE, {"no longer texts"}),  # it compares no lengths of LongRoPE
        (8192, {"factor": 0.25, "original_max_position_embeddings": 65_536}, set()),  # not read
    ],
)
def test_lengths_that_do_not_fit_are_said(longest, scaling, kinds):
    base = {"rope_theta": scaling.get("rope_theta", LLAMA["rope_theta"])}
    config = LLAMA | base | {"max_position_embeddings": longest, "rope_scaling": scaling}
    findings = config_findings(config)
    said = [finding for finding in findings if re.match("unfit|same|no longer", finding.kind)]
    assert {finding.kind for finding in said} == kinds
    for finding in said:
        words = sentence(finding)
        assert "factor" in words or str(longest) in words
    assert "ladder" in {finding.kind for finding in findings}


def test_a_factor_beside_the_kinds_hides_none_of_theirs():
    kinds = {name: {"rope_theta": 1e4} for name in ("full_attention", "sliding_attention")}
    kinds["full_attention"] |= {"rope_type": "linear", "factor": 0.5}
    config = {"model_type": "gemma3_text", "rope_parameters": {"factor": 4.0, **kinds}}
    assert "unfit factor" in {finding.kind for finding in config_findings(config)}


def test_each_kind_of_layers_has_its_list():
    kinds = ["sliding_attention", "sliding_attention", "full_attention"]
    said = report(
        model_type="gemma3_text",
        head_dim=256,
        rope_theta=1e6,
        rope_local_base_freq=1e4,
        layer_types=kinds,
    )
    assert "kind full_attention (2)," in said
    assert "kind sliding_attention (0, 1)," in said
    assert [int(n) for n in re.findall(r"pair 127 +(\d+)", said)] == [
        round(2 * math.pi * base ** (254 / 256)) for base in (1e6, 1e4)
    ]
    assert said.count("What to type") == 1
    assert 'rotary_settings(config, layers="full_attention")' in said


def test_layers_of_the_older_gemma_have_their_numbers():
    said = report(
        model_type="gemma3_text",
        head_dim=256,
        rope_theta=1e6,
        rope_local_base_freq=1e4,
        num_hidden_layers=13,
        sliding_window_pattern=6,
    )
    assert "kind full_attention (5, 11)," in said
    assert "each layer of this kind" in said


def test_what_is_no_config_is_answered():
    assert config_report("{'head_dim': 64}").startswith("This is not JSON: Expecting property name")
    assert config_report("[1]") == "config must be a dict, got [1]"
    unknown = json.dumps(LLAMA | {"model_type": "mine"})
    assert "model_type='llama'" in config_report(unknown)
    assert 'model_type="llama")' in config_report(unknown, "llama")


def typed(config, layer, folder, **known):
    """Return a query of ones after the code that the report gives for a layer."""
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    code = re.search(r"What to type:\n((?:  .*\n)+)", report(**config))[1].replace("\n  ", "\n")
    names = {"q": np.ones((3, 64)), "positions": np.arange(3), "layer": layer, **known}
    exec(code.strip(), names)
    return names["q"]


TURNED = [math.cos(1) - math.sin(1), math.sin(1) + math.cos(1)]


def test_what_is_to_be_typed_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    q = typed(LLAMA, 0, tmp_path)
    assert q.shape == (3, 64)
    np.testing.assert_allclose(q[1, [0, 32]], TURNED)


@pytest.mark.parametrize(
    ("in_turn", "coordinates"),  # the coordinate that turns pairs 0, 1, 15 and 31
    [(False, [0, 0, 1, 2]), (True, [0, 1, 0, 0])],
)
def test_what_is_to_be_typed_turns_by_time_height_and_width(
    in_turn, coordinates, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    scaling = {"type": "mrope", "mrope_section": [12, 10, 10], "mrope_interleaved": in_turn}
    config = LLAMA | {"model_type": "qwen2_5_vl_text", "rope_scaling": scaling}
    place = [5, 7, 11]
    q = typed(config, 0, tmp_path, positions=np.tile(place, (3, 1)))
    for pair, coordinate in zip((0, 1, 15, 31), coordinates, strict=True):
        angle = place[coordinate] / 5e5 ** (2 * pair / 64)
        turned = [math.cos(angle) - math.sin(angle), math.sin(angle) + math.cos(angle)]
        np.testing.assert_allclose(q[1, [pair, pair + 32]], turned)


@pytest.mark.parametrize(
    "entries",
    [
        {"no_rope_layers": [1, 0, 1]},
        {"model_type": "smollm3", "no_rope_layer_interval": 2, "num_hidden_layers": 3},
        {"model_type": "cohere2", "sliding_window": 4096},
        {
            "model_type": "cohere2",
            "sliding_window": 4096,
            "layer_types": ["sliding_attention", "full_attention", "sliding_attention"],
        },
    ],
)
def test_what_is_to_be_typed_leaves_layers_without_rope_as_they_are(entries, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    second = {"cohere2": 1}.get(entries.get("model_type"), 32)  # the other column of pair 0
    types = ["sliding_attention", "full_attention", "sliding_attention"]
    for layer, turned in ((0, TURNED), (1, [1, 1]), (2, TURNED)):
        q = typed(LLAMA | entries, layer, tmp_path, layer_types=types)
        np.testing.assert_allclose(q[1, [0, second]], turned)
