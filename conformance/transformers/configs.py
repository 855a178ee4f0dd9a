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
import transformers
from huggingface_hub.errors import StrictDataclassError
from transformers import PreTrainedConfig
from transformers.models.auto.modeling_auto import MODEL_MAPPING_NAMES

from conformance.transformers import classes_of
from posenc_check import scaled_frequencies
from posenc_check.config import PART, THETA, rotary_settings


def classes():
    """Yield each config class of Transformers: its module, and the class."""
    for path in sorted(Path(transformers.models.__path__[0]).glob("*/configuration_*.py")):
        try:
            module = importlib.import_module(f"transformers.models.{path.parent.name}.{path.stem}")
        except ImportError:  # asks for a package that is not there
            continue
        for name, kind in sorted(classes_of(module).items()):
            if issubclass(kind, PreTrainedConfig) and kind.__name__ == name:
                yield module, kind


def configs(changes):
    """Yield each config class of Transformers with rotary settings: module, name, its config."""
    for module, kind in classes():
        try:
            config = kind(**copy.deepcopy(changes))
        except (AttributeError, ImportError, KeyError, OSError, StrictDataclassError):
            continue  # asks for parts of other models, or for packages that are not there
        except (TypeError, ValueError):
            continue  # refuses the change
        config.allow_global_per_layer_attribute_access = True
        if getattr(config, "rope_parameters", None):
            yield module, kind.__name__, config


def rotary_modules(module, config):
    """Return the rotary modules that a model's own code builds from this config."""
    try:
        code = importlib.import_module(module.__name__.replace("configuration_", "modeling_"))
    except ImportError:  # a type whose model is another folder's
        name = MODEL_MAPPING_NAMES.get(config.model_type)
        if not isinstance(name, str):
            return []
        code = inspect.getmodule(getattr(transformers, name))
        if code is None:
            return []
    others = {name for name in vars(module) if name.endswith("Config")} - {type(config).__name__}
    built = {True: [], False: []}
    for name, kind in classes_of(code).items():
        asked = inspect.signature(kind.__init__).parameters.get("config")
        if not name.endswith(("RotaryEmbedding", "RotaryPositionEmbedding")) or asked is None:
            continue
        asked = getattr(asked.annotation, "__name__", str(asked.annotation))
        if code.__name__ != module.__name__.replace("configuration_", "modeling_"):
            asked = type(config).__name__  # the class of the other folder stands in its signature
        if asked in others and "Vision" in asked + type(config).__name__:
            continue
        try:
            built[asked == type(config).__name__].append(kind(config))
        except (AttributeError, KeyError, RuntimeError, TypeError, ValueError):  # of another part
            continue
    return built[True] or built[False]


def lists_of(module, config):
    """Yield (kind of layers or None, frequencies, attention factor) of a model's rotary modules."""
    for rotary in rotary_modules(module, config):
        for name, values in rotary.named_buffers():
            layers = name.removesuffix("inv_freq")
            if name.endswith("inv_freq") and "original" not in name:
                factor = getattr(rotary, f"{layers}attention_scaling", 1.0)
                yield layers.rstrip("_") or None, values.numpy().ravel().astype(float), factor


def reason_against(layers, theirs, factor, text):
    """Return why posenc refuses a config; "" if it finds the same list, which else is a failure."""
    try:
        found = scaled_frequencies(**rotary_settings(text, layers=layers))
    except ValueError as error:
        return str(error).partition(", got {")[0]
    if 2 * theirs.size == found.frequencies.size:  # an axial module keeps the ladder of one side
        theirs = np.tile(theirs, 2)
    what = f"{text.get('model_type')}, {layers}: wrong in silence"
    assert theirs.shape == found.frequencies.shape, what
    assert np.allclose(theirs, found.frequencies, rtol=2e-6, atol=1e-12), what
    # Phi-3.5-MoE has a factor for each list, where the library has one.
    assert abs(factor - found.attention_factor) < 1e-6 or "short_mscale" in str(text), what
    return ""


def default_configs():
    """Return the counts by rope_type, and what is refused, over all default configs."""
    matched, refused, without = collections.Counter(), [], []
    everything = list(configs({}))
    for module, name, config in everything:
        found, text = {}, config.to_dict()
        for layers, theirs, factor in lists_of(module, config):
            parameters = text["rope_parameters"]
            kind = (parameters[layers] if layers else parameters).get("rope_type", "default")
            found[layers] = kind, reason_against(layers, theirs, factor, text)
        if not found:
            without.append(name)
        matched.update(kind for kind, reason in found.values() if not reason)
        refused += [{"config": name, "type": k, "reason": why} for k, why in found.values() if why]
    return {
        "tried": len(everything),
        "matched": dict(matched.most_common()),
        "refused": refused,
        "without_module": without,
    }


# As files write them, of today and before: each class is built from these, and its file read.
LINEAR = {"rope_type": "linear", "factor": 4.0}
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 512}
CHANGES = [{"rope_theta": 123456.0}, {"rope_parameters": LINEAR | {"rope_theta": 123456.0}}]
CHANGES += [
    {"rope_theta": base, "rope_scaling": scaling}
    for base in (5e5, 123456.0)
    for scaling in (LINEAR, YARN, {"type": "linear", "factor": 4.0})
]
CHANGES += [change | {"partial_rotary_factor": 0.5} for change in CHANGES]
CHANGES += [{"rope_parameters": {"rope_theta": 5e5, "partial_rotary_factor": 0.5}}]


def changed_configs():
    """Return how many lists of changed configs are equal, and how many are refused."""
    counts = collections.Counter()
    for change in CHANGES:
        for module, _, config in configs(change):
            text = {key: value for key, value in config.to_dict().items() if key not in CHANGED}
            if text.get("model_type"):  # a part of another model's file has none
                text |= copy.deepcopy(change)
                for found in lists_of(module, config):
                    counts["refused" if reason_against(*found, text) else "equal"] += 1
    return dict(counts)


CHANGED = {"rope_parameters", "rope_scaling", *THETA, *PART}


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
        given = copy.deepcopy(text)  # in which the library will write today's rope_type
        config = AutoConfig.for_model(folder, **given)
        config.allow_global_per_layer_attribute_access = True
        found, elsewhere = list(lists_of(inspect.getmodule(type(config)), config)), {}
        assert found, model
        text["model_type"] = folder
        for layers, theirs, factor in found:
            assert not reason_against(layers, theirs, factor, text), model
            elsewhere |= scaled_frequencies(**rotary_settings(text, layers=layers)).elsewhere
        settings = given.get("rope_parameters") or given.get("rope_scaling") or {}
        kind = settings.get("rope_type", settings.get("type", "default"))
        row = {"model": model, "date": date, "type": kind, "elsewhere": sorted(elsewhere)}
        rows.append({**row, "seen": seen})
    return rows


def compare_all():
    """Return the comparisons as the book's page shows them; changed configs are counted alone."""
    print("configs with other settings:", changed_configs())
    return {**default_configs(), "published": published_configs()}
