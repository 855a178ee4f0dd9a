"""A table to paste, and what it is."""

from posenc_course.views.traits import Text
from posenc_course.views.view import View

__all__ = ["TableInspector"]


class TableInspector(View):
    """Rows of a table, as text, and what `posenc.diagnose.inspect_table` says of it, in the page.

    Try this: paste a few rows of your own table, as NumPy or PyTorch prints them; the row of
    position 1 is enough to begin. Nothing leaves the page.

    Of a table that is right but for a few columns the function says which differ, and how; the page
    says only that it is none.

    Parameters
    ----------
    table : str, optional
        Rows of numbers: one row to a line, or one to a pair of brackets.

    Examples
    --------
    >>> TableInspector(table="0 1 0 1")
    TableInspector(table='0 1 0 1')
    """

    _module = "table_inspector.js"
    table = Text("", 2_000_000)
