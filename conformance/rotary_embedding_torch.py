"""rotary-embedding-torch: rotary embedding, xPos, and the angles of pixels."""

import numpy as np
import torch

from conformance.rows import compare, rng, turned
from posenc import rope


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
    powers = sizes ** ((np.arange(40)[:, np.newaxis] - 20) / 512)
    powers = np.repeat(powers, 2, axis=1)
    scores = found[0].numpy() @ np.swapaxes(found[1].numpy(), -1, -2)
    queries, keys = (rope(each.astype(float), 40) for each in (q, k))
    expected = (queries * powers) @ np.swapaxes(keys / powers, -1, -2)
    ours = "rope(q, n) * ζ**((n - middle)/512), rope(k, n) / the same"
    about = {"kind": "rotary", "order": "interleaved", "base": "10 000", "columns": "64 of 64"}
    about["scaling"] = "queries shrink as keys grow"
    compare("xPos, scores", ours, scores, expected, far=40, **about)

    steps = [np.linspace(-1, 1, n) for n in (4, 6)]
    pixel = RotaryEmbedding(dim=16, freqs_for="pixel", max_freq=10)
    theirs = pixel.get_axial_freqs(4, 6)[..., ::2].reshape(24, 16)
    ladder = np.linspace(1, 5, 8) * np.pi
    grid = np.stack(np.meshgrid(*steps, indexing="ij"), axis=-1).reshape(24, 2)
    expected = np.concatenate([grid[:, :1] * ladder, grid[:, 1:] * ladder], axis=1)
    ours = "places[..., axes] * frequencies, for rotate"
    about = {"order": "interleaved", "scaling": "row, then column; frequencies from π to 5π"}
    compare("pixel axial, angles", ours, theirs, expected, kind="axes", far=16, **about)
