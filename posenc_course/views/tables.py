"""Tables of positions, and what is read from them."""

import json

import numpy as np
from traitlets import Bool, Enum, List, Unicode, observe

from posenc import sinusoidal
from posenc_course.pasted import verdict
from posenc_course.views.traits import Real, Whole
from posenc_course.views.view import View


class CollisionExplorer(View):
    """The distance from one position to all others, and the nearest of them.

    Try this: at d = 4 and n = 100 the nearest to position 0 is not its neighbour but position
    63, where both hands are back near their start. Then raise d to 8.
    """

    position = Whole(0, 0, 511)
    width = Whole(4, 2, 64, step=2)
    base = Real(100.0, 10, 1e7)
    length = Whole(128, 16, 512)


class FormulaReader(View):
    """The table of 100 positions, read one pair of columns at a time.

    Try this: press on the heat map and drag straight down, then sideways. What changes in the
    formula, and what stays?

    Try this: follow the thin line with the pointer, from the left to the right. Which hands are
    those, and what do they have in common?
    """

    _other = "same_angle"
    position = Whole(10, 0, 99)
    pair = Whole(4, 0, 255)
    width = Enum((8, 16, 32, 64, 128, 256, 512), 32)
    base = Enum((100, 1000, 10000, 1000000), 10000)
    same_angle = Bool(False)


class SimilarityKernel(View):
    """Dot products of all pairs of 64 positions, as a picture and as curves.

    Try this: move k. The curve goes along and keeps its shape. Then put a random A between the
    two rows: now each position has a curve of its own.
    """

    position = Whole(20, 0, 63)
    width = Whole(64, 4, 128, step=4)
    base = Real(10000.0, 10, 1e7)
    random_weights = Bool(False)


def _samples():
    """Return the name, the text and the verdict of some tables, as libraries make them."""
    spaced = 10_000 ** (16 / 14)
    tables = {
        "the paper, width 16": sinusoidal(6, 16),
        "Marian in Transformers, width 16": sinusoidal(6, 16, layout="halves"),
        "Whisper, width 16": sinusoidal(6, 16, base=spaced, layout="halves"),
        "M2M100, its first tokens, width 16": sinusoidal(
            range(2, 8), 16, base=spaced, layout="halves"
        ),
        "MusicGen, width 16": np.roll(sinusoidal(6, 16, base=spaced, layout="halves"), 8, axis=1),
        "row 1 alone, width 64": sinusoidal([1], 64),
    }
    texts = {
        name: "\n".join(" ".join(f"{entry:.6f}" for entry in row) for row in table)
        for name, table in tables.items()
    }
    return [[name, text, verdict(text)] for name, text in texts.items()]


class TableInspector(View):
    """Rows of a table, as text, and the answer of `posenc.diagnose.inspect_table`.

    Try this: paste a few rows of your own table, as NumPy or PyTorch prints them; the row of
    position 1 is enough to begin. Nothing leaves the page.

    The kernel answers; in the built book the Python of the page does.
    """

    table = Unicode("")
    _answer = Unicode().tag(sync=True)
    _samples = List().tag(sync=True)

    def __init__(self, **state):
        super().__init__(**state)
        self._samples = _samples()
        self._answered()

    @observe("table")
    def _answered(self, _change=None):
        self._answer = verdict(self.table)

    def data(self):
        """Return the state, and the answer to it."""
        return {**super().data(), "_answer": self._answer}

    @classmethod
    def files(cls):
        """Return the files of a page; the tables to try stand in the script, not in a notebook."""
        files, name = super().files(), cls._module.name
        files[name] = f"window.posencTables = {json.dumps(_samples())};\n{files[name]}"
        return files
