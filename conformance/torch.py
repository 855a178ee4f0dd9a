"""PyTorch's own attention."""

import numpy as np
import torch

from conformance.rows import compare, rng
from posenc import attention


def compare_all():
    q, k, v = rng.standard_normal((3, 2, 4, 9, 16))
    bias = rng.standard_normal((4, 9, 9))
    hidden = np.where(rng.random((9, 9)) < 0.7, 0, -np.inf)
    np.fill_diagonal(hidden, 0)
    own = torch.nn.functional.scaled_dot_product_attention
    tensors = [torch.from_numpy(each) for each in (q, k, v)]
    for code, theirs, ours in (
        ("bias", {"attn_mask": torch.from_numpy(bias)}, {"bias": bias}),
        ("mask", {"attn_mask": torch.from_numpy(hidden == 0)}, {"bias": hidden}),
        ("causal", {"is_causal": True}, {"causal": True}),
    ):
        found = own(*tensors, **theirs).numpy()
        name = f"scaled_dot_product_attention, {code}"
        written = f"attention(q, k, v, {next(iter(ours))}=...)"
        compare(name, written, found, attention(q, k, v, **ours)[0], kind="attention")
    found = own(tensors[0], tensors[1][:, ::2], tensors[2][:, ::2], enable_gqa=True).numpy()
    expected = attention(q, np.repeat(k[:, ::2], 2, axis=1), np.repeat(v[:, ::2], 2, axis=1))[0]
    written = "attention(q, np.repeat(k, 2, axis=1), np.repeat(v, 2, axis=1))"
    name = "scaled_dot_product_attention, grouped"
    compare(name, written, found, expected, kind="attention")
    module = torch.nn.MultiheadAttention(16, 4, batch_first=True, dtype=torch.float64).eval()
    x = torch.from_numpy(q[:, 0])
    found = module(x, x, x, average_attn_weights=False)[1]
    qkv = (x @ module.in_proj_weight.T + module.in_proj_bias).numpy()
    heads = qkv.reshape(2, 9, 3, 4, 4).transpose(2, 0, 3, 1, 4)
    expected, name = attention(*heads)[1], "MultiheadAttention, weights"
    compare(name, "attention(q, k, v)", found, expected, kind="attention")
