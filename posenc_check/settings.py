"""The frequencies and the attention factor that a model's rotary settings come to.

`scaled_frequencies` takes the settings by the names that Transformers gives them, and calls the
rule of `posenc.scaling` that they name.
"""

import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, SupportsIndex

import numpy as np

from posenc import scaling
from posenc._checks import FloatArray, even_width, positive_number, real_number, shown, whole_number
from posenc_check.findings import Finding
from posenc_check.words import sentence

__all__ = ["ScaledFrequencies", "scaled_frequencies"]

LEAST_LETTERS = 8  # of a name in which a slip is looked for; a shorter one resembles too many keys


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
    # What is null in a file is as good as absent.
    parameters = {name: value for name, value in rope_parameters.items() if value is not None}
    if layers := [name for name, value in parameters.items() if isinstance(value, dict)]:
        raise ValueError(f"rope_parameters must be those of one of {layers}, got those of each")
    if not isinstance(elsewhere, Mapping | None):
        raise TypeError(f"elsewhere must be a dict of words by key, got {shown(elsewhere)}")
    rope_type = rule_name(parameters)
    # Each rule needs a base. This message says where older configs have it.
    if "rope_theta" not in parameters:
        raise ValueError(
            "rope_parameters must have rope_theta, the base, which older configs have beside "
            f"rope_scaling, got {shown(rope_parameters)}"
        )
    rule = RULES[rope_type]
    acting = {**(elsewhere or {}), **_acting_beside_rule(rope_type, parameters)}
    tokens = whole_number(sequence_length, "sequence_length", least=0)
    arguments = {"partial_rotary_factor": 1.0} | parameters | {"sequence_length": tokens}
    # The argument of this name counts, and not an entry, as the words on such an entry say.
    arguments.pop("max_position_embeddings", None)
    if max_position_embeddings is not None:
        longest = whole_number(max_position_embeddings, "max_position_embeddings", least=1)
        arguments["max_position_embeddings"] = longest
        original = parameters.get("original_max_position_embeddings")
        # Without a factor, YaRN and LongRoPE (which alone have an attention factor) stretch from
        # the length in training to the longest.
        if rule.attention_factor and original and "factor" not in parameters:
            trained = whole_number(original, "original_max_position_embeddings", least=1)
            arguments["factor"] = longest / trained
    width = _turning_width(head_dim, rope_type, arguments["partial_rotary_factor"])
    omega = _call(rule.frequencies, arguments, rope_parameters, width)
    if not rule.attention_factor:
        return ScaledFrequencies(omega, 1.0, acting)
    # A factor that stands in the settings replaces the rule's.
    key = FACTOR
    if rope_type == "longrope" and FACTOR not in parameters:
        # The rule's list, which was made above, has needed this length.
        is_long = tokens > parameters["original_max_position_embeddings"]
        key = LONG_MSCALE if is_long else SHORT_MSCALE
    if key in parameters:
        factor = positive_number(parameters[key], key)
    else:
        factor = _call(rule.attention_factor, arguments, rope_parameters)
    return ScaledFrequencies(omega, factor, acting)


def rule_name(parameters: dict[str, Any]) -> str:
    """Return the key in `RULES` that rope_type names, or type, its older name; else "default"."""
    keys = [key for key in ("rope_type", "type") if parameters.get(key) is not None]
    values = [parameters[key] for key in keys] or ["default"]
    # What is no text becomes "", which no rule has as its name, and is refused below.
    names = {ALIASES.get(value, value) if isinstance(value, str) else "" for value in values}
    name = next(iter(names))
    if len(names) > 1 or name not in RULES:
        raise ValueError(
            f"rope_type must be one of {(*RULES, *ALIASES)}, and so must type, its older name, "
            f"with the same meaning, got {' and '.join(map(shown, values))}"
        )
    # HunYuan's configs say "dynamic", and have alpha where others have a factor.
    return "dynamic with alpha" if name == "dynamic" and "alpha" in parameters else name


def spellings(name: str) -> set[str]:
    """Return the small letters and digits of a name, and these with one left out in each way.

    Two names have one of these in common if they are equal but for one letter that is added,
    dropped or changed, or for two that are swapped. Of a name with fewer than LEAST_LETTERS only
    all letters are returned.
    """
    letters = re.sub("[^a-z0-9]", "", name.lower())
    if len(letters) < LEAST_LETTERS:
        return {letters}
    return {letters, *(letters[:i] + letters[i + 1 :] for i in range(len(letters)))}


def _turning_width(head_dim: SupportsIndex, rope_type: str, part: Any) -> int:
    """Return for how many columns a rule of RULES makes its list: the part of a head that turns.

    For "proportional" that is the whole head, whatever the part. Raise unless it is even.
    """
    width = even_width(head_dim, "head_dim")
    part = real_number(part, "partial_rotary_factor")
    # This rule reads the part itself: its list has all pairs, and those beyond the part are 0.
    if rope_type == "proportional":
        return width
    if part > 1:
        raise ValueError(f"partial_rotary_factor must be at most 1, all columns, got {part}")
    turning = int(width * part)  # rounded down, as Transformers does it
    if turning < 2 or turning % 2:
        raise ValueError(
            f"partial_rotary_factor must leave an even number of columns, at least 2, of {width}, "
            f"got {part}, which leaves {turning}"
        )
    return turning


