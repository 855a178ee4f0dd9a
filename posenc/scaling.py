r"""Rotary frequencies stretched for longer texts, by their published names.

Each rule takes what a model's config says, under the names it has there, and returns the
frequencies that `rope` takes: radians per token of each pair. ``head_dim`` counts the columns that
turn, positive and even; ``factor`` is positive; ``rope_theta`` is the base :math:`n`, positive,
finite and not 1; lengths are in tokens. Examples have ``from posenc.scaling import *`` before them.
"""

import inspect
import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike

from posenc._checks import (
    FloatArray,
    even_width,
    positive_base,
    positive_number,
    real_array,
    real_number,
    shown,
    true_or_false,
    whole_number,
)
from posenc.frequencies import frequencies

__all__ = [
    "ScaledFrequencies",
    "attention_temperature",
    "dynamic_ntk",
    "linear",
    "llama3",
    "longrope",
    "longrope_attention_factor",
    "ntk_aware",
    "p_rope",
    "scaled_frequencies",
    "yarn",
    "yarn_attention_factor",
]


def _ladder(head_dim: SupportsIndex, *, rope_theta: float) -> FloatArray:
    """Return the frequencies of a base, for settings named as in a config."""
    width = even_width(head_dim, "head_dim")
    return frequencies(width, base=positive_base(rope_theta, "rope_theta"))


def _original(length: SupportsIndex, *, least: int = 1) -> int:
    """Return the tokens of the longest text in training as an int."""
    return whole_number(length, "original_max_position_embeddings", least=least)


def linear(head_dim: SupportsIndex, *, factor: float, rope_theta: float = 10_000.0) -> FloatArray:
    r"""Return the frequencies of position interpolation: all of them slower by one factor.

    Parameters
    ----------
    head_dim, factor, rope_theta : int, float, float
        Columns that turn, how many times longer the texts become, and the base.

    Returns
    -------
    ndarray of float64, shape (head_dim/2,)
        :math:`\omega_i / s`; position k turns a pair as position k/s did before.
        Source: Chen et al., "Extending Context Window of Large Language Models via Positional
        Interpolation", 2023.

    Examples
    --------
    >>> print(linear(8, factor=4))
    [2.5e-01 2.5e-02 2.5e-03 2.5e-04]
    """
    return _ladder(head_dim, rope_theta=rope_theta) / positive_number(factor, "factor")


def ntk_aware(
    head_dim: SupportsIndex, *, factor: float, rope_theta: float = 10_000.0
) -> FloatArray:
    r"""Return the frequencies of a raised base: the last slower by `factor`, the first as before.

    Parameters
    ----------
    head_dim, factor, rope_theta : int, float, float
        As for `linear`; at least 4 columns turn. HunYuan calls the factor ``alpha``.

    Returns
    -------
    ndarray of float64, shape (head_dim/2,)
        Those of the base :math:`n\,s^{d/(d-2)}`. Sources: bloc97, "NTK-Aware Scaled RoPE", 2023,
        a post on r/LocalLLaMA; Peng et al. (`yarn`), 3.1.

    Examples
    --------
    >>> print(ntk_aware(8, factor=8))
    [1.0e+00 5.0e-02 2.5e-03 1.25e-04]
    """
    width, theta = even_width(head_dim, "head_dim"), positive_base(rope_theta, "rope_theta")
    if width < 4:
        raise ValueError(f"head_dim must be at least 4, a fastest and a slowest pair, got {width}")
    stretch = positive_number(factor, "factor") ** (width / (width - 2))
    return frequencies(width, base=theta * stretch)


