"""A ``config.json`` as it is pasted: what it does to positions, and what it leaves open."""

import json
import textwrap
from typing import Any

import numpy as np

from posenc._checks import shown
from posenc_check.config import DATA, LONGROPE, ConfigRefused, kinds_of_layers, rotary_settings
from posenc_check.findings import Finding
from posenc_check.settings import ScaledFrequencies, scaled_frequencies
from posenc_check.words import sentence

Config = dict[str, Any]

# What attention turns, by model type; those that are known and not among these turn halves.
PAIRS = DATA["pairs"]
# Findings whose words are lines already, as they are to be printed.
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
    paragraphs = [""]
    for finding in config_findings(config, model_type):
        if finding.kind in ("columns", "pairs", "pairs unknown", "left open") and paragraphs[-1]:
            paragraphs.append("")
        if finding.kind == "program":
            lines = textwrap.indent(finding.code, "  ")
        elif finding.kind in LINES:
            lines = sentence(finding)
        else:
            lines = _wrapped(sentence(finding))
        paragraphs[-1] += ("\n" if paragraphs[-1] else "") + lines
    return "\n\n".join(paragraphs)


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
        given = {"model_type": model_type} if model_type else {}
        inner, _, found = kinds_of_layers(config, model_type)
        turning = [{"layers": name} for name, own in found.items() if own is not None]
        kinds = [kind | given for kind in (turning if len(turning) > 1 else [{}])]
        findings = [each for kind in kinds for each in _one_kind(config, inner, kind)]
    except ConfigRefused as refused:
        return [refused.finding]
    except (TypeError, ValueError) as refused:
        return [Finding("refused", message=str(refused))]
    return [*findings, *_to_type(inner, kinds[0]), Finding("left open")]


def _wrapped(words: str) -> str:
    return textwrap.fill(" ".join(words.split()), 64, subsequent_indent="  ")


def _one_kind(config: Config, inner: Config, given: dict[str, str]) -> list[Finding]:
    """Return what is to be said of the layers of one kind."""
    settings = rotary_settings(config, **given)
    parameters, longest = settings["rope_parameters"], settings.get("max_position_embeddings")
    found = scaled_frequencies(**settings)
    beside = inner.get("qk_nope_head_dim") or 0
    about: dict[str, Any] = {
        "turning": int(2 * (found.frequencies > 0).sum()),
        "columns": settings["head_dim"] + beside,
        "layers": given.get("layers"),
        "numbers": [],
    }
    if which := given.get("layers"):
        kinds = inner.get("layer_types") or ()
        about["numbers"] = [number for number, kind in enumerate(kinds) if kind == which]
    findings = [Finding("columns", **about)]
    kind = parameters.get("rope_type", parameters.get("type"))
    if kind in LONGROPE:
        original = parameters["original_max_position_embeddings"]
        longer = scaled_frequencies(**settings, sequence_length=original + 1)
        shorter = min(longest or original, original)
        findings += [Finding("up to", tokens=original), *_list(found, shorter)]
        findings += [Finding("beyond", tokens=original), *_list(longer, longest)]
    else:
        findings += _list(found, longest)
    if kind == "dynamic" and "alpha" not in parameters:
        findings.append(Finding("longer texts"))
    return findings + [Finding("acts", key=key, does=does) for key, does in found.elsewhere.items()]


def _list(found: ScaledFrequencies, longest: int | None) -> list[Finding]:
    """Return eight pairs of a list, how many pairs make a full turn, and the factor."""
    omega = found.frequencies
    pairs = []
    for i in sorted({*np.linspace(0, omega.size - 1, 8).round().astype(int).tolist()}):
        with np.errstate(over="ignore"):
            pairs.append((i, float(2 * np.pi / omega[i]) if omega[i] else None))
    if any(tokens == np.inf for _, tokens in pairs):
        raise ValueError(
            f"rope_parameters must leave frequencies that float64 can hold, got {shown(omega)}"
        )
    findings = [Finding("ladder", pairs=pairs)]
    if longest:
        turning = int(sum(longest * omega >= 2 * np.pi))
        findings.append(Finding("full turns", tokens=longest, turning=turning, pairs=omega.size))
    return [*findings, Finding("factor", factor=found.attention_factor)]


def _to_type(inner: Config, given: dict[str, str]) -> list[Finding]:
    """Return which columns form a pair, as far as it is known, and the code that turns them."""
    kind = given.get("model_type", inner.get("model_type"))
    kind = DATA["text_of"].get(kind, kind)
    layout = "halves"
    either = kind in PAIRS["as rope_interleave says"]
    if kind in PAIRS["neighbours"] or (either and inner.get("rope_interleave") is not False):
        layout = "interleaved"
    about = Finding("pairs", layout=layout, model_type=kind, release=DATA["transformers"])
    if kind in PAIRS["not measured"] or kind not in DATA["models"]:
        about, layout = Finding("pairs unknown", model_type=kind), "..."
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
    return [about, Finding("program", code=textwrap.dedent(code).strip())]
