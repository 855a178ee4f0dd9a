"""The position settings of a model's ``config.json``, under the names of today.

What a key or a model type means stands in ``config_keys.json``. Its entries on model types are made
from the newest release of Transformers by ``make keys``.
"""

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypedDict

from posenc._checks import positive_base, shown, whole_number
from posenc_check.findings import Finding
from posenc_check.words import sentence

__all__ = ["ConfigRefused", "rotary_settings"]

DATA = json.loads(Path(__file__).with_name("config_keys.json").read_text(encoding="utf-8"))
NAMES: dict[str, list[str]] = DATA["names"]
THETA, PART, SECOND_BASE = NAMES["rope_theta"], NAMES["partial_rotary_factor"], DATA["second_base"]
UNSCALED = (None, "default", "mrope", "axial")
LONGROPE = ("longrope", "su")
READ = {*THETA, *PART, *DATA["read"], *SECOND_BASE, *DATA["turns_if"]}
# A key with one of these in its name is about positions, and is never passed over.
ABOUT_POSITIONS = re.compile("|".join(DATA["about_positions"]))
# A key that is one letter off one of these is taken for a slip.
SPELLED = sorted(READ.union(*NAMES.values(), DATA["acting"]) - {"rotary", "theta", "temperature"})


class Rule(TypedDict, total=False):
    """What the code of one model type does with its config. Every key may be missing."""

    theta: float  #: the base of its class, where the config has none
    head_dim: int  #: the columns of a head of its class; without it, hidden_size over the heads
    hidden_size: int  #: the width of its class, where the config has none
    num_attention_heads: int  #: the heads of its class, where the config has none
    part: float  #: its class's partial_rotary_factor; without it, the code reads no such factor
    type: str  #: the rope_type that its code has in place of "default"
    defaults: dict[str, Any]  #: the rope_parameters of its class, where they have a scaling
    kinds: dict[str, dict[str, Any] | None]  #: those of each kind of layers, where they differ
    second: str  #: the key of the second base, which its class reads beside rope_theta
    still: str  #: the kind of layers that does not turn
    windowless: str  #: which layers turn where sliding_window is null: "all" or "none"
    ignores: list[str]  #: keys that its code does not read
    turns_default: dict[str, Any]  #: its class's value of a key that says whether anything turns
    also: dict[str, Any]  #: settings that its class has, and that act beside the list


class ConfigRefused(ValueError):
    """A config that is not read, with the reason as data.

    Attributes
    ----------
    finding : Finding
        The reason: its kind, and what belongs to it.
    cures : list of dict
        Ways to have it read. Each may have ``"add"``, entries for the config; ``"remove"``, keys
        to leave out; and ``"model_type"``, to be passed to `rotary_settings`.
    """

    def __init__(self, kind: str, *cures: dict[str, Any], **values: Any) -> None:
        self.finding, self.cures = Finding(kind, **values), list(cures)
        super().__init__(sentence(self.finding))


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
        and ``elsewhere``: what else the model does with positions, each with its key. What a config
        leaves to the class of its ``model_type`` is filled in from there, and ``elsewhere`` names
        it. A config without ``model_type`` is read by its keys alone, and nothing is filled in.

    Raises
    ------
    ConfigRefused
        If the settings are not all there, contradict one another, or are of a model whose code
        does something else with them. It is a ValueError, with the reason and cures as data.

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
    parameters = _settings_of_kind(kinds, layers, config)
    elsewhere = {name: sentence(Finding("acts still")) for name in kinds if kinds[name] is None}
    elsewhere |= _elsewhere(config, rule)
    for name, names in (("rope_theta", THETA), ("partial_rotary_factor", PART)):
        # Where there are several kinds, a key at the top is that of those without their own.
        value = _agreed(config, names, {} if len(kinds) > 1 else parameters)
        if value is not None and parameters.get(name) is None:
            parameters[name] = value
    kind = parameters.get("rope_type", parameters.get("type"))
    if kind is None and "type" in rule:
        kind = parameters["rope_type"] = rule["type"]
    _fill_part(parameters, config, rule, elsewhere)
    # The library's scalings all read a part; the lists without scaling are of the model's own code.
    if kind in UNSCALED and rule and ("part" not in rule or "defaults" in rule):
        _require_absent("partial_rotary_factor", parameters, (None, 1), config)
    head_dim = _turning_width(config, layers, rule, parameters, elsewhere)
    if parameters.get("rope_theta") is None:
        base = rule.get("theta")
        parameters["rope_theta"] = _of_class("rope_theta", base, config, elsewhere)
    if kind in LONGROPE and (original := config.get("original_max_position_embeddings")):
        parameters["original_max_position_embeddings"] = original
    settings = {"head_dim": head_dim, "rope_parameters": parameters}
    if longest := config.get("max_position_embeddings"):
        settings["max_position_embeddings"] = _whole(longest, "max_position_embeddings")
    return settings | ({"elsewhere": elsewhere} if elsewhere else {})


