"""The position settings of a model's ``config.json``, under the names of today.

What a key or a model type means stands in ``config_keys.json``, as Transformers 5.23.0 has it.
"""

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from posenc._checks import shown, whole_number

__all__ = ["rotary_settings"]

DATA = json.loads(Path(__file__).with_name("config_keys.json").read_text(encoding="utf-8"))
NAMES = DATA["names"]
THETA, PART, SECOND_BASE = NAMES["rope_theta"], NAMES["partial_rotary_factor"], DATA["second_base"]
UNSCALED = (None, "default", "mrope", "axial")
READ = {*THETA, *PART, *DATA["read"], *SECOND_BASE, *DATA["turns_if"]}
# A key with one of these in its name is about positions, and is never passed over.
ABOUT_POSITIONS = re.compile("|".join(DATA["about_positions"]))


def rotary_settings(
    config: dict[str, Any], *, layers: str | None = None, model_type: str | None = None
) -> dict[str, Any]:
    """Return the arguments of `scaled_frequencies` that a config has.

    Parameters
    ----------
    config : dict
        A ``config.json``, old or new, or ``to_dict()`` of a Transformers config. Of a model of
        text and images the settings of the text are read.
    layers : str, optional
        Which kind of layers, where they differ: "full_attention" or "sliding_attention" in most.
    model_type : str, optional
        Read the config as one of this type, in place of the one that it names.

    Returns
    -------
    dict
        ``head_dim``, ``rope_parameters`` and, if the config has them, ``max_position_embeddings``
        and ``elsewhere``: what else the model does with positions, each with its key. Nothing is
        filled in, and a config without ``model_type`` is read by its keys alone.

    Examples
    --------
    >>> from posenc_check import rotary_settings, scaled_frequencies
    >>> pythia = {"hidden_size": 512, "num_attention_heads": 8, "rotary_pct": 0.25}
    >>> settings = rotary_settings(pythia | {"rotary_emb_base": 10_000})
    >>> print(settings)
    {'head_dim': 64, 'rope_parameters': {'rope_theta': 10000, 'partial_rotary_factor': 0.25}}
    >>> omega, factor, elsewhere = scaled_frequencies(**settings)
    >>> print(omega.round(3), factor, elsewhere)
    [1.    0.316 0.1   0.032 0.01  0.003 0.001 0.   ] 1.0 {}
    """
    config, rule, kinds = kinds_of_layers(config, model_type)
    parameters = _one_of(kinds, layers, config)
    still = "layers of this kind have no RoPE; this list is of the others"
    elsewhere = {name: still for name in kinds if kinds[name] is None} | _elsewhere(config, rule)
    for name, names in (("rope_theta", THETA), ("partial_rotary_factor", PART)):
        # Where there are several kinds, a key at the top is that of those without their own.
        value = _agreed(config, names, {} if len(kinds) > 1 else parameters)
        if value is not None and parameters.get(name) is None:
            parameters[name] = value
    kind = parameters.get("rope_type", parameters.get("type"))
    if kind is None and "type" in rule:
        kind = parameters["rope_type"] = rule["type"]
    if rule.get("part", 1) != 1 and not config.get("rotary_dim"):
        _present(parameters, "partial_rotary_factor", rule["part"], config)
    # The library's scalings all read a part; the lists without scaling are of the model's own code.
    if kind in UNSCALED and rule and ("part" not in rule or "filled" in rule):
        _leave_out("partial_rotary_factor", parameters, (None, 1), config)
    head_dim = _head_dim(config, layers, rule)
    if config.get("qk_rope_head_dim") is not None:
        whole, head_dim = head_dim, _whole(config["qk_rope_head_dim"], "qk_rope_head_dim")
        if (part := parameters.pop("partial_rotary_factor", 1)) not in (1, head_dim / whole):
            raise ValueError(f"partial_rotary_factor must be {head_dim / whole:g} or 1, got {part}")
    elif config.get("rotary_dim"):
        part = _whole(config["rotary_dim"], "rotary_dim") / head_dim
        if (given := parameters.setdefault("partial_rotary_factor", part)) != part:
            raise ValueError(f"partial_rotary_factor must be {part:g}, by rotary_dim, got {given}")
    _present(parameters, "rope_theta", rule.get("theta"), config)
    if kind in ("longrope", "su") and (original := config.get("original_max_position_embeddings")):
        parameters["original_max_position_embeddings"] = original
    settings = {"head_dim": head_dim, "rope_parameters": parameters}
    if longest := config.get("max_position_embeddings"):
        settings["max_position_embeddings"] = _whole(longest, "max_position_embeddings")
    return settings | ({"elsewhere": elsewhere} if elsewhere else {})


