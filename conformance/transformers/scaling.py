"""The rotary embeddings of Transformers that are stretched."""

import numpy as np

from conformance.rows import TOKENS, compare, in_words, turned
from conformance.transformers import hf_rope, modeling
from posenc_check import scaled_frequencies

OMEGA = "factor * rope(x, n, frequencies=omega, layout='halves')"
LONG = {"original_max_position_embeddings": 4096}
LISTS = {"short_factor": [1.0] * 64, "long_factor": [1.0 + pair / 8 for pair in range(64)]}
LLAMA_3 = {"low_freq_factor": 1.0, "high_freq_factor": 4.0}
LLAMA_3 |= {"rope_theta": 500_000.0, "original_max_position_embeddings": 8192}
DYNAMIC = {"rope_type": "dynamic", "factor": 2.0}
SAID = {
    "dynamic NTK, factor 2": "as trained, up to 4 096 tokens",
    "LongRoPE, long": "a factor for each pair",
    "dynamic NTK, factor 2, at 8064 tokens": "those of base {}",
}
QUARTER = {"rope_type": "proportional", "partial_rotary_factor": 0.25}
# Code, settings, how many tokens there are and the first that is compared.
CASES = [
    ("linear, factor 4", {"rope_type": "linear", "factor": 4.0}, TOKENS, 0),
    ("dynamic NTK, factor 2", DYNAMIC, TOKENS, 0),
    ("Llama 3.1", {"rope_type": "llama3", "factor": 8.0, **LLAMA_3}, TOKENS, 0),
    ("YaRN, factor 16", {"rope_type": "yarn", "factor": 16.0, **LONG}, TOKENS, 0),
    ("p-RoPE, a quarter", QUARTER, TOKENS, 0),
    # the frequencies change with the text, so it must be a long one
    ("LongRoPE, long", {"rope_type": "longrope", "factor": 32.0, **LISTS, **LONG}, 4928, 4800),
    ("dynamic NTK, factor 2, at 8064 tokens", DYNAMIC, 8064, 8000),
]


def compare_all():
    from transformers import DeepseekV3Config, GptOssConfig, LlamaConfig, Phi3Config

    head = {"hidden_size": 512, "num_attention_heads": 4}
    for code, parameters, tokens, first in CASES:
        longest = 131_072 if "original_max_position_embeddings" in parameters else 4096
        parameters = {"rope_theta": 10_000.0} | parameters
        lengths = {"max_position_embeddings": longest}
        config = LlamaConfig(**head, **lengths, rope_parameters=dict(parameters))
        omega, factor, _ = scaled_frequencies(128, parameters, sequence_length=tokens, **lengths)
        function = hf_rope("llama", config, "LlamaRotaryEmbedding")
        about = {"names": {"omega": omega, "factor": factor}, "kind": "stretched"}
        about["scaling"] = SAID.get(code, "").format(in_words(omega[1] ** -64))
        turned(code, OMEGA, function, 128, places=np.arange(first, tokens), **about)
    for code, config, folder, kind, dim in (
        ("gpt-oss, default config", GptOssConfig(), "gpt_oss", "GptOss", 64),
        ("DeepSeek-V3, default config", DeepseekV3Config(), "deepseek_v3", "DeepseekV3", 64),
        ("Phi-3, default config", Phi3Config(pad_token_id=0), "phi3", "Phi3", 96),
    ):
        module = getattr(modeling(folder), f"{kind}RotaryEmbedding")(config)
        parameters = {"rope_type": "default"} | config.rope_parameters
        omega, factor, _ = scaled_frequencies(
            dim, parameters, max_position_embeddings=config.max_position_embeddings
        )
        ours = f"scaled_frequencies({dim}, rope_parameters, max_position_embeddings=longest)[:2]"
        theirs = np.append(module.inv_freq.numpy(), module.attention_scaling)
        about = {"base": in_words(parameters["rope_theta"]), "columns": f"{dim} of {dim}"}
        about["scaling"] = "as trained"
        if parameters["rope_type"] != "default":
            about["scaling"] = f"{parameters['rope_type']}, factor {parameters['factor']:g}"
        about["order"] = "neighbours in, halves out" if folder == "deepseek_v3" else "halves"
        compare(code, ours, theirs, np.append(omega, factor), kind="stretched", **about)
