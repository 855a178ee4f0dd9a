"""Compare posenc with the positional code of the libraries people run, row by row.

`make conformance` installs requirements-conformance.txt and runs this file. Each library's own code
is built from its configuration, without weights, given the same positions, and compared with one
line of posenc. What is compared, the largest difference and its reason go to
book/_static/conformance.json, which a page of the book shows; a difference without a reason is a
failure. What a row says of order, base and scaling is read off the numbers by `inspect_table` and
`check_rope` wherever they apply.
"""

import importlib
import importlib.util
import json
import math
import os
import sys
import types
import warnings
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

os.environ.setdefault("KERAS_BACKEND", "torch")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
warnings.filterwarnings("ignore")

import numpy as np  # noqa: E402
import torch  # noqa: E402

from posenc import (  # noqa: E402
    alibi_bias,
    alibi_slopes,
    attention,
    check_rope,
    frequencies,
    inspect_table,
    rope,
    sinusoidal,
)
from posenc.axes import (  # noqa: E402
    axial_frequencies,
    axial_rope,
    axial_sinusoidal,
    grid_positions,
    mrope_axes,
)
from posenc.scaling import scaled_frequencies  # noqa: E402

RESULT = Path(__file__).parent.parent / "book" / "_static" / "conformance.json"
LIBRARIES = (
    "torch",
    "transformers",
    "diffusers",
    "timm",
    "x-transformers",
    "rotary-embedding-torch",
    "positional-encodings",
    "keras",
    "keras-hub",
)
TOKENS, HEADS = 256, 3
rng = np.random.default_rng(15)
rows = []


# One row


def reason_for(difference, far, reason):
    """Return why there is a difference: what is said of it, or what float32 explains."""
    if reason:
        return reason
    if difference <= 1e-12:
        return "none"
    if difference <= 6e-7:
        return "rounding to float32"
    # An angle kω in float32 is off by up to 6e-8 kω, and ω itself by a few times 6e-8.
    if difference <= 2e-6 + 3e-6 * far:
        return "their angles are in float32"
    return ""


def compare(library, code, ours, theirs, expected, *, kind, **about):
    """Add a row: the largest difference between what they compute and what posenc does.

    `kind` is the table of the book's page that shows it; `about` may have the cells of the row
    (order, base, columns, first, scaling, angles), and what `reason_for` wants to know.
    """
    far, reason = about.pop("far", 1.0), about.pop("reason", "")
    difference = float(np.abs(np.asarray(theirs, dtype=float) - expected).max())
    explained = reason_for(difference, far, reason) if difference <= about.pop("most", 1) else ""
    if explained == "their angles are in float32":
        about["angles"] = "float32"
    rows.append(
        {
            "library": library,
            "kind": kind,
            "code": code,
            "posenc": ours,
            "difference": float(f"{difference:.1e}"),
            "reason": explained,
        }
        | {name: str(value) for name, value in about.items() if value not in ("", None)}
    )
    print(f"{library:24}{code:44}{difference:9.1e}  {explained or 'UNEXPLAINED'}", flush=True)


def table(library, code, ours, theirs, expected, **more):
    """Add a row on a table, with what `inspect_table` says of theirs."""
    theirs = np.asarray(theirs, dtype=np.float32)
    report = inspect_table(theirs[:300])
    one = report.parts[0] if report.parts else report
    base, spacing = one.base, ""
    if one.spacing == "tensor2tensor":
        base, spacing = base ** (1 - 2 / theirs.shape[1]), ", tensor2tensor's spacing"
    about = {
        "order": one.layout + (", cosines first" if one.cosines_first else ""),
        "base": in_words(base) + spacing,
        "columns": theirs.shape[1],
        "first": f"{one.positions[0]:g}",
        "angles": "float64" if one.angles is None else one.angles,
        "named": str(report),
    }
    if abs(one.scale - 1) > 1e-3:
        about["scaling"] = report.text.partition(", times ")[2].partition(",")[0]
    kind = "axes" if report.parts else "table"
    compare(library, code, ours, theirs, expected, kind=kind, far=len(theirs), **about | more)


