"""Weights reordered for the other pairing, run by code that turns the other pairs: same logits."""

import runpy
from pathlib import Path
from unittest import mock

import torch
import transformers

from conformance.rows import compare
from conformance.transformers import SMALL, modeling

# What readers take home.
FILE = Path(__file__).parents[2] / "book" / "downloads" / "convert_qk.py"
HEADS = SMALL["num_attention_heads"], SMALL["num_key_value_heads"]


def in_pairs(shape, axis):
    """Return what stands in for a model's own apply_rotary_pos_emb; a part may turn.

    Columns of this shape have the two of a pair along this axis: (-1, 2) and -1 are neighbours.
    """

    def apply(q, k, cosine, sine, unsqueeze_dim=1):
        part, turned = cosine.shape[-1], []
        c, s = (each[..., : part // 2].unsqueeze(unsqueeze_dim) for each in (cosine, sine))
        for x in (q, k):
            a, b = x[..., :part].unflatten(-1, shape).unbind(axis)
            pairs = torch.stack([a * c - b * s, b * c + a * s], dim=axis).flatten(-2)
            turned.append(torch.cat([pairs, x[..., part:]], dim=-1))
        return tuple(turned)

    return apply


NEIGHBOURS, HALVES = in_pairs((-1, 2), -1), in_pairs((2, -1), -2)


def compare_all():
    tokens = torch.randint(1, 97, (2, 40), generator=torch.Generator().manual_seed(0))
    file = runpy.run_path(FILE)
    for code, name, part, extra in (
        ("Llama: heads, grouped keys", "Llama", None, {}),
        ("Qwen 2: biases", "Qwen2", None, {}),
        ("Qwen 3: norms of q and k", "Qwen3", None, {"head_dim": 16}),
        ("Phi: half of a head, norms", "Phi", 8, {"qk_layernorm": True}),
        ("GLM: neighbours to halves, half of a head", "Glm", 8, {"head_dim": 16}),
    ):
        own = modeling(name.lower())
        names, apply = ["to_neighbours", "to_halves"], NEIGHBOURS
        if name == "Glm":
            names, apply = names[::-1], HALVES
        there, back = (file[each](16, part) for each in names)
        torch.manual_seed(1)
        config = getattr(transformers, f"{name}Config")(**SMALL, **extra)
        model = getattr(transformers, f"{name}ForCausalLM")(config).eval().double()
        for parameter, tensor in model.named_parameters():  # scores, gains and biases that matter
            if parameter.endswith(("norm.weight", "bias")):
                torch.nn.init.normal_(tensor, 1.0, 0.5)
            elif parameter.endswith(("q_proj.weight", "k_proj.weight")):
                torch.nn.init.normal_(tensor, 0.0, 0.3)
        expected = model(tokens).logits
        model.load_state_dict(file["converted"](model.state_dict(), there, *HEADS))
        wrong = model(tokens).logits
        with mock.patch.object(own, "apply_rotary_pos_emb", apply):
            found = model(tokens).logits
        model.load_state_dict(file["converted"](model.state_dict(), back, *HEADS))
        assert torch.allclose(model(tokens).logits, expected, atol=1e-12), "the way back"
        assert (wrong - expected).abs().max() > 0.01, "the order must matter"
        order = f"{names[0]}(16{f', {part}' if part else ''})"
        ours = f"converted(state, {order}, {HEADS[0]}, {HEADS[1]})"
        compare(code, ours, found, expected.numpy(), kind="conversion", most=1e-6)
