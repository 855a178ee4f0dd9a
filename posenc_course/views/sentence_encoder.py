"""A sentence to type, and the vectors that enter the model."""

from traitlets import Enum, TraitError, observe, validate

from posenc_course.views.traits import Real, Rows, Text, Whole
from posenc_course.views.view import View

__all__ = ["SentenceEncoder"]


class SentenceEncoder(View):
    """A sentence as words, their own rows, the rows of their positions, and the sum.

    A word of the vocabulary has its row in the embedding. Any other word, or any word at another
    width, gets a row of whole numbers made up from its letters, so that the same word always has
    the same one; a model would have learned its own.

    Try this: swap the first two words, then type "robot robot robot". The three rows of the word
    are equal; the three sums are not.

    Parameters
    ----------
    sentence : str, optional
        1 to 16 words, one token each.
    width : {4, 8, 16, 32, 64, 128, 256, 512}, optional
        How many numbers a row has, d.
    base : float, optional
        The base n, from 10 to 10 000 000.
    position, column : int, optional
        The number whose sum is written out.
    vocabulary : str, optional
        The words of the embedding, in the order of its rows.
    embedding : array_like, shape (words of the vocabulary, width), optional
        A row for each word of the vocabulary, or nothing: then all rows are made up.

    Examples
    --------
    >>> view = SentenceEncoder(vocabulary="a robot", embedding=[[0, 2, -1, 1], [-1, 1, 1, 2]])
    >>> view.sentence = "a robot"
    >>> view.position
    1
    """

    _module = "sentence_encoder.js"
    sentence = Text("I am a robot", words=16, length=120)
    width = Enum((4, 8, 16, 32, 64, 128, 256, 512), 4)
    base = Real(100.0, 10, 1e7)
    position = Whole(3, 0, 15)
    column = Whole(0, 0, 511)
    vocabulary = Text("a am I robot", words=16, length=120)
    embedding = Rows([])

    @validate("position", "column")
    def _inside_the_table(self, proposal):
        name, words = proposal.trait.name, len(self.sentence.split())
        size = {"position": words, "column": self.width}[name]
        if proposal.value >= size:
            raise TraitError(
                f"{name} must be a whole number from 0 to {size - 1} for a table of "
                f"{words} x {self.width}, got {proposal.value!r}"
            )
        return proposal.value

    @validate("embedding")
    def _a_row_for_each_word(self, proposal):
        words = len(self.vocabulary.split())
        if len(proposal.value) not in (0, words):
            raise TraitError(
                f"embedding must have a row for each of the {words} words of the vocabulary, "
                f"got {len(proposal.value)} rows"
            )
        return proposal.value

    @observe("sentence", "width")
    def _stay_inside_the_table(self, _change):
        self.position = min(self.position, len(self.sentence.split()) - 1)
        self.column = min(self.column, self.width - 1)
