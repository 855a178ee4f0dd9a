"""The position settings of a model's ``config.json``, under the names of today.

What a key or a model type means stands in ``config_keys.json``. Its entries on model types are made
from the newest release of Transformers by ``make keys``.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypedDict

from posenc._checks import positive_base, shown, whole_number
from posenc_check.findings import Finding
from posenc_check.words import sentence

__all__ = ["ConfigRefused", "rotary_settings"]

DATA = json.loads(Path(__file__).with_name("config_keys.json").read_text(encoding="utf-8"))
NAMES: dict[str, list[str]] = DATA["names"]
THETA, PART = NAMES["rope_theta"], NAMES["partial_rotary_factor"]
SECOND_BASE: dict[str, "SecondBase"] = DATA["second_base"]
UNSCALED = (None, "default", "mrope", "axial")
LONGROPE = ("longrope", "su")
READ = {*THETA, *PART, *DATA["read"], *SECOND_BASE, *DATA["turns_if"]}
# A key with one of these in its name is about positions, and is never passed over.
ABOUT_POSITIONS = re.compile("|".join(DATA["about_positions"]))
# A key that is one letter off one of these is taken for a slip.
SPELLED = sorted(READ.union(*NAMES.values(), DATA["acting"]) - {"rotary", "theta", "temperature"})
# The kinds of layers of a config that has no layer_types.
USUAL_KINDS = ("full_attention", "sliding_attention")

Settings = dict[str, Any]
# The settings of each kind of layers by its name, or those of all layers under None. The settings
# of a kind of layers that does not turn are None.
Kinds = dict[str | None, Settings | None]


class Rule(TypedDict, total=False):
    """What the code of one model type does with its config. Every key may be missing."""

    theta: float  #: the base of its class, where the config has none
    head_dim: int  #: the columns of a head of its class; without it, hidden_size over the heads
    hidden_size: int  #: the width of its class, where the config has none
    num_attention_heads: int  #: the heads of its class, where the config has none
    part: float  #: its class's partial_rotary_factor; without it, the code reads no such factor
    type: str  #: the rope_type that its code has in place of "default"
    defaults: dict[str, Any]  #: the rope_parameters of its class, where they have a scaling
    kinds: Kinds  #: those of each kind of layers, where they differ
    second: str  #: the key of the second base, which its class reads beside rope_theta
    still: str  #: the kind of layers that does not turn
    windowless: str  #: which layers turn where sliding_window is null: "all" or "none"
    ignores: list[str]  #: keys that its code does not read
    turns_default: dict[str, Any]  #: its class's value of a key that says whether anything turns
    also: dict[str, Any]  #: settings that its class has, and that act beside the list


class SecondBase(TypedDict):
    """How a key is read that has the base of some layers, beside rope_theta for the others."""

    kinds: list[str]  #: the layers with rope_theta, and those with the second base
    scaled: list[str]  #: those of them that have the scaling
    beside_a_scaling: Settings  #: what their class adds to a scaling


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
    text = read_config(config, model_type)
    parameters = _settings_of_kind(text, layers)
    for name in ("rope_theta", "partial_rotary_factor"):
        # Where there are several kinds, a key at the top is that of those without their own.
        value = _agreed(text.entries, name, {} if len(text.kinds) > 1 else parameters)
        if value is not None and parameters.get(name) is None:
            parameters[name] = value
    kind = parameters.get("rope_type", parameters.get("type"))
    if kind is None and "type" in text.rule:
        kind = parameters["rope_type"] = text.rule["type"]
    _fill_part(text, parameters)
    # The library's scalings all read a part; the lists without scaling are of the model's own code.
    reads_part = kind not in UNSCALED or ("part" in text.rule and "defaults" not in text.rule)
    if text.rule and not reads_part and parameters.get("partial_rotary_factor") not in (None, 1):
        raise _not_read_by_code("partial_rotary_factor", text.entries)
    head_dim = _turning_width(text, layers, parameters)
    if parameters.get("rope_theta") is None:
        parameters["rope_theta"] = text.of_class("rope_theta", text.rule.get("theta"))
    original = text.entries.get("original_max_position_embeddings")
    if kind in LONGROPE and original:
        parameters["original_max_position_embeddings"] = original
    settings = {"head_dim": head_dim, "rope_parameters": parameters}
    if longest := text.entries.get("max_position_embeddings"):
        settings["max_position_embeddings"] = _whole(longest, "max_position_embeddings")
    return settings | ({"elsewhere": text.elsewhere} if text.elsewhere else {})


@dataclass
class TextConfig:
    """What a config says of its text, with what is known of its model type."""

    entries: dict[str, Any]
    rule: Rule
    kinds: Kinds
    elsewhere: dict[str, str] = field(default_factory=dict)  #: see `rotary_settings`

    def whole(self, *names: str) -> int | None:
        """Return the positive whole number under the first of these names that the config has."""
        name = next((each for each in names if self.entries.get(each) is not None), None)
        return None if name is None else _whole(self.entries[name], name)

    def of_class(self, name: str, value: Any) -> Any:
        """Return `value`, the class's own, and note it as filled in; raise if it is None."""
        if value is None:
            raise ConfigRefused("missing", name=name, got=shown(self.entries))
        by_class = Finding("acts by class", value=value, release=DATA["transformers"])
        self.elsewhere[name] = sentence(by_class)
        return value