def turned(library, code, ours, function, width, *, places=None, scaling="", **options):
    """Add a row on a rotary embedding: `function` takes torch tensors (1, heads, tokens, width)."""
    places = np.arange(TOKENS) if places is None else places
    factor, most = options.pop("factor", 1.0), options.pop("most", 1)
    order = options.pop("order", None)
    reason, kind = options.pop("reason", ""), options.pop("kind", "rotary")
    x = rng.standard_normal((1, HEADS, len(places), width)).astype(np.float32)
    with torch.no_grad():
        theirs = function(torch.from_numpy(x), torch.from_numpy(np.asarray(places))).numpy()
    part = len(options["frequencies"]) * 2 if "frequencies" in options else width
    expected = rope(x.astype(float), places, **options)
    expected[..., :part] *= factor
    if order is not None:
        expected = expected[..., order]

    def numpy_function(units, positions):
        given = torch.from_numpy(units.astype(np.float32))
        with torch.no_grad():
            return function(given, torch.from_numpy(positions)).numpy()

    report = check_rope(numpy_function, width)
    far = float(np.max(places))
    size = f"times {report.attention_factor:.6g}" if report.attention_factor != 1 else ""
    size = "" if abs(report.attention_factor - 1) < 1e-4 else size
    compare(
        library,
        code,
        ours,
        theirs,
        expected,
        kind=kind,
        far=far,
        most=most,
        reason=reason,
        order="neighbours in, halves out" if order is not None else report.layout,
        base=in_words(report.base),
        columns=f"{report.width} of {width}",
        scaling=", ".join(filter(None, [scaling or report.scaling, size])),
        angles="float32" if "angles in float32" in report.text else "float64",
        named=str(report),
    )


def in_words(value):
    """Return a base as text, thousands set apart."""
    return f"{round(value):,}".replace(",", " ")


def tensor2tensor(width):
    """Return the base that has tensor2tensor's frequencies, 10000^(-i/(d/2 - 1))."""
    return 1e4 ** (width / (width - 2))


# transformers


def modeling(folder):
    return importlib.import_module(f"transformers.models.{folder}.modeling_{folder}")


def transformers_tables():
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


def hf_rope(folder, config, rotary, *, apply="apply_rotary_pos_emb"):
    """Return a function that turns x as the model does, from its config."""
    code = modeling(folder)
    module = getattr(code, rotary)(config)

    def function(x, positions):
        cosine, sine = module(x, positions[None])
        return getattr(code, apply)(x, x, cosine, sine)[0]

    return function


