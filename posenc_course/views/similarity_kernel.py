"""The similarity of encodings as a function of distance."""

from traitlets import Bool

from posenc_course.views.traits import Real, Whole
from posenc_course.views.view import View

__all__ = ["SimilarityKernel"]


class SimilarityKernel(View):
    """Dot products of all pairs of 64 positions, as a picture and as curves.

    Try this: move k. The curve goes along and keeps its shape. Then put a random A between the
    two rows: now each position has a curve of its own.

    Parameters
    ----------
    position : int, optional
        The row k, from 0 to 63.
    width : int, optional
        How many numbers a row has, d: a multiple of 4 from 4 to 128.
    base : float, optional
        The base n, from 10 to 10 000 000.
    random_weights : bool, optional
        Whether a random matrix stands between the two encodings.

    Examples
    --------
    >>> SimilarityKernel(random_weights=True)
    SimilarityKernel(position=20, width=64, base=10000.0, random_weights=True)
    """

    _module = "similarity_kernel.js"
    position = Whole(20, 0, 63)
    width = Whole(64, 4, 128, step=4)
    base = Real(10000.0, 10, 1e7)
    random_weights = Bool(False)
