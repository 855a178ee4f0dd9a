"""Tell what a table is, and what a rotary function does."""

from posenc.diagnose.rope import check_rope
from posenc.diagnose.table import inspect_table

__all__ = ["check_rope", "inspect_table"]