def kinds_of_layers(config: Any, model_type: str | None) -> tuple[dict[str, Any], ...]:
    """Return the config of the text, the rule of its type, and what each kind of layers has.

    What is said of positions outside of the text's config is part of it.
    """
    if not isinstance(config, dict):
        raise TypeError(f"config must be a dict, got {shown(config)}")
    inner = _first(config, NAMES["text_config"])
    if isinstance(inner, dict) and not _first(config, ("rope_parameters", *THETA)):
        outside = {key: config[key] for key in config if ABOUT_POSITIONS.search(key)}
        return kinds_of_layers(outside | inner, model_type)
    rule = _rule(model_type or config.get("model_type"), config)
    return config, rule, _kinds(config, rule)


def _rule(kind: Any, config: dict[str, Any]) -> dict[str, Any]:
    """Return what is known of a model type; raise where nothing turns, or nothing is known."""
    for reason, types in DATA["refused"].items():
        if kind in types:
            raise ValueError(f"config must be of a model whose list is read, got {kind}: {reason}")
    if kind and kind not in DATA["models"]:
        raise ValueError(
            "model_type must be one that was compared with its code, or be passed: "
            f"model_type='llama' reads the config as one of Llama's, got {shown(kind)}"
        )
    rule: dict[str, Any] = DATA["models"].get(kind, {})
    for name in rule.get("ignores", ()):
        others = _first(config, {*NAMES.get(name, ())} - {name})  # if given, they must agree
        _leave_out(name, config, (None, others), config)
    for name, (turning, instead) in DATA["turns_if"].items():
        value = rule.get("else", {}).get(name) if config.get(name) is None else config[name]
        if value is not None and value not in turning:
            raise ValueError(f"config must be of a model that turns, got {name} {value}: {instead}")
    return rule


def _present(found: dict[str, Any], name: str, value: Any, config: dict[str, Any]) -> None:
    """Raise if a setting is left to the model's code, with what its code has for it."""
    if found.get(name) is None:
        code = f", {value}" if value else ""
        raise ValueError(
            f"config must have {name}: pass what to_dict() of its Transformers config returns, or "
            f"add what its code has{code}, if its code turns at all, got {shown(config)}"
        )


def _leave_out(name: str, found: dict[str, Any], may: tuple[Any, ...], config: Any) -> None:
    """Raise if a setting that the model's code does not read has another value than it may have."""
    if found.get(name) not in may:
        raise ValueError(
            f"config must have no {name}, which the code of its model_type does not read: leave it "
            f"out, or write rope_parameters as its to_dict() does, got {shown(config)}"
        )


def _elsewhere(config: dict[str, Any], rule: dict[str, Any]) -> dict[str, str]:
    """Return what else the config asks for; raise where a key is about positions and unknown."""
    known = DATA["elsewhere"]
    config = {name: value for name, value in config.items() if value is not None}
    for name in config:
        if ABOUT_POSITIONS.search(name) and name not in READ and name not in known:
            raise ValueError(
                f"config must have no key about positions that is not known here, got {name} "
                f"{shown(config[name])}: leave it out if it does not act in your model"
            )
    asked = rule.get("also", {}) | config
    acting = [name for name in known if asked.get(name, False) is not False]
    found = {name: known[name].format_map(DATA["defaults"] | config) for name in acting}
    listed, every = config.get("no_rope_layers"), asked.get("no_rope_layer_interval")
    if not listed and every:
        listed = [(i + 1) % every for i in range(config.get("num_hidden_layers", every))]
    if still := [i for i, turns in enumerate(listed or ()) if not turns]:
        found["no_rope_layers"] = f"layers {still}, from 0 on, do not turn; others have this list"
    return found


