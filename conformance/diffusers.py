"""Diffusers: tables, timesteps, and the axes of Flux."""

import numpy as np
import torch

from conformance.rows import HEADS, axes, rng, table, tensor2tensor, turned
from posenc import sinusoidal
from posenc.axes import axial_ladders, axial_rope, axial_sinusoidal, grid_positions


def compare_all():
    from diffusers.models.embeddings import (
        FluxPosEmbed,
        SinusoidalPositionalEmbedding,
        apply_rotary_emb,
        get_1d_rotary_pos_embed,
        get_2d_sincos_pos_embed,
        get_timestep_embedding,
    )

    name = "diffusers"
    made = SinusoidalPositionalEmbedding(64, 512).pe[0].numpy()
    table(name, "SinusoidalPositionalEmbedding", "sinusoidal(512, 64)", made, sinusoidal(512, 64))
    steps = torch.arange(1000)
    halves = sinusoidal(1000, 320, layout="halves")
    made = get_timestep_embedding(steps, 320, downscale_freq_shift=0)
    ours = "sinusoidal(n, 320, layout='halves')"
    table(name, "timesteps, shift 0", ours, made, halves)
    made = get_timestep_embedding(steps, 320, flip_sin_to_cos=True, downscale_freq_shift=0)
    ours = "np.roll(sinusoidal(n, 320, layout='halves'), 160, axis=1)"
    table(name, "timesteps as Stable Diffusion: flip, shift 0", ours, made, np.roll(halves, 160, 1))
    made = get_timestep_embedding(steps, 320, downscale_freq_shift=1)
    expected = sinusoidal(1000, 320, base=tensor2tensor(320), layout="halves")
    ours = "sinusoidal(n, 320, base=10000**(320/318), layout='halves')"
    table(name, "timesteps, shift 1", ours, made, expected)
    made = get_2d_sincos_pos_embed(64, 14, output_type="pt").numpy()
    places = np.arange(14) * 16 / 14  # in units of its base_size, 16
    expected = axial_sinusoidal((places, places), 64, order=(1, 0), layout="halves")
    ours = "axial_sinusoidal((places * 16/14,) * 2, 64, order=(1, 0), layout='halves')"
    sides = "column, then row; places times 16/14"
    table(name, "get_2d_sincos_pos_embed", ours, made, expected.reshape(196, 64), scaling=sides)

    def flux(x, positions):
        return apply_rotary_emb(x, FluxPosEmbed(10_000, [64])(positions[:, None]))

    turned(name, "Flux, one axis", "rope(x, n)", flux, 64)

    def stable_audio(x, positions):
        real = {"use_real": True, "repeat_interleave_real": False}
        pair = get_1d_rotary_pos_embed(64, positions.float(), **real)
        return apply_rotary_emb(x, pair, use_real_unbind_dim=-2)

    turned(name, "Stable Audio", "rope(x, n, layout='halves')", stable_audio, 64, layout="halves")
    grid = grid_positions(1, 4, 6)
    x = rng.standard_normal((1, HEADS, 24, 128)).astype(np.float32)
    pair = FluxPosEmbed(10_000, [16, 56, 56])(torch.from_numpy(grid))
    theirs = apply_rotary_emb(torch.from_numpy(x), pair).numpy()
    ours = "axial_rope(x, ids, ladders of 16, 56 and 56 columns, np.repeat([0, 1, 2], [8, 28, 28]))"
    said = "three axes with ladders of their own: 16, 56, 56 columns"
    expected = axial_rope(x, grid, *axial_ladders([16, 56, 56]))
    axes(name, "Flux, three axes", ours, theirs, expected, width=128, scaling=said)
