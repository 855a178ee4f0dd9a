"""Which columns the attention of each model folder of Transformers turns together."""

import ast
import importlib
import types
from pathlib import Path

import torch

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


def layouts():
    """Return the model folders by what their attention turns: halves, neighbours, or both.

    Only functions that the code of a layer calls are asked, and each is given the numbers 0 to 7.
    Code for pictures has an entry of its own, with "images" after the name of the folder.
    """
    import transformers.models

    found = {name: [] for name in NAMES}
    for path in sorted(Path(transformers.models.__path__[0]).glob("*/modeling_*.py")):
        turns = turns_of(path)
        folder = path.stem.removeprefix("modeling_")
        for part, kinds in turns.items():
            name = folder + (", images" if part == "images" else "")
            found["both" if len(kinds) > 1 else next(iter(kinds))].append(name)
    return found


def turns_of(path):
    """Return {"text": ..., "images": ...}: which pairs the classes of a file turn."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    found, module = {}, None
    for node in tree.body:
        if not isinstance(node, ast.ClassDef):
            continue
        called = closure(called_in(node), functions)
        methods = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
        for name in sorted(called | methods):
            if not name.lstrip("_").startswith(("rotate", "apply_rot")):
                continue
            if module is None:
                module = importlib.import_module(
                    f"transformers.models.{path.parent.name}.{path.stem}"
                )
            owner = getattr(module, node.name) if name in methods else module
            kind = QUARTER_TURNS.get(quarter_turn(getattr(owner, name, None)))
            if kind:
                part = "images" if any(each in node.name for each in OF_PICTURES) else "text"
                found.setdefault(part, set()).add(kind)
    return found


def called_in(node):
    """Return the names that are called in a class or function; a decorator does not call."""
    bodies = [each for each in node.body if isinstance(each, ast.stmt)]
    names = set()
    for body in bodies:
        inner = body.body if isinstance(body, ast.FunctionDef) else [body]
        for statement in inner:
            for each in ast.walk(statement):
                if isinstance(each, ast.Call):
                    names.add(getattr(each.func, "id", getattr(each.func, "attr", "")))
                elif isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load):
                    names.add(each.id)  # chosen first, called later
    return names


def closure(names, functions):
    """Return the names, with those that the functions among them call in turn."""
    seen, left = set(), set(names)
    while left:
        name = left.pop()
        seen.add(name)
        if name in functions:
            left |= called_in(functions[name]) - seen
    return seen


def quarter_turn(function):
    """Return what a function makes of 0 to 7 in a quarter of a turn; None if it takes others."""
    if function is None:
        return None
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
            numbers = tuple(round(number) for number in first.flatten().tolist())
            if numbers in QUARTER_TURNS:
                return numbers
    return None