def kinds_of_layers(
    config: Any, model_type: str | None
) -> tuple[dict[str, Any], Rule, dict[str, dict[str, Any] | None]]:
    """Return the config of the text, the rule of its type, and the settings of each kind of layers.

    What is said of positions outside of the text's config is part of it. The settings of a kind of
    layers that does not turn are None.
    """
    if not isinstance(config, dict):
        raise TypeError(f"config must be a dict, got {shown(config)}")
    inner = _first(config, NAMES["text_config"])
    if isinstance(inner, dict) and not _first(config, ("rope_parameters", *THETA)):
        outside = {key: config[key] for key in config if ABOUT_POSITIONS.search(key)}
        of_text = DATA["text_of"].get(config.get("model_type"))
        outside |= {"model_type": of_text} if of_text else {}
        return kinds_of_layers(outside | inner, model_type)
    if isinstance(of_attention := config.get("attn_config"), dict):  # DBRX
        inner = {key: of_attention[key] for key in of_attention if ABOUT_POSITIONS.search(key)}
        config = inner | config
    if isinstance(bases := config.get("rope_theta"), list | tuple) and bases:  # Step 3.5
        common = bases[0] if all(base == bases[0] for base in bases) else None
        config = {**config, "layer_rope_theta": bases, "rope_theta": common}
    rule = _rule(model_type or config.get("model_type"), config)
    _refuse_slips(config)
    for name in ("layer_types", "no_rope_layers", "layer_rope_theta"):
        if not isinstance(config.get(name, []), list | tuple | None):
            raise TypeError(
                f"{name} must be a list, an entry for each layer, got {shown(config[name])}"
            )
    return config, rule, _kinds(config, rule)


def _rule(kind: Any, config: dict[str, Any]) -> Rule:
    """Return what is known of a model type; raise where nothing turns, or nothing is known."""
    kind = DATA["text_of"].get(kind, kind)
    positions = config.get("position_embedding_type")
    for reason, types in DATA["refused"].items():
        if kind in types:
            if positions in DATA["turns_if"]["position_embedding_type"]["turning"]:
                return {}  # a model with code of its own, which has BERT's name and turns
            why = Finding(f"reason {reason}")
            raise ConfigRefused("not read", model_type=kind, reason=why)
    if kind and kind not in DATA["models"]:
        raise ConfigRefused("unknown model_type", {"model_type": "llama"}, got=shown(kind))
    rule: Rule = DATA["models"].get(kind, {})
    for name in rule.get("ignores", ()):
        others = _first(config, {*NAMES.get(name, ())} - {name})  # if given, they must agree
        _require_absent(name, config, (None, others), config)
    for name, asked in DATA["turns_if"].items():
        if kind and kind not in asked["read_by"]:
            continue
        value = (
            rule.get("turns_default", {}).get(name) if config.get(name) is None else config[name]
        )
        if value is not None and value not in asked["turning"]:
            why = Finding(f"turns {asked.get('otherwise', 'nothing')}")
            raise ConfigRefused("nothing turns", key=name, value=value, reason=why)
    return rule


def _refuse_slips(config: dict[str, Any]) -> None:
    """Raise if a key is one letter off a key about positions, or differs in signs or capitals."""
    known = READ.union(*NAMES.values(), DATA["acting"], DATA["much_alike"])
    for key in config:
        if key in known:
            continue
        for name in SPELLED:
            if _one_letter_off(str(key), name):
                cure = {"remove": [key], "add": {name: config[key]}}
                raise ConfigRefused("slip", cure, {"remove": [key]}, key=key, name=name)


