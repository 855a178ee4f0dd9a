"""Weights reordered for the other pairing, run by code that turns the other pairs: same logits."""

import importlib.util
from pathlib import Path

import torch
import transformers

from conformance.rows import compare
from conformance.transformers import modeling

FILE = Path(__file__).parents[2] / "book" / "downloads" / "convert_qk.py"
SMALL = {
    "vocab_size": 97,
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 256,
    "pad_token_id": 0,
}
HEADS = SMALL["num_attention_heads"], SMALL["num_key_value_heads"]


def take_home():
    """Return the file that readers take home, as a module."""
    spec = importlib.util.spec_from_file_location("convert_qk", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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
    file = take_home()
    for code, name, part in (
        ("Llama: heads, grouped keys", "Llama", None),
        ("Qwen 2: biases", "Qwen2", None),
        ("Qwen 3: norms of q and k", "Qwen3", None),
        ("Phi: half of a head, norms", "Phi", 8),
        ("GLM: neighbours to halves, half of a head", "Glm", 8),
    ):
        folder = name.lower()
        extra = {"head_dim": 16} if folder in ("qwen3", "glm") else {}
        extra |= {"qk_layernorm": True} if folder == "phi" else {}
        torch.manual_seed(1)
        config = getattr(transformers, f"{name}Config")(**SMALL, **extra)
        model = getattr(transformers, f"{name}ForCausalLM")(config).eval().double()
        for name, tensor in model.named_parameters():  # scores, gains and biases that matter
            if name.endswith(("norm.weight", "bias")):
                torch.nn.init.normal_(tensor, 1.0, 0.5)
            elif name.endswith(("q_proj.weight", "k_proj.weight")):
                torch.nn.init.normal_(tensor, 0.0, 0.3)
        own = modeling(folder)
        with torch.no_grad():
            expected = model(tokens).logits
            back = folder == "glm"
            order = (file.to_halves if back else file.to_neighbours)(16, part)
            model.load_state_dict(file.converted(model.state_dict(), order, *HEADS))
            kept = own.apply_rotary_pos_emb
            wrong = model(tokens).logits
            own.apply_rotary_pos_emb = HALVES if back else NEIGHBOURS
            found = model(tokens).logits
            own.apply_rotary_pos_emb = kept
            order = (file.to_neighbours if back else file.to_halves)(16, part)
            model.load_state_dict(file.converted(model.state_dict(), order, *HEADS))
            assert torch.allclose(model(tokens).logits, expected, atol=1e-12), "the way back"
        assert (wrong - expected).abs().max() > 0.01, "the order must matter"
        ours = f"converted(state, {'to_halves' if back else 'to_neighbours'}(16"
        ours += f", {part}))" if part else "))"
        compare("transformers", code, ours, found, expected.numpy(), kind="conversion", most=1e-6)