def dynamic_ntk(
    head_dim: SupportsIndex,
    *,
    factor: float,
    rope_theta: float = 10_000.0,
    sequence_length: SupportsIndex,
    max_position_embeddings: SupportsIndex,
) -> FloatArray:
    r"""Return the frequencies of a base that rises with the text, as ``rope_type`` dynamic.

    Parameters
    ----------
    head_dim, factor, rope_theta : int, float, float
        As for `ntk_aware`.
    sequence_length, max_position_embeddings : int
        Tokens of the text so far, and of the longest in training: up to there nothing changes.

    Returns
    -------
    ndarray of float64, shape (head_dim/2,)
        Those of `ntk_aware` with the factor :math:`s\,L/L_0 - (s - 1)`. Sources: emozilla,
        "Dynamically Scaled RoPE", 2023, a post on r/LocalLLaMA; Peng et al. (`yarn`), 3.3.

    Examples
    --------
    >>> print(dynamic_ntk(8, factor=2, sequence_length=9216, max_position_embeddings=2048))
    [1.0e+00 5.0e-02 2.5e-03 1.25e-04]
    """
    longest = whole_number(max_position_embeddings, "max_position_embeddings", least=1)
    beyond = max(0, whole_number(sequence_length, "sequence_length", least=0) - longest)
    # A large s L/L0 would leave no digits of 1 - s.
    growth = 1 + positive_number(factor, "factor") * (beyond / longest)
    return ntk_aware(head_dim, factor=growth, rope_theta=rope_theta)


def yarn(
    head_dim: SupportsIndex,
    *,
    factor: float,
    rope_theta: float = 10_000.0,
    original_max_position_embeddings: SupportsIndex,
    beta_fast: float = 32.0,
    beta_slow: float = 1.0,
    truncate: bool = True,
) -> FloatArray:
    r"""Return the frequencies of YaRN: fast pairs as before, slow ones slower by `factor`.

    Parameters
    ----------
    head_dim, factor, rope_theta, original_max_position_embeddings : int, float, float, int
        As for `linear`, with a base above 1, and the tokens of the longest text in training.
    beta_fast, beta_slow : float, optional
        Turns over the text in training: a pair with more than `beta_fast` stays, one with
        less than `beta_slow` is slowed, and a ramp over the pairs' numbers joins them.
    truncate : bool, optional
        Whether the ramp begins and ends at whole pairs; gpt-oss says no.

    Returns
    -------
    ndarray of float64, shape (head_dim/2,)
        :math:`(1 - \gamma_i)\,\omega_i + \gamma_i\,\omega_i / s`, where γ goes from 0 to 1.
        Source: Peng et al., "YaRN: Efficient Context Window Extension of Large Language Models",
        2024, section 3.2, whose ramp is linear in the turns; in the authors' code, jquesnelle/yarn,
        and in every library since, the ramp is linear in the pair's number, as here.

    Examples
    --------
    >>> slowed = yarn(128, factor=4, original_max_position_embeddings=4096)
    >>> print((linear(128, factor=1) / slowed)[[0, 20, 33, 46, 63]].round(2))
    [1.   1.   1.6  4.   4.  ]
    """
    length = _original(original_max_position_embeddings)
    omega = _ladder(head_dim, rope_theta=rope_theta)
    if rope_theta <= 1:
        raise ValueError(f"rope_theta must be above 1, got {shown(rope_theta)}")
    slowed = omega / positive_number(factor, "factor")
    fast, slow = positive_number(beta_fast, "beta_fast"), positive_number(beta_slow, "beta_slow")
    if slow > fast:
        raise ValueError(f"beta_slow must be at most beta_fast, got {slow} and {fast}")
    # The pair, as a number with decimals, that makes so many turns over the text in training.
    low, high = (
        omega.size * math.log(length / (2 * math.pi * turns)) / math.log(rope_theta)
        for turns in (fast, slow)
    )
    if true_or_false(truncate, "truncate"):
        low, high = math.floor(low), math.ceil(high)
    low = max(low, 0)
    # Where every pair is fast, or every one is slow, the ramp would run backwards.
    high = max(low, min(high, 2 * omega.size - 1))
    ramp = np.clip((np.arange(omega.size) - low) / (high - low or 0.001), 0, 1)
    stretched: FloatArray = (1 - ramp) * omega + ramp * slowed
    return stretched