def _one_letter_off(key: str, name: str) -> bool:
    """Return whether `key` is probably a misspelling of `name`.

    That is one letter added, dropped or changed, or two swapped. Case and punctuation do not
    count, and a name of fewer than eight letters has no misspelling.
    """
    plain, own = (re.sub("[^a-z0-9]", "", each.lower()) for each in (key, name))
    if plain == own:
        return True
    if len(own) < 8:  # short names resemble too much
        return False
    same = 0
    while plain[same : same + 1] == own[same : same + 1]:
        same += 1
    a, b = plain[same:], own[same:]
    return a[1:] == b or a == b[1:] or a[1:] == b[1:] or a[1::-1] + a[2:] == b


def _require_absent(name: str, found: dict[str, Any], may: tuple[Any, ...], config: Any) -> None:
    """Raise if a setting that the model's code does not read has another value than it may have."""
    if found.get(name) not in may:
        raise ConfigRefused(
            "not read by the code", {"remove": [name]}, name=name, got=shown(config)
        )


def _of_class(name: str, value: Any, config: dict[str, Any], elsewhere: dict[str, str]) -> Any:
    """Return a setting of the model's class, and note it in `elsewhere`; raise if it has none."""
    if value is None:
        raise ConfigRefused("missing", name=name, got=shown(config))
    elsewhere[name] = sentence(Finding("acts by class", value=value, release=DATA["transformers"]))
    return value


def _fill_part(
    parameters: dict[str, Any], config: dict[str, Any], rule: Rule, elsewhere: dict[str, str]
) -> None:
    """Add the partial_rotary_factor that the class of the model has, where the config has none."""
    name, part = "partial_rotary_factor", rule.get("part", 1)
    if part == 1 or config.get("rotary_dim") or parameters.get(name) is not None:
        return
    # Where the class has the part among its own rope_parameters, those of a config leave it out.
    alone = "defaults" in rule or name in rule.get("ignores", ())
    if alone and (config.get("rope_parameters") or config.get("rope_scaling")):
        cure = {"add": {name: part}}
        raise ConfigRefused("missing", cure, name=name, got=shown(config))
    parameters[name] = _of_class(name, part, config, elsewhere)


def _elsewhere(config: dict[str, Any], rule: Rule) -> dict[str, str]:
    """Return what else the config asks for; raise where a key is about positions and unknown."""
    known = DATA["acting"]
    config = {name: value for name, value in config.items() if value is not None}
    for name in config:
        if ABOUT_POSITIONS.search(name) and name not in READ and name not in known:
            cure = {"remove": [name]}
            raise ConfigRefused("unknown key", cure, key=name, value=shown(config[name]))
    asked = rule.get("also", {}) | config
    acting = [name for name in known if asked.get(name, False) is not False]
    values = {"config": DATA["acting_defaults"] | config, "release": DATA["transformers"]}
    found = {name: sentence(Finding(f"acts {name}", **values)) for name in acting}
    found |= _not_read(config)
    listed, every = config.get("no_rope_layers"), asked.get("no_rope_layer_interval")
    if not listed and every:
        layers = _whole(config.get("num_hidden_layers", every), "num_hidden_layers")
        listed = [(i + 1) % _whole(every, "no_rope_layer_interval") for i in range(layers)]
    if still := [i for i, turns in enumerate(listed or ()) if not turns]:
        found["no_rope_layers"] = sentence(Finding("acts no_rope_layers", layers=still))
    return found


def _not_read(config: dict[str, Any]) -> dict[str, str]:
    """Return the keys that would say that nothing turns, and that the code of the type ignores."""
    kind = config.get("model_type")
    found = {}
    for name, asked in DATA["turns_if"].items():
        ignored = kind in DATA["models"] and kind not in asked["read_by"]
        if ignored and name in config and config[name] not in asked["turning"]:
            found[name] = sentence(Finding("acts ignored", model_type=kind))
    return found


