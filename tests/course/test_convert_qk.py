"""The file that reorders queries and keys: scores stay, and what it does not know is an error."""

import re
import runpy
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from posenc import rope

FILE = Path(__file__).parents[2] / "book" / "downloads" / "convert_qk.py"
home = SimpleNamespace(**runpy.run_path(str(FILE)))
HEADS, KEY_HEADS, D = 4, 2, 16


def state(prefix="model.layers.0.self_attn."):
    rng = np.random.default_rng(0)
    sizes = {"q_proj": HEADS * D, "k_proj": KEY_HEADS * D, "v_proj": KEY_HEADS * D}
    weights = {f"{prefix}{name}.weight": rng.normal(size=(n, 32)) for name, n in sizes.items()}
    biases = {f"{prefix}{name}.bias": rng.normal(size=n) for name, n in sizes.items()}
    norms = {f"{prefix}{name}_norm.weight": rng.normal(size=D) for name in "qk"}
    return weights | biases | norms | {"model.embed_tokens.weight": rng.normal(size=(7, 32))}


def scores(state, layout, part):
    """Return each head's scores of ten words, as a model with norms of q and k has them."""
    x = np.random.default_rng(1).normal(size=(10, 32))
    turned = []
    for name in "qk":
        begin = f"model.layers.0.self_attn.{name}_"
        heads = x @ state[f"{begin}proj.weight"].T + state[f"{begin}proj.bias"]
        heads = heads.reshape(10, -1, D).swapaxes(0, 1)
        size = np.sqrt((heads**2).mean(axis=-1, keepdims=True))
        heads = heads / size * state[f"{begin}norm.weight"]
        first = rope(heads[..., :part], np.arange(10), layout=layout)
        turned.append(np.concatenate([first, heads[..., part:]], axis=-1))
    q, k = turned
    return q @ np.repeat(k, HEADS // KEY_HEADS, axis=0).swapaxes(1, 2)


@pytest.mark.parametrize("part", [D, 6])
def test_scores_stay_when_code_turns_the_other_pairs(part):
    given = state()
    there = home.converted(given, home.to_neighbours(D, part), HEADS, KEY_HEADS)
    expected = scores(given, "halves", part)
    np.testing.assert_allclose(scores(there, "interleaved", part), expected, atol=1e-12)
    assert np.abs(scores(given, "interleaved", part) - expected).max() > 1
    back = home.converted(there, home.to_halves(D, part), HEADS, KEY_HEADS, "model.layers.")
    for name, each in given.items():
        np.testing.assert_array_equal(back[name], each)
        assert (there[name] is each) == (re.search(r"[qk]_", name) is None)


UNKNOWN = (
    "qkv_proj.weight query_key_value.weight Wqkv.weight c_attn.weight in_proj.bias wq.weight "
    "attn_q.weight to_k.weight query.weight kv_a_proj_with_mqa.weight q_proj.lora_A.weight "
    "q_proj.qweight k_proj.weight_scale query_layernorm.weight q_b_proj.weight "
    "q_a_layernorm.weight attn_k_norm.weight qnorm.weight W_pack.weight att_proj.weight"
)


@pytest.mark.parametrize("name", UNKNOWN.split())
def test_what_may_be_a_query_or_a_key_and_is_not_known_is_an_error(name):
    given = state() | {f"model.layers.1.self_attn.{name}": np.zeros((D, 1))}
    with pytest.raises(ValueError, match=re.escape(name)):
        home.converted(given, home.to_halves(D), HEADS, KEY_HEADS)
    home.converted(given, home.to_halves(D), HEADS, KEY_HEADS, "model.layers.0.")


@pytest.mark.parametrize(
    ("d", "heads"), [(32, HEADS), (8, HEADS), (D, 2 * HEADS), (32, HEADS // 2)]
)
def test_a_wrong_head_dim_is_an_error(d, heads):
    with pytest.raises(ValueError, match=r"_proj.weight has \d+ rows, not \d heads of"):
        home.converted(state(), home.to_neighbours(d), heads, KEY_HEADS)


def test_a_prefix_that_no_name_has_is_an_error():
    with pytest.raises(ValueError, match="no queries or keys begin with 'modle'"):
        home.converted(state(), home.to_halves(D), HEADS, KEY_HEADS, "modle")
