"""x-transformers: its scaled table, its rotary embedding, and ALiBi."""

import torch

from conformance.rows import compare, table, turned


def compare_all():
    from x_transformers.x_transformers import (
        AlibiPositionalBias,
        RotaryEmbedding,
        ScaledSinusoidalEmbedding,
        apply_rotary_pos_emb,
    )

    made = ScaledSinusoidalEmbedding(64)(torch.empty(1, 300, 64))
    table("ScaledSinusoidalEmbedding", "sinusoidal(300, 64, layout='halves') / np.sqrt(64)", made)
    module = RotaryEmbedding(64)

    def x_rope(x, positions):
        return apply_rotary_pos_emb(x, module(positions.float()[None])[0])

    turned("RotaryEmbedding", "rope(x, n)", x_rope, 64)
    made = AlibiPositionalBias(12, 12)(20, 20).reshape(12, 20, 20)
    compare("AlibiPositionalBias", "alibi_bias(12, n, n)", made, {"n": 20}, kind="bias", far=20)
