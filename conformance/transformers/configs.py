"""Every default config of Transformers, and settings as models publish them, against posenc.

For each config class that has rotary settings, the model's own rotary module is built from the
class's defaults, and its list of frequencies is compared with what `scaled_frequencies` makes of
what `rotary_settings` reads. The two agree, or posenc refuses the config and says why; a list that
differs in silence is a failure.
"""

import collections
import copy
import importlib
import inspect
import json
from pathlib import Path

import numpy as np
import torch
import transformers.models
from huggingface_hub.errors import StrictDataclassError
from transformers import PreTrainedConfig

from posenc.config import DATA, rotary_settings
from posenc.scaling import scaled_frequencies


def configs():
    """Yield each config class of Transformers with rotary settings: folder, class, its default."""
    for path in sorted(Path(transformers.models.__path__[0]).glob("*/configuration_*.py")):
        module = importlib.import_module(f"transformers.models.{path.parent.name}.{path.stem}")
        for name, kind in sorted(vars(module).items()):
            own = inspect.isclass(kind) and kind.__module__ == module.__name__
            if not own or not issubclass(kind, PreTrainedConfig) or kind.__name__ != name:
                continue
            try:
                config = kind()
            except (TypeError, ValueError, StrictDataclassError):  # asks for parts of other models
                continue
            config.allow_global_per_layer_attribute_access = True
            if getattr(config, "rope_parameters", None):
                yield module, name, config


def rotary_modules(module, config):
    """Return the rotary modules that a model's own code builds from this config."""
    try:
        code = importlib.import_module(module.__name__.replace("configuration_", "modeling_"))
    except ModuleNotFoundError:  # a name that stands for another folder's code
        return []
    others = {name for name in vars(module) if name.endswith("Config")} - {type(config).__name__}
    built = {True: [], False: []}
    for name, kind in vars(code).items():
        if not inspect.isclass(kind) or kind.__module__ != code.__name__:
            continue
        asked = inspect.signature(kind.__init__).parameters.get("config")
        if not name.endswith(("RotaryEmbedding", "RotaryPositionEmbedding")) or asked is None:
            continue
        asked = getattr(asked.annotation, "__name__", str(asked.annotation))
        if asked in others and "Vision" in asked + type(config).__name__:
            continue
        try:
            built[asked == type(config).__name__].append(kind(config))
        except (AttributeError, TypeError, KeyError):  # made for another part of the model
            continue
    return built[True] or built[False]


def lists_of(rotary):
    """Yield (kind of layers or None, frequencies, attention factor) of a rotary module."""
    for name, values in rotary.named_buffers():
        layers = name.removesuffix("inv_freq")
        if not name.endswith("inv_freq") or "original" in name:
            continue
        factor = getattr(rotary, f"{layers}attention_scaling", 1.0)
        yield layers.rstrip("_") or None, values.numpy().ravel().astype(float), float(factor)


def written(config):
    """Return a config as its file has it, with what the library fills in."""
    text = config.to_dict()
    for name in ("head_dim", "hidden_size", "num_attention_heads", "max_position_embeddings"):
        if text.get(name) is None and getattr(config, name, None) is not None:
            text[name] = getattr(config, name)
    return text


def agree(theirs, ours, axial):
    """Return whether two lists are the same; an axial module keeps the ladder of one side."""
    if axial and 2 * theirs.size == ours.size:
        theirs = np.tile(theirs, 2)
    return theirs.shape == ours.shape and np.allclose(theirs, ours, rtol=2e-6, atol=1e-12)


def compare_config(layers, theirs, factor, text):
    """Return the rope_type of a list, and why posenc refuses it; "" if both have the same one."""
    parameters = text["rope_parameters"]
    kind = (parameters[layers] if layers else parameters).get("rope_type", "default")
    try:
        found = scaled_frequencies(**rotary_settings(text, layers=layers))
    except ValueError as error:
        return kind, str(error).partition(", got {")[0]
    assert agree(theirs, found.frequencies, kind == "axial"), "wrong in silence"
    assert abs(factor - found.attention_factor) < 1e-6, "wrong in silence"
    return kind, ""