def _call(rule: Callable[..., Any], arguments: dict[str, Any], parameters: Any, *width: int) -> Any:
    """Return the result of a rule for those arguments that it takes by keyword.

    An error for a missing one shows the `parameters` that were passed. A rule for frequencies takes
    the `width` of its list, too.
    """
    signature = inspect.getfullargspec(rule)
    for name in signature.kwonlyargs:
        # Of a function without defaults Python has None in place of a dict.
        if name not in arguments and name not in (signature.kwonlydefaults or {}):
            instead = ", for which Transformers takes max_position_embeddings if it is missing,"
            also = instead if name == "original_max_position_embeddings" else ","
            raise ValueError(f"{rule.__name__} must have {name}{also} got {shown(parameters)}")
    return rule(*width, **{n: arguments[n] for n in signature.kwonlyargs if n in arguments})


def _acting_beside_rule(rope_type: str, parameters: dict[str, Any]) -> dict[str, str]:
    """Return in words, by name, what settings do beside the list and the factor of their rule.

    These are the settings that the rule does not read, of which a ValueError names one that no rule
    reads; YaRN's mscale_all_dim, which the rule reads as well, and mscale, which it does not read
    alone; and a rope_type with two axes.
    """
    read = {name: names_read(rule) for name, rule in RULES.items()}
    acting = {}
    for name in [name for name in parameters if name not in read[rope_type]]:
        readers = ", ".join(rule for rule in RULES if name in read[rule])
        if name in ELSEWHERE:
            acting[name] = Finding(f"acts {name}")
        elif readers:
            acting[name] = Finding("acts elsewhere", rope_type=rope_type, readers=readers)
        else:
            allowed = sorted(ELSEWHERE.union(*read.values()))
            if nearly := [each for each in allowed if spellings(each) & spellings(name)]:
                raise ValueError(sentence(Finding("slip", key=name, name=nearly[0])))
            raise ValueError(
                f"rope_parameters must be among {(*allowed,)}, got {shown(name)}: leave it out if "
                "your model's code does"
            )
    if rope_type == "yarn" and parameters.get("mscale_all_dim"):
        # Settings without a factor leave it to two lengths. Then the sentence has its name.
        values = {"factor": "factor"} | parameters
        acting["mscale_all_dim"] = Finding("acts mscale_all_dim", **values)
    elif rope_type == "yarn" and parameters.get("mscale"):
        acting["mscale"] = Finding("acts mscale")
    if rope_type == "axial":  # the list does not say which of its pairs turn by which axis
        acting["rope_type"] = Finding("acts axial")
    return {name: sentence(finding) for name, finding in acting.items()}


def names_read(rule: "Rule") -> set[str]:
    """Return the names of the settings that a rule reads, for its list or its attention factor."""
    names = {"rope_type", "type", "rope_theta", "partial_rotary_factor", *rule.also_reads}
    for function in (rule.frequencies, rule.attention_factor):
        if function:  # a factor of 1 has none
            names.update(inspect.getfullargspec(function).kwonlyargs)
    # These are arguments of `scaled_frequencies` and no settings.
    return names - {"sequence_length", "max_position_embeddings"}


def _unscaled(head_dim: int, *, rope_theta: float) -> FloatArray:
    """Return the frequencies of a base, as RoPE was published: one for each pair."""
    # Not by `posenc.frequencies`, whose errors say d_model and base, and not a config's names.
    return scaling.linear(head_dim, factor=1, rope_theta=rope_theta)


def _axial(head_dim: int, *, rope_theta: float) -> FloatArray:
    """Return the frequencies for a patch's row, then those for its column, which are the same."""
    if head_dim % 4:
        raise ValueError(f"head_dim must be a multiple of 4 for two axes, got {head_dim}")
    return np.tile(_unscaled(head_dim // 2, rope_theta=rope_theta), 2)


def _raised_by_alpha(head_dim: int, *, alpha: float, rope_theta: float) -> FloatArray:
    """Return the frequencies of HunYuan, of a base raised by `alpha` for texts of any length."""
    return scaling.ntk_aware(head_dim, factor=alpha, rope_theta=rope_theta)


class Rule(NamedTuple):
    """What makes the list and the attention factor of a rope_type, from settings by name."""

    frequencies: Callable[..., FloatArray]
    attention_factor: Callable[..., float] | None = None  #: None if it is 1
    also_reads: tuple[str, ...] = ()  #: settings that stand in the place of that factor


FACTOR = "attention_factor"
# Phi-3.5-MoE has an attention factor for the short list, and one for the long.
SHORT_MSCALE, LONG_MSCALE = "short_mscale", "long_mscale"
# By the names that Transformers gives them.
RULES = {
    "default": Rule(_unscaled),
    "linear": Rule(scaling.linear),
    "dynamic": Rule(scaling.dynamic_ntk),
    "yarn": Rule(scaling.yarn, scaling.yarn_attention_factor, (FACTOR,)),
    "llama3": Rule(scaling.llama3),
    "longrope": Rule(
        scaling.longrope, scaling.longrope_attention_factor, (FACTOR, SHORT_MSCALE, LONG_MSCALE)
    ),
    "proportional": Rule(scaling.p_rope),
    "axial": Rule(_axial),
    "dynamic with alpha": Rule(_raised_by_alpha),
}
ALIASES = {"su": "longrope", "mrope": "default", "xdrope": "dynamic", "deepseek_yarn": "yarn"}
# Settings that change no frequency, whatever the rope_type.
ELSEWHERE = {"llama_4_scaling_beta", "max_position_embeddings"}
ELSEWHERE |= {"mrope_interleaved", "mrope_section", "xdrope_section", "interleaved"}
ELSEWHERE |= {"attn_factor", "extrapolation_factor", "finetuned"}
