"""The encoding in one picture: a hand, its two waves, and the table that grows from them."""

from posenc_course.views.traits import Whole
from posenc_course.views.view import View

__all__ = ["EncodingGrows"]


class EncodingGrows(View):
    """A clock hand whose two waves grow a table of 32 columns and base 100, row by row.

    Try this: drag down the table, and the hand turns. Drag sideways: each pair of columns has a
    hand of its own, slower than the one before.

    Parameters
    ----------
    position : int, optional
        The last row k that is there, from 0 to 47.
    pair : int, optional
        The hand i, from 0 to 15, that is shown with its waves: columns 2i and 2i + 1.

    Examples
    --------
    >>> EncodingGrows(position=8)
    EncodingGrows(position=8, pair=3)
    """

    _module = "encoding_grows.js"
    position = Whole(32, 0, 47)
    pair = Whole(3, 0, 15)