def default_configs():
    """Return the counts by rope_type, and what is refused, over all default configs."""
    matched, refused, without = collections.Counter(), [], []
    tried = 0
    for module, name, config in configs():
        tried += 1
        found, text = {}, written(config)
        check_rule(text)
        for rotary in rotary_modules(module, config):
            for layers, theirs, factor in lists_of(rotary):
                try:
                    found[layers] = compare_config(layers, theirs, factor, text)
                except AssertionError as error:
                    raise AssertionError(f"{name}, {layers}: {error}") from error
        if not found:
            without.append(name)
        for kind, reason in found.values():
            if reason:
                refused.append({"config": name, "type": kind, "reason": reason})
            else:
                matched[kind] += 1
    return {
        "tried": tried,
        "matched": dict(matched.most_common()),
        "refused": refused,
        "without_module": without,
    }


def check_rule(text):
    """Hold what config_keys.json has of a model type against the defaults of its class."""
    rule, parameters = DATA["models"].get(text.get("model_type"), {}), text["rope_parameters"]
    several = any(isinstance(each, dict) for each in parameters.values())
    if "theta" in rule and not several:
        assert rule["theta"] == parameters["rope_theta"], text["model_type"]
    if rule and several:
        assert {*rule.get("kinds", parameters)} == {*parameters}, text["model_type"]
    if rule and not several:
        assert rule.get("part", 1) == parameters.get("partial_rotary_factor", 1) or "kinds" in rule


SMALL = {"hidden_size": 256, "num_attention_heads": 2}
# Settings as config.json files have them: model, month, folder of Transformers, and the entries
# that positions need. The lists of LongRoPE are long; a ramp of so many pairs stands in for them.
# Last, where the entries were read: public repository, file, commit, or thread. Where that is empty
# they are as they were published, and were not seen again.
PUBLISHED = json.loads(Path(__file__).with_name("published.json").read_text(encoding="utf-8"))


def with_lists(scaling):
    """Return settings with the two lists of LongRoPE in place of `ramp`."""
    pairs = range(scaling.pop("ramp"))
    lists = {"short_factor": [1 + i / 64 for i in pairs], "long_factor": [1.0 + i for i in pairs]}
    return scaling | lists


def published_configs():
    """Return a row for each published setting: model, date, type, what acts elsewhere, source."""
    from transformers import AutoConfig

    rows = []
    for model, date, folder, entries, seen in PUBLISHED:
        text = SMALL | copy.deepcopy(entries)
        if "ramp" in (text.get("rope_scaling") or {}):
            text["rope_scaling"] = with_lists(text["rope_scaling"])
        config = AutoConfig.for_model(folder, **{name: text[name] for name in text})
        config.allow_global_per_layer_attribute_access = True
        module = inspect.getmodule(type(config))
        found = [each for rotary in rotary_modules(module, config)[:1] for each in lists_of(rotary)]
        assert found, model
        named = {"model_type": folder}
        elsewhere = {}
        for layers, theirs, factor in found:
            ours = scaled_frequencies(**rotary_settings(text | named, layers=layers))
            assert agree(theirs, ours.frequencies, axial=False), (model, layers)
            if "short_mscale" not in ours.elsewhere and folder != "phimoe":
                assert abs(factor - ours.attention_factor) < 1e-6, model
            elsewhere |= ours.elsewhere
        settings = text.get("rope_parameters") or text.get("rope_scaling") or {}
        kind = settings.get("rope_type", settings.get("type", "default"))
        row = {"model": model, "date": date, "type": kind, "elsewhere": sorted(elsewhere)}
        rows.append({**row, "seen": seen})
    return rows


def compare_all():
    """Return both comparisons as the book's page shows them."""
    with torch.no_grad():
        return {**default_configs(), "published": published_configs()}


if __name__ == "__main__":
    result = compare_all()
    print(result["tried"], "default configs; lists that match:", result["matched"])
    for each in result["refused"]:
        print(f"{each['config']:28} {each['type']:8} {each['reason']}")
    print("no rotary module of their own:", *result["without_module"])
    for each in result["published"]:
        print(each["date"], f"{each['model']:36} {each['type']:9}", *each["elsewhere"])
