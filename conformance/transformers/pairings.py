"""Which columns the attention of each model folder of Transformers turns together."""

import importlib
import inspect
import re
import types
from pathlib import Path

import torch

from conformance.transformers import classes_of

# What a quarter of a turn makes of 0, 1, 2, ..., 7.
QUARTER_TURNS = {
    (-4, -5, -6, -7, 0, 1, 2, 3): "halves",
    (4, 5, 6, 7, 0, -1, -2, -3): "halves, the other way round",
    (-1, 0, -3, 2, -5, 4, -7, 6): "neighbours",
    (-1, -3, -5, -7, 0, 2, 4, 6): "neighbours",  # in, and halves out
}
# In which a class is about pictures, if its name has one of these.
OF_PICTURES = ("Vision", "ViT", "Visual", "Image", "Video", "Patch")
NAMES = ("neighbours", "both", "halves", "halves, the other way round")
TURNS = re.compile(r"\b_?(rotate|apply_rot)\w*")


def layouts():
    """Return the model folders by what their attention turns: halves, neighbours, or both.

    Only functions that the code of a layer calls are asked, and each is given the numbers 0 to 7.
    Code for pictures has an entry of its own, with "images" after the name of the folder.
    """
    import transformers.models

    found = {name: [] for name in NAMES}
    for path in sorted(Path(transformers.models.__path__[0]).glob("*/modeling_*.py")):
        if not TURNS.search(path.read_text(encoding="utf-8")):
            continue
        folder = path.stem.removeprefix("modeling_")
        module = importlib.import_module(f"transformers.models.{path.parent.name}.{path.stem}")
        for part, kinds in turns_of(module).items():
            name = folder + (", images" if part == "images" else "")
            found["both" if len(kinds) > 1 else next(iter(kinds))].append(name)
    return found


def turns_of(module):
    """Return {"text": ..., "images": ...}: which pairs the classes of a module turn."""
    found = {}
    for name, kind in classes_of(module).items():
        part = "images" if any(each in name for each in OF_PICTURES) else "text"
        functions = {}
        for method in vars(kind):
            add_called(getattr(kind, method), method, module, functions)
        for called, function in functions.items():
            if TURNS.fullmatch(called) and (turn := quarter_turn(function)):
                found.setdefault(part, set()).add(turn)
    return found


def add_called(function, name, module, found):
    """Add a function by its name, and those of its module that its code names, to `found`."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code and name not in found:
        found[name] = function
        inner = [each.co_names for each in code.co_consts if inspect.iscode(each)]  # of a loop
        for each in {*code.co_names}.union(*inner):
            add_called(vars(module).get(each), each, module, found)


def quarter_turn(function):
    """Return which pairs a function turns, by what it makes of 0 to 7; None if it takes others."""
    given = torch.arange(8.0).view(1, 1, 1, 8)
    cosine, sine = torch.zeros(1, 1, 8), torch.ones(1, 1, 8)
    quarter = torch.complex(torch.zeros(1, 1, 4), torch.ones(1, 1, 4))
    layer = types.SimpleNamespace(num_heads=1, head_size=8)
    for arguments in (
        (given,),
        (given, given, cosine, sine),
        (given, given, quarter),
        (layer, given[0], torch.stack([cosine, sine])[:, :, None]),
        (torch.cat([sine, cosine], dim=-1)[..., 4:12][None], given, given),  # RoFormer
    ):
        try:
            turned = function(*arguments)
        except (AttributeError, IndexError, RuntimeError, TypeError, ValueError):
            continue
        first = turned[0] if isinstance(turned, tuple) else turned
        if isinstance(first, torch.Tensor) and first.numel() == 8:
            kind = QUARTER_TURNS.get(tuple(round(each) for each in first.flatten().tolist()))
            if kind:
                return kind
    return None
