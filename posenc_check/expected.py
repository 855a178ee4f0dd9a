"""The function that is expected, made of a config or a list of frequencies."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc._checks import Layout, real_array, shown
from posenc.rotary import rope
from posenc_check.config import rotary_settings
from posenc_check.rounding import Array
from posenc_check.settings import ScaledFrequencies, scaled_frequencies

Rotary = Callable[[NDArray[np.float64], NDArray[np.int64]], Any]
# From the number of tokens of a text to its frequencies and its attention factor.
FrequenciesByLength = Callable[[int], tuple[Array, float]]


def frequencies_by_length(expect: Any, width: int) -> FrequenciesByLength:
    """Return a function from a text's number of tokens to (its frequencies, attention factor).

    `expect` is what `assert_rope` takes but for a function, and `width` is that of a head.
    """
    if isinstance(expect, ScaledFrequencies):
        return lambda _tokens: (expect.frequencies, expect.attention_factor)
    if not isinstance(expect, Mapping):
        omega = real_array(expect, "expect")
        if omega.ndim != 1 or not 0 < omega.size <= width // 2:
            allowed = f"a list of at most {width // 2} frequencies"
            raise ValueError(f"expect must be {allowed}, got {shown(expect)}")
        return lambda _tokens: (omega, 1.0)
    settings = _settings(dict(expect), width)

    def frequencies(tokens: int) -> tuple[Array, float]:
        """Return (frequencies, attention factor) of a text of so many tokens, by the settings."""
        return scaled_frequencies(**settings, sequence_length=tokens)[:2]

    frequencies(1)  # settings that cannot be read are refused before a function is called
    return frequencies


def _settings(expect: dict[str, Any], width: int) -> dict[str, Any]:
    """Return the arguments of `scaled_frequencies` that a config, or a part of one, stands for.

    `width` is the number of columns of a head of the function that is asked about.
    """
    # The rope_parameters of a config have no width, and are meant for a head of that function.
    if "rope_theta" in expect and not expect.keys() & {"head_dim", "hidden_size", "model_type"}:
        return {"head_dim": width, "rope_parameters": expect}
    # What `rotary_settings` returns has these keys alone, and needs no second reading.
    of_rotary_settings = {"head_dim", "rope_parameters", "max_position_embeddings", "elsewhere"}
    is_read = expect.keys() <= of_rotary_settings
    settings = expect if is_read else rotary_settings(expect)
    if settings.get("head_dim") != width:
        raise ValueError(f"expect must be for head_dim {width}, got {settings.get('head_dim')}")
    return settings


def plain_rope(frequencies_of: FrequenciesByLength, layout: Layout) -> Rotary:
    """Return a function of x and positions that turns the first columns, and scales them.

    The frequencies and the factor are those of a text that ends at the largest position of a call.
    """

    def function(x: Array, positions: NDArray[np.int64]) -> Any:
        """Return x with its first columns turned and multiplied by the factor."""
        omega, factor = frequencies_of(int(positions.max()) + 1)
        turned = np.array(rope(x, positions, frequencies=omega, layout=layout))
        turned[..., : 2 * len(omega)] *= factor
        return turned

    return function
