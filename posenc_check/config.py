"""The position settings of a model's ``config.json``, under the names of today.

``config_keys.json`` has what a key or a model type means, and says what its own entries are. Those
on model types are made from the newest release of Transformers by ``make keys``.
"""

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from posenc._checks import positive_base, real_number, shown, whole_number
from posenc_check.findings import Finding
from posenc_check.settings import rule_name, spellings
from posenc_check.words import sentence

__all__ = ["ConfigRefused", "kinds_of_layers", "rotary_settings"]

DATA = json.loads(Path(__file__).with_name("config_keys.json").read_text(encoding="utf-8"))
NAMES: dict[str, list[str]] = DATA["names"]
THETA, PART = NAMES["rope_theta"], NAMES["partial_rotary_factor"]
SECOND_BASE: dict[str, dict[str, Any]] = DATA["second_base"]
BY_LAYER = ("partial_rotary_factors", "yarn_only_types")  # of Step 3.5, see `_kinds_by_layer`
ORIGINAL = "original_max_position_embeddings"
SIZES = ("hidden_size", "num_attention_heads")
# A key with one of these in its name is about positions, and is never passed over.
ABOUT_POSITIONS = re.compile("|".join(DATA["about_positions"]))
# The name of a model type that is for images or sound; granite4_vision_text is none of them.
NO_TEXT = re.compile("(vision|audio|encoder)(?!.*text)")
# What an entry of a config of another format looks like, as key=value.
FORMATS = {name: re.compile(form) for name, form in DATA["formats"].items()}
KNOWN = {*DATA["read"], *SECOND_BASE, *DATA["turns_if"], *DATA["acting"]}.union(*NAMES.values())

# The known key that each spelling belongs to: of several keys the last, the same in every run.
SPELLINGS = {spelling: name for name in sorted(KNOWN) for spelling in spellings(name)}

Facts = dict[str, Any]  # the entry of a model type; the file says what each of its keys is
Settings = dict[str, Any]
# The settings of each kind of layers by its name, or those of all layers under None. The settings
# of a kind of layers that does not turn are None.
Kinds = dict[str | None, Settings | None]


class ConfigRefused(ValueError):
    """A config that is not read, with the reason as data.

    Attributes
    ----------
    finding : Finding
        The reason: its kind, and what belongs to it.
    """

    def __init__(self, kind: str, **values: Any) -> None:
        self.finding = Finding(kind, release=DATA["transformers"], **values)
        super().__init__(sentence(self.finding))


def rotary_settings(
    config: dict[str, Any], *, layers: str | None = None, model_type: str | None = None
) -> dict[str, Any]:
    """Return the arguments of `scaled_frequencies`, read from a config.

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
        does something else with them. It is a ValueError, with the reason as data.

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
    return settings_of(read_config(config, model_type), layers)


def kinds_of_layers(
    config: dict[str, Any], *, model_type: str | None = None
) -> list[str] | list[None]:
    """Return the kinds of layers for which to ask `rotary_settings`, one for each list of a model.

    Parameters
    ----------
    config : dict
        As for `rotary_settings`.
    model_type : str, optional
        As for `rotary_settings`.

    Returns
    -------
    list of str or list of None
        What to pass as ``layers``; ``[None]`` where one list is for all layers that turn.

    Raises
    ------
    ConfigRefused
        If `rotary_settings` would refuse the config.

    Examples
    --------
    >>> from posenc_check import kinds_of_layers
    >>> gemma_3 = {"head_dim": 256, "rope_theta": 1e6, "rope_local_base_freq": 1e4}
    >>> print(kinds_of_layers(gemma_3))
    ['full_attention', 'sliding_attention']
    """
    text = read_config(config, model_type)
    kinds = text.kinds_with_lists()
    for layers in kinds:
        settings_of(text, layers)
    return kinds


@dataclass
class TextConfig:
    """What a config says of its text, with what is known of its model type."""

    entries: dict[str, Any]  #: as the file has them: null is as good as no entry
    model_type: Any  #: or None
    facts: Facts  #: on that type, of ``config_keys.json``
    kinds: Kinds
    elsewhere: dict[str, str]  #: see `rotary_settings`
    layers_without_rope: list[int]  #: as far as the file numbers them

    def kinds_with_lists(self) -> list[str] | list[None]:
        """Return what `kinds_of_layers` returns."""
        turning = [name for name, settings in self.kinds.items() if name and settings is not None]
        return turning if len(turning) > 1 else [None]

    def whole(self, name: str) -> int | None:
        """Return a setting, by the first of its names that has a value, as a positive int, or None.

        A value that is no positive whole number is refused.
        """
        for synonym in NAMES.get(name, [name]):
            if (value := self.entries.get(synonym)) is not None:
                return _whole(value, name)
        return None

    def of_class(self, name: str) -> Any:
        """Return the class's value of a setting, noted in `elsewhere`; raise if it has none."""
        if name not in self.facts:
            raise ConfigRefused("missing", name=name, got=shown(self.entries))
        by_class = Finding("acts by class", value=self.facts[name], release=DATA["transformers"])
        self.elsewhere[name] = sentence(by_class)
        return self.facts[name]