def transformers_rope():
    from transformers import (
        CohereConfig,
        DeepseekV3Config,
        Ernie4_5Config,
        GlmConfig,
        GPTNeoXConfig,
        GptOssConfig,
        HeliumConfig,
        Llama4TextConfig,
        LlamaConfig,
        MistralConfig,
        Phi3Config,
        Qwen3Config,
    )

    name = "transformers"
    small = {"hidden_size": 256, "num_attention_heads": 4}
    base = {"rope_type": "default", "rope_theta": 10_000.0}
    spelled = {
        "mistral": "Mistral",
        "qwen3": "Qwen 3",
        "phi3": "Phi-3",
        "cohere": "Cohere",
        "helium": "Helium",
        "ernie4_5": "ERNIE 4.5",
    }

    llama = LlamaConfig(**small, rope_parameters=base)
    function = hf_rope("llama", llama, "LlamaRotaryEmbedding")
    turned(name, "Llama", "rope(x, n, layout='halves')", function, 64, layout="halves")
    for place in (32_000, 131_000):
        places = np.arange(place, place + 64)
        ours = f"rope(x, positions from {place}, layout='halves')"
        code = f"Llama at position {in_words(place)}"
        turned(name, code, ours, function, 64, layout="halves", places=places)
    for folder, kind, rotary, theta in (
        ("mistral", MistralConfig, "MistralRotaryEmbedding", 1e6),
        ("qwen3", Qwen3Config, "Qwen3RotaryEmbedding", 1e6),
        ("phi3", Phi3Config, "Phi3RotaryEmbedding", 1e4),
    ):
        extra = {"head_dim": 64} if folder != "phi3" else {"pad_token_id": 0}
        config = kind(**small, **extra, rope_parameters=base | {"rope_theta": theta})
        ours = f"rope(x, n, base={theta:.0f}, layout='halves')"
        function = hf_rope(folder, config, rotary)
        turned(name, spelled[folder], ours, function, 64, base=theta, layout="halves")
    config = GptOssConfig(**small, head_dim=64, rope_parameters=base | {"rope_theta": 150_000.0})
    ours = "rope(x, n, base=150000, layout='halves')"
    function = hf_rope("gpt_oss", config, "GptOssRotaryEmbedding")
    turned(name, "gpt-oss, without scaling", ours, function, 64, base=150_000, layout="halves")

    for folder, kind, rotary in (
        ("cohere", CohereConfig, "CohereRotaryEmbedding"),
        ("helium", HeliumConfig, "HeliumRotaryEmbedding"),
        ("ernie4_5", Ernie4_5Config, "Ernie4_5RotaryEmbedding"),
    ):
        config = kind(**small, head_dim=64, rope_parameters=base)
        turned(name, spelled[folder], "rope(x, n)", hf_rope(folder, config, rotary), 64)

    config = GPTNeoXConfig(**small, rope_parameters=base | {"partial_rotary_factor": 0.25})
    part = {"frequencies": frequencies(16)}
    code = modeling("gpt_neox")
    module = code.GPTNeoXRotaryEmbedding(config)

    def gpt_neox(x, positions):
        return code.apply_rotary_pos_emb(x, x, *module(x, positions[None]))[0]

    ours = "rope(x, n, frequencies=frequencies(16), layout='halves')"
    turned(name, "GPT-NeoX, a quarter of 64", ours, gpt_neox, 64, **part, layout="halves")
    config = GlmConfig(**small, head_dim=64, rope_parameters=base | {"partial_rotary_factor": 0.5})
    function = hf_rope("glm", config, "GlmRotaryEmbedding")
    ours = "rope(x, n, frequencies=frequencies(32))"
    turned(name, "GLM, half of 64", ours, function, 64, frequencies=frequencies(32))

    def gpt_j(x, positions):
        code = modeling("gptj")
        sine, cosine = code.create_sinusoidal_positions(200_000, 16)[positions].chunk(2, dim=-1)
        rows = x.transpose(1, 2)  # (1, tokens, heads, width)
        part = code.apply_rotary_pos_emb(rows[..., :16], sine[None], cosine[None])
        return torch.cat([part, rows[..., 16:]], dim=-1).transpose(1, 2)

    ours = "rope(x, n, frequencies=frequencies(16))"
    turned(name, "GPT-J, 16 of 64", ours, gpt_j, 64, **part)

    own = modeling("roformer")
    every = own.RoFormerSinusoidalPositionalEmbedding(140_000, 64).create_weight().detach()

    def roformer(x, positions):
        apply = own.RoFormerSelfAttention.apply_rotary_position_embeddings
        return apply(every[positions][None, None], x, x)[0]

    turned(name, "RoFormer", "rope(x, n)", roformer, 64)

    config = Llama4TextConfig(**small, head_dim=64, rope_parameters=base)
    module4 = modeling("llama4").Llama4TextRotaryEmbedding(config)

    def llama4(x, positions):
        rows = x.transpose(1, 2)
        own = modeling("llama4").apply_rotary_emb
        return own(rows, rows, module4(rows, positions[None]))[0].transpose(1, 2)

    turned(name, "Llama 4", "rope(x, n)", llama4, 64)

    config = DeepseekV3Config(rope_parameters=base, qk_rope_head_dim=64)
    config.head_dim = 64
    function = hf_rope(
        "deepseek_v3", config, "DeepseekV3RotaryEmbedding", apply="apply_rotary_pos_emb_interleave"
    )
    order = np.r_[0:64:2, 1:64:2]
    ours = "rope(x, n)[..., np.r_[0:64:2, 1:64:2]]"
    turned(name, "DeepSeek-V3, halves out", ours, function, 64, order=order)


