r"""Rotary frequencies stretched for longer texts, by their published names.

Each rule takes what a model's config says, under the names it has there, and returns the
frequencies that `rope` takes: radians per token of each pair. ``head_dim`` counts the columns that
turn, positive and even; ``factor`` is positive; ``rope_theta`` is the base :math:`n`, positive,
finite and not 1; lengths are in tokens. Examples have ``from posenc.scaling import *`` before them.
"""

import math
from typing import SupportsIndex

import numpy as np
from numpy.typing import ArrayLike

from posenc._checks import (
    FloatArray,
    even_width,
    not_negative_number,
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
    "attention_temperature",
    "dynamic_ntk",
    "linear",
    "llama3",
    "longrope",
    "longrope_attention_factor",
    "ntk_aware",
    "p_rope",
    "yarn",
    "yarn_attention_factor",
]

# In pairs: the width of a ramp that ends where it begins, as in the authors' code of YaRN. So small
# a width makes the ramp a step.
EMPTY_RAMP = 0.001


def _ladder(head_dim: SupportsIndex, *, rope_theta: float) -> FloatArray:
    """Return the frequencies of a base; errors call the arguments as a config's settings."""
    width = even_width(head_dim, "head_dim")
    return frequencies(width, base=positive_base(rope_theta, "rope_theta"))


def _original(length: SupportsIndex, *, least: int = 1) -> int:
    """Return the tokens of the longest text in training as an int, or raise if below `least`."""
    return whole_number(length, "original_max_position_embeddings", least=least)


def _slowed(omega: FloatArray, factor: float) -> FloatArray:
    """Return the frequencies divided by a positive factor; raise a ValueError if one becomes inf.

    One may become 0.
    """
    divisor = positive_number(factor, "factor")
    # Overflow is refused below. Where a quotient is too small for float64, its pair does not turn.
    with np.errstate(over="ignore", under="ignore"):
        slowed: FloatArray = omega / divisor
    if not np.isfinite(slowed).all():
        raise ValueError(f"factor must leave finite frequencies, got {shown(factor)}")
    return slowed


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
    return _slowed(_ladder(head_dim, rope_theta=rope_theta), factor)


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
    try:
        base = theta * positive_number(factor, "factor") ** (width / (width - 2))
    except OverflowError:  # of the power; the product alone would be inf
        base = math.inf
    if not 0 < base < math.inf or base == 1:
        raise ValueError(
            "factor must raise rope_theta to a base that is positive, finite and not 1, "
            f"got {shown(factor)} for {shown(rope_theta)}, which makes {base}"
        )
    return frequencies(width, base=base)


