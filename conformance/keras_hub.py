"""KerasHub, on PyTorch: its table, its rotary embedding, and ALiBi."""

import numpy as np
import torch

from conformance.rows import compare, table, turned
from posenc import alibi_bias


def compare_all():
    import keras_hub

    made = keras_hub.layers.SinePositionEncoding()(np.zeros((1, 300, 64), np.float32))[0]
    table("SinePositionEncoding", "sinusoidal(300, 64)", made)
    layer = keras_hub.layers.RotaryEmbedding(sequence_axis=2)

    def keras_rope(x, positions):
        return torch.as_tensor(layer(x, positions=positions.float()))

    turned("RotaryEmbedding", "rope(x, n, layout='halves')", keras_rope, 64)
    made = keras_hub.layers.AlibiBias()(np.zeros((1, 12, 20, 20), np.float32))[0].numpy()
    last = made[:, -1] - made[:, -1].max(axis=-1, keepdims=True)
    expected, ours = alibi_bias(12, 20, 20)[:, -1], "alibi_bias(12, n, n)"
    compare("AlibiBias, last query", ours, last, expected, kind="bias", far=20)
