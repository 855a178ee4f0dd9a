"""Which columns the model files of Transformers turn together."""

import importlib
from pathlib import Path

import torch

# The functions of Transformers' model files that say which columns are a pair.
TURNING = (
    "rotate_half",
    "rotate_every_two",
    "rotate_half_llm",
    "rotate_half_text",
    "apply_rotary_pos_emb_interleave",
)
# What they make of 0, 1, 2, ..., 7 in a quarter of a turn.
QUARTER_TURNS = {
    (-4, -5, -6, -7, 0, 1, 2, 3): "halves",
    (4, 5, 6, 7, 0, -1, -2, -3): "halves, the other way round",
    (-1, 0, -3, 2, -5, 4, -7, 6): "neighbours",
    (-1, -3, -5, -7, 0, 2, 4, 6): "neighbours",  # in, and halves out
}


def layouts():
    """Return the model files of transformers that turn halves, neighbours, or both.

    Each function of `TURNING` that a file has is called. Which layers call it is not asked.
    """
    import transformers.models

    found = {name: [] for name in ("neighbours", "both", *QUARTER_TURNS.values(), "neither")}
    for path in sorted(Path(transformers.models.__path__[0]).glob("*/modeling_*.py")):
        text = path.read_text(encoding="utf-8")
        names = [name for name in TURNING if f"def {name}(" in text]
        if not names:
            continue
        module = importlib.import_module(f"transformers.models.{path.parent.name}.{path.stem}")
        turns = {QUARTER_TURNS.get(quarter_turn(getattr(module, name))) for name in names}
        kind = "both" if turns == {"halves", "neighbours"} else turns.pop() or "neither"
        found[kind].append(path.stem.removeprefix("modeling_"))
    return found


def quarter_turn(function):
    given = torch.arange(8.0).view(1, 1, 1, 8)
    if function.__name__.startswith("apply"):
        cosine, sine = torch.zeros(1, 1, 8), torch.ones(1, 1, 8)
        turned = function(given, given, cosine, sine)[0]
    else:
        turned = function(given)
    return tuple(int(number) for number in turned.flatten().tolist())