def read_config(config: Any, model_type: str | None) -> TextConfig:
    """Return what a config says of its text; raise if it is not that of a model with RoPE."""
    if not isinstance(config, dict):
        raise TypeError(f"config must be a dict, got {shown(config)}")
    config = _of_text(config, model_type or config.get("model_type"))
    model_type = model_type or config.get("model_type")
    text_type = DATA["text_of"].get(model_type, model_type)  # for the type of a whole model
    if text_type == "deepseek_v2" and config.get("use_mla") is False:
        # DeepSeek-OCR, whose own code has Llama's attention then, and 0 as the columns of MLA.
        text_type = "llama"
        config = {name: value for name, value in config.items() if not name.startswith("qk_")}
    facts = _facts_on(text_type, config)
    _refuse_entries_by_layer(config)
    _refuse_unknown_keys(config)
    without_rope = _layers_without_rope(config, facts)
    # What acts on positions but is not in the list of frequencies, by key, in words.
    elsewhere = _acting_beside_list(config, text_type, facts, without_rope)
    # Layers whose kind has no settings do not turn either. Kinds have no name where there is one.
    kinds = _kinds(config, facts)
    kinds_without_rope = [name for name, settings in kinds.items() if name and settings is None]
    kind_of_layer = config.get("layer_types") or ()
    without_rope += [n for n, kind in enumerate(kind_of_layer) if kind in kinds_without_rope]
    still = sentence(Finding("acts still"))
    elsewhere = dict.fromkeys(kinds_without_rope, still) | elsewhere
    settings = config.get("rope_parameters") or {}
    if any(isinstance(own, dict) for own in settings.values()):  # those of each kind
        dead = [name for name, own in settings.items() if not isinstance(own, dict | None)]
        elsewhere |= dict.fromkeys(dead, sentence(Finding("acts beside kinds")))
    return TextConfig(config, text_type, facts, kinds, elsewhere, sorted({*without_rope}))


def settings_of(text: TextConfig, layers: str | None) -> dict[str, Any]:
    """Return the arguments of `scaled_frequencies` for a kind of layers of a config that was read.

    They are what `rotary_settings` returns.
    """
    # What is read from the class of these layers is noted in `elsewhere` of a copy.
    text = replace(text, elsewhere=dict(text.elsewhere))
    layers, parameters = _settings_of_kind(text, layers)
    for name in ("rope_theta", "partial_rotary_factor"):  # older files have them beside the scaling
        of_kind = parameters.get(name)
        # Where there are several kinds, an entry at the top is that of kinds without their own.
        # Where there is one, it has to agree with the kind's own.
        if of_kind is None or len(text.kinds) == 1:
            parameters[name] = _agreed(name, *map(text.entries.get, NAMES[name]), of_kind)
    if not parameters.keys() & {"rope_type", "type"}:
        parameters["rope_type"] = text.facts.get("rope_type")  # None is as good as no entry
    rope_type = rule_name(parameters)
    head_dim, parameters["partial_rotary_factor"] = _width_and_part(
        text, layers, parameters["partial_rotary_factor"], rope_type
    )
    if parameters["rope_theta"] is None:
        parameters["rope_theta"] = text.of_class("rope_theta")
    if rope_type in ("llama3", "longrope", "yarn"):
        parameters[ORIGINAL] = _length_in_training(text, parameters)
    settings: dict[str, Any] = {
        "head_dim": head_dim,
        "rope_parameters": {name: value for name, value in parameters.items() if value is not None},
    }
    if longest := text.whole("max_position_embeddings"):
        settings["max_position_embeddings"] = longest
    if text.elsewhere:
        settings["elsewhere"] = text.elsewhere
    return settings