def transformers_scaling():
    from transformers import DeepseekV3Config, GptOssConfig, LlamaConfig, Phi3Config

    name = "transformers"
    head = {"hidden_size": 512, "num_attention_heads": 4}
    long = [1.0 + pair / 8 for pair in range(64)]
    cases = {
        "linear, factor 4": {"rope_type": "linear", "factor": 4.0},
        "dynamic NTK, factor 2": {"rope_type": "dynamic", "factor": 2.0},
        "Llama 3.1": {
            "rope_type": "llama3",
            "rope_theta": 500_000.0,
            "factor": 8.0,
            "low_freq_factor": 1.0,
            "high_freq_factor": 4.0,
            "original_max_position_embeddings": 8192,
        },
        "YaRN, factor 16": {
            "rope_type": "yarn",
            "factor": 16.0,
            "original_max_position_embeddings": 4096,
        },
        "p-RoPE, a quarter": {"rope_type": "proportional", "partial_rotary_factor": 0.25},
        "LongRoPE, long": {
            "rope_type": "longrope",
            "short_factor": [1.0] * 64,
            "long_factor": long,
            "factor": 32.0,
            "original_max_position_embeddings": 4096,
        },
    }
    own = {
        "LongRoPE, long": "a factor for each pair",
        "dynamic NTK, factor 2": "as trained, up to 4 096 tokens",
    }
    for code, parameters in cases.items():
        longest = 131_072 if "original_max_position_embeddings" in parameters else 4096
        parameters = {"rope_theta": 10_000.0} | parameters
        config = LlamaConfig(
            **head, max_position_embeddings=longest, rope_parameters=dict(parameters)
        )
        omega, factor = scaled_frequencies(
            128, parameters, sequence_length=TOKENS, max_position_embeddings=longest
        )
        if "long" in code:  # their frequencies change with the text, so it must be a long one
            omega, factor = scaled_frequencies(
                128, parameters, sequence_length=5000, max_position_embeddings=longest
            )
        function = hf_rope("llama", config, "LlamaRotaryEmbedding")
        places = np.arange(4800, 4928) if "long" in code else np.arange(TOKENS)
        ours = "factor * rope(x, n, frequencies=omega, layout='halves')"
        turned(
            name,
            code,
            ours,
            function,
            128,
            frequencies=omega,
            factor=factor,
            layout="halves",
            places=places,
            kind="stretched",
            scaling=own.get(code, ""),
        )
    places = np.arange(8000, 8064)
    parameters = {"rope_theta": 10_000.0} | cases["dynamic NTK, factor 2"]
    config = LlamaConfig(**head, max_position_embeddings=4096, rope_parameters=dict(parameters))
    omega, _ = scaled_frequencies(
        128, parameters, sequence_length=8064, max_position_embeddings=4096
    )
    function = hf_rope("llama", config, "LlamaRotaryEmbedding")
    ours = "factor * rope(x, n, frequencies=omega, layout='halves')"
    code = "dynamic NTK, factor 2, at 8064 tokens"
    settings = {"frequencies": omega, "layout": "halves", "kind": "stretched"}
    raised = f"those of base {in_words(omega[1] ** -64)}"
    turned(name, code, ours, function, 128, places=places, scaling=raised, **settings)
    for code, config, folder in (
        ("gpt-oss, default config", GptOssConfig(), "gpt_oss"),
        ("DeepSeek-V3, default config", DeepseekV3Config(), "deepseek_v3"),
        ("Phi-3, default config", Phi3Config(pad_token_id=0), "phi3"),
    ):
        rotary = {"gpt_oss": "GptOss", "deepseek_v3": "DeepseekV3", "phi3": "Phi3"}[folder]
        module = getattr(modeling(folder), f"{rotary}RotaryEmbedding")(config)
        parameters = dict(config.rope_parameters)
        if folder == "deepseek_v3":
            parameters.setdefault("rope_type", "default")
        dim = {"gpt_oss": 64, "deepseek_v3": 64, "phi3": 96}[folder]
        omega, factor = scaled_frequencies(
            dim, parameters, max_position_embeddings=config.max_position_embeddings
        )
        ours = f"scaled_frequencies({dim}, rope_parameters, max_position_embeddings=...)"
        theirs = np.append(module.inv_freq.numpy(), module.attention_scaling)
        about = {"base": in_words(parameters["rope_theta"]), "columns": f"{dim} of {dim}"}
        about["scaling"] = "as trained"
        if parameters["rope_type"] != "default":
            about["scaling"] = f"{parameters['rope_type']}, factor {parameters['factor']:g}"
        about["order"] = "neighbours in, halves out" if folder == "deepseek_v3" else "halves"
        compare(name, code, ours, theirs, np.append(omega, factor), kind="stretched", **about)


def transformers_axes():
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


