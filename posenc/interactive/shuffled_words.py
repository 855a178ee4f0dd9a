"""Words that change places, and what attention makes of it."""

from traitlets import TraitError, observe, validate

from posenc.interactive.traits import Order, Switch, Text
from posenc.interactive.view import View

__all__ = ["ShuffledWords"]


class ShuffledWords(View):
    """A sentence whose words change places under self-attention.

    Try this: drag a word to another row, or shuffle. Each row of the output moves with its word
    and none changes. Then add positions and shuffle again.

    Parameters
    ----------
    sentence : str, optional
        1 to 8 words.
    order : list of int, optional
        Which word of the sentence stands in each row.
    positions : bool, optional
        Whether each row gets the encoding of its position before attention.

    Examples
    --------
    >>> view = ShuffledWords(sentence="dog bites man", order=[2, 1, 0])
    >>> view
    ShuffledWords(sentence='dog bites man', order=[2, 1, 0], positions=False)
    >>> view.positions = True
    """

    _module = "shuffled_words.js"
    sentence = Text("dog bites man", words=8, length=80)
    order = Order([0, 1, 2])
    positions = Switch(False)

    @validate("order")
    def _one_index_for_each_word(self, proposal):
        count = len(self.sentence.split())
        if len(proposal.value) != count:
            raise TraitError(
                f"order must be an arrangement of {list(range(count))}, one for each word of "
                f"{self.sentence!r}, got {proposal.value!r}"
            )
        return proposal.value

    @observe("sentence")
    def _put_new_words_in_order(self, change):
        count = len(change.new.split())
        if len(self.order) != count:
            self.order = list(range(count))
