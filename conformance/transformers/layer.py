"""One layer of a model of Transformers, from its weights to its attention."""

import numpy as np
import torch

from conformance.rows import compare
from posenc import attention, rope


def compare_all():
    from transformers import LlamaConfig, LlamaModel

    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=50,
        hidden_size=64,
        intermediate_size=64,
        num_hidden_layers=1,
        num_attention_heads=4,
        num_key_value_heads=2,
        attn_implementation="eager",
    )
    model = LlamaModel(config).eval()
    tokens = torch.randint(0, 50, (2, 10))
    mask = torch.ones(2, 10, dtype=torch.long)
    mask[0, :3] = 0  # left padding
    places = (mask.cumsum(1) - 1).clamp(min=0)
    layer = model.layers[0]
    with torch.no_grad():
        out = model(tokens, attention_mask=mask, position_ids=places, output_attentions=True)
        rows = layer.input_layernorm(model.embed_tokens(tokens))
        q = layer.self_attn.q_proj(rows).view(2, 10, 4, 16).transpose(1, 2).numpy()
        k = layer.self_attn.k_proj(rows).view(2, 10, 2, 16).transpose(1, 2).numpy()
    where = places.numpy()[:, np.newaxis]
    k = np.repeat(k, 2, axis=1).astype(float)
    hidden = np.where(mask.numpy()[:, np.newaxis, np.newaxis] == 1, 0, -np.inf)
    seen = np.arange(3, 10)  # of the first text; a query that is padding sees nothing
    for layout in ("halves", "interleaved"):
        queries = rope(q.astype(float), where, layout=layout)
        keys = rope(k, where, layout=layout)
        bias = np.broadcast_to(hidden, (2, 4, 10, 10))[:, :, seen]
        visible = np.where(np.tri(10, dtype=bool)[seen], 0, -np.inf)
        _, weights = attention(queries[:, :, seen], keys, keys, bias=bias + visible)
        found = out.attentions[0].numpy()[:, :, seen]
        if layout == "halves":
            ours = "attention(rope(q, positions[:, None, :], ...), ..., bias=...)"
            code = "Llama, one layer: grouped queries, left padding"
            compare("transformers", code, ours, found, weights, kind="attention", far=10)
            right = np.abs(found - weights).max()
        else:
            wrong = np.abs(found - weights).max()
    assert wrong > 1000 * right, "the layout must matter"
