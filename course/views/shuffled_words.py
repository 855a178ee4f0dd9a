"""Words that change places, and what attention makes of it."""

from traitlets import Bool, TraitError, observe, validate

from course.views.traits import Order, Rows, Text
from course.views.view import View

__all__ = ["ShuffledWords"]

_TABLES = ("vectors", "W_Q", "W_K", "W_V")


class ShuffledWords(View):
    """A sentence whose words change places under self-attention.

    Try this: press one word, then another, and they change places. Follow the row of a word on
    its way. Then add positions and swap again.

    Parameters
    ----------
    sentence : str, optional
        1 to 8 words.
    order : list of int, optional
        Which word of the sentence stands in each row.
    positions : bool, optional
        Whether each row gets the encoding of its position, with base 100, before attention.
    mask : bool, optional
        Whether each row sees only itself and the rows above it.
    vectors : table, shape (words, d), optional
        A row for each word of the sentence, with d even and at most 16. Without it the rows
        are made from the letters of the words.
    W_Q, W_K, W_V : table, shape (d, d), optional
        The three matrices of the attention; the identity where one is not given.

    Examples
    --------
    >>> view = ShuffledWords(sentence="dog bites man", order=[2, 1, 0])
    >>> view.order
    [2, 1, 0]
    >>> view.positions = True
    """

    _module = "shuffled_words.js"
    sentence = Text("dog bites man", words=8, length=80)
    order = Order([0, 1, 2])
    positions = Bool(False)
    mask = Bool(False)
    vectors = Rows([])
    W_Q = Rows([])
    W_K = Rows([])
    W_V = Rows([])

    @validate("order")
    def _one_index_for_each_word(self, proposal):
        count = len(self.sentence.split())
        if len(proposal.value) != count:
            raise TraitError(
                f"order must be an arrangement of {list(range(count))}, one for each word of "
                f"{self.sentence!r}, got {proposal.value!r}"
            )
        return proposal.value

    @validate(*_TABLES)
    def _tables_that_fit(self, proposal):
        name, table = proposal.trait.name, proposal.value
        if not table:
            return table
        others = {key: getattr(self, key) for key in _TABLES if key != name}
        width = next((len(rows[0]) for rows in others.values() if rows), len(table[0]))
        rows = len(self.sentence.split()) if name == "vectors" else width
        shape = len(table), len(table[0])
        if shape != (rows, width) or width % 2 or width > 16:
            allowed = f"({rows}, d)" if name == "vectors" else "(d, d)"
            raise TraitError(
                f"{name} must be a table of shape {allowed}, with d even, at most 16 and the "
                f"same in all tables, got shape {shape}"
            )
        return table

    @observe("sentence")
    def _put_new_words_in_order(self, change):
        count = len(change.new.split())
        if len(self.order) != count:
            self.order = list(range(count))
        if len(self.vectors) != count:
            self.vectors = []
