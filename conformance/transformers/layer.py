"""One layer of a model of Transformers: its attention from its weights, and its steps in order."""

import inspect

import numpy as np
import torch

from conformance.rows import compare
from conformance.transformers import SMALL
from conformance.transformers.pairings import turns_of
from posenc import attention, rope


def compare_all():
    from transformers import LlamaConfig, LlamaModel

    torch.manual_seed(0)
    one = SMALL | {"vocab_size": 50, "intermediate_size": 64}
    one |= {"num_hidden_layers": 1, "pad_token_id": None}
    model = LlamaModel(LlamaConfig(**one, attn_implementation="eager")).eval()
    tokens = torch.randint(0, 50, (2, 10))
    mask = torch.ones(2, 10, dtype=torch.long)
    mask[0, :3] = 0  # left padding
    places = (mask.cumsum(1) - 1).clamp(min=0)
    layer = model.layers[0]
    out = model(tokens, attention_mask=mask, position_ids=places, output_attentions=True)
    rows = layer.input_layernorm(model.embed_tokens(tokens))
    q = layer.self_attn.q_proj(rows).view(2, 10, 4, 16).transpose(1, 2).numpy()
    k = layer.self_attn.k_proj(rows).view(2, 10, 2, 16).transpose(1, 2).numpy()
    where = places.numpy()[:, np.newaxis]
    k = np.repeat(k, 2, axis=1)
    hidden = np.where(mask.numpy()[:, np.newaxis, np.newaxis] == 1, 0, -np.inf)
    seen = np.arange(3, 10)  # of the first text; a query that is padding sees nothing
    bias = hidden + np.where(np.tri(10, dtype=bool)[seen], 0, -np.inf)
    found, weights, off = out.attentions[0].numpy()[:, :, seen], {}, {}
    for layout in ("halves", "interleaved"):
        queries, keys = (rope(each.astype(float), where, layout=layout) for each in (q, k))
        _, weights[layout] = attention(queries[:, :, seen], keys, keys, bias=bias)
        off[layout] = np.abs(found - weights[layout]).max()
    assert off["interleaved"] > 1000 * off["halves"], "the layout must matter"
    q_and_k = [f"rope({each}, positions[:, None], layout='halves')" for each in "qk"]
    ours = f"attention({', '.join(q_and_k)}, v, bias=bias)[1]"
    code = "Llama, one layer: grouped queries, left padding"
    compare(code, ours, found, weights["halves"], kind="attention", far=10)


HEAD = {"head_dim": 16}
MLA = {"q_lora_rank": 24, "kv_lora_rank": 24, "qk_nope_head_dim": 8, "qk_rope_head_dim": 8}
NORMS = dict.fromkeys((64, 32), "norm over all heads")  # by the columns that a norm is given
NORMS |= {16: "norm over each head", 24: "norm on the compressed vectors (MLA)"}
# Models whose attention is watched, with what makes a small layer of each.
WATCHED = {
    "llama": {},
    "gpt_neox": {},
    "phi": {},
    "glm4": HEAD,
    "stablelm": {"qk_layernorm": True},
    "qwen3": HEAD,
    "gemma3_text": HEAD,
    "cohere": {"use_qk_norm": True},
    "olmo2": {},
    "olmo3": {},
    "minimax_m2": HEAD | {"num_local_experts": 8, "rotary_dim": 8},
    "llama4_text": HEAD | {"num_local_experts": 4},
    "hunyuan_v1_dense": HEAD,
    "deepseek_v3": MLA | {"v_head_dim": 16, "num_key_value_heads": 4, "first_k_dense_replace": 2},
}


def watched(model, code):
    """Return the list that a model's first attention will write its steps to."""
    from transformers import DynamicCache

    steps = []
    name = next(name for name, _ in model.named_modules() if name.endswith(("attn", "attention")))
    for part in model.get_submodule(name).modules():
        if isinstance(part, torch.nn.Linear):
            part.register_forward_hook(lambda *_: steps.append("project"))
        elif "Norm" in type(part).__name__:
            part.register_forward_hook(lambda _, x, __: steps.append(NORMS[x[0].shape[-1]]))

    def noted(step, function):
        return lambda *given, **named: steps.append(step) or function(*given, **named)

    for name in [name for name in vars(code) if name.startswith("apply_rotary")]:
        setattr(code, name, noted("turn", getattr(code, name)))
    DynamicCache.update = noted("cache", DynamicCache.update)
    return steps


def orders():
    """Return a row for each model: the steps of one attention in order, columns, pairs, scale."""
    from transformers import AutoConfig, AutoModel, DynamicCache

    rows, update = [], DynamicCache.update
    for folder, settings in WATCHED.items():
        torch.manual_seed(0)
        config = AutoConfig.for_model(folder, **SMALL | settings)
        model = AutoModel.from_config(config, attn_implementation="eager").eval()
        code = inspect.getmodule(type(model))
        functions = dict(vars(code))
        steps, stored = watched(model, code), []
        for first in (0, 5):
            cache, positions = DynamicCache(), torch.arange(first, first + 8)[None]
            model(torch.arange(1, 9)[None], position_ids=positions, past_key_values=cache)
            stored.append((cache.layers[0].keys, cache.layers[0].values))
        vars(code).update(functions)
        DynamicCache.update = update
        keys, values = ((a - b).abs().amax((0, 1, 2)) > 1e-5 for a, b in zip(*stored, strict=True))
        pairs = sorted(turns_of(code)["text"])
        layer = next(part for part in model.modules() if hasattr(part, "scaling"))
        columns = f"{keys.sum()} of {keys.numel()}"
        if not keys.any():  # DeepSeek-V3 caches its compressed vector, and what turns as the values
            columns = f"{values.sum()} of {layer.qk_head_dim}"
        rows.append(
            {
                "model": folder,
                "steps": [*dict.fromkeys(steps[: steps.index("cache") + 1])],
                "columns": columns,
                "pairs": pairs[0] if len(pairs) == 1 else "by `rope_interleave`",
                "scale": f"1/√{layer.scaling**-2:.0f}",
            }
        )
    return rows