def read_config(config: Any, model_type: str | None) -> TextConfig:
    """Return what a config says of its text; raise if it is not that of a model with RoPE.

    What is said of positions outside of the text's config is part of it.
    """
    if not isinstance(config, dict):
        raise TypeError(f"config must be a dict, got {shown(config)}")
    inner = _first(config, NAMES["text_config"])
    if isinstance(inner, dict) and not _first(config, ("rope_parameters", *THETA)):
        outside = {key: config[key] for key in config if ABOUT_POSITIONS.search(key)}
        if of_text := DATA["text_of"].get(config.get("model_type")):
            outside["model_type"] = of_text
        return read_config(outside | inner, model_type)
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
    kinds = _kinds(config, rule)
    still = {str(name): sentence(Finding("acts still")) for name in kinds if kinds[name] is None}
    return TextConfig(config, rule, kinds, still | _elsewhere(config, rule))


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
        other = _first(config, {*NAMES.get(name, ())} - {name})
        if config.get(name) not in (None, other):
            raise _not_read_by_code(name, config)
    for name, asked in DATA["turns_if"].items():
        if kind and kind not in asked["read_by"]:
            continue
        value = config.get(name)
        if value is None:
            value = rule.get("turns_default", {}).get(name)
        if value is not None and value not in asked["turning"]:
            why = Finding(f"turns {asked.get('otherwise', 'nothing')}")
            raise ConfigRefused("nothing turns", key=name, value=value, reason=why)
    return rule


def _not_read_by_code(name: str, config: dict[str, Any]) -> ConfigRefused:
    """Return the refusal of an entry that the model's code does not read."""
    return ConfigRefused("not read by the code", {"remove": [name]}, name=name, got=shown(config))


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


def _elsewhere(config: dict[str, Any], rule: Rule) -> dict[str, str]:
    """Return what a config asks for beside its list of frequencies, in words by its key.

    A key that is about positions and not known is refused.
    """
    config = {name: value for name, value in config.items() if value is not None}
    for name in config:
        if ABOUT_POSITIONS.search(name) and name not in READ and name not in DATA["acting"]:
            cure = {"remove": [name]}
            raise ConfigRefused("unknown key", cure, key=name, value=shown(config[name]))
    asked = rule.get("also", {}) | config
    values = {"config": DATA["acting_defaults"] | config, "release": DATA["transformers"]}
    found = {
        name: sentence(Finding(f"acts {name}", **values))
        for name in DATA["acting"]
        if asked.get(name, False) is not False
    }
    kind = config.get("model_type")
    for name, turns in DATA["turns_if"].items():
        ignored = kind in DATA["models"] and kind not in turns["read_by"]
        if ignored and name in config and config[name] not in turns["turning"]:
            found[name] = sentence(Finding("acts ignored", model_type=kind))
    turning, every = config.get("no_rope_layers"), asked.get("no_rope_layer_interval")
    if not turning and every:
        layers = _whole(config.get("num_hidden_layers", every), "num_hidden_layers")
        turning = [(i + 1) % _whole(every, "no_rope_layer_interval") for i in range(layers)]
    if still := [layer for layer, turns in enumerate(turning or ()) if not turns]:
        found["no_rope_layers"] = sentence(Finding("acts no_rope_layers", layers=still))
    return found


