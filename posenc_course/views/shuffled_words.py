"""Words that change places, and what one of them gets from attention."""

from traitlets import Bool, TraitError, observe, validate

from posenc_course.views.traits import Order, Rows, Text, Whole
from posenc_course.views.view import View

__all__ = ["ShuffledWords"]


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
        Which word of the sentence stands in each row.
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

    _module = "shuffled_words.js"
    _other = "mask"
    sentence = Text("dog bites man", words=6, length=60)
    order = Order([0, 1, 2])
    asks = Whole(0, 0, 5)
    positions = Bool(False)
    mask = Bool(False)
    vectors = Rows([])

    @validate("order")
    def _one_index_for_each_word(self, proposal):
        count = len(self.sentence.split())
        if len(proposal.value) != count:
            raise TraitError(
                f"order must be an arrangement of {list(range(count))}, one for each word of "
                f"{self.sentence!r}, got {proposal.value!r}"
            )
        return proposal.value

    @validate("asks")
    def _a_word_of_the_sentence(self, proposal):
        last = len(self.sentence.split()) - 1
        if proposal.value > last:
            raise TraitError(
                f"asks must be a whole number from 0 to {last}, for a word of {self.sentence!r}, "
                f"got {proposal.value!r}"
            )
        return proposal.value

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

    @observe("sentence")
    def _put_new_words_in_order(self, change):
        count = len(change.new.split())
        if len(self.order) != count:
            self.order = list(range(count))
        if self.asks >= count:
            self.asks = 0
        if len(self.vectors) != count:
            self.vectors = []
