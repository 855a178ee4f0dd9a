"""What a table is, what a rotary function does, and what a model's config says of positions.

This package is for people who hold a table, a function or a ``config.json``. Each function compares
what it is given with the formulas of `posenc`, and reports what it found. All of it needs NumPy and
`posenc` alone.
"""

from posenc_check.compare import assert_rope, compare_rope
from posenc_check.config import kinds_of_layers, rotary_settings
from posenc_check.config_report import config_report
from posenc_check.rope import check_rope
from posenc_check.settings import ScaledFrequencies, scaled_frequencies
from posenc_check.table import inspect_table

__all__ = [
    "ScaledFrequencies",
    "assert_rope",
    "check_rope",
    "compare_rope",
    "config_report",
    "inspect_table",
    "kinds_of_layers",
    "rotary_settings",
    "scaled_frequencies",
]

__version__ = "1.0.0"