def _kinds(config: dict[str, Any], rule: Rule) -> Kinds:
    """Return the settings of each kind of layers, from today's entries or from older ones."""
    new, old = (config.get(name) or {} for name in ("rope_parameters", "rope_scaling"))
    if not isinstance(new, dict) or not isinstance(old, dict):
        raise TypeError(f"rope_scaling must be a dict, as rope_parameters, got {shown(old or new)}")
    if new and old and {**old, "rope_theta": 0} != {**new, "rope_theta": 0}:
        raise ValueError(f"rope_parameters and rope_scaling must agree, got {new} and {old}")
    settings = new or old
    if any(isinstance(each, dict) for each in settings.values()):
        return {name: own for name, own in settings.items() if own is None or isinstance(own, dict)}
    theta = _agreed(config, "rope_theta", settings)
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
    return {None: settings}


def _kinds_from_one(config: dict[str, Any], rule: Rule, settings: Settings, theta: Any) -> Kinds:
    """Return the settings of each kind of layers of a config that has one base and one scaling."""
    defaults, second = rule["kinds"], rule.get("second", "")
    # Of settings by an older name Transformers reads no scaling here.
    older = "type" in settings and "rope_type" not in settings
    if second in SECOND_BASE and not config.get("rope_parameters") and not older:
        form = SECOND_BASE[second]
        first_base, second_base = ((defaults[name] or {})["rope_theta"] for name in form["kinds"])
        return _two_kinds(form, settings, theta or first_base, config.get(second) or second_base)
    if settings or theta is not None:
        names = " and ".join(map(str, defaults))
        cure = {"add": {"rope_parameters": defaults}, "remove": ["rope_scaling", *THETA]}
        raise ConfigRefused("missing kinds", cure, kinds=names, got=shown(config))
    return dict(defaults)


def _two_kinds(form: SecondBase, settings: Settings, theta: Any, second: Any) -> Kinds:
    """Return the settings of two kinds of layers, from one scaling and a base for each."""
    kinds: Kinds = {}
    for name, base in zip(form["kinds"], (theta, second), strict=True):
        kinds[name] = {"rope_theta": base}
        if settings and name in form["scaled"]:
            kinds[name] = form["beside_a_scaling"] | settings | {"rope_theta": base}
    return kinds


def _settings_of_kind(text: TextConfig, layers: str | None) -> Settings:
    """Return a copy of the settings of the kind of layers that is asked for."""
    turning = [name for name, own in text.kinds.items() if own is not None]
    if layers is None:
        if len(turning) != 1:
            raise ValueError(f"layers must say which of {turning}, where a list differs, got None")
        return {**(text.kinds[turning[0]] or {})}
    allowed: list[Any] = turning
    if None in text.kinds:
        named = {*(text.entries.get("layer_types") or USUAL_KINDS)}
        allowed = sorted(name for name in named if "attention" in name and "linear" not in name)
    if layers not in allowed:
        raise ValueError(f"layers must be one with RoPE, of {allowed}, got {shown(layers)}")
    return {**(text.kinds.get(layers) or text.kinds.get(None) or {})}


def _fill_part(text: TextConfig, parameters: Settings) -> None:
    """Add the partial_rotary_factor that the class of the model has, where the config has none."""
    name, part = "partial_rotary_factor", text.rule.get("part", 1)
    if part == 1 or text.entries.get("rotary_dim") or parameters.get(name) is not None:
        return
    # Where the class has the part among its own rope_parameters, those of a config leave it out.
    among_others = "defaults" in text.rule or name in text.rule.get("ignores", ())
    if among_others and _first(text.entries, ("rope_parameters", "rope_scaling")):
        cure = {"add": {name: part}}
        raise ConfigRefused("missing", cure, name=name, got=shown(text.entries))
    parameters[name] = text.of_class(name, part)


