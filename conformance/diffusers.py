"""Diffusers: tables, timesteps, and the axes of Flux."""

import torch

from conformance.rows import axes, drawn, table, turned
from posenc.axes import grid_positions


def compare_all():
    from diffusers.models.embeddings import (
        FluxPosEmbed,
        SinusoidalPositionalEmbedding,
        apply_rotary_emb,
        get_1d_rotary_pos_embed,
        get_2d_sincos_pos_embed,
        get_timestep_embedding,
    )

    made = SinusoidalPositionalEmbedding(64, 512).pe[0].numpy()
    table("SinusoidalPositionalEmbedding", "sinusoidal(512, 64)", made)
    steps = torch.arange(1000)
    made = get_timestep_embedding(steps, 320, downscale_freq_shift=0)
    table("timesteps, shift 0", "sinusoidal(n, 320, layout='halves')", made)
    made = get_timestep_embedding(steps, 320, flip_sin_to_cos=True, downscale_freq_shift=0)
    ours = "np.roll(sinusoidal(n, 320, layout='halves'), 160, axis=1)"
    table("timesteps as Stable Diffusion: flip, shift 0", ours, made)
    made = get_timestep_embedding(steps, 320, downscale_freq_shift=1)
    ours = "sinusoidal(n, 320, base=10000**(320/318), layout='halves')"
    table("timesteps, shift 1", ours, made)
    made = get_2d_sincos_pos_embed(64, 14, output_type="pt").numpy()
    # 16 is its base_size, the unit of places.
    ours = "axial_sinusoidal((np.arange(14) * 16/14,) * 2, 64, order=(1, 0), layout='halves')"
    sides = "column, then row; places times 16/14"
    table("get_2d_sincos_pos_embed", ours, made, scaling=sides)

    def flux(x, positions):
        return apply_rotary_emb(x, FluxPosEmbed(10_000, [64])(positions[:, None]))

    turned("Flux, one axis", "rope(x, n)", flux, 64)

    def stable_audio(x, positions):
        real = {"use_real": True, "repeat_interleave_real": False}
        pair = get_1d_rotary_pos_embed(64, positions.float(), **real)
        return apply_rotary_emb(x, pair, use_real_unbind_dim=-2)

    turned("Stable Audio", "rope(x, n, layout='halves')", stable_audio, 64)
    grid = grid_positions(1, 4, 6)
    x, given = drawn(128)
    pair = FluxPosEmbed(10_000, [16, 56, 56])(torch.from_numpy(grid))
    about = {"width": 128, "scaling": "three axes with ladders of their own: 16, 56, 56 columns"}
    ours, theirs = (
        "axial_rope(x, video, *axial_ladders([16, 56, 56]))",
        apply_rotary_emb(given, pair),
    )
    axes("Flux, three axes", ours, theirs, {"x": x, "video": grid}, **about)