def transformers_biases():
    name = "transformers"
    for heads in (8, 12):
        ours = f"alibi_bias({heads}, n, n)"
        shifted = alibi_bias(heads, 1, 40)[:, 0] + alibi_slopes(heads)[:, np.newaxis] * 39
        made = modeling("bloom").build_alibi_tensor(torch.ones(1, 40), heads, torch.float32)
        code = f"BLOOM, {heads} heads, up to a constant of each row"
        short = {"reason": "rounding to float32", "most": 1e-5, "kind": "bias"}
        compare(name, code, ours, made.numpy().reshape(heads, 40), shifted, **short)
        made = modeling("mpt").build_mpt_alibi_tensor(heads, 40).numpy().reshape(heads, 40)
        expected = alibi_bias(heads, 1, 40)[:, 0]
        compare(name, f"MPT, {heads} heads", ours, made, expected, **short)
        made = modeling("falcon").build_alibi_tensor(torch.ones(1, 40), heads, torch.float32)
        found = made.numpy().reshape(heads, 40)
        found = found - found[:, :1]
        compare(
            name,
            f"Falcon, {heads} heads, up to a constant of each row",
            ours,
            found,
            shifted,
            far=40,
            kind="bias",
            reason="their slopes are in bfloat16",
            most=0.4,
        )
    own = modeling("t5").T5Attention._relative_position_bucket
    distance = np.concatenate([np.arange(-3000, 3000), [-100_000, 100_000]])
    for both in (True, False):
        for buckets, most in ((32, 128), (64, 128), (32, 256)):
            found = own(torch.from_numpy(distance), both, buckets, most).numpy()
            expected = t5_bucket(distance, both, buckets, most)
            code = f"T5 buckets, {buckets} to {most}, {'both sides' if both else 'one side'}"
            ours = "bucket_of, as in Reading a config"
            if both:
                ours += ", with half of the buckets for each side"
            compare(name, code, ours, found, expected, kind="bias")


def t5_bucket(distance, both, buckets, most):
    """Return the bucket of a distance, key minus query, from the T5 paper's description."""
    first = np.zeros_like(distance)
    if both:
        buckets //= 2
        first = np.where(distance > 0, buckets, 0)
        size = np.abs(distance)
    else:
        size = np.maximum(-distance, 0)
    exact = buckets // 2
    steps = np.log(np.maximum(size, 1) / exact, dtype=np.float32) / math.log(most / exact)
    far = np.minimum(exact + (steps * (buckets - exact)).astype(int), buckets - 1)
    return first + np.where(size < exact, size, far)


def whole_model():
    from transformers import LlamaConfig, LlamaModel

    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=50,
        hidden_size=64,
        intermediate_size=64,
        num_hidden_layers=1,
        num_attention_heads=4,
        num_key_value_heads=2,
        attn_implementation="eager",
    )
    model = LlamaModel(config).eval()
    tokens = torch.randint(0, 50, (2, 10))
    mask = torch.ones(2, 10, dtype=torch.long)
    mask[0, :3] = 0  # left padding
    places = (mask.cumsum(1) - 1).clamp(min=0)
    layer = model.layers[0]
    with torch.no_grad():
        out = model(tokens, attention_mask=mask, position_ids=places, output_attentions=True)
        rows = layer.input_layernorm(model.embed_tokens(tokens))
        q = layer.self_attn.q_proj(rows).view(2, 10, 4, 16).transpose(1, 2).numpy()
        k = layer.self_attn.k_proj(rows).view(2, 10, 2, 16).transpose(1, 2).numpy()
    where = places.numpy()[:, np.newaxis]
    k = np.repeat(k, 2, axis=1).astype(float)
    hidden = np.where(mask.numpy()[:, np.newaxis, np.newaxis] == 1, 0, -np.inf)
    seen = np.arange(3, 10)  # of the first text; a query that is padding sees nothing
    for layout in ("halves", "interleaved"):
        queries = rope(q.astype(float), where, layout=layout)
        keys = rope(k, where, layout=layout)
        bias = np.broadcast_to(hidden, (2, 4, 10, 10))[:, :, seen]
        visible = np.where(np.tri(10, dtype=bool)[seen], 0, -np.inf)
        _, weights = attention(queries[:, :, seen], keys, keys, bias=bias + visible)
        found = out.attentions[0].numpy()[:, :, seen]
        if layout == "halves":
            ours = "attention(rope(q, positions[:, None, :], ...), ..., bias=...)"
            code = "Llama, one layer: grouped queries, left padding"
            compare("transformers", code, ours, found, weights, kind="attention", far=10)
            right = np.abs(found - weights).max()
        else:
            wrong = np.abs(found - weights).max()
    assert wrong > 1000 * right, "the layout must matter"


# The other libraries


