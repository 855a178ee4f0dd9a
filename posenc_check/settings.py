"""The frequencies and the attention factor that a model's rotary settings come to.

`scaled_frequencies` takes the settings by the names that Transformers gives them, and calls the
rule of `posenc.scaling` that they name.
"""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, SupportsIndex

import numpy as np

from posenc._checks import (
    FloatArray,
    even_width,
    positive_number,
    real_number,
    shown,
    whole_number,
)
from posenc.scaling import (
    dynamic_ntk,
    linear,
    llama3,
    longrope,
    longrope_attention_factor,
    ntk_aware,
    p_rope,
    yarn,
    yarn_attention_factor,
)
from posenc_check.findings import Finding
from posenc_check.words import sentence

__all__ = ["ScaledFrequencies", "scaled_frequencies"]


class ScaledFrequencies(NamedTuple):
    """What a model's rotary settings come to: three results, of which none can be overlooked."""

    frequencies: FloatArray  #: radians per token of each pair that turns, for `rope`
    attention_factor: float  #: what turned queries and turned keys are multiplied by, each once
    elsewhere: dict[str, str]  #: settings that change neither of the two, with what each does


def scaled_frequencies(
    head_dim: SupportsIndex,
    rope_parameters: dict[str, Any],
    *,
    sequence_length: SupportsIndex = 0,
    max_position_embeddings: SupportsIndex | None = None,
    elsewhere: Mapping[str, str] | None = None,
) -> ScaledFrequencies:
    """Return what a model's rotary settings come to: frequencies, attention factor, and the rest.

    Parameters
    ----------
    head_dim : int
        Columns of one head.
    rope_parameters : dict
        The settings of one kind of layers, as Transformers writes them from version 5 on, with
        ``rope_theta`` among them. `rotary_settings` reads these and older configs.
    sequence_length : int, optional
        Tokens of the text, which "dynamic" and "longrope" go by.
    max_position_embeddings : int, optional
        Of the config: "dynamic" asks for it, and so do "yarn" and "longrope" without a factor.
    elsewhere : dict, optional
        What `rotary_settings` found beside these settings; the result has it too.

    Returns
    -------
    ScaledFrequencies
        ``frequencies``, ``attention_factor`` and ``elsewhere``, as that class describes them.

    Examples
    --------
    >>> gpt_neox = {"rope_type": "default", "rope_theta": 10_000.0, "partial_rotary_factor": 0.25}
    >>> omega, factor, elsewhere = scaled_frequencies(32, gpt_neox)
    >>> print(omega, factor, elsewhere)
    [1.    0.1   0.01  0.001] 1.0 {}
    >>> qwen2_vl = {"type": "mrope", "rope_theta": 1e6, "mrope_section": [16, 24, 24]}
    >>> print(scaled_frequencies(128, qwen2_vl).elsewhere)
    {'mrope_section': 'says which coordinate turns a pair: posenc.axes.mrope_axes'}
    """
    if not isinstance(rope_parameters, dict):
        raise TypeError(f"rope_parameters must be a dict, got {shown(rope_parameters)}")
    given = {name: value for name, value in rope_parameters.items() if value is not None}
    if layers := [name for name, value in given.items() if isinstance(value, dict)]:
        raise ValueError(f"rope_parameters must be those of one of {layers}, got those of each")
    if not isinstance(elsewhere, Mapping | None):
        raise TypeError(f"elsewhere must be a dict of words by key, got {shown(elsewhere)}")
    named = [given[name] for name in ("rope_type", "type") if name in given] or ["default"]
    kinds = {ALIASES.get(each, each) if isinstance(each, str) else "" for each in named}
    kind = next(iter(kinds))
    if len(kinds) > 1 or kind not in RULES:
        raise ValueError(
            f"rope_type must be one of {(*RULES, *ALIASES)}, and so must type, its older name, "
            f"with the same meaning, got {' and '.join(map(shown, named))}"
        )
    if "rope_theta" not in given:
        raise ValueError(
            "rope_parameters must have rope_theta, the base, which older configs have beside "
            f"rope_scaling, got {shown(rope_parameters)}"
        )
    if kind == "dynamic" and "alpha" in given:
        kind = "dynamic with alpha"
    acting = {**(elsewhere or {}), **_elsewhere(kind, given)}
    given["sequence_length"] = text = whole_number(sequence_length, "sequence_length", least=0)
    # The argument of that name is meant, which `_elsewhere` has noted.
    given.pop("max_position_embeddings", None)
    factor_of, original = FACTORS.get(kind), given.get("original_max_position_embeddings")
    if max_position_embeddings is not None:
        longest = whole_number(max_position_embeddings, "max_position_embeddings", least=1)
        given["max_position_embeddings"] = longest
        if factor_of and original:
            name = "original_max_position_embeddings"
            given.setdefault("factor", longest / whole_number(original, name, least=1))
    omega, factor = _call(RULES[kind], given, rope_parameters, _width(head_dim, given, kind)), 1.0
    name = "attention_factor"
    if kind == "longrope" and name not in given:  # Phi-3.5-MoE has a number for each list
        name = "long_mscale" if text > given["original_max_position_embeddings"] else "short_mscale"
    if factor_of and name in given:
        factor = positive_number(given[name], name)
    elif factor_of:
        factor = _call(factor_of, given, rope_parameters)
    return ScaledFrequencies(omega, factor, acting)


