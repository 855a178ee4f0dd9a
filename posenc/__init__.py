"""Positional encoding in small, pure functions on NumPy arrays.

The module behind the course *Where Words Stand*. Positions and indices count from 0;
column ``2i`` of an encoding holds ``sin(k ω_i)`` and column ``2i + 1`` holds ``cos(k ω_i)``, with
``ω_i = base ** (-2i / d_model)`` in radians per token.

`posenc.scaling` stretches rotary frequencies for longer texts, and `posenc.axes` has positions
with several coordinates.

Every function raises a TypeError where an argument is of the wrong type, and a ValueError where its
value or its shape is not allowed. The message names the argument, repeats what was passed and says
what is allowed.

All of it needs NumPy alone. `posenc_check`, a distribution of its own, tells what a table is, what
a rotary function does, and what a model's config says of positions.
"""

from posenc.attention import alibi_bias, alibi_slopes, attention
from posenc.decoding import decode_positions
from posenc.frequencies import frequencies, wavelengths
from posenc.rotary import rope, rotate
from posenc.sinusoids import binary_code, shift_matrix, sinusoidal

__all__ = [
    "alibi_bias",
    "alibi_slopes",
    "attention",
    "binary_code",
    "decode_positions",
    "frequencies",
    "rope",
    "rotate",
    "shift_matrix",
    "sinusoidal",
    "wavelengths",
]

__version__ = "1.0.0"