def torch_attention():
    q, k, v = rng.standard_normal((3, 2, 4, 9, 16))
    bias = rng.standard_normal((4, 9, 9))
    hidden = np.where(rng.random((9, 9)) < 0.7, 0, -np.inf)
    np.fill_diagonal(hidden, 0)
    own = torch.nn.functional.scaled_dot_product_attention
    tensors = [torch.from_numpy(each) for each in (q, k, v)]
    for code, theirs, ours in (
        ("bias", {"attn_mask": torch.from_numpy(bias)}, {"bias": bias}),
        ("mask", {"attn_mask": torch.from_numpy(hidden == 0)}, {"bias": hidden}),
        ("causal", {"is_causal": True}, {"causal": True}),
    ):
        found = own(*tensors, **theirs).numpy()
        name = f"scaled_dot_product_attention, {code}"
        written = f"attention(q, k, v, {next(iter(ours))}=...)"
        compare("torch", name, written, found, attention(q, k, v, **ours)[0], kind="attention")
    found = own(tensors[0], tensors[1][:, ::2], tensors[2][:, ::2], enable_gqa=True).numpy()
    expected = attention(q, np.repeat(k[:, ::2], 2, axis=1), np.repeat(v[:, ::2], 2, axis=1))[0]
    written = "attention(q, np.repeat(k, 2, axis=1), np.repeat(v, 2, axis=1))"
    name = "scaled_dot_product_attention, grouped"
    compare("torch", name, written, found, expected, kind="attention")
    module = torch.nn.MultiheadAttention(16, 4, batch_first=True, dtype=torch.float64).eval()
    x = torch.from_numpy(q[:, 0])
    with torch.no_grad():
        found = module(x, x, x, average_attn_weights=False)[1].numpy()
        qkv = (x @ module.in_proj_weight.T + module.in_proj_bias).numpy()
    heads = qkv.reshape(2, 9, 3, 4, 4).transpose(2, 0, 3, 1, 4)
    expected, name = attention(*heads)[1], "MultiheadAttention, weights"
    compare("torch", name, "attention(q, k, v)", found, expected, kind="attention")


def diffusers_rows():
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
    omega = np.concatenate([frequencies(16), frequencies(56), frequencies(56)])
    axes = np.repeat([0, 1, 2], [8, 28, 28])
    ours = "axial_rope(x, ids, ladders of 16, 56 and 56 columns, np.repeat([0, 1, 2], [8, 28, 28]))"
    about = {"order": "interleaved", "base": "10 000", "columns": "128 of 128"}
    about["scaling"] = "three axes with ladders of their own: 16, 56, 56 columns"
    expected = axial_rope(x, grid, omega, axes)
    compare(name, "Flux, three axes", ours, theirs, expected, kind="axes", far=6, **about)


def timm_rows():
    code = without_its_package("timm", "timm.layers", "timm.layers.pos_embed_sincos")
    name, grid = "timm", grid_positions(9, 7)
    for interleaved in (False, True):
        made = code.build_sincos2d_pos_embed([9, 7], 64, interleave_sin_cos=interleaved)
        expected = axial_sinusoidal((9, 7), 64, layout="halves").reshape(63, 2, 2, 16)
        ours = "axial_sinusoidal((9, 7), 64, layout='halves')"
        if not interleaved:  # sines of both axes, then cosines of both
            expected = expected.swapaxes(1, 2)
            ours += ".reshape(63, 2, 2, 16).swapaxes(1, 2)"
        called = f"build_sincos2d_pos_embed, interleave_sin_cos={interleaved}"
        sides = "row, then column" if interleaved else "sines of both sides, then cosines"
        table(name, called, ours, made, expected.reshape(63, 64), scaling=sides)
    grid = grid_positions(4, 6)
    x = rng.standard_normal((1, HEADS, 24, 64)).astype(np.float32)
    omega, axes = axial_frequencies(64, 2)
    for pixels in (False, True):
        module = code.RotaryEmbeddingCat(64, in_pixels=pixels, feat_shape=[4, 6])
        theirs = code.apply_rot_embed_cat(torch.from_numpy(x), module.get_embed()).numpy()
        places, speeds, ours = grid, omega, "axial_rope(x, grid, *axial_frequencies(64, 2))"
        if pixels:
            places = 2 * grid / [3, 5] - 1  # corners at -1 and 1
            speeds = np.tile(np.geomspace(1, 112, 16) * np.pi, 2)
            ours = "axial_rope(x, places from -1 to 1, π np.geomspace(1, 112, 16) twice, axes)"
        called = f"RotaryEmbeddingCat, {'pixel' if pixels else 'language'} frequencies"
        expected = axial_rope(x.astype(float), places, speeds, axes)
        about = {"order": "interleaved", "columns": "64 of 64", "scaling": "row, then column"}
        if pixels:
            about["scaling"] += "; from -1 to 1, frequencies from π to 112π"
        about |= {"base": "" if pixels else "10 000", "kind": "axes"}
        compare(name, called, ours, theirs, expected, far=360 if pixels else 6, **about)