def _length_in_training(text: TextConfig, parameters: Settings) -> int | None:
    """Return original_max_position_embeddings, which may stand beside the settings, as in Phi-3.

    It is None where there is none. Raise if the two differ.
    """
    inside, beside = parameters.get(ORIGINAL), text.whole(ORIGINAL)
    inside = None if inside is None else _whole(inside, ORIGINAL)
    # Transformers takes the one beside them first, but not where settings stand by kind.
    by_kind = "kinds" in text.facts
    if inside and beside and inside != beside:
        read = "inside" if by_kind else "beside"
        raise ConfigRefused("two lengths", inside=inside, beside=beside, read=read)
    return inside or (None if by_kind else beside)


def _of_text(config: dict[str, Any], model_type: Any) -> dict[str, Any]:
    """Return the entries on the text: of the text's own config, or of the whole one without it.

    Transformers builds the text from its own config alone. An entry about positions that stands
    beside that one has to repeat one of the text's, or it is refused. Those of DBRX's
    ``attn_config`` are added. Where ``rope_theta`` is a list, with a base for each layer, it is set
    to the one base of all layers, or None if they differ, and the list is added as
    ``layer_rope_theta``.
    """
    places = (name for name in NAMES["text_config"] if isinstance(config.get(name), dict))
    if not isinstance(model_type, str | None):
        raise TypeError(f"model_type must be a text, got {shown(model_type)}")
    place, text_type = next(places, None), DATA["text_of"].get(model_type)
    # A missing config of the text is that of the class, but some classes read the whole one then.
    # A config that is read as of a type which it does not name itself is that of a text.
    names_whole = text_type and config.get("model_type") == model_type
    is_missing = not place and names_whole and model_type not in DATA["text_from_whole"]
    if is_missing:
        place = "text_config"
    # The list of Music Flamingo is of its sound, and stands beside the config of its text.
    if place and model_type not in DATA["list_beside_text"]:
        inner = config.get(place) or {}
        if not isinstance(inner, dict):
            raise TypeError(f"{place} must be a dict, got {shown(inner)}")
        inner = {"model_type": text_type} | inner  # the text's config may leave its type out
        # The text's config may have one of a text again (Qwen2.5-Omni).
        text = _of_text(inner, inner["model_type"])
        parameters = text.get("rope_parameters")
        repeated = [inner, text, parameters if isinstance(parameters, dict) else {}]
        beside = _about_positions(config)
        if is_missing:  # sizes beside a config of the text are those of the whole model
            sizes = {name for key in ("head_dim", *SIZES) for name in NAMES[key]}
            beside |= {name: config[name] for name in config if name in sizes}
        for name, value in beside.items():
            if value is None or name in DATA["much_alike"]:
                continue
            found = [entries[name] for entries in repeated if entries.get(name) is not None]
            if value not in found:
                _refuse_unknown_keys({name: value})
                inside = shown(found[0]) if found else ""
                values = {"place": place, "got": shown(value), "inside": inside}
                raise ConfigRefused("beside text", name=name, **values)
        return text
    attention = config.get("attn_config")
    if isinstance(attention, dict):
        # DBRX has its base in here, where its own code looks. Transformers looks beside it alone,
        # so that an entry there counts first.
        config = _about_positions(attention) | config
    bases = config.get("rope_theta")
    # Step 3.5 has a base for each layer. An empty list is refused later, as is all that is no base.
    if isinstance(bases, list | tuple) and bases:
        common = bases[0] if all(base == bases[0] for base in bases) else None
        config = {**config, "layer_rope_theta": bases, "rope_theta": common}
    return config


def _about_positions(config: dict[str, Any]) -> dict[str, Any]:
    """Return the entries whose names show that they are about positions."""
    return {name: value for name, value in config.items() if ABOUT_POSITIONS.search(name)}