def _kinds(config: dict[str, Any], rule: Rule) -> dict[str, dict[str, Any] | None]:
    """Return the settings of each kind of layers, in today's form or an older one; None: still."""
    new, old = (config.get(name) or {} for name in ("rope_parameters", "rope_scaling"))
    if not isinstance(new, dict) or not isinstance(old, dict):
        raise TypeError(f"rope_scaling must be a dict, as rope_parameters, got {shown(old or new)}")
    if new and old and {**old, "rope_theta": 0} != {**new, "rope_theta": 0}:
        raise ValueError(f"rope_parameters and rope_scaling must agree, got {new} and {old}")
    settings = new or old
    if any(isinstance(each, dict) for each in settings.values()):
        return {name: own for name, own in settings.items() if own is None or isinstance(own, dict)}
    theta = _agreed(config, THETA, settings)
    if "kinds" in rule:
        return _kinds_from_one(config, rule, settings, theta)
    for name, form in ({} if new else SECOND_BASE).items():
        if config.get(name):
            return _two_kinds(form, settings, theta, config[name])
    if "defaults" in rule and not settings:
        # Some classes read a base beside the settings that they fill in, and others do not.
        if theta not in (None, rule["defaults"]["rope_theta"]):
            cure = {"add": {"rope_parameters": rule["defaults"] | {"rope_theta": theta}}}
            raise ConfigRefused("missing", cure, name="rope_parameters", got=shown(config))
        settings = rule["defaults"]
    bases = config.get("layer_rope_theta")
    if bases and any(base != theta for base in bases):
        checked = {base: base and positive_base(base, "layer_rope_theta") for base in bases}
        return {
            f"base {base:g}": settings | {"rope_theta": base} if base else None for base in checked
        }
    windowless = config.get("sliding_window", 0) is None and rule.get("windowless")
    if windowless == "none":
        raise ValueError("sliding_window must be a number, without which no layer turns, got None")
    if "still" in rule and windowless != "all":
        return {"sliding_attention": settings, rule["still"]: None}
    return {"": settings}


def _kinds_from_one(
    config: dict[str, Any], rule: Rule, settings: dict[str, Any], theta: Any
) -> dict[str, dict[str, Any] | None]:
    """Return the settings of each kind of layers of a config that has them side by side."""
    defaults, second = rule["kinds"], rule.get("second", "")
    # Of settings by an older name Transformers reads no scaling here.
    older = "type" in settings and "rope_type" not in settings
    if second in SECOND_BASE and not config.get("rope_parameters") and not older:
        form = SECOND_BASE[second]
        first_base, second_base = ((defaults[name] or {})["rope_theta"] for name in form["kinds"])
        return _two_kinds(form, settings, theta or first_base, config.get(second) or second_base)
    if settings or theta is not None:
        names = " and ".join(defaults)
        cure = {"add": {"rope_parameters": defaults}, "remove": ["rope_scaling", *THETA]}
        raise ConfigRefused("missing kinds", cure, kinds=names, got=shown(config))
    return dict(defaults)


def _two_kinds(
    form: dict[str, Any], settings: dict[str, Any], theta: Any, second: Any
) -> dict[str, dict[str, Any] | None]:
    """Return the settings of two kinds of layers, from one scaling and a base for each."""
    kinds: dict[str, dict[str, Any] | None] = {}
    for name, base in zip(form["kinds"], (theta, second), strict=True):
        kinds[name] = {"rope_theta": base}
        if settings and name in form["scaled"]:
            kinds[name] = form["beside_a_scaling"] | settings | {"rope_theta": base}
    return kinds


def _settings_of_kind(
    kinds: dict[str, dict[str, Any] | None], layers: str | None, config: dict[str, Any]
) -> dict[str, Any]:
    """Return the settings of the kind of layers that is asked for."""
    turning = [name for name, own in kinds.items() if own is not None]
    if layers is None:
        if len(turning) != 1:
            raise ValueError(f"layers must say which of {turning}, where a list differs, got None")
        layers = turning[0]
    elif "" in kinds:  # one setting serves every layer with RoPE
        named = {*(config.get("layer_types") or DATA["own_head_dim"])}
        turning = sorted(name for name in named if "attention" in name and "linear" not in name)
    if layers not in turning:
        raise ValueError(f"layers must be one with RoPE, of {turning}, got {shown(layers)}")
    return dict(kinds["" if "" in kinds else layers] or {})


