"""A ``config.json`` as it is pasted: what it does to positions, and what it leaves open."""

import json
import textwrap
from typing import Any

import numpy as np

from posenc_check.config import DATA, kinds_of_layers, rotary_settings
from posenc_check.settings import scaled_frequencies

Config = dict[str, Any]

# What attention turns, by model type; those that are known and not among these turn halves.
PAIRS = DATA["pairs"]
LEFT_OPEN = (
    "What this file does not say: whether queries and keys are normalised, and if so, before the "
    "turn or after it; whether your program reads these settings; and what a key does whose name "
    "is not about positions."
)


def config_report(text: str, model_type: str | None = None) -> str:
    """Return what a config does to positions, what to type for it, and what it leaves open.

    `text` is a whole ``config.json``, read as of `model_type` in place of the one that it names.
    There is a ladder of frequencies for each kind of layers, or why there is none.

    Examples
    --------
    >>> print(config_report('{"head_dim": 64}').partition(":")[0])
    config must have rope_theta
    """
    try:
        config = json.loads(text)
        given = {"model_type": model_type} if model_type else {}
        inner, _, found = kinds_of_layers(config, model_type)
        turning = [{"layers": name} for name, own in found.items() if own is not None]
        kinds = [kind | given for kind in (turning if len(turning) > 1 else [{}])]
        lists = [_one_list(config, inner, kind) for kind in kinds]
    except json.JSONDecodeError as problem:
        return f"This is not JSON: {problem}.\nPaste the whole file, from {{ to }}."
    except (TypeError, ValueError) as problem:
        return _wrapped(str(problem))
    return "\n\n".join([*lists, _to_type(inner, kinds[0]), _wrapped(LEFT_OPEN)])


def _wrapped(words: str) -> str:
    return textwrap.fill(" ".join(words.split()), 64, subsequent_indent="  ")


def _one_list(config: Config, inner: Config, given: dict[str, str]) -> str:
    """Return what is to be said of the layers of one kind."""
    settings = rotary_settings(config, **given)
    omega, factor, elsewhere = scaled_frequencies(**settings)
    parameters, longest = settings["rope_parameters"], settings.get("max_position_embeddings")
    columns = settings["head_dim"] + (inner.get("qk_nope_head_dim") or 0)
    head = f"{2 * (omega > 0).sum()} of the {columns} columns of a head turn, in pairs:"
    if which := given.get("layers"):
        kinds = inner.get("layer_types") or ()
        numbers = [str(number) for number, kind in enumerate(kinds) if kind == which]
        listed = f" ({', '.join(numbers)})" if numbers else ""
        head = f"In the layers of the kind {which}{listed}, {head}"
    said = [_wrapped(head)]
    for i in sorted({*np.linspace(0, omega.size - 1, 8).round().astype(int)}):
        wave = 2 * np.pi / omega[i] if omega[i] else 1
        rung = f"{wave:11.0f} tokens a turn {'-' * round(3 * np.log10(wave))}"
        said.append(f"  pair {i:3} {rung if omega[i] else 'has frequency 0'}")
    if longest:
        turning = sum(longest * omega >= 2 * np.pi)
        said.append(f"In {longest} tokens, {turning} of {omega.size} pairs make a full turn.")
    kind = parameters.get("rope_type", parameters.get("type"))
    if kind in ("dynamic", "longrope", "su") and "alpha" not in parameters:
        said.append("A longer text has another list: pass sequence_length= for it.")
    said.append(f"The factor is {factor:g}{', on the columns that turn' if factor != 1 else ''}.")
    return "\n".join([*said, *(_wrapped(f"{key}: {does}.") for key, does in elsewhere.items())])


def _to_type(inner: Config, given: dict[str, str]) -> str:
    """Return which columns form a pair, as far as it is known, and the code that turns them."""
    kind, layout = given.get("model_type", inner.get("model_type")), "halves"
    either = kind in PAIRS["as rope_interleave says"]
    if kind in PAIRS["neighbours"] or (either and inner.get("rope_interleave") is not False):
        layout = "interleaved"
    said = f"The pairs are {layout}, by the code of {kind} in transformers 5.23.0. What to type:"
    if kind in PAIRS["not measured"] or kind not in DATA["models"]:
        said = (
            f"Which columns form a pair is not known for {kind or 'a config without model_type'}: "
            "ask check_rope, and put its answer in here. What to type:"
        )
        layout = "..."
    columns = "columns that turn" if inner.get("qk_nope_head_dim") else "columns of a head"
    arguments = "".join(f', {name}="{value}"' for name, value in given.items())
    code = f"""
        import json, pathlib
        from posenc import rope
        from posenc_check import rotary_settings, scaled_frequencies
        config = json.loads(pathlib.Path("config.json").read_text())
        settings = rotary_settings(config{arguments})
        omega, factor, elsewhere = scaled_frequencies(**settings)
        # q has the shape (..., tokens, {columns})
        q = rope(q, positions, frequencies=omega, layout="{layout}")
        q[..., : 2 * omega.size] *= factor  # the same for k
        print(omega.tolist())  # the list, for other languages
    """
    return f"{_wrapped(said)}\n{textwrap.indent(textwrap.dedent(code).strip(), '  ')}"
