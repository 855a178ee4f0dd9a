"""The report on a ``config.json``: what it does to positions, and what it leaves open."""

import json
import textwrap
from collections.abc import Iterator
from typing import Any

import numpy as np

from posenc._checks import shown
from posenc_check.config import DATA, ConfigRefused, TextConfig, read_config, settings_of
from posenc_check.findings import Finding
from posenc_check.settings import (
    RULES,
    ScaledFrequencies,
    names_read,
    rule_name,
    scaled_frequencies,
)
from posenc_check.words import sentence

Findings = Iterator[Finding]
# Model types whose pairs are neighbours, or not measured; the pairs of all other types are halves.
PAIRS = DATA["pairs"]
LINE = 64  # characters of a line of a report


def config_report(text: str, model_type: str | None = None) -> str:
    """Return a report in words: what a config does to positions, code to type, what is left open.

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
    return printed(config_findings(config, model_type))


def printed(findings: list[Finding]) -> str:
    """Return the words of findings on a config in lines of LINE characters; code is left as it is.

    A finding whose words begin with an empty line opens a paragraph. All but the first line of a
    sentence are indented.
    """
    lines = []
    for finding in findings:
        for line in sentence(finding).splitlines():
            as_it_is = finding.kind in ("ladder", "program")
            lines.append(line if as_it_is else textwrap.fill(line, LINE, subsequent_indent="  "))
    return "\n".join(lines).strip()  # the first paragraph needs no empty line before it


def config_findings(config: Any, model_type: str | None = None) -> list[Finding]:
    """Return findings on what a config does to positions, or the one for which it is refused.

    They are the lines of its report, in order. `config` is what ``json.loads`` makes of a
    ``config.json``; `model_type` is as for `config_report`.

    Examples
    --------
    >>> findings = config_findings({"head_dim": 4, "rope_theta": 100.0})
    >>> findings[0].kind, findings[0].turning, findings[0].columns
    ('columns', 4, 4)
    """
    try:
        text = read_config(config, model_type)
        kinds = text.kinds_with_lists()
        # A list, since what the generator raises has to be raised within this `try`.
        findings = [finding for layers in kinds for finding in _of_layers(text, layers)]
    except ConfigRefused as refused:
        return [refused.finding]
    except (TypeError, ValueError) as refused:
        return [Finding("refused", message=str(refused))]
    code = _pairs_and_code(text, kinds[0], model_type)
    return [*findings, *code, Finding("left open")]


def _of_layers(text: TextConfig, layers: str | None) -> Findings:
    """Yield findings on the layers of one kind: columns, lists, and what acts beside them."""
    settings = settings_of(text, layers)
    parameters, longest = settings["rope_parameters"], settings.get("max_position_embeddings")
    scaled = scaled_frequencies(**settings)  # for a short text, where the length counts
    # DeepSeek's heads have these columns beside those that turn. Other configs have no such key.
    columns_beside = text.entries.get("qk_nope_head_dim") or 0
    kind_of_layer = _kinds_in_order(text.entries)
    yield Finding(
        "columns",
        turning=int(2 * (scaled.frequencies > 0).sum()),  # those of p-RoPE at 0 do not turn
        columns=settings["head_dim"] + columns_beside,
        layers=layers,
        numbers=[number for number, kind in enumerate(kind_of_layer) if kind == layers],
    )
    rope_type = rule_name(parameters)
    if rope_type == "longrope":
        original = parameters["original_max_position_embeddings"]
        yield Finding("up to", tokens=original)
        yield from _of_list(scaled, original)  # the short list
        yield Finding("beyond", tokens=original)
        scaled = scaled_frequencies(**settings, sequence_length=original + 1)  # the long list
    yield from _of_list(scaled, longest)
    if rope_type == "dynamic":
        yield Finding("longer texts")
    read = {name: parameters[name] for name in parameters.keys() & names_read(RULES[rope_type])}
    yield from _lengths(rope_type, read, longest)
    for key, does in scaled.elsewhere.items():  # settings that act beside the list
        yield Finding("acts", key=key, does=does)


def _lengths(rope_type: str, parameters: dict[str, Any], longest: int | None) -> Findings:
    """Yield findings on a factor and lengths that do not fit together.

    Those whose kind begins with "unfit" are what Transformers warns of. It takes the numbers as
    they are, and so does the list.
    """
    factor = parameters.get("factor")
    original = parameters.get("original_max_position_embeddings")
    if isinstance(factor, int | float) and factor < 1:
        yield Finding("unfit factor", factor=factor)
    if not original or not longest:
        return
    values = {"original": original, "longest": longest, "ratio": longest / original}
    if rope_type == "yarn" and factor and factor != values["ratio"]:
        # Instructions for some models (Qwen2.5) leave max_position_embeddings as it was.
        kind = "same lengths" if original == longest else "unfit lengths"
        yield Finding(kind, factor=factor, **values)
    elif original > longest or (rope_type == "llama3" and original == longest):
        # Of LongRoPE's lengths Transformers compares none.
        kind = "no longer texts" if rope_type == "longrope" else "unfit original"
        yield Finding(kind, above=original > longest, **values)


def _kinds_in_order(entries: dict[str, Any]) -> list[str]:
    """Return the kind of each layer, from the first on; nothing where a config does not say it."""
    count = entries.get("num_hidden_layers")
    if kinds := entries.get("layer_types"):
        # Step 3.5 lists the layers that predict further tokens, too, after those that it counts.
        return list(kinds)[: count if isinstance(count, int) else None]
    # The older form of Gemma 3: of 6, for example, layers 6, 12, ..., counted from 1, see the whole
    # text, and the others a window.
    step = entries.get("sliding_window_pattern")
    if not (isinstance(step, int) and isinstance(count, int) and step > 0):
        return []
    numbers = range(1, count + 1)
    return ["sliding_attention" if n % step else "full_attention" for n in numbers]


def _of_list(scaled: ScaledFrequencies, longest: int | None) -> Findings:
    """Yield findings on a list: a few pairs, how many make a full turn, and the factor.

    `longest` is the length of the texts in which turns are counted. Without it none are counted.
    """
    omega = scaled.frequencies
    with np.errstate(over="ignore", divide="ignore"):
        tokens_a_turn = 2 * np.pi / omega  # infinite where a pair does not turn
    if (np.isinf(tokens_a_turn) & (omega > 0)).any():  # as with a factor of 1e308
        raise ValueError(
            f"rope_parameters must leave frequencies that float64 can hold, got {shown(omega)}"
        )
    # Eight pairs from the first to the last, or all of a shorter list: each is named once.
    numbers = sorted({*np.linspace(0, omega.size - 1, 8).round().astype(int).tolist()})
    pairs = [(i, float(tokens_a_turn[i]) if omega[i] else None) for i in numbers]
    yield Finding("ladder", pairs=pairs)
    if longest:
        turning = int((tokens_a_turn <= longest).sum())
        yield Finding("full turns", tokens=longest, turning=turning, pairs=omega.size)
    yield Finding("factor", factor=scaled.attention_factor)


def _layout(text: TextConfig) -> str | None:
    """Return the layout of pairs in the code of a model type, None if it was not measured."""
    if not text.facts or text.model_type in PAIRS["not measured"]:
        return None
    neighbours = text.model_type in PAIRS["neighbours"]
    if text.model_type in PAIRS["as rope_interleave says"]:
        # These classes, such as DeepSeek-V3's, take true where the config has no such key.
        neighbours = text.entries.get("rope_interleave") is not False
    return "interleaved" if neighbours else "halves"


def _pairs_and_code(text: TextConfig, layers: str | None, model_type: str | None) -> Findings:
    """Yield a finding on which columns form a pair, and one with the code to type that turns them.

    `layers` is the kind of layers that the code is for, if there are several that turn, and
    `model_type` the type that was passed to read the config as, if any was passed.
    """
    if layout := _layout(text):
        release = DATA["transformers"]
        yield Finding("pairs", layout=layout, model_type=text.model_type, release=release)
    else:
        yield Finding("pairs unknown", model_type=text.model_type)
    options = {"layers": layers, "model_type": model_type}
    arguments = "".join(f', {name}="{value}"' for name, value in options.items() if value)
    parameters = settings_of(text, layers)["rope_parameters"]
    sections = parameters.get("mrope_section")  # how many pairs time, height and width turn
    turn_finding = Finding(
        "turn by section" if sections else "turn",
        sections=sections,
        in_turn=parameters.get("mrope_interleaved"),
        layout=layout or "...",  # which whoever types the code has to fill in
    )
    turn = sentence(turn_finding).strip()
    kinds_without_rope = [name for name, settings in text.kinds.items() if settings is None]
    # The numbers of layers that do not turn say more than the names of their kinds. For either the
    # lines that turn stand below an `if`.
    indented = textwrap.indent(turn, "    ")
    if text.layers_without_rope:
        turn = sentence(Finding("some layers", still=text.layers_without_rope, turn=indented))
    elif kinds_without_rope:
        turn = sentence(Finding("some kinds", kinds=kinds_without_rope, turn=indented))
    # DeepSeek's code turns an array of the columns that turn, without those beside them.
    is_part = text.entries.get("qk_nope_head_dim")
    code = Finding(
        "code",
        arguments=arguments,
        turn=turn,
        sections=sections,
        layers=layers,
        columns="columns that turn" if is_part else "columns of a head",
    )
    yield Finding("program", code=sentence(code).strip())
