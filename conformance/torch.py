"""PyTorch's own attention."""

import numpy as np
import torch

from conformance.rows import compare, rng


def compare_all():
    q, k, v = rng.standard_normal((3, 2, 4, 9, 16))
    bias = rng.standard_normal((4, 9, 9))
    hidden = np.where(rng.random((9, 9)) < 0.7, 0, -np.inf)
    np.fill_diagonal(hidden, 0)
    own = torch.nn.functional.scaled_dot_product_attention
    tensors = [torch.from_numpy(each) for each in (q, k, v)]
    names = {"q": q, "k": k, "v": v}
    for code, theirs, ours, added in (
        ("bias", {"attn_mask": torch.from_numpy(bias)}, "bias=bias", bias),
        ("mask", {"attn_mask": torch.from_numpy(hidden == 0)}, "bias=bias", hidden),
        ("causal", {"is_causal": True}, "causal=True", None),
    ):
        found = own(*tensors, **theirs).numpy()
        name = f"scaled_dot_product_attention, {code}"
        written = f"attention(q, k, v, {ours})[0]"
        compare(name, written, found, {**names, "bias": added}, kind="attention")
    found = own(tensors[0], tensors[1][:, ::2], tensors[2][:, ::2], enable_gqa=True).numpy()
    keys_and_values = [f"np.repeat({each}[:, ::2], 2, axis=1)" for each in "kv"]
    written = f"attention(q, {', '.join(keys_and_values)})[0]"
    name = "scaled_dot_product_attention, grouped"
    compare(name, written, found, names, kind="attention")
    module = torch.nn.MultiheadAttention(16, 4, batch_first=True, dtype=torch.float64).eval()
    x = torch.from_numpy(q[:, 0])
    found = module(x, x, x, average_attn_weights=False)[1]
    qkv = (x @ module.in_proj_weight.T + module.in_proj_bias).numpy()
    heads = qkv.reshape(2, 9, 3, 4, 4).transpose(2, 0, 3, 1, 4)
    names = dict(zip("qkv", heads, strict=True))
    compare("MultiheadAttention, weights", "attention(q, k, v)[1]", found, names, kind="attention")
