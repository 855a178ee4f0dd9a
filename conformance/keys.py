"""The model types of posenc_check/config_keys.json, made from the installed Transformers.

    python -m conformance.keys            show what is new or different, and fail if something is
    python -m conformance.keys --write    store it (make keys)

What the code of a model type has for a setting that a config leaves out, and whether it reads a
partial factor, is found by building its config class and its rotary module. The other entries of a
type say what no class has as a setting (which layers stand still, which keys are ignored); a person
writes them, and they stay as they are. `conformance.transformers.configs` holds all of it to the
lists that the modules build.
"""

import copy
import json
import os
import sys
import warnings
from pathlib import Path

FILE = Path(__file__).parent.parent / "posenc_check" / "config_keys.json"
# What is made here; a person writes the rest of a model type's entry.
MADE = (
    "rope_theta",
    "head_dim",
    "hidden_size",
    "num_attention_heads",
    "partial_rotary_factor",
    "rope_type",
    "rope_parameters",
    "kinds",
)
SIZES = ("hidden_size", "num_attention_heads")


def main(arguments):
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    warnings.filterwarnings("ignore")
    import transformers

    stored = json.loads(FILE.read_text(encoding="utf-8"))
    made = {**stored, "transformers": transformers.__version__}
    made["models"] = {**stored["models"]}
    refused = {kind for kinds in stored["refused"].values() for kind in kinds}
    for kind, found in types().items():
        if kind not in refused:
            by_hand = stored["models"].get(kind, {})
            by_hand = {name: value for name, value in by_hand.items() if name not in MADE}
            ignored = {*found.pop("ignores", ()), *by_hand.pop("ignores", ())}
            also = {"ignores": sorted(ignored)} if ignored else {}
            made["models"][kind] = found | by_hand | also
    made["models"] = dict(sorted(made["models"].items()))
    known = refused.union(made["models"])
    made["text_of"] = {kind: text for kind, text in texts_of().items() if text in known}
    made["text_from_whole"] = [kind for kind in made["text_of"] if reads_text_from_whole(kind)]
    differences = differing(stored, made)
    print("\n".join(differences) or "nothing is new")
    if "--write" in arguments:
        FILE.write_text(as_text(made), encoding="utf-8")
        print(f"written to {FILE}")
    elif differences:
        sys.exit("config_keys.json is not what this Transformers has: make keys")


def differing(stored, made):
    """Return a line for each model type, release or list of texts that is new, gone or another."""
    lines = []
    for name in ("transformers", "text_of", "text_from_whole"):
        if stored[name] != made[name]:
            old, new = stored[name], made[name]
            if isinstance(old, dict):
                new = {key: new[key] for key in new if old.get(key) != new[key]}
                old = {key: old[key] for key in old if key not in made[name]}
            lines.append(f"{name}: {old} -> {new}")
    for kind, rule in made["models"].items():
        before = stored["models"].get(kind)
        if before is None:
            lines.append(f"new: {kind} {rule}")
        elif before != rule:
            keys = [key for key in {**before, **rule} if before.get(key) != rule.get(key)]
            changes = (f"{key} {before.get(key)} -> {rule.get(key)}" for key in keys)
            lines.append(f"{kind}: {', '.join(changes)}")
    return lines


def as_text(data):
    """Return the file's text: an entry of a dict a line, and what is inside it on that line."""
    lines = []
    for name, value in data.items():
        key = json.dumps(name)
        if isinstance(value, dict) and value:
            inner = (f"  {json.dumps(each)}: {json.dumps(value[each])}" for each in value)
            lines.append(f" {key}: {{\n" + ",\n".join(inner) + "\n }")
        else:
            lines.append(f" {key}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def types():
    """Return what the class of each model type has, by model type."""
    from conformance.transformers.configs import configs

    found = {}
    for module, _, config in configs({}):
        if kind := config.to_dict().get("model_type"):
            found.setdefault(kind, rule_of(module, config))
    return found


def rule_of(module, config):
    """Return the entries of one model type that are made here."""
    rule, parameters = {}, config.to_dict()["rope_parameters"]
    if several(parameters):
        rule["kinds"] = parameters
    else:
        rule["rope_theta"] = parameters["rope_theta"]
        if parameters["rope_type"] == "axial":
            rule["rope_type"] = "axial"
        elif parameters["rope_type"] != "default":
            rule["rope_parameters"] = parameters
        elif ignores_base(config):
            rule["ignores"] = ["rope_theta"]
    width, hidden = (getattr(config, name, None) for name in ("head_dim", "hidden_size"))
    wide = built(config, {"hidden_size": 2 * hidden}) if isinstance(hidden, int) else None
    sizes = {name: getattr(config, name, None) for name in SIZES}
    if width and (wide is None or getattr(wide, "head_dim", None) == width):
        rule["head_dim"] = width
    elif all(isinstance(size, int) for size in sizes.values()):
        rule |= sizes
    if (part := part_of(module, config)) is not None:
        rule["partial_rotary_factor"] = part
    return rule


def ignores_base(config):
    """Return whether a class takes a base from rope_parameters alone, and has its own otherwise."""
    other = built(config, {"rope_theta": 123456.0})
    return other is not None and other.rope_parameters["rope_theta"] != 123456.0


def several(parameters):
    """Return whether rope_parameters are those of several kinds of layers."""
    return any(isinstance(each, dict) for each in parameters.values())


def built(config, changes):
    """Return another config of the class with these changes, or None where the class refuses."""
    try:
        made = type(config)(**copy.deepcopy(changes))
    except Exception:  # each class refuses in its own way
        return None
    made.allow_global_per_layer_attribute_access = True
    return made


def part_of(module, config):
    """Return the part of a head that turns by default; None if the code reads no such factor."""
    from conformance.transformers.configs import lists_of

    name, parameters = "partial_rotary_factor", config.to_dict()["rope_parameters"]
    if name in parameters:
        return parameters[name]
    if several(parameters) and any(name in own for own in parameters.values() if own):
        return 1

    def with_part(own, part):
        return own and {"rope_type": "default", "rope_theta": own["rope_theta"], name: part}

    sizes = []
    for part in (1.0, 0.5):
        if several(parameters):
            changed = {kind: with_part(own, part) for kind, own in parameters.items()}
        else:
            changed = with_part(parameters, part)
        other = built(config, {"rope_parameters": changed})
        sizes.append([theirs.size for _, theirs, _ in lists_of(module, other)] if other else [])
    return 1 if sizes[0] and sizes[0] != sizes[1] else None


def texts_of():
    """Return the model type of the text in each model of text and images."""
    from conformance.transformers.configs import classes

    keys = ("text_config", "llm_config", "language_config", "thinker_config")
    found = {}
    for _, kind in classes():
        for key in keys:
            text = (getattr(kind, "sub_configs", None) or {}).get(key)
            if kind.model_type and getattr(text, "model_type", ""):
                found.setdefault(kind.model_type, text.model_type)
    return dict(sorted(found.items()))


def reads_text_from_whole(kind):
    """Return whether a config without a config of its text is read as that of the text."""
    from transformers import AutoConfig

    changes = {}, {"rope_theta": 123456.0}
    try:
        texts = [AutoConfig.for_model(kind, **each).get_text_config() for each in changes]
    except Exception:  # each class refuses in its own way
        return False
    own, other = (text.to_dict().get("rope_parameters") for text in texts)
    return own != other


if __name__ == "__main__":
    main(sys.argv[1:])
