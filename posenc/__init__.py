"""Positional encoding in small, pure functions on NumPy arrays.

The module behind the course *Where Words Stand*. Positions and indices count from 0;
column ``2i`` of an encoding holds ``sin(k ω_i)`` and column ``2i + 1`` holds ``cos(k ω_i)``,
with ``ω_i = base ** (-2i / d_model)`` in radians per token.

`posenc.scaling` stretches rotary frequencies for longer texts, and `posenc.axes` has positions
with several coordinates.

Importing `posenc` needs NumPy alone. Figures live in `posenc.figures` (Matplotlib) and
interactive views in `posenc.interactive` (anywidget); both load only when imported.
"""

from posenc.alibi import alibi_bias, alibi_slopes
from posenc.binary import binary_code
from posenc.decoding import decode_positions
from posenc.dot_product import attention
from posenc.inspection import inspect_table
from posenc.probing import check_rope
from posenc.rotary import rope, rotate
from posenc.sinusoids import shift_matrix, sinusoidal
from posenc.waves import frequencies, wavelengths

__all__ = [
    "alibi_bias",
    "alibi_slopes",
    "attention",
    "binary_code",
    "check_rope",
    "decode_positions",
    "frequencies",
    "inspect_table",
    "rope",
    "rotate",
    "shift_matrix",
    "sinusoidal",
    "wavelengths",
]

__version__ = "0.1.0"