def llama3(
    head_dim: SupportsIndex,
    *,
    factor: float,
    rope_theta: float = 500_000.0,
    original_max_position_embeddings: SupportsIndex,
    low_freq_factor: float,
    high_freq_factor: float,
) -> FloatArray:
    r"""Return the frequencies of Llama 3.1: fast pairs as before, slow ones slower by `factor`.

    Parameters
    ----------
    head_dim, factor, rope_theta, original_max_position_embeddings : int, float, float, int
        As for `yarn`, with any base; in Llama 3.1 the factor is 8, in 3.2 it is 32, and the longest
        text in training had 8192 tokens.
    low_freq_factor, high_freq_factor : float
        Turns over the text in training, 1 and 4: a pair with fewer than the first is slowed, one
        with more than the second stays, and a ramp over the turns joins them, or a step.

    Returns
    -------
    ndarray of float64, shape (head_dim/2,)
        :math:`\gamma_i\,\omega_i + (1 - \gamma_i)\,\omega_i / s`, where γ falls from 1 to 0.
        Source: meta-llama/llama-models, models/llama3/model.py, ``apply_scaling``, 2024.

    Examples
    --------
    >>> settings = {"factor": 8, "low_freq_factor": 1, "high_freq_factor": 4}
    >>> slowed = llama3(128, **settings, original_max_position_embeddings=8192)
    >>> print((linear(128, factor=1, rope_theta=500_000) / slowed)[[0, 28, 31, 34, 63]].round(2))
    [1.   1.   2.03 5.26 8.  ]
    """
    omega = _ladder(head_dim, rope_theta=rope_theta)
    length = _original(original_max_position_embeddings)
    low = positive_number(low_freq_factor, "low_freq_factor")
    high = positive_number(high_freq_factor, "high_freq_factor")
    if low > high:
        raise ValueError(f"low_freq_factor must be at most high_freq_factor, got {low} and {high}")
    slowed = omega / positive_number(factor, "factor")
    turns = length * omega / (2 * math.pi)
    kept = np.clip((turns - low) / (high - low), 0, 1) if low < high else turns >= low
    return kept * omega + (1 - kept) * slowed


def longrope(
    head_dim: SupportsIndex,
    *,
    rope_theta: float = 10_000.0,
    short_factor: ArrayLike,
    long_factor: ArrayLike,
    sequence_length: SupportsIndex,
    original_max_position_embeddings: SupportsIndex,
) -> FloatArray:
    r"""Return the frequencies of LongRoPE: each pair slower by a factor of its own.

    Parameters
    ----------
    head_dim, rope_theta : int, float
        As for `linear`.
    short_factor, long_factor : array_like of positive numbers, shape (head_dim/2,)
        The factors, found by a search: one list for short texts, one for long ones.
    sequence_length, original_max_position_embeddings : int
        Tokens of the text, and of the longest in training: above that it is long.

    Returns
    -------
    ndarray of float64, shape (head_dim/2,)
        :math:`\omega_i / \lambda_i`. All of them change at the token where a text becomes
        long: keys that are cached turned by the other list no longer fit. Source: Ding et al.,
        "LongRoPE: Extending LLM Context Window Beyond 2 Million Tokens", 2024.

    Examples
    --------
    >>> settings = {"short_factor": [1, 1, 1, 1], "long_factor": [1, 1, 2, 4]}
    >>> print(longrope(8, sequence_length=4097, original_max_position_embeddings=4096, **settings))
    [1.0e+00 1.0e-01 5.0e-03 2.5e-04]
    """
    omega = _ladder(head_dim, rope_theta=rope_theta)
    length = _original(original_max_position_embeddings)
    long = whole_number(sequence_length, "sequence_length", least=0) > length
    name, values = ("long_factor", long_factor) if long else ("short_factor", short_factor)
    factors = real_array(values, name)
    if factors.shape != omega.shape or (factors <= 0).any():
        raise ValueError(
            f"{name} must be {omega.size} positive numbers, one for each pair, got {shown(values)}"
        )
    return omega / factors