def _facts_on(model_type: Any, config: dict[str, Any]) -> Facts:
    """Return what is known of a model type, {} if none is named or the code is the model's own.

    Raise for a type whose list is not known, and for an entry that the type's code does not read.
    """
    reason = next((name for name, types in DATA["refused"].items() if model_type in types), None)
    turning = DATA["turns_if"]["position_embedding_type"]["turning"]
    if reason and config.get("position_embedding_type") in turning:
        return {}  # jina-embeddings-v3: code of its own that turns, though it goes by BERT's type
    if reason:
        raise ConfigRefused("not read", model_type=model_type, reason=Finding(f"reason {reason}"))
    if model_type and model_type not in DATA["models"]:
        # The text's own config may stand under a key that no other model has (VibeVoice).
        parts = {name: part for name, part in config.items() if isinstance(part, dict)}
        types = {name: str(part.get("model_type")) for name, part in parts.items()}
        inside = [
            name
            for name, kind in types.items()
            if kind in DATA["models"] and not NO_TEXT.search(kind)
        ]
        raise ConfigRefused("unknown model_type", got=shown(model_type), inside=inside)
    facts: Facts = DATA["models"].get(model_type, {})
    for name in facts.get("ignores", ()):
        # A key that the code does not read does no harm where it repeats one that it reads.
        synonyms = [config.get(synonym) for synonym in NAMES.get(name, ()) if synonym != name]
        if config.get(name) not in (None, *synonyms):
            raise _not_read_by_code(name, config)
    return facts


def _not_read_by_code(name: str, config: dict[str, Any]) -> ConfigRefused:
    """Return the error, to be raised, for an entry that the model's code does not read."""
    return ConfigRefused("not read by the code", name=name, got=shown(config))


def _refuse_unknown_keys(config: dict[str, Any]) -> None:
    """Raise if a key is of another format, or is unknown and nearly a known one or about positions.

    A key about positions that is null asks for nothing, as if it were absent. Keys of
    ``much_alike`` are nearly known ones but mean something else, which is not about positions.
    """
    for key, value in config.items():
        entry = f"{key}={value}"
        if name := next((name for name, form in FORMATS.items() if form.match(entry)), None):
            raise ConfigRefused("other format", key=key, value=shown(value), format=name)
        if key in KNOWN or key in DATA["much_alike"]:
            continue
        if alike := SPELLINGS.keys() & spellings(key):
            # Of several known keys that it may stand for, one is named, the same in every run.
            raise ConfigRefused("slip", key=key, name=SPELLINGS[min(alike)])
        if ABOUT_POSITIONS.search(key) and value is not None:
            raise ConfigRefused("unknown key", key=key, value=shown(value))


def _acting_beside_list(
    config: dict[str, Any], model_type: Any, facts: Facts, layers_without_rope: list[int]
) -> dict[str, str]:
    """Return what acts beside the list of a config, in words by its key; raise if nothing turns."""
    config = {name: value for name, value in config.items() if value is not None}
    entries = facts.get("also", {}) | config  # what the config leaves out is that of the class
    # The sentences name values of the config, and what the code has where the config has none.
    values = {"config": DATA["acting_defaults"] | config, "release": DATA["transformers"]}
    elsewhere = {
        name: Finding(f"acts {name}", **values)
        for name in DATA["acting"]
        # False switches off what the key is about, or says no less than true.
        if entries.get(name, False) is not False
        or (name in entries and name in DATA["acting_if_false"])
    }
    for name, turns in DATA["turns_if"].items():
        value = config.get(name, facts.get("turns_default", {}).get(name))
        if value is None or value in turns["turning"]:
            continue
        # The code of a type without facts may read the key.
        if not facts or model_type in turns["read_by"]:
            reason = Finding(f"turns {turns.get('otherwise', 'nothing')}")
            raise ConfigRefused("nothing turns", key=name, value=value, reason=reason)
        elsewhere[name] = Finding("acts ignored", model_type=model_type)
    if layers_without_rope:
        elsewhere["no_rope_layers"] = Finding("acts no_rope_layers", layers=layers_without_rope)
    return {name: sentence(finding) for name, finding in elsewhere.items()}


def _refuse_entries_by_layer(config: dict[str, Any]) -> None:
    """Raise a TypeError if an entry by layer is no list of numbers or texts, unless it is null."""
    for name in ("layer_types", "no_rope_layers", "layer_rope_theta", *BY_LAYER):
        values = config.get(name)
        is_list = isinstance(values, list | tuple | None)
        if not is_list or any(isinstance(value, list | dict) for value in values or ()):
            allowed = "a list of numbers, or of kinds of layers"
            raise TypeError(f"{name} must be {allowed}, got {shown(values)}")