def dynamic_ntk(
    head_dim: SupportsIndex,
    *,
    factor: float,
    rope_theta: float = 10_000.0,
    sequence_length: SupportsIndex,
    max_position_embeddings: SupportsIndex,
) -> FloatArray:
    r"""Return frequencies of a base that grows with a text longer than any in training.

    Parameters
    ----------
    head_dim, factor, rope_theta : int, float, float
        As for `ntk_aware`.
    sequence_length, max_position_embeddings : int
        Tokens of the text so far, and of the longest in training: up to there nothing changes.

    Returns
    -------
    ndarray of float64, shape (head_dim/2,)
        Those of `ntk_aware` with the factor :math:`s\,L/L_0 - (s - 1)`, for ``rope_type``
        dynamic. Sources: emozilla, "Dynamically Scaled RoPE", 2023, a post on r/LocalLLaMA; Peng
        et al. (`yarn`), 3.3.

    Examples
    --------
    >>> print(dynamic_ntk(8, factor=2, sequence_length=9216, max_position_embeddings=2048))
    [1.0e+00 5.0e-02 2.5e-03 1.25e-04]
    """
    longest = whole_number(max_position_embeddings, "max_position_embeddings", least=1)
    beyond = max(0, whole_number(sequence_length, "sequence_length", least=0) - longest)
    # The factor s L/L0 - (s - 1), written so that a large s L/L0 does not round 1 - s away.
    growth = 1 + positive_number(factor, "factor") * (beyond / longest)
    if growth == math.inf:
        raise ValueError(f"factor must raise the base to a finite one, got {shown(factor)}")
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
    if rope_theta <= 1:  # pairs would turn ever faster, so that the ramp had no slow end
        raise ValueError(f"rope_theta must be above 1, got {shown(rope_theta)}")
    slowed = _slowed(omega, factor)
    fast, slow = positive_number(beta_fast, "beta_fast"), positive_number(beta_slow, "beta_slow")
    if slow > fast:
        raise ValueError(f"beta_slow must be at most beta_fast, got {slow} and {fast}")

    def pair_that_makes(turns: float) -> float:
        """Return the index, with decimals, of the pair that makes `turns` over the text."""
        # Pair i makes length * rope_theta ** (-i / pairs) / 2π turns. Their logarithm, written as a
        # sum, since length / turns may be out of range.
        slowdown = math.log(length) - math.log(2 * math.pi) - math.log(turns)
        return omega.size * slowdown / math.log(rope_theta)

    low, high = pair_that_makes(fast), pair_that_makes(slow)
    if true_or_false(truncate, "truncate"):
        low, high = math.floor(low), math.ceil(high)
    # The authors' code lets the ramp begin at 0 at the earliest, and end at d - 1 at the latest,
    # which is beyond the last pair. Where all pairs are fast, or all are slow, it would end before
    # it begins, and becomes a step.
    low = max(low, 0)
    high = max(low, min(high, 2 * omega.size - 1))
    width = high - low if high > low else EMPTY_RAMP
    ramp = np.clip((np.arange(omega.size) - low) / width, 0, 1)
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
    slowed = _slowed(omega, factor)
    turns = length * omega / (2 * math.pi)
    if low < high:
        with np.errstate(over="ignore"):  # inf, far above a narrow ramp, is clipped to 1
            kept = np.clip((turns - low) / (high - low), 0, 1)
    else:
        kept = (turns >= low).astype(np.float64)  # a step, since a ramp without width has no slope
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
    r"""Return the frequencies of LongRoPE: each divided by its factor for short or for long texts.

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
            f"{name} must be {omega.size} positive numbers, one for each pair, "
            f"got {factors.size}: {shown(values)}"
        )
    with np.errstate(over="ignore", under="ignore"):  # as in `_slowed`
        slowed: FloatArray = omega / factors
    if not np.isfinite(slowed).all():
        raise ValueError(f"{name} must leave finite frequencies, got {shown(values)}")
    return slowed


def p_rope(
    head_dim: SupportsIndex,
    *,
    factor: float = 1.0,
    rope_theta: float = 10_000.0,
    partial_rotary_factor: float,
) -> FloatArray:
    r"""Return the frequencies of p-RoPE: 0 for the slowest pairs, which do not turn at all.

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
    turning = int(part * omega.size)  # rounded down, as in Transformers
    omega[turning:] = 0
    return omega


def yarn_attention_factor(
    *, factor: float, mscale: float | None = None, mscale_all_dim: float | None = None
) -> float:
    r"""Return YaRN's factor of rotated queries and keys; mscale and mscale_all_dim count as a pair.

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
    growth = math.log(max(positive_number(factor, "factor"), 1.0)) / 10  # 0 for factors up to 1
    of_rotated = not_negative_number(0 if mscale is None else mscale, "mscale")
    of_all = not_negative_number(0 if mscale_all_dim is None else mscale_all_dim, "mscale_all_dim")
    if not of_rotated or not of_all:  # one of them alone changes nothing, as in Transformers
        return growth + 1
    # DeepSeek multiplies all scores by the square of the divisor, so that those of the rotated
    # columns grow by the square of the numerator.
    ratio = (of_rotated * growth + 1) / (of_all * growth + 1)
    if not 0 < ratio < math.inf:
        raise ValueError(
            "mscale and mscale_all_dim must have a ratio that is positive and finite, "
            f"got {shown(mscale)} and {shown(mscale_all_dim)}"
        )
    return ratio


def longrope_attention_factor(
    *, factor: float, original_max_position_embeddings: SupportsIndex
) -> float:
    r"""Return the factor by which LongRoPE multiplies rotated queries and rotated keys.

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
    length = _original(original_max_position_embeddings, least=2)  # ln 1 = 0 cannot divide
    return math.sqrt(1 + math.log(max(positive_number(factor, "factor"), 1.0)) / math.log(length))


def attention_temperature(
    positions: ArrayLike, *, beta: float, original_max_position_embeddings: SupportsIndex
) -> FloatArray:
    r"""Return the factor of the query at each position, from 1 up in steps (Ministral 3, Llama 4).

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
        Keys are not multiplied, so a score depends on more than the distance.
        Source: Transformers 5.24.0, ``get_llama_4_attn_scale`` in ministral3 and
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
    slope = not_negative_number(beta, "beta")
    with np.errstate(over="ignore"):  # inf is refused below
        temperature: FloatArray = 1 + slope * np.log1p(np.floor(places / length))
    if not np.isfinite(temperature).all():
        raise ValueError(f"beta must leave finite factors, got {shown(beta)}")
    return temperature
