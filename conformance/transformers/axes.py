"""The positions of pictures and videos in Transformers."""

import numpy as np
import torch

from conformance.rows import HEADS, compare, rng
from conformance.transformers import modeling
from posenc import frequencies
from posenc.axes import axial_frequencies, axial_rope, grid_positions, mrope_axes


def compare_all():
    from transformers import DINOv3ViTConfig, PixtralVisionConfig
    from transformers.models.qwen2_vl.configuration_qwen2_vl import (
        Qwen2VLTextConfig,
        Qwen2VLVisionConfig,
    )
    from transformers.models.qwen3_vl.configuration_qwen3_vl import Qwen3VLTextConfig

    name, head = "transformers", 128
    x = rng.standard_normal((1, HEADS, 24, head)).astype(np.float32)
    grid = grid_positions(2, 3, 4)
    given, places = torch.from_numpy(x), torch.from_numpy(grid.T[:, None].astype(np.int64))
    parameters = {"rope_type": "default", "rope_theta": 1e6}
    for folder, kind, rotary, section, dealt in (
        ("qwen2_vl", Qwen2VLTextConfig, "Qwen2VLRotaryEmbedding", [16, 24, 24], False),
        ("qwen3_vl", Qwen3VLTextConfig, "Qwen3VLTextRotaryEmbedding", [24, 20, 20], True),
    ):
        config = kind(
            hidden_size=512,
            num_attention_heads=4,
            head_dim=head,
            rope_parameters=parameters | {"mrope_section": section},
        )
        module = getattr(modeling(folder), rotary)(config)
        cosine, sine = module(given, places)
        theirs = modeling(folder).apply_rotary_pos_emb(given, given, cosine, sine)[0].numpy()
        axes = mrope_axes(section, interleaved=dealt)
        omega = frequencies(head, base=1e6)
        expected = axial_rope(x.astype(float), grid, omega, axes, layout="halves")
        ours = f"axial_rope(x, grid, frequencies(128, base=1e6), mrope_axes({section}"
        ours += ", interleaved=True), layout='halves')" if dealt else "), layout='halves')"
        code = {"qwen2_vl": "Qwen2-VL, M-RoPE", "qwen3_vl": "Qwen3-VL, M-RoPE"}[folder]
        dealt = "dealt out in turn" if dealt else "one section after the other"
        about = {"order": "halves", "base": "1 000 000", "columns": "128 of 128"}
        about["scaling"] = f"time, height, width: {section} pairs, {dealt}"
        compare(name, code, ours, theirs, expected, kind="axes", far=4, **about)

    grid = grid_positions(4, 6)
    places = torch.from_numpy(grid.astype(np.int64))
    small = x[..., :64]
    config = Qwen2VLVisionConfig(embed_dim=256, num_heads=4)
    config.head_dim = 64
    module = modeling("qwen2_vl").Qwen2VLVisionRotaryEmbedding(config)
    rows = torch.from_numpy(small[0].transpose(1, 0, 2).copy())  # (tokens, heads, width)
    out = module(rows, places)
    own = modeling("qwen2_vl").apply_rotary_pos_emb_vision
    theirs = own(rows, rows, *out)[0].numpy().transpose(1, 0, 2)
    settings = axial_frequencies(64, 2)
    expected = axial_rope(small[0].astype(float), grid, *settings, layout="halves")
    ours = "axial_rope(x, grid, *axial_frequencies(64, 2), layout='halves')"
    about = {"kind": "axes", "order": "halves", "base": "10 000", "columns": "64 of 64"}
    about["scaling"] = "row, then column"
    compare(name, "Qwen2-VL, vision", ours, theirs, expected, far=6, **about)

    config = PixtralVisionConfig(
        hidden_size=256, num_attention_heads=4, head_dim=64, image_size=96, patch_size=16
    )
    module = modeling("pixtral").PixtralVisionRotaryEmbedding(config)
    given = torch.from_numpy(small.copy())
    out = module(given, places)
    theirs = modeling("pixtral").apply_rotary_pos_emb(given, given, *out, unsqueeze_dim=0)[0]
    settings = axial_frequencies(64, 2, interleaved=True)
    expected = axial_rope(small.astype(float), grid, *settings, layout="halves")
    ours = "axial_rope(x, grid, *axial_frequencies(64, 2, interleaved=True), layout='halves')"
    about["scaling"] = "one ladder shared out in turn, row first"
    compare(name, "Pixtral", ours, theirs.numpy(), expected, far=6, **about)

    config = DINOv3ViTConfig(
        hidden_size=256, num_attention_heads=4, image_size=(64, 96), patch_size=16
    )
    module = modeling("dinov3_vit").DINOv3ViTRopePositionEmbedding(config).eval()
    cosine, sine = module(torch.zeros(1, 3, 64, 96))
    theirs = modeling("dinov3_vit").apply_rotary_pos_emb(given, given, cosine, sine)[0].numpy()
    centres = 2 * (grid + 0.5) / [4, 6] - 1  # from -1 to 1 along each side
    settings = axial_frequencies(64, 2, base=config.rope_theta)
    expected = axial_rope(small.astype(float), 2 * np.pi * centres, *settings, layout="halves")
    ours = "axial_rope(x, 2π centres, *axial_frequencies(64, 2, base=100), layout='halves')"
    about |= {"base": "100", "scaling": "row, then column; centres from -1 to 1, times 2π"}
    compare(name, "DINOv3", ours, theirs, expected, far=6, **about)