def _turning_width(text: TextConfig, layers: str | None, parameters: Settings) -> int:
    """Return the columns that the list is made for, and settle the part of them that turns."""
    name = "partial_rotary_factor"
    if (width := text.whole("qk_rope_head_dim")) is not None:
        parts = {1.0, *(width / whole for whole in _widths_of_heads(text, width))}
        if (part := parameters.pop(name, 1)) not in parts:
            listed = " or ".join(f"{each:g}" for each in sorted(parts))
            raise ValueError(f"{name} must be {listed}, got {part}")
        return width
    width = _head_dim(text, layers)
    if text.entries.get("rotary_dim"):
        turning = _whole(text.entries["rotary_dim"], "rotary_dim")
        if text.rule and "part" not in text.rule and turning != width:
            raise _not_read_by_code("rotary_dim", text.entries)
        if turning > width:
            raise ValueError(f"rotary_dim must be at most the {width} of a head, got {turning}")
        part = turning / width
        if parameters.get(name, part) != part:
            raise ValueError(f"{name} must be {part:g}, by rotary_dim, got {parameters[name]}")
        parameters[name] = part
    if (heads := text.rule.get("part", 1)) > 1 and parameters.get(name) == heads:
        # EfficientLoFTR turns several heads as one.
        del parameters[name]
        text.elsewhere[name] = sentence(Finding("acts heads as one", heads=heads, columns=width))
        return int(width * heads)
    return width


def _widths_of_heads(text: TextConfig, turning: int) -> list[float]:
    """Return the widths that a head may have, of which only the `turning` columns turn."""
    if own := text.whole(*NAMES["head_dim"]):
        return [own]
    widths: list[float] = []
    if still := text.whole("qk_nope_head_dim"):
        widths.append(turning + still)
    hidden = text.whole(*NAMES["hidden_size"])
    heads = text.whole(*NAMES["num_attention_heads"])
    return [*widths, hidden / heads] if hidden and heads else widths


def _head_dim(text: TextConfig, layers: str | None) -> int:
    """Return the columns of a head of this kind of layers."""
    if own := _width_of_layer(text.entries, layers):
        return own
    of_kind = DATA["head_dim_of_kind"].get(layers, "head_dim")
    if width := text.whole(of_kind, *NAMES["head_dim"]):
        return width
    if "head_dim" in text.rule:
        return int(text.of_class("head_dim", text.rule["head_dim"]))
    sizes: list[int] = []
    for name in ("hidden_size", "num_attention_heads"):
        size = text.whole(*NAMES[name])
        if size is None and name not in text.rule:
            raise ConfigRefused("missing", name="head_dim", got=shown(text.entries))
        sizes.append(size or text.of_class(name, text.rule.get(name)))
    hidden, heads = sizes
    if hidden % heads:
        raise ValueError(
            "head_dim must be given where hidden_size is no multiple of the heads, "
            f"got {hidden} and {heads}"
        )
    return hidden // heads


def _width_of_layer(config: dict[str, Any], layers: str | None) -> int | None:
    """Return the head_dim that a layer of this kind has in per_layer_config (Gemma 4), or None."""
    kinds = config.get("layer_types") or ()
    for number, own in (config.get("per_layer_config") or {}).items():
        if isinstance(own, dict) and not own.get("head_dim"):
            continue
        if not str(number).isdigit() or int(number) >= len(kinds) or not isinstance(own, dict):
            raise ValueError(
                "per_layer_config must have settings by the number of a layer in layer_types, "
                f"got {number!r}: {shown(own)} beside {len(kinds)} layer_types"
            )
        if kinds[int(number)] == layers:
            return _whole(own["head_dim"], "head_dim")
    return None


def _whole(value: Any, name: str) -> int:
    """Return a positive whole number; JSON has one kind of numbers, and some write 1200.0."""
    as_float = isinstance(value, float) and value.is_integer()
    return whole_number(int(value) if as_float else value, name, least=1)


def _agreed(config: dict[str, Any], name: str, parameters: Settings) -> Any:
    """Return the value that a setting has under any of its names, in the config or in parameters.

    It is None where none has it; two values that differ are refused.
    """
    values = (*map(config.get, NAMES[name]), parameters.get(name))
    found = [value for value in values if value is not None]
    if any(value != found[0] for value in found):
        raise ValueError(f"{name} must have one value under all its names, got {found}")
    return found[0] if found else None


def _first(config: dict[str, Any], names: Iterable[str]) -> Any:
    """Return the value of the first of these names that the config has."""
    return next((config[name] for name in names if config.get(name) is not None), None)