def without_its_package(*names):
    """Import a module whose package would import torchvision, which positions do not need."""
    *packages, module = names
    folder = Path(importlib.util.find_spec(packages[0]).origin).parent
    for package in packages:
        stand_in = types.ModuleType(package)
        stand_in.__path__ = [str(folder.joinpath(*package.split(".")[1:]))]
        sys.modules[package] = stand_in
    return importlib.import_module(module)


def small_libraries():
    from positional_encodings.torch_encodings import (
        PositionalEncoding1D,
        PositionalEncoding2D,
        PositionalEncoding3D,
    )
    from rotary_embedding_torch import RotaryEmbedding
    from x_transformers.x_transformers import (
        AlibiPositionalBias,
        ScaledSinusoidalEmbedding,
        apply_rotary_pos_emb,
    )
    from x_transformers.x_transformers import RotaryEmbedding as XRotaryEmbedding

    name = "positional-encodings"
    made = PositionalEncoding1D(64)(torch.empty(1, 300, 64))[0]
    table(name, "1-D", "sinusoidal(300, 64)", made, sinusoidal(300, 64))
    made = PositionalEncoding2D(64)(torch.empty(1, 9, 7, 64))[0].reshape(63, 64)
    expected = axial_sinusoidal((9, 7), 64).reshape(63, 64)
    ours = "axial_sinusoidal((9, 7), 64)"
    table(name, "2-D", ours, made, expected, scaling="row, then column")
    made = PositionalEncoding3D(96)(torch.empty(1, 4, 5, 6, 96))[0].reshape(120, 96)
    expected = axial_sinusoidal((4, 5, 6), 96).reshape(120, 96)
    ours = "axial_sinusoidal((4, 5, 6), 96)"
    table(name, "3-D", ours, made, expected, scaling="three coordinates, in order")

    name = "x-transformers"
    with torch.no_grad():
        made = ScaledSinusoidalEmbedding(64)(torch.empty(1, 300, 64)).numpy()
    expected = sinusoidal(300, 64, layout="halves") / 8
    ours = "sinusoidal(300, 64, layout='halves') / np.sqrt(64)"
    table(name, "ScaledSinusoidalEmbedding", ours, made, expected)
    module = XRotaryEmbedding(64)

    def x_rope(x, positions):
        return apply_rotary_pos_emb(x, module(positions.float()[None])[0])

    turned(name, "RotaryEmbedding", "rope(x, n)", x_rope, 64)
    made = AlibiPositionalBias(12, 12)(20, 20).detach().numpy().reshape(12, 20, 20)
    expected, code = alibi_bias(12, 20, 20), "AlibiPositionalBias"
    compare(name, code, "alibi_bias(12, n, n)", made, expected, kind="bias", far=20)

    name = "rotary-embedding-torch"
    rotary = RotaryEmbedding(dim=64, cache_if_possible=False)

    def turn(x, positions):
        from rotary_embedding_torch import apply_rotary_emb

        return apply_rotary_emb(rotary(positions.float()), x)

    turned(name, "RotaryEmbedding", "rope(x, n)", turn, 64)
    xpos = RotaryEmbedding(dim=64, use_xpos=True, cache_if_possible=False)
    q, k = rng.standard_normal((2, 1, 2, 40, 64)).astype(np.float32)
    with torch.no_grad():
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
    compare(name, "xPos, scores", ours, scores, expected, far=40, **about)

    steps = [np.linspace(-1, 1, n) for n in (4, 6)]
    pixel = RotaryEmbedding(dim=16, freqs_for="pixel", max_freq=10)
    with torch.no_grad():
        theirs = pixel.get_axial_freqs(4, 6).numpy()[..., ::2].reshape(24, 16)
    ladder = np.linspace(1, 5, 8) * np.pi
    grid = np.stack(np.meshgrid(*steps, indexing="ij"), axis=-1).reshape(24, 2)
    expected = np.concatenate([grid[:, :1] * ladder, grid[:, 1:] * ladder], axis=1)
    ours = "places[..., axes] * frequencies, for rotate"
    about = {"order": "interleaved", "scaling": "row, then column; frequencies from π to 5π"}
    compare(name, "pixel axial, angles", ours, theirs, expected, kind="axes", far=16, **about)


