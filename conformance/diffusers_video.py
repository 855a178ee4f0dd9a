"""Diffusers: pictures and videos with three coordinates."""

import torch

from conformance.rows import axes, drawn
from posenc.axes import grid_positions


def compare_all():
    wan()
    qwen_image()
    cogvideox()


def row(code, columns, video, x, theirs, said, places="video"):
    """Add the row of a model whose three coordinates have ladders of these widths."""
    ours, names = f"axial_rope(x, {places}, *axial_ladders({columns}))", {"x": x, "video": video}
    axes(code, ours, theirs, names, width=sum(columns), scaling=said)


def wan():
    from diffusers.models.transformers.transformer_wan import WanRotaryPosEmbed

    x, given = drawn(128)
    cosine, sine = WanRotaryPosEmbed(128, (1, 2, 2), 64)(torch.zeros(1, 16, 2, 6, 8))
    cosine, sine = (each[0, :, 0] for each in (cosine, sine))
    a, b = given[..., 0::2], given[..., 1::2]
    cosine, sine = cosine[:, 0::2], sine[:, 1::2]  # as its attention takes them
    theirs = torch.stack([a * cosine - b * sine, a * sine + b * cosine], dim=-1).flatten(-2)
    said = "time, row, column: ladders of 44, 42 and 42 columns"
    row("Wan 2.1", [44, 42, 42], grid_positions(2, 3, 4), x, theirs, said)


def qwen_image():
    from diffusers.models.transformers.transformer_qwenimage import (
        QwenEmbedRope,
        apply_rotary_emb_qwen,
    )

    module = QwenEmbedRope(theta=10_000, axes_dim=[16, 56, 56], scale_rope=True)
    angles, _ = module((1, 5, 6), device=torch.device("cpu"), max_txt_seq_len=3)
    x, given = drawn(128, tokens=30)
    rows = given.transpose(1, 2)  # (1, tokens, heads, width)
    theirs = apply_rotary_emb_qwen(rows, angles, use_real=False).transpose(1, 2)
    video, centred = grid_positions(1, 5, 6), "video - [0, 3, 3]"  # more rows below 0 than above
    said = "time, row, column from the middle: -3 to 1 of 5 rows, -3 to 2 of 6 columns"
    row("Qwen-Image", [16, 56, 56], video, x, theirs, said, centred)


def cogvideox():
    from diffusers.models.embeddings import apply_rotary_emb, get_3d_rotary_pos_embed

    x, given = drawn(64)
    pair = get_3d_rotary_pos_embed(64, ((0, 0), (3, 4)), (3, 4), 2)
    theirs = apply_rotary_emb(given, pair)
    said = "time, row, column: ladders of 16, 24 and 24 columns"
    row("CogVideoX", [16, 24, 24], grid_positions(2, 3, 4), x, theirs, said)