def _layers_without_rope(config: dict[str, Any], facts: Facts) -> list[int]:
    """Return the numbers, from 0 on, of layers without RoPE, by a list of layers or an interval."""
    config = {name: value for name, value in config.items() if value is not None}
    if config.get("no_rope_layers"):
        # In spite of the key's name, an entry is 1 for a layer that turns.
        return [layer for layer, turns in enumerate(config["no_rope_layers"]) if not turns]
    # An empty list is as good as none, as in the class of Llama 4: the interval counts then.
    of_class = facts.get("also", {})
    entries = of_class | config  # what the config leaves out is that of the class
    if "still_from_last" in of_class and "layer_rope_theta" not in config:  # Muse Glimmer, Spark
        last = _whole(entries["num_hidden_layers"], "num_hidden_layers") - 1
        return [n for n in range(last + 1) if (last - n) % of_class["still_from_last"] == 0]
    if not entries.get("no_rope_layer_interval"):
        return []
    interval = _whole(entries["no_rope_layer_interval"], "no_rope_layer_interval")
    # Without a number of layers, those of the first interval stand for all.
    layers = _whole(config.get("num_hidden_layers", interval), "num_hidden_layers")
    # The last layer of each interval does not turn.
    return [layer for layer in range(layers) if (layer + 1) % interval == 0]


def _kinds(config: dict[str, Any], facts: Facts) -> Kinds:
    """Return the settings of each kind of layers by its name, by new entries or by older ones.

    The new entry is rope_parameters. The older ones are rope_scaling, with the base beside it.
    """
    # A key may be absent or null, here as elsewhere.
    new, old = (config.get(name) or {} for name in ("rope_parameters", "rope_scaling"))
    if not isinstance(new, dict) or not isinstance(old, dict):
        raise TypeError(f"rope_scaling must be a dict, as rope_parameters, got {shown(old or new)}")
    if any(isinstance(value, dict) for value in old.values()):
        allowed = "one scaling, since those of each kind of layers are read in rope_parameters"
        raise ValueError(f"rope_scaling must be {allowed}, got {shown(old)}")
    if new and old:
        _refuse_unless_they_agree(new, old, config)
    if any(isinstance(value, dict) for value in new.values()):
        return _kinds_by_name(config, facts, new)
    settings = new or old
    # OLMo Hybrid turns nothing where the base is null, and by the base of its class without one.
    base = settings.get("rope_theta", config.get("rope_theta", 0))
    if base is None and facts.get("baseless") == "none":
        reason = Finding("turns nothing")
        raise ConfigRefused("nothing turns", key="rope_theta", value=None, reason=reason)
    theta = _agreed("rope_theta", *map(config.get, THETA), settings.get("rope_theta"))
    second = stated = next((name for name in SECOND_BASE if config.get(name)), None)
    kinds_of_class: Kinds = facts.get("kinds", {})
    if kinds_of_class:
        # The second base of OLMo 3 has "no key": its two kinds differ in the scaling alone, and
        # have the base of the class.
        second = facts.get("second")
        by_type = "type" in old and "rope_type" not in old
        if by_type and second and SECOND_BASE[second]["filled_in"]:
            raise ConfigRefused("type alone", got=shown(old))
    by_layer = next((name for name in BY_LAYER if config.get(name)), None)
    if by_layer and facts and not kinds_of_class:
        raise _not_read_by_code(by_layer, config)
    if by_layer or (kinds_of_class and config.get("layer_rope_theta")):
        # The class of Step 3.5 scales this kind alone, and its own code those of yarn_only_types.
        if not new and (not old or config.get("yarn_only_types") == ["full_attention"]):
            return _kinds_by_layer(config, old, theta)
        raise ConfigRefused("missing kinds", kinds="those of layer_types", got=shown(config))
    if second and not new:  # rope_parameters have one base, and are for all layers
        return _kinds_by_two_bases(second, (theta, config.get(second)), settings, kinds_of_class)
    if not kinds_of_class:
        return _kinds_by_one_setting(config, facts, settings, theta)
    if stated and not settings:  # MiMo-V2-Flash: it does no harm to repeat what the class has
        part = _agreed("partial_rotary_factor", *map(config.get, PART))
        bases = zip(SECOND_BASE[stated]["kinds"], (theta, config[stated]), strict=True)
        if all(
            value in (None, (kinds_of_class.get(kind) or {}).get(name))
            for kind, base in bases
            for name, value in (("rope_theta", base), ("partial_rotary_factor", part))
        ):
            return dict(kinds_of_class)
    if settings or theta is not None or stated:  # nothing says which of the kinds they are for
        names = " and ".join(map(str, kinds_of_class))
        raise ConfigRefused("missing kinds", kinds=names, got=shown(config))
    return dict(kinds_of_class)  # a copy, since `DATA` must not change