def _turning_width(
    config: dict[str, Any],
    layers: str | None,
    rule: Rule,
    parameters: dict[str, Any],
    elsewhere: dict[str, str],
) -> int:
    """Return the columns that the list is made for, and settle the part of them that turns."""
    name = "partial_rotary_factor"
    if config.get("qk_rope_head_dim") is not None:
        width = _whole(config["qk_rope_head_dim"], "qk_rope_head_dim")
        parts = {1.0, *(width / whole for whole in _widths_around(config, width))}
        if (part := parameters.pop(name, 1)) not in parts:
            listed = " or ".join(f"{each:g}" for each in sorted(parts))
            raise ValueError(f"{name} must be {listed}, got {part}")
        return width
    width = _head_dim(config, layers, rule, elsewhere)
    if config.get("rotary_dim"):
        if rule and "part" not in rule:
            _require_absent("rotary_dim", config, (None, width), config)
        turning = _whole(config["rotary_dim"], "rotary_dim")
        if turning > width:
            raise ValueError(f"rotary_dim must be at most the {width} of a head, got {turning}")
        part = turning / width
        if (given := parameters.setdefault(name, part)) != part:
            raise ValueError(f"{name} must be {part:g}, by rotary_dim, got {given}")
    if (part := rule.get("part", 1)) > 1 and parameters.get(name) == part:
        # EfficientLoFTR turns several heads as one.
        del parameters[name]
        elsewhere[name] = sentence(Finding("acts heads as one", heads=part, columns=width))
        return int(width * part)
    return width


def _widths_around(config: dict[str, Any], turning: int) -> list[float]:
    """Return what a part may be a part of, where only some columns of a head turn."""
    widths: list[float] = []
    if own := _first(config, NAMES["head_dim"]):
        widths.append(_whole(own, "head_dim"))
    elif beside := config.get("qk_nope_head_dim"):
        widths.append(turning + _whole(beside, "qk_nope_head_dim"))
    hidden, heads = (_first(config, NAMES[name]) for name in ("hidden_size", "num_attention_heads"))
    if not own and hidden and heads:
        widths.append(_whole(hidden, "hidden_size") / _whole(heads, "num_attention_heads"))
    return widths


def _head_dim(
    config: dict[str, Any], layers: str | None, rule: Rule, elsewhere: dict[str, str]
) -> int:
    """Return the columns of a head."""
    for number, own in (config.get("per_layer_config") or {}).items():  # Gemma 4
        kinds = config.get("layer_types") or ()
        if isinstance(own, dict) and not own.get("head_dim"):
            continue
        if not str(number).isdigit() or int(number) >= len(kinds) or not isinstance(own, dict):
            raise ValueError(
                "per_layer_config must have settings by the number of a layer in layer_types, "
                f"got {number!r}: {shown(own)} beside {len(kinds)} layer_types"
            )
        if kinds[int(number)] == layers:
            return _whole(own["head_dim"], "head_dim")
    if width := _first(config, (DATA["own_head_dim"].get(layers or "", ""), *NAMES["head_dim"])):
        return _whole(width, "head_dim")
    if "head_dim" in rule:
        return int(_of_class("head_dim", rule["head_dim"], config, elsewhere))
    hidden = _first(config, NAMES["hidden_size"])
    heads = _first(config, NAMES["num_attention_heads"])
    if (hidden is None or heads is None) and "hidden_size" not in rule:
        raise ConfigRefused("missing", name="head_dim", got=shown(config))
    if hidden is None:
        hidden = _of_class("hidden_size", rule["hidden_size"], config, elsewhere)
    if heads is None:
        heads = _of_class("num_attention_heads", rule["num_attention_heads"], config, elsewhere)
    if _whole(hidden, "hidden_size") % _whole(heads, "num_attention_heads"):
        raise ValueError(
            "head_dim must be given where hidden_size is no multiple of the heads, "
            f"got {hidden} and {heads}"
        )
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
