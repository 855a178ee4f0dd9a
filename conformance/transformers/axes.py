"""The positions of pictures and videos in Transformers."""

import numpy as np
import torch

from conformance.rows import axes, drawn
from conformance.transformers import modeling
from posenc.axes import grid_positions


def compare_all():
    x, given = drawn(128)
    video = grid_positions(2, 3, 4)
    places = torch.from_numpy(video.T[:, None].astype(np.int64))
    parameters = {"rope_type": "default", "rope_theta": 1e6}
    size = {"hidden_size": 512, "num_attention_heads": 4, "head_dim": 128}
    for folder, kind, code, section, dealt in (
        ("qwen2_vl", "Qwen2VL", "Qwen2-VL, M-RoPE", [16, 24, 24], False),
        ("qwen3_vl", "Qwen3VLText", "Qwen3-VL, M-RoPE", [24, 20, 20], True),
    ):
        own = modeling(folder)
        of_text = getattr(own, f"{kind.removesuffix('Text')}TextConfig")
        config = of_text(**size, rope_parameters=parameters | {"mrope_section": section})
        pair = getattr(own, f"{kind}RotaryEmbedding")(config)(given, places)
        theirs = own.apply_rotary_pos_emb(given, given, *pair)[0]
        ours = f"axial_rope(x, video, frequencies(128, base=1e6), mrope_axes({section}"
        ours += ", interleaved=True), layout='halves')" if dealt else "), layout='halves')"
        how = "dealt out in turn" if dealt else "one section after the other"
        about = {"order": "halves", "base": "1 000 000", "width": 128, "far": 4}
        about["scaling"] = f"time, height, width: {section} pairs, {how}"
        axes(code, ours, theirs, {"x": x, "video": video}, **about)

    grid = grid_positions(4, 6)
    places = torch.from_numpy(grid.astype(np.int64))
    x, given = x[..., :64], given[..., :64].contiguous()

    def row(code, call, theirs, said, base="10 000", **names):
        ours, names = f"axial_rope(x, {call}, layout='halves')", {"x": x, "grid": grid, **names}
        axes(code, ours, theirs, names, order="halves", base=base, scaling=said)

    own = modeling("qwen2_vl")
    config = own.Qwen2VLVisionConfig(embed_dim=256, num_heads=4)
    config.head_dim = 64
    rows = given[0].transpose(0, 1)  # (tokens, heads, width)
    turn = own.apply_rotary_pos_emb_vision
    theirs = turn(rows, rows, *own.Qwen2VLVisionRotaryEmbedding(config)(rows, places))[0]
    call, said = "grid, *axial_frequencies(64, 2)", "row, then column"
    row("Qwen2-VL, vision", call, theirs.transpose(0, 1)[None], said)

    own = modeling("pixtral")
    size = {"hidden_size": 256, "num_attention_heads": 4, "patch_size": 16}
    config = own.PixtralVisionConfig(**size, head_dim=64, image_size=96)
    pair = own.PixtralVisionRotaryEmbedding(config)(given, places)
    theirs = own.apply_rotary_pos_emb(given, given, *pair, unsqueeze_dim=0)[0]
    call = "grid, *axial_frequencies(64, 2, interleaved=True)"
    row("Pixtral", call, theirs, "one ladder shared out in turn, row first")

    own = modeling("dinov3_vit")
    config = own.DINOv3ViTConfig(**size, image_size=(64, 96))
    pair = own.DINOv3ViTRopePositionEmbedding(config).eval()(torch.zeros(1, 3, 64, 96))
    theirs = own.apply_rotary_pos_emb(given, given, *pair)[0]
    centres = 2 * (grid + 0.5) / [4, 6] - 1  # from -1 to 1 along each side
    call = "2 * np.pi * centres, *axial_frequencies(64, 2, base=100)"
    said = "row, then column; centres from -1 to 1, times 2π"
    row("DINOv3", call, theirs, said, base="100", centres=centres)
