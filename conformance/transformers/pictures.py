"""Pictures and videos in Transformers, as the models of the last years place them."""

import numpy as np
import torch

from conformance.rows import axes, compare, drawn
from conformance.transformers import modeling
from posenc import frequencies
from posenc.axes import grid_positions

GRID = grid_positions(4, 6)  # row and column of 24 patches


def compare_all():
    for rows_of in (gemma4, llama4, kimi, ernie, vjepa2, seconds, tmrope):
        rows_of()


def gemma4():
    x, given = drawn(64)
    code = modeling("gemma4")
    config = code.Gemma4VisionConfig()
    places = torch.from_numpy(GRID.astype(np.int64))[None]
    pair = code.Gemma4VisionRotaryEmbedding(config)(given, places)
    turn = code.apply_multidimensional_rope
    theirs = turn(given.transpose(1, 2), *pair, places).transpose(1, 2)
    half = "rope(x[..., {}], grid[:, {}], base=100, layout='halves')"
    ours = f"np.concatenate([{half.format(':32', 0)}, {half.format('32:', 1)}], axis=-1)"
    about = {"order": "halves within each side", "base": "100", "scaling": "two calls, a side each"}
    axes("Gemma 4, vision", ours, theirs, {"x": x, "grid": GRID}, **about)


def llama4():
    code = modeling("llama4")
    sizes = {"hidden_size": 256, "num_attention_heads": 4, "image_size": 64, "patch_size": 16}
    config = code.Llama4VisionConfig(**sizes)
    x, given = drawn(64, tokens=17)
    angles = code.Llama4VisionRotaryEmbedding(config)(given)
    rows = given.transpose(1, 2)
    turn = code.vision_apply_rotary_emb
    theirs = turn(rows, rows, angles)[0].transpose(1, 2).detach().numpy()
    places = np.concatenate([grid_positions(4, 4)[:, ::-1] + 1, [[0, 0]]])  # the class token last
    ours = "axial_rope(x, places, *axial_frequencies(64, 2))"
    said = "column, then row, from 1; the class token, last, at (0, 0)"
    axes("Llama 4, vision", ours, theirs, {"x": x, "places": places}, scaling=said, far=4)


def kimi():
    code = modeling("kimi_k25")
    config = code.Kimi_K25VisionConfig()
    width = config.hidden_size // config.num_attention_heads
    x, given = drawn(width)
    module = code.Kimi_K25VisionRotaryEmbedding(config)
    pair = module(given, torch.from_numpy(GRID.astype(np.int64)))
    rows = given[0].transpose(0, 1)
    theirs = code.apply_rotary_pos_emb_vision(rows, rows, *pair)[0].transpose(0, 1)[None]
    ours = (
        "axial_rope(x, grid, np.repeat(frequencies(36), 2), np.tile([1, 0], 18), layout='halves')"
    )
    about = {"order": "halves", "scaling": "one ladder twice, dealt out: column, row, column, …"}
    axes("Kimi K2.5, vision", ours, theirs, {"x": x, "grid": GRID}, width=width, **about)


def ernie():
    code = modeling("ernie4_5_vl_moe")
    config = code.Ernie4_5_VLMoeTextConfig()
    x, given = drawn(128)
    video = grid_positions(2, 3, 4)  # time, height, width
    module = code.Ernie4_5_VLMoeTextRotaryEmbedding(config)
    pair = module(given, torch.from_numpy(video.T[:, None].astype(np.int64)))
    theirs = code.apply_rotary_pos_emb(given, given, *pair)[0]
    ours = "axial_rope(x, video, frequencies(128, base=5e5), np.r_[np.tile([1, 2], 22), [0] * 20])"
    said = "mrope_section [22, 22, 20]: height, width in turn, then time"
    about = {"base": "500 000", "width": 128, "far": 4, "scaling": said}
    axes("ERNIE 4.5 VL, M-RoPE", ours, theirs, {"x": x, "video": video}, **about)