def p_rope(
    head_dim: SupportsIndex,
    *,
    factor: float = 1.0,
    rope_theta: float = 10_000.0,
    partial_rotary_factor: float,
) -> FloatArray:
    r"""Return the frequencies of p-RoPE: the slowest pairs do not turn at all.

    Parameters
    ----------
    head_dim, factor, rope_theta : int, float, float
        As for `linear`, of the whole head.
    partial_rotary_factor : float
        The part p of the pairs that turn, from 0 to 1.

    Returns
    -------
    ndarray of float64, shape (head_dim/2,)
        The first frequencies of the *whole* head, then zeros. A head of which only a part is
        turned, as in GPT-NeoX, has the frequencies of the part, from 1 down to nearly 1/n.
        Source: Barbero et al., "Round and Round We Go! What makes Rotary Positional Encodings
        useful?", 2025, section 6; ``rope_type`` proportional.

    Examples
    --------
    >>> print(p_rope(8, partial_rotary_factor=0.75))
    [1.   0.1  0.01 0.  ]
    """
    part = real_number(partial_rotary_factor, "partial_rotary_factor")
    if not 0 <= part <= 1:
        raise ValueError(f"partial_rotary_factor must be from 0 to 1, got {part}")
    omega = linear(head_dim, factor=factor, rope_theta=rope_theta)
    omega[int(part * 2 * omega.size) // 2 :] = 0
    return omega


def yarn_attention_factor(
    *, factor: float, mscale: float | None = None, mscale_all_dim: float | None = None
) -> float:
    r"""Return what YaRN multiplies turned queries and turned keys by, each once.

    Parameters
    ----------
    factor : float
        How many times longer the texts become.
    mscale, mscale_all_dim : float, optional
        Settings of DeepSeek, not negative. Where both are given and not 0, the result is a ratio.

    Returns
    -------
    float
        :math:`0.1 \ln s + 1` (`yarn`, section 3.4), and 1 for factors up to 1. Scores grow by its
        square.

    Examples
    --------
    >>> print(round(yarn_attention_factor(factor=4), 4))
    1.1386
    """
    size = math.log(max(positive_number(factor, "factor"), 1.0)) / 10
    named = {"mscale": mscale, "mscale_all_dim": mscale_all_dim}
    own, of_all = (real_number(0 if each is None else each, name) for name, each in named.items())
    if own and of_all:
        return (own * size + 1) / (of_all * size + 1)
    return size + 1


def longrope_attention_factor(
    *, factor: float, original_max_position_embeddings: SupportsIndex
) -> float:
    r"""Return what LongRoPE multiplies turned queries and turned keys by, each once.

    Parameters
    ----------
    factor, original_max_position_embeddings : float, int
        As for `yarn`; the text in training has at least 2 tokens.

    Returns
    -------
    float
        :math:`\sqrt{1 + \ln s / \ln L_0}`, as in Phi-3's code, and 1 for factors up to 1.

    Examples
    --------
    >>> settings = {"factor": 32, "original_max_position_embeddings": 4096}
    >>> print(round(longrope_attention_factor(**settings), 4))
    1.1902
    """
    length = _original(original_max_position_embeddings, least=2)
    return math.sqrt(1 + math.log(max(positive_number(factor, "factor"), 1.0)) / math.log(length))


def attention_temperature(
    positions: ArrayLike, *, beta: float, original_max_position_embeddings: SupportsIndex
) -> FloatArray:
    r"""Return what queries are multiplied by at each position, as Ministral 3 and Llama 4.

    Parameters
    ----------
    positions : array_like of real numbers
        Positions of the queries, from 0 on.
    beta : float
        ``llama_4_scaling_beta``, not negative; ``attn_scale`` in Llama 4. Both are 0.1.
    original_max_position_embeddings : int
        Tokens after which the factor takes its next step; ``floor_scale`` in Llama 4.

    Returns
    -------
    ndarray of float64, the shape of `positions`
        :math:`1 + \beta \ln(1 + \lfloor k / L_0 \rfloor)`, which is 1 for the first L₀ positions.
        Keys are not multiplied, so scores are no longer a matter of distance alone.
        Source: Transformers 5.23.0, ``get_llama_4_attn_scale`` in ministral3 and
        ``attn_temperature_tuning`` in llama4, which does so in layers without RoPE and counts from
        1: pass ``positions + 1``.

    Examples
    --------
    >>> settings = {"beta": 0.1, "original_max_position_embeddings": 8}
    >>> print(attention_temperature([1, 9, 80], **settings).round(4))
    [1.     1.0693 1.2398]
    """
    places = real_array(positions, "positions")
    if (places < 0).any():
        raise ValueError(f"positions must not be negative, got {shown(positions)}")
    length = _original(original_max_position_embeddings)
    temperature: FloatArray = 1 + real_number(beta, "beta") * np.log1p(np.floor(places / length))
    return temperature


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
        ``rope_theta`` among them. `posenc.config.rotary_settings` reads these and older configs.
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
    named = [given[name] for name in ("rope_type", "type") if name in given] or ["default"]
    kinds = {ALIASES.get(each, each) if isinstance(each, str) else "" for each in named}
    kind = kinds.pop()
    if kinds or kind not in RULES:
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
    given.pop("max_position_embeddings", None)
    factor_of, original = FACTORS.get(kind), given.get("original_max_position_embeddings")
    if max_position_embeddings is not None:
        longest = whole_number(max_position_embeddings, "max_position_embeddings", least=1)
        given["max_position_embeddings"] = longest
        if factor_of and original:
            given.setdefault("factor", longest / _original(original))
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
    """Return how many columns the list is for: those of the part that turns."""
    width = even_width(head_dim, "head_dim")
    part = real_number(given.setdefault("partial_rotary_factor", 1.0), "partial_rotary_factor")
    if kind == "proportional":  # p-RoPE reads the part itself, of the whole head
        return width
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
            found[name] = ELSEWHERE[name]
        elif readers:
            found[name] = f"is not read by {kind}, only by {', '.join(readers)}"
        else:
            known = sorted({*ELSEWHERE}.union(*READS.values()))
            raise ValueError(
                f"rope_parameters must be among {(*known,)}, got {shown(name)}: leave it out if "
                "your model's code does"
            )
    if kind == "yarn" and given.get("mscale_all_dim"):
        size = f"{given['mscale_all_dim']} * math.log({given.get('factor', 'factor')})"
        found["mscale_all_dim"] = (
            "multiplies all scores, too, where the attention is DeepSeek's: "
            f"by (1 + 0.1 * {size}) ** 2"
        )
    if kind == "axial":
        found["rope_type"] = (
            "lists the row's pairs, then the column's, a ladder each; where one ladder is shared "
            "out (Pixtral) or there are three axes: posenc.axes.axial_frequencies"
        )
    return found


def _axial(head_dim: int, *, rope_theta: float) -> FloatArray:
    """Return the same ladder for the row and for the column of a patch."""
    if head_dim % 4:
        raise ValueError(f"head_dim must be a multiple of 4 for two axes, got {head_dim}")
    return np.tile(_ladder(head_dim // 2, rope_theta=rope_theta), 2)


def _raised_by_alpha(head_dim: int, *, alpha: float, rope_theta: float) -> FloatArray:
    """Return the frequencies of HunYuan, which raises the base once and for all."""
    return ntk_aware(head_dim, factor=alpha, rope_theta=rope_theta)


# By the names that Transformers gives them.
RULES: dict[str, Callable[..., FloatArray]] = {
    "default": _ladder,
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
    "llama_4_scaling_beta": (
        "multiplies each query by a number that grows with its position: attention_temperature"
    ),
    "max_position_embeddings": "is an argument of scaled_frequencies",
    "mrope_interleaved": "says how the coordinates share the pairs: posenc.axes.mrope_axes",
    "mrope_section": "says which coordinate turns a pair: posenc.axes.mrope_axes",
    "xdrope_section": "says how many columns each coordinate gets (HunYuan-VL)",
}
