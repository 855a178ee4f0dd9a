"""A sentence to type, and the vectors that enter the model."""

from traitlets import Enum, TraitError, observe, validate

from course.views.traits import Real, Text, Whole
from course.views.view import View

__all__ = ["SentenceEncoder"]


class SentenceEncoder(View):
    """A sentence as tokens, embeddings, encodings and their sum.

    The embeddings are made up from the letters of each word, so that the same word always has
    the same one; a model would have learned its own.

    Try this: type "dog dog dog". The three embeddings are equal; the three sums are not.

    Parameters
    ----------
    sentence : str, optional
        1 to 16 words, one token each.
    width : {4, 8, 16, 32, 64, 128, 256, 512}, optional
        The width d.
    base : float, optional
        The base n, from 10 to 10 000 000.
    position, column : int, optional
        The number whose sum is written out.

    Examples
    --------
    >>> view = SentenceEncoder(sentence="I am a robot", width=4, base=100)
    >>> view.position = 3
    >>> view
    SentenceEncoder(sentence='I am a robot', width=4, base=100.0, position=3, column=0)
    """

    _module = "sentence_encoder.js"
    sentence = Text("I am a robot", words=16, length=120)
    width = Enum((4, 8, 16, 32, 64, 128, 256, 512), 4)
    base = Real(100.0, 10, 1e7)
    position = Whole(2, 0, 15)
    column = Whole(0, 0, 511)

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

    @observe("sentence", "width")
    def _stay_inside_the_table(self, _change):
        self.position = min(self.position, len(self.sentence.split()) - 1)
        self.column = min(self.column, self.width - 1)