def _width(head_dim: SupportsIndex, given: dict[str, Any], kind: str) -> int:
    """Return the number of columns of a head that RoPE rotates, all of them for "proportional".

    A part that the settings leave out is written into `given` as 1.
    """
    width = even_width(head_dim, "head_dim")
    part = real_number(given.setdefault("partial_rotary_factor", 1.0), "partial_rotary_factor")
    if kind == "proportional":  # p-RoPE reads the part itself, of the whole head
        return width
    if part > 1:
        raise ValueError(f"partial_rotary_factor must be at most 1, all columns, got {part}")
    turning = int(width * part)
    if turning < 2 or turning % 2:
        raise ValueError(
            f"partial_rotary_factor must leave an even number of columns, at least 2, of {width}, "
            f"got {part}, which leaves {turning}"
        )
    return turning


def _call(rule: Callable[..., Any], given: dict[str, Any], passed: Any, *arguments: int) -> Any:
    """Call a rule with those of the given settings that it takes."""
    settings = _keywords(rule)
    for name, each in settings.items():
        if each.default is each.empty and name not in given:
            raise ValueError(f"{rule.__name__} must have {name}, got {shown(passed)}")
    return rule(*arguments, **{name: given[name] for name in settings if name in given})


def _keywords(rule: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """Return the settings that a rule takes by their names."""
    parameters = inspect.signature(rule).parameters
    return {name: each for name, each in parameters.items() if each.kind == each.KEYWORD_ONLY}


def _elsewhere(kind: str, given: dict[str, Any]) -> dict[str, str]:
    """Return the settings that change neither frequencies nor factor, each with what it does."""
    found = {}
    for name in [name for name in given if name not in READS[kind]]:
        readers = [other for other in READS if name in READS[other]]
        if name in ELSEWHERE:
            found[name] = sentence(Finding(f"acts {name}"))
        elif readers:
            only_by = ", ".join(readers)
            found[name] = sentence(Finding("acts elsewhere", rope_type=kind, readers=only_by))
        else:
            known = sorted({*ELSEWHERE}.union(*READS.values()))
            raise ValueError(
                f"rope_parameters must be among {(*known,)}, got {shown(name)}: leave it out if "
                "your model's code does"
            )
    if kind == "yarn" and given.get("mscale_all_dim"):
        values = {
            "mscale_all_dim": given["mscale_all_dim"],
            "factor": given.get("factor", "factor"),
        }
        found["mscale_all_dim"] = sentence(Finding("acts mscale_all_dim", **values))
    if kind == "axial":
        found["rope_type"] = sentence(Finding("acts axial"))
    return found


def _unscaled(head_dim: int, *, rope_theta: float) -> FloatArray:
    """Return the frequencies of a base, as RoPE was published."""
    return linear(head_dim, factor=1, rope_theta=rope_theta)


def _axial(head_dim: int, *, rope_theta: float) -> FloatArray:
    """Return the same ladder for the row and for the column of a patch."""
    if head_dim % 4:
        raise ValueError(f"head_dim must be a multiple of 4 for two axes, got {head_dim}")
    return np.tile(_unscaled(head_dim // 2, rope_theta=rope_theta), 2)


def _raised_by_alpha(head_dim: int, *, alpha: float, rope_theta: float) -> FloatArray:
    """Return the frequencies of HunYuan, which raises the base once and for all."""
    return ntk_aware(head_dim, factor=alpha, rope_theta=rope_theta)


# By the names that Transformers gives them.
RULES: dict[str, Callable[..., FloatArray]] = {
    "default": _unscaled,
    "linear": linear,
    "dynamic": dynamic_ntk,
    "yarn": yarn,
    "llama3": llama3,
    "longrope": longrope,
    "proportional": p_rope,
    "axial": _axial,
    "dynamic with alpha": _raised_by_alpha,
}
ALIASES = {"su": "longrope", "mrope": "default", "xdrope": "dynamic"}

# What multiplies queries and keys; the factor may be left to the lengths before and after.
FACTORS: dict[str, Callable[..., float]] = {
    "yarn": yarn_attention_factor,
    "longrope": longrope_attention_factor,
}

# The settings that each list and its factor are made of.
READS = {
    kind: {"rope_type", "type", "rope_theta", "partial_rotary_factor", *_keywords(rule)}
    - {"sequence_length", "max_position_embeddings"}
    for kind, rule in RULES.items()
}
for kind, rule in FACTORS.items():
    READS[kind] |= {"attention_factor", *_keywords(rule)}
READS["longrope"] |= {"short_mscale", "long_mscale"}

# Settings that change no frequency, whatever the rope_type.
ELSEWHERE = {
    "llama_4_scaling_beta",
    "max_position_embeddings",
    "mrope_interleaved",
    "mrope_section",
    "xdrope_section",
}
