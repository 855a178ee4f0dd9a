"""The rotary embeddings of Transformers' models, without scaling."""

import numpy as np
import torch

from conformance.rows import in_words, turned
from conformance.transformers import hf_rope, modeling
from posenc import frequencies


def compare_all():
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
