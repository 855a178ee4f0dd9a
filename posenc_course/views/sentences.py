"""Sentences whose words are rows of numbers."""

import numpy as np
from traitlets import Bool, Enum, Int, List, TraitError, validate

from posenc_course.views.traits import Real, Rows, Sentence, Whole
from posenc_course.views.view import View


class SentenceEncoder(View):
    """A sentence as words, their own rows, the rows of their positions, and the sum.

    A word of the vocabulary has its row in the embedding. Any other word, or any word at another
    width, gets a row of whole numbers made up from its letters, so that the same word always has
    the same one; a model would have learned its own.

    Try this: swap the first two words, then type “robot robot robot”. The three rows of the word
    are equal; the three sums are not.
    """

    sentence = Sentence("I am a robot", words=16)
    width = Enum((4, 8, 16, 32, 64, 128, 256, 512), 4)
    base = Real(100.0, 10, 1e7)
    position = Whole(3, 0, 15)
    column = Whole(0, 0, 511)
    vocabulary = Sentence("a am I robot", words=16)
    embedding = Rows([])  # a row for each word of the vocabulary


class ShuffledWords(View):
    """A sentence whose words change places while one of them looks around.

    Each word has a row of two numbers, which is its query, its key and its value. The word that
    asks weighs a row with 2 to the score, divided by the sum of these powers. At first, before
    anybody touches it, the figure swaps the first and the last word once, and swaps them back.

    Try this: press “dog”, then “man”, and they change places. The word that you press first is
    the one that asks.

    Try this: let the first and the last word change places once more. Now each word sees only
    itself and what is before it. Which rows change? Then take the tick away.
    """

    _other = "mask"
    sentence = Sentence("dog bites man", words=6)
    order = List(Int(), [0, 1, 2])  # which word of the sentence stands in each row
    asks = Whole(0, 0, 5)  # which of them asks
    positions = Bool(False)  # add the tip (x, y) of a hand after so many quarter turns
    mask = Bool(False)  # each word sees itself and those before it; such a figure has a switch
    vectors = Rows([])  # a row of two for each word, or none: then they are made from its letters

    @validate("vectors")
    def _a_pair_for_each_word(self, proposal):
        wanted, shape = (len(self.sentence.split()), 2), np.shape(proposal.value)
        if proposal.value and shape != wanted:
            raise TraitError(f"vectors must be a table of shape {wanted}, got shape {shape}")
        return proposal.value
