"""Sentences whose words are rows of numbers."""

from traitlets import Bool, Enum, Int, List, TraitError, validate

from posenc_course.views.traits import Real, Rows, Text, Whole
from posenc_course.views.view import View


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
    >>> view.embedding[0]
    [0.0, 2.0, -1.0, 1.0]
    """

    sentence = Text("I am a robot", words=16, length=120)
    width = Enum((4, 8, 16, 32, 64, 128, 256, 512), 4)
    base = Real(100.0, 10, 1e7)
    position = Whole(3, 0, 15)
    column = Whole(0, 0, 511)
    vocabulary = Text("a am I robot", words=16, length=120)
    embedding = Rows([])

    @validate("embedding")
    def _a_row_for_each_word(self, proposal):
        words = len(self.vocabulary.split())
        if len(proposal.value) not in (0, words):
            raise TraitError(
                f"embedding must have a row for each of the {words} words of the vocabulary, "
                f"got {len(proposal.value)} rows"
            )
        return proposal.value


class ShuffledWords(View):
    """A sentence whose words change places while one of them looks at all the others.

    Each word has a row of two numbers, which is its query, its key and its value. The word that
    asks weighs a row with 2 to the score, divided by the sum of these powers. At first, before
    anybody touches it, the figure swaps the first and the last word once, and swaps them back.

    Try this: press “dog”, then “man”, and they change places. The word that you press first is
    the one that asks.

    Try this: let the first and the last word change places once more. Now each word sees only
    itself and what is before it. Which rows change? Then take the tick away.

    Parameters
    ----------
    sentence : str, optional
        1 to 6 words.
    order : list of int, optional
        Which word of the sentence stands in each row; as written, where a word is missing.
    asks : int, optional
        Which word of the sentence asks.
    positions : bool, optional
        Whether the tip (x, y) of a hand after k quarter turns is added to the row of the word at
        position k.
    mask : bool, optional
        Whether each word sees only itself and the words before it. A figure that begins with a
        mask has a switch for it.
    vectors : table, shape (words, 2), optional
        A row for each word of the sentence. Without it the rows are made from the letters of
        the words.

    Examples
    --------
    >>> view = ShuffledWords(sentence="dog bites man", order=[2, 1, 0])
    >>> view.order
    [2, 1, 0]
    >>> view.positions = True
    """

    _other = "mask"
    sentence = Text("dog bites man", words=6, length=60)
    order = List(Int(), [0, 1, 2])
    asks = Whole(0, 0, 5)
    positions = Bool(False)
    mask = Bool(False)
    vectors = Rows([])

    @validate("vectors")
    def _a_pair_for_each_word(self, proposal):
        table, count = proposal.value, len(self.sentence.split())
        if not table:
            return table
        shape = len(table), len(table[0])
        if shape != (count, 2):
            raise TraitError(
                f"vectors must be a table of shape ({count}, 2), two numbers for each word of "
                f"{self.sentence!r}, got shape {shape}"
            )
        return table