def _refuse_unless_they_agree(new: Settings, old: Settings, config: dict[str, Any]) -> None:
    """Raise unless rope_parameters and rope_scaling, of which a file has both, say the same.

    Either may name its rule by `type`. `rope_scaling` may lack the base, if that stands at the top.
    """
    in_common: list[Settings] = []
    for each in (new, old):
        rule = each.get("rope_type", each.get("type"))
        in_common.append({**each, "rope_type": rule, "type": rule, "rope_theta": 0})
    release = DATA["transformers"]
    if in_common[0] != in_common[1]:
        counts = f"Transformers {release} lets rope_scaling count"
        raise ValueError(
            f"rope_parameters and rope_scaling must agree, got {new} and {old}: {counts}"
        )
    if new.get("rope_theta") is not None and all(
        base is None for base in map((old | config).get, THETA)
    ):
        looks = f"where Transformers {release} looks for it beside a rope_scaling"
        raise ValueError(
            f"rope_theta must stand in rope_scaling or at the top, {looks}, got {shown(new)}"
        )


def _kinds_by_name(config: dict[str, Any], facts: Facts, new: Settings) -> Kinds:
    """Return the settings of each kind of layers by its name, of the rope_parameters `new`.

    What stands beside the kinds, such as a base for all, is none. One that is null does not turn,
    unless its class fills it in (`filled_in`).
    """
    kinds: Kinds = {
        name: value for name, value in new.items() if value is None or isinstance(value, dict)
    }
    if not facts:
        return kinds
    kinds_of_class: Kinds = facts.get("kinds", {})
    second = facts.get("second")
    if second and SECOND_BASE[second]["filled_in"]:
        theta = _agreed("rope_theta", *map(config.get, THETA))
        bases = _kinds_by_two_bases(second, (theta, config.get(second)), {}, kinds_of_class)
        kinds |= {name: (base or {}) | (kinds.get(name) or {}) for name, base in bases.items()}
    # Transformers passes over a kind that neither the class nor the config declares.
    declared = {*(config.get("layer_types") or ())}
    known = declared.union(kinds_of_class)
    needed = declared.intersection(kinds_of_class) or {*kinds_of_class}
    turning = {name for name, settings in kinds.items() if settings is not None}
    if not turning <= known or not needed <= {*kinds} or not needed:
        raise ConfigRefused("other kinds", kinds=[*kinds_of_class], got=[*turning])
    return {name: kinds[name] for name in kinds if name in known}


def _kinds_by_layer(config: dict[str, Any], scaling: Settings, theta: Any) -> Kinds:
    """Return the settings of each kind of layers, by lists with a base and a part for each layer.

    The `scaling` is that of the kinds in ``yarn_only_types``. `theta` is the base without a list.
    """
    types = config.get("layer_types") or ()
    bases = config.get("layer_rope_theta") or [theta] * len(types)
    bases = [base if base is None else positive_base(base, "rope_theta") for base in bases]
    parts = config.get("partial_rotary_factors") or [None] * len(types)
    layers = dict.fromkeys(zip(types, bases, parts, strict=False))  # each combination once
    fit = 0 < len(types) == len(bases) == len(parts)
    if not fit or len(layers) != len({*types}):
        raise ValueError(
            "layer_types must be as long as rope_theta and partial_rotary_factors, which must have "
            f"one value for each kind, got {shown(types)}, {shown(bases)} and {shown(parts)}"
        )
    return {
        kind: (scaling if kind in (config.get("yarn_only_types") or ()) else {})
        | {"rope_theta": base, "partial_rotary_factor": part}
        for kind, base, part in layers
    }


