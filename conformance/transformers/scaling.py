"""The rotary embeddings of Transformers that are stretched."""

import numpy as np

from conformance.rows import TOKENS, compare, in_words, turned
from conformance.transformers import hf_rope, modeling
from posenc.scaling import scaled_frequencies


def compare_all():
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