def keras_rows():
    import keras_hub

    name = "keras-hub"
    made = keras_hub.layers.SinePositionEncoding()(np.zeros((1, 300, 64), np.float32))[0]
    ours = "sinusoidal(300, 64)"
    table(name, "SinePositionEncoding", ours, made.detach().numpy(), sinusoidal(300, 64))
    layer = keras_hub.layers.RotaryEmbedding(sequence_axis=2)

    def keras_rope(x, positions):
        return torch.as_tensor(layer(x, positions=positions.float()))

    turned(name, "RotaryEmbedding", "rope(x, n, layout='halves')", keras_rope, 64, layout="halves")
    made = keras_hub.layers.AlibiBias()(np.zeros((1, 12, 20, 20), np.float32))[0].detach().numpy()
    bias = alibi_bias(12, 20, 20)
    made = made - made.max(axis=-1, keepdims=True)
    last = made[:, -1] - made[:, -1].max(axis=-1, keepdims=True)
    code = "AlibiBias, last query"
    compare(name, code, "alibi_bias(12, n, n)", last, bias[:, -1], kind="bias", far=20)


# The functions of Transformers' model files that say which columns are a pair.
TURNING = (
    "rotate_half",
    "rotate_every_two",
    "rotate_half_llm",
    "rotate_half_text",
    "apply_rotary_pos_emb_interleave",
)
# What they make of 0, 1, 2, ..., 7 in a quarter of a turn.
QUARTER_TURNS = {
    (-4, -5, -6, -7, 0, 1, 2, 3): "halves",
    (4, 5, 6, 7, 0, -1, -2, -3): "halves, the other way round",
    (-1, 0, -3, 2, -5, 4, -7, 6): "neighbours",
    (-1, -3, -5, -7, 0, 2, 4, 6): "neighbours",  # in, and halves out
}


def layouts_of_transformers():
    """Return the model files of transformers that turn halves, neighbours, or both.

    Each function of `TURNING` that a file has is called. Which layers call it is not asked.
    """
    import transformers.models

    found = {name: [] for name in ("neighbours", "both", *QUARTER_TURNS.values(), "neither")}
    for path in sorted(Path(transformers.models.__path__[0]).glob("*/modeling_*.py")):
        text = path.read_text(encoding="utf-8")
        names = [name for name in TURNING if f"def {name}(" in text]
        if not names:
            continue
        module = importlib.import_module(f"transformers.models.{path.parent.name}.{path.stem}")
        turns = {QUARTER_TURNS.get(quarter_turn(getattr(module, name))) for name in names}
        kind = "both" if turns == {"halves", "neighbours"} else turns.pop() or "neither"
        found[kind].append(path.stem.removeprefix("modeling_"))
    return found


def quarter_turn(function):
    given = torch.arange(8.0).view(1, 1, 1, 8)
    if function.__name__.startswith("apply"):
        cosine, sine = torch.zeros(1, 1, 8), torch.ones(1, 1, 8)
        turned = function(given, given, cosine, sine)[0]
    else:
        turned = function(given)
    return tuple(int(number) for number in turned.flatten().tolist())


def main():
    torch.manual_seed(0)
    for part in (
        transformers_tables,
        transformers_rope,
        transformers_scaling,
        transformers_axes,
        transformers_biases,
        whole_model,
        torch_attention,
        diffusers_rows,
        timm_rows,
        small_libraries,
        keras_rows,
    ):
        part()
    layouts = layouts_of_transformers()
    print({name: len(folders) for name, folders in layouts.items()})
    result = {
        "date": datetime.now(UTC).date().isoformat(),
        "versions": {name: version(name).partition("+")[0] for name in LIBRARIES},
        "layouts": layouts,
        "rows": rows,
    }
    RESULT.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    unexplained = [row["code"] for row in rows if not row["reason"]]
    print(f"\n{len(rows)} rows, written to {RESULT.relative_to(Path.cwd())}")
    if unexplained:
        sys.exit(f"without a reason: {unexplained}")


if __name__ == "__main__":
    main()