def _kinds(config: dict[str, Any], rule: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of each kind of layers, in today's form or an older one; None: still."""
    new, old = (config.get(name) or {} for name in ("rope_parameters", "rope_scaling"))
    if not isinstance(new, dict) or not isinstance(old, dict):
        raise TypeError(f"rope_scaling must be a dict, as rope_parameters, got {shown(old or new)}")
    if new and old and {**old, "rope_theta": 0} != {**new, "rope_theta": 0}:
        raise ValueError(f"rope_parameters and rope_scaling must agree, got {new} and {old}")
    one, of_each = new or old, rule.get("kinds", ())
    theta = _agreed(config, THETA, one)
    if "scaled" not in rule or theta in (None, rule["theta"]):  # of OLMo 3 another is not read
        if any(isinstance(each, dict) for each in one.values()):
            return {name: own for name, own in one.items() if own is None or isinstance(own, dict)}
        if "scaled" in rule and not new and "type" not in one:
            return dict(zip(of_each, (one, {}), strict=True))
    for name, (first, second, scaled, unless) in ({} if of_each and new else SECOND_BASE).items():
        if config.get(name) and {first, second} == {*(of_each or (first, second))}:
            kinds = {first: {"rope_theta": theta}, second: {"rope_theta": config[name]}}
            return kinds | {scaled: (one and unless | one | kinds[scaled]) or kinds[scaled]}
    if of_each or ("filled" in rule and not one):
        name = "rope_parameters of each kind of layers" if of_each else "rope_parameters"
        _present({}, name, rule.get("scaled", " and ".join(of_each)), config)
    if (bases := config.get("layer_rope_theta")) and set(bases) != {theta}:
        return {f"base {own:g}": (one | {"rope_theta": own}) if own else None for own in bases}
    windowless = config.get("sliding_window", 0) is None and rule.get("windowless")
    if windowless == "none":
        raise ValueError("sliding_window must be a number, without which no layer turns, got None")
    if "still" in rule and windowless != "all":
        return {"sliding_attention": one, rule["still"]: None}
    return {"": one}


def _one_of(kinds: dict[str, Any], layers: str | None, config: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of the kind of layers that is asked for."""
    turning = [name for name in kinds if kinds[name] is not None]
    if layers is None:
        if len(turning) != 1:
            raise ValueError(f"layers must say which of {turning}, where a list differs, got None")
        layers = turning[0]
    elif "" in kinds:  # all that turn are alike
        named = {*(config.get("layer_types") or DATA["own_head_dim"])}
        turning = sorted(name for name in named if "attention" in name and "linear" not in name)
    if layers not in turning:
        raise ValueError(f"layers must be one with RoPE, of {turning}, got {shown(layers)}")
    return dict(kinds["" if "" in kinds else layers])


def _head_dim(config: dict[str, Any], layers: str | None, rule: dict[str, Any]) -> int:
    """Return the columns of a head."""
    for number, own in (config.get("per_layer_config") or {}).items():  # Gemma 4
        if own.get("head_dim") and config["layer_types"][int(number)] == layers:
            return _whole(own["head_dim"], "head_dim")
    if width := _first(config, (DATA["own_head_dim"].get(layers, ""), *NAMES["head_dim"])):
        return _whole(width, "head_dim")
    hidden, heads = (_first(config, NAMES[name]) for name in ("hidden_size", "num_attention_heads"))
    if "head_dim" in rule or not hidden or not heads:
        _present({}, "head_dim", rule.get("head_dim"), config)
    if _whole(hidden, "hidden_size") % _whole(heads, "num_attention_heads"):
        raise ValueError(f"hidden_size must be a multiple of the heads, got {hidden} and {heads}")
    return int(hidden // heads)


def _whole(value: Any, name: str) -> int:
    """Return a positive whole number; JSON has one kind of numbers, and some write 1200.0."""
    as_float = isinstance(value, float) and value.is_integer()
    return whole_number(int(value) if as_float else value, name, least=1)


def _agreed(config: dict[str, Any], names: Sequence[str], one: dict[str, Any]) -> Any:
    """Return the value that the config has under any of these names, at the top or in `one`."""
    found = [value for value in (*map(config.get, names), one.get(names[0])) if value is not None]
    if any(value != found[0] for value in found):
        raise ValueError(f"{names[0]} must have one value under all its names, got {found}")
    return found[0] if found else None


def _first(config: dict[str, Any], names: Iterable[str]) -> Any:
    """Return the value of the first of these names that the config has."""
    return next((config[name] for name in names if config.get(name) is not None), None)
