"""A ``config.json`` as it is pasted: what it does to positions, and what it leaves open."""

import json
import textwrap
from typing import Any

import numpy as np

from posenc._checks import shown
from posenc_check.config import DATA, LONGROPE, ConfigRefused, read_config, rotary_settings
from posenc_check.findings import Finding
from posenc_check.settings import ScaledFrequencies, scaled_frequencies
from posenc_check.words import sentence

# What attention turns, by model type; those that are known and not among these turn halves.
PAIRS = DATA["pairs"]
# Findings that begin a paragraph, and findings whose words are lines as they are to be printed.
BEGINNINGS = ("columns", "pairs", "pairs unknown", "left open")
LINES = ("ladder", "no JSON", "full turns", "factor", "longer texts")


def config_report(text: str, model_type: str | None = None) -> str:
    """Return what a config does to positions, what to type for it, and what it leaves open.

    `text` is a whole ``config.json``, read as of `model_type` in place of the one that it names.
    There is a ladder of frequencies for each kind of layers, or why there is none; where the list
    changes with the length of the text (LongRoPE), there is one for each.

    Examples
    --------
    >>> print(config_report('{"head_dim": 64}').partition(":")[0])
    config must have rope_theta
    """
    try:
        config = json.loads(text)
    except json.JSONDecodeError as problem:
        return sentence(Finding("no JSON", problem=problem))
    paragraphs: list[list[str]] = []
    for finding in config_findings(config, model_type):
        if finding.kind in BEGINNINGS or not paragraphs:
            paragraphs.append([])
        paragraphs[-1].append(_printed(finding))
    return "\n\n".join(map("\n".join, paragraphs))


def _printed(finding: Finding) -> str:
    """Return the words of a finding in lines of at most 64 characters, but code as it is."""
    words = sentence(finding)
    if finding.kind == "program":
        return textwrap.indent(words, "  ")
    if finding.kind in LINES:
        return words
    return textwrap.fill(" ".join(words.split()), 64, subsequent_indent="  ")


def config_findings(config: Any, model_type: str | None = None) -> list[Finding]:
    """Return what a config does to positions, as data: the lines of its report, one by one.

    `config` is what ``json.loads`` makes of a ``config.json``; `model_type` is as for
    `config_report`.

    Examples
    --------
    >>> found = config_findings({"head_dim": 4, "rope_theta": 100.0})
    >>> found[0].kind, found[0].turning, found[0].columns
    ('columns', 4, 4)
    """
    try:
        text = read_config(config, model_type)
        turning = [name for name, own in text.kinds.items() if own is not None]
        findings = [
            finding
            for layers in (turning if len(turning) > 1 else [None])
            for finding in _of_layers(config, text.entries, layers, model_type)
        ]
    except ConfigRefused as refused:
        return [refused.finding]
    except (TypeError, ValueError) as refused:
        return [Finding("refused", message=str(refused))]
    first = turning[0] if len(turning) > 1 else None
    return [*findings, *_to_type(text.entries, first, model_type), Finding("left open")]


def _of_layers(
    config: dict[str, Any], entries: dict[str, Any], layers: str | None, model_type: str | None
) -> list[Finding]:
    """Return the findings on the layers of one kind: columns, lists, and what else acts."""
    settings = rotary_settings(config, layers=layers, model_type=model_type)
    parameters, longest = settings["rope_parameters"], settings.get("max_position_embeddings")
    found = scaled_frequencies(**settings)
    columns = Finding(
        "columns",
        turning=int(2 * (found.frequencies > 0).sum()),
        columns=settings["head_dim"] + (entries.get("qk_nope_head_dim") or 0),
        layers=layers,
        numbers=[i for i, kind in enumerate(entries.get("layer_types") or ()) if kind == layers],
    )
    findings, kind = [columns], parameters.get("rope_type", parameters.get("type"))
    if kind in LONGROPE:
        original = parameters["original_max_position_embeddings"]
        longer = scaled_frequencies(**settings, sequence_length=original + 1)
        findings += [
            Finding("up to", tokens=original),
            *_of_list(found, min(longest or original, original)),
            Finding("beyond", tokens=original),
            *_of_list(longer, longest),
        ]
    else:
        findings += _of_list(found, longest)
    if kind == "dynamic" and "alpha" not in parameters:
        findings.append(Finding("longer texts"))
    return findings + [Finding("acts", key=key, does=does) for key, does in found.elsewhere.items()]


def _of_list(found: ScaledFrequencies, longest: int | None) -> list[Finding]:
    """Return findings on a list: eight of its pairs, how many make a full turn, and the factor."""
    omega = found.frequencies
    with np.errstate(over="ignore", divide="ignore"):
        tokens = 2 * np.pi / omega
    if (np.isinf(tokens) & (omega > 0)).any():
        raise ValueError(
            f"rope_parameters must leave frequencies that float64 can hold, got {shown(omega)}"
        )
    eight = sorted({*np.linspace(0, omega.size - 1, 8).round().astype(int).tolist()})
    pairs = [(i, float(tokens[i]) if omega[i] else None) for i in eight]
    findings = [Finding("ladder", pairs=pairs)]
    if longest:
        turning = int((tokens <= longest).sum())
        findings.append(Finding("full turns", tokens=longest, turning=turning, pairs=omega.size))
    return [*findings, Finding("factor", factor=found.attention_factor)]


def _to_type(entries: dict[str, Any], layers: str | None, model_type: str | None) -> list[Finding]:
    """Return which columns form a pair, as far as it is known, and the code that turns them."""
    kind = model_type or entries.get("model_type")
    kind = DATA["text_of"].get(kind, kind)
    neighbours = kind in PAIRS["neighbours"]
    if kind in PAIRS["as rope_interleave says"]:
        neighbours = entries.get("rope_interleave") is not False
    layout = "interleaved" if neighbours else "halves"
    about = Finding("pairs", layout=layout, model_type=kind, release=DATA["transformers"])
    if kind in PAIRS["not measured"] or kind not in DATA["models"]:
        about, layout = Finding("pairs unknown", model_type=kind), "..."
    columns = "columns that turn" if entries.get("qk_nope_head_dim") else "columns of a head"
    given = {"layers": layers, "model_type": model_type}
    arguments = "".join(f', {name}="{value}"' for name, value in given.items() if value)
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
    return [about, Finding("program", code=textwrap.dedent(code).strip())]
