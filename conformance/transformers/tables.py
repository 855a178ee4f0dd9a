"""The tables of Transformers' models."""

import numpy as np
import torch

from conformance.rows import table, tensor2tensor
from conformance.transformers import modeling
from posenc import sinusoidal
from posenc.axes import axial_sinusoidal


def compare_all():
    name, width = "transformers", 512
    ours = f"sinusoidal(n, {width}, layout='halves')"
    expected = sinusoidal(512, width, layout="halves")
    for folder, kind in (
        ("roformer", "RoFormerSinusoidalPositionalEmbedding"),
        ("marian", "MarianSinusoidalPositionalEmbedding"),
        ("pegasus", "PegasusSinusoidalPositionalEmbedding"),
    ):
        made = getattr(modeling(folder), kind)(512, width).create_weight()
        code = kind.removesuffix("SinusoidalPositionalEmbedding")
        table(name, code, ours, made.detach(), expected)
    spaced = {"base": tensor2tensor(width), "layout": "halves"}
    spelled = {"m2m_100": "M2M100", "speech_to_text": "Speech2Text", "fsmt": "FSMT"}
    ours = f"sinusoidal(n, {width}, base=10000**(512/510), layout='halves')"
    for folder, kind in (
        ("m2m_100", "M2M100SinusoidalPositionalEmbedding"),
        ("speech_to_text", "Speech2TextSinusoidalPositionalEmbedding"),
        ("fsmt", "SinusoidalPositionalEmbedding"),
    ):
        made = getattr(modeling(folder), kind).get_embedding(512, width, 1).numpy()
        expected = sinusoidal(512, width, **spaced)
        expected[1] = 0
        table(name, spelled[folder], ours, made, expected, first="2, after a padding row 1")
    made = modeling("whisper").sinusoids(1500, width).numpy()
    table(name, "Whisper", ours, made, sinusoidal(1500, width, **spaced))
    made = modeling("musicgen").MusicgenSinusoidalPositionalEmbedding.get_embedding(512, width)
    expected = np.roll(sinusoidal(512, width, **spaced), width // 2, axis=1)
    table(name, "MusicGen", f"np.roll({ours}, 256, axis=1)", made, expected)
    made = modeling("gptj").create_sinusoidal_positions(2048, 64).numpy()
    ours = "sinusoidal(2048, 64, layout='halves')"
    table(name, "GPT-J, its table", ours, made, sinusoidal(2048, 64, layout="halves"))
    detr = modeling("detr").DetrSinePositionEmbedding
    made = detr.build_sine_position_embedding((1, 1, 9, 7), "cpu", torch.float32, 64)
    expected = axial_sinusoidal((range(1, 10), range(1, 8)), 128)
    ours = "axial_sinusoidal((range(1, 10), range(1, 8)), 128)"
    found = made.detach().numpy()
    found = found[0].transpose(1, 2, 0) if found.ndim == 4 else found[0].reshape(9, 7, 128)
    found, expected = found.reshape(63, 128), expected.reshape(63, 128)
    sides = "row, then column; counted from 1"
    table(name, "DETR, not normalised", ours, found, expected, scaling=sides)