def _kinds_by_one_setting(
    config: dict[str, Any], facts: Facts, settings: Settings, theta: Any
) -> Kinds:
    """Return the settings by kind, or of all layers, where one scaling is for all that turn.

    `theta` is the one base of the config, or None if it has none, or several.
    """
    if "rope_parameters" in facts and not settings:
        # Some classes read a base beside the settings that they fill in, and others do not.
        settings = facts["rope_parameters"]
        if theta not in (None, settings["rope_theta"]):
            raise ConfigRefused("missing", name="rope_parameters", got=shown(config))
    bases = config.get("layer_rope_theta") or ()
    if "still_from_last" in facts.get("also", {}):  # Muse's code reads only which of these are 0
        _agreed("rope_theta", facts["rope_theta"] if theta is None else theta, *{*bases} - {0})
    if any(base != theta for base in bases):
        kinds: Kinds = {}
        for base in bases:  # layers of one base are a kind, with the base in its name
            if base == 0:  # Step 3.5's layer that does not turn
                kinds["base 0"] = None
            else:
                number = positive_base(base, "layer_rope_theta")
                kinds[f"base {number:g}"] = settings | {"rope_theta": number}
        return kinds
    # In some classes only layers with a sliding window turn. If the config switches the window
    # off, all layers turn in some of these classes, and none in others. Only a null switches it
    # off: a config without the key has the window of its class.
    switched_off = "sliding_window" in config and config["sliding_window"] is None
    windowless = switched_off and facts.get("windowless")
    if windowless == "none":
        raise ValueError("sliding_window must be a number, without which no layer turns, got None")
    if "still" in facts and windowless != "all":
        return {"sliding_attention": settings, facts["still"]: None}
    return {None: settings}


def _kinds_by_two_bases(
    second: str, bases: tuple[Any, Any], settings: Settings, kinds_of_class: Kinds
) -> Kinds:
    """Return the settings of two kinds of layers by name, from a base for each and one scaling.

    Older files have these. `second` is the key of the second base.
    """
    form = SECOND_BASE[second]
    kinds: Kinds = {}
    for name, base in zip(form["kinds"], bases, strict=True):
        # A base that the config lacks is that of the class, if the class has such layers.
        of_class = kinds_of_class.get(name) or {}
        of_kind = {"rope_theta": base or of_class.get("rope_theta")}
        if settings and name in form["scaled"]:
            of_kind = form["beside_a_scaling"] | settings | of_kind
        kinds[name] = of_kind
    return kinds


def _settings_of_kind(text: TextConfig, layers: str | None) -> tuple[str | None, Settings]:
    """Return (kind of layers that is asked for, or else the only one; a copy of its settings).

    Raise for a kind that does not turn, or is not there, and for None where several kinds turn.
    """
    turning = {name: settings for name, settings in text.kinds.items() if settings is not None}
    if layers is None and len(turning) != 1:
        raise ValueError(f"layers must say which of {[*turning]}, where a list differs, got None")
    allowed: list[Any] = [*turning]
    if None in text.kinds:
        # All layers of attention have one list, but for those of linear attention, which does not
        # turn. A config that does not name its kinds may have the two usual ones.
        names = {*(text.entries.get("layer_types") or ("full_attention", "sliding_attention"))}
        allowed = sorted(name for name in names if "attention" in name and "linear" not in name)
    if layers is not None and layers not in allowed:
        raise ValueError(f"layers must be one with RoPE, of {allowed}, got {shown(layers)}")
    only = next(iter(turning))  # where `layers` is None, or a name of all layers
    return layers or only, dict(turning.get(layers, turning[only]))


def _width_and_part(
    text: TextConfig, layers: str | None, part: Any, rope_type: str
) -> tuple[int, Any]:
    """Return (columns that a list is made for, the part of them that turns; None if unsaid).

    The part is None where nothing says it, as in most models, in which all columns turn. `part` is
    the one that the config says by a partial_rotary_factor.
    """
    name, entries, facts = "partial_rotary_factor", text.entries, text.facts
    of_class = facts.get(name, 1)
    if part is not None:
        real_number(part, name)
    columns = text.whole("rotary_dim")
    if columns is None and "rotary_dim" in facts:
        columns = text.of_class("rotary_dim")
    reads_columns = not facts or text.model_type in DATA["rotary_dim_read_by"]
    # The class counts where nothing else says the part; rotary_dim would say it, see below.
    if part is None and of_class != 1 and not (columns and reads_columns):
        # Where the class has the part among its other settings, those of the config replace them
        # all. Then nothing says whether the part is meant to stay.
        among_others = "rope_parameters" in facts or name in facts.get("ignores", ())
        if among_others and (entries.get("rope_parameters") or entries.get("rope_scaling")):
            raise ConfigRefused("missing", name=name, got=shown(entries))
        part = text.of_class(name)
    # The library's scalings all read a part; the lists without scaling are of the model's own code.
    # A part that is among the settings of a scaled class is for its scaling.
    scaled = rope_type not in ("default", "axial")
    reads_part = scaled or (name in facts and "rope_parameters" not in facts)
    if facts and not reads_part and part not in (None, 1):
        raise _not_read_by_code(name, entries)
    if turning := text.whole("qk_rope_head_dim"):
        # DeepSeek's heads have columns for the turned part, and others beside them. The list is
        # that of the turned ones. A part that is given, too, has to leave as many: of head_dim, or
        # else of all columns, or of the head_dim that the sizes would have. Code such as GLM-4's
        # takes the part and not the columns, so that another part would give another list.
        head_dim, still = text.whole("head_dim"), text.whole("qk_nope_head_dim") or 0
        hidden, heads = (text.whole(size) for size in SIZES)
        by_heads = hidden / heads if hidden and heads else turning
        widths = [head_dim] if head_dim else [turning + still, by_heads]
        if part not in (None, 1, *(turning / width for width in widths)):
            raise ValueError(f"{name} must leave the {turning} of qk_rope_head_dim, got {part}")
        return turning, None
    width = _head_dim(text, layers)
    if columns and not reads_columns:
        # It does no harm to say what turns without this key.
        if columns != int(width * (1 if part is None else part)):
            raise _not_read_by_code("rotary_dim", entries)
    elif columns:
        if columns > width:
            raise ValueError(f"rotary_dim must be at most the {width} of a head, got {columns}")
        part = _agreed(name, part, columns / width)
    if of_class > 1 and part == of_class:  # EfficientLoFTR turns several heads as one
        text.elsewhere[name] = sentence(Finding("acts heads as one", heads=part, columns=width))
        return int(width * part), None
    return width, part


