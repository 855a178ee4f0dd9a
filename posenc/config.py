"""The position settings of a model's ``config.json``, under the names of today."""

from typing import Any

from posenc._checks import shown

__all__ = ["rotary_settings"]

# Names that older configs have for the base and for the part that turns.
THETA = ("rope_theta", "rotary_emb_base", "rope_base")
PART = ("partial_rotary_factor", "rotary_pct", "rope_pct")
HIDDEN = ("embed_dim", "hidden_size", "n_embd", "d_model")
HEADS = ("num_attention_heads", "num_heads", "n_head", "n_heads")


def rotary_settings(config: dict[str, Any], *, layers: str | None = None) -> dict[str, Any]:
    """Return the arguments of `scaled_frequencies` that a config has.

    Parameters
    ----------
    config : dict
        A ``config.json``, old or new, or what ``to_dict()`` of a Transformers config returns. Of a
        model of text and images the settings of the text are read.
    layers : str, optional
        Which kind of layers, where they differ: "full_attention" or "sliding_attention" in most.

    Returns
    -------
    dict
        ``head_dim``, ``rope_parameters`` and, if the config has it, ``max_position_embeddings``.
        The config itself stays as it is.

    Raises
    ------
    TypeError
        If `config` is no dict.
    ValueError
        If the config has no base or no width, or has several kinds of layers and `layers` names
        none of them.

    See Also
    --------
    posenc.scaling.scaled_frequencies : Takes what this function returns.

    Notes
    -----
    A config without a base is refused: Llama 2's first ones mean 10 000, and a model without
    rotary embeddings has none either. Where ``qk_rope_head_dim`` is given, as in DeepSeek, it is
    the width, and a part beside it says the same once more.

    Examples
    --------
    >>> from posenc.config import rotary_settings
    >>> from posenc.scaling import scaled_frequencies
    >>> pythia = {"hidden_size": 512, "num_attention_heads": 8, "rotary_pct": 0.25}
    >>> settings = rotary_settings(pythia | {"rotary_emb_base": 10_000})
    >>> print(settings)
    {'head_dim': 64, 'rope_parameters': {'rope_theta': 10000, 'partial_rotary_factor': 0.25}}
    >>> omega, factor = scaled_frequencies(**settings)
    >>> print(omega.round(3))
    [1.    0.316 0.1   0.032 0.01  0.003 0.001 0.   ]
    """
    if not isinstance(config, dict):
        raise TypeError(f"config must be a dict, got {shown(config)}")
    text = config.get("text_config")
    if isinstance(text, dict) and not _first(config, ("rope_parameters", *THETA)):
        config = text
    parameters = _parameters(config, layers)
    whole = _head_dim(config, layers)
    if config.get("qk_rope_head_dim"):
        parameters.pop("partial_rotary_factor", None)
        whole = config["qk_rope_head_dim"]
    elif config.get("rotary_dim") and "partial_rotary_factor" not in parameters:
        parameters["partial_rotary_factor"] = config["rotary_dim"] / whole
    settings = {"head_dim": whole, "rope_parameters": parameters}
    longest = config.get("max_position_embeddings")
    if longest:  # JSON has one kind of numbers, and some write 1200.0
        settings["max_position_embeddings"] = int(longest) if longest % 1 == 0 else longest
    return settings


def _parameters(config: dict[str, Any], layers: str | None) -> dict[str, Any]:
    """Return the settings of one kind of layers, with base and part among them."""
    kinds = _kinds(config)
    if layers is not None and layers not in kinds and kinds:
        raise ValueError(f"layers must be one of {[*kinds]}, got {shown(layers)}")
    if kinds and layers is None and len(kinds) > 1:
        raise ValueError(f"layers must say which of {[*kinds]}, where a list differs, got None")
    found = kinds[layers or next(iter(kinds))] if kinds else _one(config)
    if found is None:
        raise ValueError(f"layers must be some with positions; those of {layers!r} have none")
    parameters = dict(found)
    for name, names in (("rope_theta", THETA), ("partial_rotary_factor", PART)):
        value = _first(config, names)
        if value is not None and parameters.get(name) is None:
            parameters[name] = value
    original = config.get("original_max_position_embeddings")
    if original and parameters.get("rope_type", parameters.get("type")) in ("longrope", "su"):
        parameters["original_max_position_embeddings"] = original
    if parameters.get("rope_theta") is None:
        raise ValueError(
            f"config must have a base, under one of {THETA} or in rope_parameters: add rope_theta, "
            f"10 000 for the first Llamas, got {shown(config)}"
        )
    return parameters


def _one(config: dict[str, Any]) -> dict[str, Any]:
    """Return the settings that all layers share."""
    return config.get("rope_parameters") or config.get("rope_scaling") or {}


def _kinds(config: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of each kind of layers, in today's form or an older one."""
    one = _one(config)
    kinds = {name: each for name, each in one.items() if isinstance(each, dict)}
    if kinds:
        return {name: one[name] for name in one if one[name] is None or name in kinds}
    if config.get("rope_local_base_freq"):  # Gemma 3: its scaling is that of the full layers
        return {
            "full_attention": {"rope_theta": config.get("rope_theta"), **one},
            "sliding_attention": {"rope_theta": config["rope_local_base_freq"]},
        }
    if config.get("global_rope_theta"):  # ModernBERT
        return {
            "full_attention": {"rope_theta": config["global_rope_theta"]},
            "sliding_attention": {"rope_theta": config.get("local_rope_theta")},
        }
    return {}


def _head_dim(config: dict[str, Any], layers: str | None) -> int:
    """Return the columns of a head."""
    kinds = config.get("layer_types") or []
    for number, own in (config.get("per_layer_config") or {}).items():  # Gemma 4
        if layers is not None and own.get("head_dim") and kinds[int(number)] == layers:
            return int(own["head_dim"])
    if layers == "full_attention" and config.get("global_head_dim"):  # Gemma 4 as it was published
        return int(config["global_head_dim"])
    if config.get("head_dim"):
        return int(config["head_dim"])
    hidden, heads = _first(config, HIDDEN), _first(config, HEADS)
    if not hidden or not heads:
        raise ValueError(
            "config must have head_dim, or hidden_size and num_attention_heads, "
            f"got {shown(config)}"
        )
    return int(hidden) // int(heads)


def _first(config: dict[str, Any], names: tuple[str, ...]) -> Any:
    """Return the value of the first of these names that the config has."""
    return next((config[name] for name in names if config.get(name) is not None), None)
