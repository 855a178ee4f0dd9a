"""A table to paste, and what it is."""

import json

import numpy as np
from traitlets import List, Unicode, observe

from posenc import sinusoidal
from posenc_course.pasted import verdict
from posenc_course.views.traits import Text
from posenc_course.views.view import View

__all__ = ["TableInspector"]


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