def vjepa2():
    code, width = modeling("vjepa2"), 32
    x, given = drawn(width)
    places = np.arange(24.0)
    turn = code.rotate_queries_or_keys
    theirs = turn(given, torch.from_numpy(places).float()[None, None]).numpy()
    tiled = np.tile(places[:, np.newaxis] * frequencies(width), 2)
    side = "rotate(x, tiled[:, {0}::2])[..., {0}::2]"
    ours = f"np.stack([{side.format(0)}, {side.format(1)}], axis=-1).reshape(x.shape)"
    about = {"order": "interleaved, the angles of halves", "width": width, "far": 24}
    about["scaling"] = "one side; no rotation, and trained so"
    axes("V-JEPA 2, one side", ours, theirs, {"x": x, "tiled": tiled}, **about)


def seconds():
    """Time in Qwen2.5-VL counts by the second, not by the frame."""
    from transformers import Qwen2_5_VLConfig
    from transformers.models.qwen2_5_vl.modeling_qwen2_5_vl import Qwen2_5_VLModel

    config = Qwen2_5_VLConfig()
    with torch.device("meta"):  # without weights
        model = Qwen2_5_VLModel(config)
    start, video = config.vision_start_token_id, config.video_token_id
    frames, rows, columns, between = 4, 4, 6, 0.3  # patches, and seconds between two frames
    merged = frames * rows * columns // config.vision_config.spatial_merge_size**2
    tokens = torch.tensor([[5, start, *[video] * merged, 7]])
    kinds = torch.tensor([[0, 0, *[2] * merged, 0]])
    found, _ = model.get_rope_index(
        input_ids=tokens,
        mm_token_type_ids=kinds,
        video_grid_thw=torch.tensor([[frames, rows, columns]]),
        second_per_grid_ts=torch.tensor([between]),
    )
    theirs = found[:, 0, 2:-1].numpy().T
    each = config.vision_config.tokens_per_second
    video = grid_positions(frames, rows // 2, columns // 2)
    ours = f"2 + np.floor(video * [{between} * {each}, 1, 1])"
    about = {"order": "time, height, width", "base": "1 000 000"}
    about["scaling"] = (
        f"time in units of 1/{each} second: tokens_per_second {each}, the default; a picture each"
        f" {between} s, after two tokens of text"
    )
    compare("Qwen2.5-VL, places of a video", ours, theirs, {"video": video}, kind="axes", **about)


def tmrope():
    """Sound and pictures of one video in Qwen2.5-Omni: both begin at one place, 25 a second."""
    from transformers import Qwen2_5OmniThinkerConfig
    from transformers.models.qwen2_5_omni.modeling_qwen2_5_omni import (
        Qwen2_5OmniPreTrainedModelForConditionalGeneration as Model,
    )

    config = Qwen2_5OmniThinkerConfig()
    model = Model(config)
    config.vision_start_token_id = start = 151652  # of the whole model's config
    model.spatial_merge_size = config.vision_config.spatial_merge_size
    frames, rows, columns, between, sounds = 8, 4, 6, 0.5, 100  # 4 seconds of both
    video = grid_positions(frames, rows // 2, columns // 2)
    inside = [config.video_token_index] * len(video) + [config.audio_token_index] * sounds
    tokens = torch.tensor([[5, start, config.audio_start_token_id, *inside, 8, 9, 7]])
    found, _ = model.get_rope_index(
        input_ids=tokens,
        video_grid_thw=torch.tensor([[frames, rows, columns]]),
        use_audio_in_video=True,
        audio_seqlens=torch.tensor([4 * sounds]),
        second_per_grids=torch.tensor([between]),
    )
    each = config.position_id_per_seconds
    pictures = 2 + np.floor(video * [between * each, 1, 1])
    sound = np.tile(2 + np.arange(sounds)[:, np.newaxis], 3)
    chunk = each * config.seconds_per_chunk  # two seconds of pictures, two of sound, and so on
    pieces = [
        part[(part[:, 0] - 2) // chunk == number]
        for number in range(sounds // chunk)
        for part in (pictures, sound)
    ]
    ours = f"2 + np.floor(video * [{between} * {each}, 1, 1]), 2 + np.arange({sounds})"
    about = {"order": "time, height, width", "base": "1 000 000"}
    about["scaling"] = f"{each} a second, pictures and then sound, in pieces of 2 seconds"
    theirs, expected = found[:, 0, 3:-3].numpy().T, np.concatenate(pieces)
    compare("Qwen2.5-Omni, TMRoPE", ours, theirs, expected, kind="axes", **about)
