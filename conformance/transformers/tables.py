"""The tables of Transformers' models."""

import torch

from conformance.rows import of, table
from conformance.transformers import modeling


def compare_all():
    width = 512
    ours = f"sinusoidal(n, {width}, layout='halves')"
    for code in ("RoFormer", "Marian", "Pegasus"):
        module = getattr(modeling(code.lower()), f"{code}SinusoidalPositionalEmbedding")
        table(code, ours, module(512, width).create_weight())
    ours = f"sinusoidal(n, {width}, base=10000**(512/510), layout='halves')"
    expected = of(ours, n=512)
    expected[1] = 0
    for code, folder, kind in (
        ("M2M100", "m2m_100", "M2M100SinusoidalPositionalEmbedding"),
        ("Speech2Text", "speech_to_text", "Speech2TextSinusoidalPositionalEmbedding"),
        ("FSMT", "fsmt", "SinusoidalPositionalEmbedding"),
    ):
        made = getattr(modeling(folder), kind).get_embedding(512, width, 1)
        table(code, ours, made, expected, first="2, after a padding row 1")
    table("Whisper", ours, modeling("whisper").sinusoids(1500, width))
    made = modeling("musicgen").MusicgenSinusoidalPositionalEmbedding.get_embedding(512, width)
    table("MusicGen", f"np.roll({ours}, 256, axis=1)", made)
    made = modeling("gptj").create_sinusoidal_positions(2048, 64)
    table("GPT-J, its table", "sinusoidal(2048, 64, layout='halves')", made)
    detr = modeling("detr").DetrSinePositionEmbedding
    made = detr.build_sine_position_embedding((1, 1, 9, 7), "cpu", torch.float32, 64)
    ours = "axial_sinusoidal((range(1, 10), range(1, 8)), 128)"
    sides = "row, then column; counted from 1"
    table("DETR, not normalised", ours, made[0].flatten(1).T, scaling=sides)
