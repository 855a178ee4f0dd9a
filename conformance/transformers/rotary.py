"""The rotary embeddings of Transformers' models, without scaling."""

import numpy as np
import torch
import transformers

from conformance.rows import in_words, turned
from conformance.transformers import hf_rope, modeling

SMALL = {"hidden_size": 256, "num_attention_heads": 4, "head_dim": 64, "pad_token_id": 0}
BASE = {"rope_type": "default", "rope_theta": 10_000.0}


def model(folder, name, **parameters):
    """Return the function of a model whose classes begin with `name`."""
    config = getattr(transformers, f"{name}Config")(**SMALL, rope_parameters=BASE | parameters)
    return hf_rope(folder, config, f"{name}RotaryEmbedding")


def compare_all():
    llama = model("llama", "Llama")
    turned("Llama", "rope(x, n, layout='halves')", llama, 64)
    for place in (32_000, 131_000):
        ours = f"rope(x, {place} + np.arange(n), layout='halves')"
        code = f"Llama at position {in_words(place)}"
        turned(code, ours, llama, 64, places=place + np.arange(64), names={"n": 64})
    for code, folder, name, theta in (
        ("Mistral", "mistral", "Mistral", 1e6),
        ("Qwen 3", "qwen3", "Qwen3", 1e6),
        ("Phi-3", "phi3", "Phi3", 1e4),
        ("gpt-oss, without scaling", "gpt_oss", "GptOss", 150_000.0),
    ):
        ours = f"rope(x, n, base={theta:.0f}, layout='halves')"
        turned(code, ours, model(folder, name, rope_theta=theta), 64)
    turned("Cohere", "rope(x, n)", model("cohere", "Cohere"), 64)
    turned("Helium", "rope(x, n)", model("helium", "Helium"), 64)
    turned("ERNIE 4.5", "rope(x, n)", model("ernie4_5", "Ernie4_5"), 64)
    gpt_neox = model("gpt_neox", "GPTNeoX", partial_rotary_factor=0.25)
    ours = "rope(x, n, frequencies=frequencies(16), layout='halves')"
    turned("GPT-NeoX, a quarter of 64", ours, gpt_neox, 64)
    glm = model("glm", "Glm", partial_rotary_factor=0.5)
    turned("GLM, half of 64", "rope(x, n, frequencies=frequencies(32))", glm, 64)

    def gpt_j(x, positions):
        code = modeling("gptj")
        sine, cosine = code.create_sinusoidal_positions(200_000, 16)[positions].chunk(2, dim=-1)
        rows = x.transpose(1, 2)  # (1, tokens, heads, width)
        part = code.apply_rotary_pos_emb(rows[..., :16], sine[None], cosine[None])
        return torch.cat([part, rows[..., 16:]], dim=-1).transpose(1, 2)

    turned("GPT-J, 16 of 64", "rope(x, n, frequencies=frequencies(16))", gpt_j, 64)

    own = modeling("roformer")
    every = own.RoFormerSinusoidalPositionalEmbedding(140_000, 64).create_weight().detach()

    def roformer(x, positions):
        apply = own.RoFormerSelfAttention.apply_rotary_position_embeddings
        return apply(every[positions][None, None], x, x)[0]

    turned("RoFormer", "rope(x, n)", roformer, 64)

    config = transformers.Llama4TextConfig(**SMALL, rope_parameters=BASE)
    module = modeling("llama4").Llama4TextRotaryEmbedding(config)

    def llama4(x, positions):
        rows = x.transpose(1, 2)
        turn = modeling("llama4").apply_rotary_emb
        return turn(rows, rows, module(rows, positions[None]))[0].transpose(1, 2)

    turned("Llama 4", "rope(x, n)", llama4, 64)

    config = transformers.DeepseekV3Config(rope_parameters=BASE, qk_rope_head_dim=64)
    config.head_dim = 64
    apply = "apply_rotary_pos_emb_interleave"
    function = hf_rope("deepseek_v3", config, "DeepseekV3RotaryEmbedding", apply=apply)
    order = "neighbours in, halves out"
    ours = "rope(x, n)[..., np.r_[0:64:2, 1:64:2]]"
    turned("DeepSeek-V3, halves out", ours, function, 64, order=order)
