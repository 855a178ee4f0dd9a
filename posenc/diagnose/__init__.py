"""Tell what a table is, what a rotary function does, and where two of them part."""

from posenc.diagnose.compare import compare_rope
from posenc.diagnose.rope import check_rope
from posenc.diagnose.table import inspect_table

__all__ = ["check_rope", "compare_rope", "inspect_table"]