def _head_dim(text: TextConfig, layers: str | None) -> int:
    """Return the columns of a head of this kind of layers; raise if nothing says how many."""
    kind_of_layer = text.entries.get("layer_types") or []
    by_layer = text.entries.get("per_layer_config") or {}  # Gemma 4: settings by a layer's number
    try:
        widths = {
            int(layer): _whole(settings["head_dim"], "head_dim")
            for layer, settings in by_layer.items()
            if "head_dim" in settings
        }
        kinds = {kind_of_layer[layer] for layer in widths}
    except (AttributeError, IndexError, TypeError, ValueError):
        allowed = "settings by the number of a layer in layer_types"
        got = f"{shown(by_layer)} beside layer_types {shown(kind_of_layer)}"
        raise ValueError(f"per_layer_config must have {allowed}, got {got}") from None
    if layers in kinds:
        numbers = [number for number, kind in enumerate(kind_of_layer) if kind == layers]
        of_others = text.whole("head_dim") or text.facts.get("head_dim", 0)
        of_layers = {widths.get(number, of_others) for number in numbers}
        if len(of_layers) > 1:  # which Transformers refuses as well
            allowed = f"one head_dim for all layers {numbers} of {layers}"
            raise ValueError(f"per_layer_config must have {allowed}, got {shown(by_layer)}")
        return of_layers.pop()
    # What is nearest to the layers counts: an entry for their kind, then one for all layers, then
    # that of the class, and at last the sizes.
    of_kind = DATA["head_dim_of_kind"].get(layers, "head_dim")  # such as global_head_dim
    for key in dict.fromkeys((of_kind, "head_dim")):
        # Gemma 4's class has a global_head_dim, but reads none beside a per_layer_config.
        if key in text.facts and key != "head_dim" and "per_layer_config" in text.entries:
            if text.whole(key):
                raise _not_read_by_code(key, text.entries)
        elif width := text.whole(key):
            return width
        elif key in text.facts:
            return int(text.of_class(key))
    if any(text.whole(size) is None and size not in text.facts for size in SIZES):
        raise ConfigRefused("missing", name="head_dim", got=shown(text.entries))
    hidden, heads = (text.whole(size) or text.of_class(size) for size in SIZES)
    if hidden % heads:
        raise ValueError(
            "head_dim must be given where hidden_size is no multiple of the heads, "
            f"got {hidden} and {heads}"
        )
    return int(hidden // heads)


def _whole(value: Any, name: str) -> int:
    """Return a value as a positive int; raise if it is none, but some files write 1200.0."""
    as_float = isinstance(value, float) and value.is_integer()
    return whole_number(int(value) if as_float else value, name, least=1)


def _agreed(name: str, *values: Any) -> Any:
    """Return the one value among these that is no None, or None; raise if two differ."""
    values = tuple(value for value in values if value is not None)
    if any(value != values[0] for value in values):
        raise ValueError(f"{name} must have one value under all its names, got {[*values]}")
    return values[0] if values else None
