"""Transformers: tables, rotary embedding and its scalings, axes, biases, and a whole layer."""

import importlib
import inspect

# The settings of a small model, from which most classes of configs can be built.
SMALL = {
    "vocab_size": 97,
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 256,
    "pad_token_id": 0,
}


def modeling(folder):
    """Return the model file of a folder of transformers.models."""
    return importlib.import_module(f"transformers.models.{folder}.modeling_{folder}")


def classes_of(module):
    """Return the classes that a module defines, by name."""
    classes = {name: kind for name, kind in vars(module).items() if inspect.isclass(kind)}
    return {name: kind for name, kind in classes.items() if kind.__module__ == module.__name__}


def hf_rope(folder, config, rotary, *, apply="apply_rotary_pos_emb"):
    """Return a function that turns x as the model does, from its config."""
    code = modeling(folder)
    module = getattr(code, rotary)(config)

    def function(x, positions):
        cosine, sine = module(x, positions[None])
        return getattr(code, apply)(x, x, cosine, sine)[0]

    return function
