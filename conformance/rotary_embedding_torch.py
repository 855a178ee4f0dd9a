"""rotary-embedding-torch: rotary embedding, xPos, and the angles of pixels."""

import numpy as np
import torch

from conformance.rows import compare, rng, turned
from posenc.axes import grid_positions


def compare_all():
    from rotary_embedding_torch import RotaryEmbedding, apply_rotary_emb

    rotary = RotaryEmbedding(dim=64, cache_if_possible=False)

    def turn(x, positions):
        return apply_rotary_emb(rotary(positions.float()), x)

    turned("RotaryEmbedding", "rope(x, n)", turn, 64)
    xpos = RotaryEmbedding(dim=64, use_xpos=True, cache_if_possible=False)
    q, k = rng.standard_normal((2, 1, 2, 40, 64)).astype(np.float32)
    found = xpos.rotate_queries_and_keys(torch.from_numpy(q), torch.from_numpy(k))
    sizes = (np.arange(0, 64, 2) + 0.4 * 64) / (1.4 * 64)
    size = sizes ** ((np.arange(40)[:, np.newaxis] - 20) / 512)
    names = {"q": q.astype(float), "k": k.astype(float), "n": 40}
    names["size"] = np.repeat(size, 2, axis=1)
    scores = found[0].numpy() @ np.swapaxes(found[1].numpy(), -1, -2)
    ours = "(rope(q, n) * size) @ np.swapaxes(rope(k, n) / size, -1, -2)"
    about = {"kind": "rotary", "order": "interleaved", "base": "10 000", "columns": "64 of 64"}
    about["scaling"] = "queries shrink as keys grow"
    compare("xPos, scores", ours, scores, names, far=40, **about)

    pixel = RotaryEmbedding(dim=16, freqs_for="pixel", max_freq=10)
    theirs = pixel.get_axial_freqs(4, 6)[..., ::2].reshape(24, 16)
    ladder = "np.pi * np.tile(np.linspace(1, 5, 8), 2)"
    ours = f"np.repeat(2 * grid / [3, 5] - 1, 8, axis=1) * {ladder}"
    about = {"order": "interleaved", "scaling": "row, then column; frequencies from π to 5π"}
    names = {"grid": grid_positions(4, 6)}
    compare("pixel axial, angles", ours, theirs, names, kind="axes", far=16, **about)
