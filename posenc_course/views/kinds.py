"""The moving figures of the book: their settings with the ranges, and the one thing to try."""

import json
from math import pi

import numpy as np
from traitlets import Bool, Enum, Int, List, TraitError, Unicode, observe, validate

from posenc import sinusoidal
from posenc_check.pasted import verdict
from posenc_course.views.traits import Real, Rows, Sentence, Whole
from posenc_course.views.view import View


class MovedPoint(View):
    """A 2 × 2 matrix that moves a point, and with it the whole plane.

    Try this: press “Turn by 30°” three times, and compare with “Quarter turn”. Where do the two
    short arrows go? Their tips are the columns of the matrix.
    """

    top_left = Real(1.0, -2, 2)
    top_right = Real(0.0, -2, 2)
    bottom_left = Real(0.0, -2, 2)
    bottom_right = Real(1.0, -2, 2)
    x = Real(3.0, -5.5, 5.5)
    y = Real(1.0, -3.5, 3.5)


class TwoArrows(View):
    """Two arrows to drag, with their lengths, dot product and cosine.

    Try this: turn b until the dot product is 0. What is the angle then? Make b twice as long:
    the dot product doubles, and the cosine stays.
    """

    a_x = Real(4.0, -5.5, 5.5)
    a_y = Real(3.0, -3.5, 3.5)
    b_x = Real(1.0, -5.5, 5.5)
    b_y = Real(2.0, -3.5, 3.5)


class ClockHand(View):
    """Below the clock is the x of the tip at every position, and beside the clock is the y.

    Try this: press Play and watch the two waves. Where does the hand point when x is 1, and when
    y is 1? Then drag the tip to three o'clock. What is y there?

    Try this: move the phase. Both waves move along the text, and neither changes its shape. At
    which phase does x start at 1, where y starts without a phase?
    """

    _other = "phase"
    position = Real(15.0, 0, 24)
    frequency = Real(0.5, 0.05, pi)
    phase = Real(0.0, -pi, pi)


class ClockWall(View):
    """One clock for each speed, with a hand at position k and one Δ tokens later.

    Try this: leave Δ alone and move k. Every hand turns, but no purple angle changes.
    """

    position = Whole(20, 0, 200)
    shift = Whole(5, -20, 20)
    width = Whole(16, 4, 32, step=2)
    base = Real(100.0, 10, 1e7)


class EncodingGrows(View):
    """A clock hand whose two waves grow a table of 32 columns and base 100, row by row.

    Try this: drag the gold point down the table, and the hand turns. Drag it sideways: each pair
    of columns has a hand of its own, slower than the one before.
    """

    position = Whole(32, 0, 47)
    pair = Whole(3, 0, 15)


class RotatedPair(View):
    """The query (2, 1) and the key (1, 2): their positions turn them, or add a hand to each.

    Try this: press “+ 1”, which moves both words on by one token. Which numbers below the picture
    stay the same? Now choose “adds a hand”, and move both words again. Which numbers
    stay now?
    """

    method = Enum(("turns the arrow", "adds a hand"), "turns the arrow")
    query_position = Whole(1, 0, 12)
    key_position = Whole(2, 0, 12)
    frequency = Real(pi / 2, pi / 180, pi)


class SameTurn(View):
    """One hand at position k and Δ tokens later, with the arrow to add and the angle to turn.

    Try this: move k, and do not change Δ, the number of tokens between the two tips. The gold
    arrow points a different way at each position, and the purple angle stays as it is.
    """

    position = Whole(1, 0, 60)
    shift = Whole(2, -5, 5)
    frequency = Real(1.0, 0.05, 1.2)


class RoundedHands(View):
    """Up to three hands that write the bits of each position, or the x and y of their tips.

    Try this: press Play, and watch the digit change when the tip enters the other half of its
    clock. Then set three hands, and untick “Round”: the digits become smooth waves, and nothing
    jumps any more.
    """

    position = Real(5.0, 0, 8)
    hands = Whole(1, 1, 3)
    rounded = Bool(True)
    slowed = Bool(False)  # each hand π times slower than its bit


class RoundedRows(View):
    """Rows of eight hands at the pace of the bits, rounded more or less, and the size of each step.

    Try this: move the first slider slowly down to 0 %. The blocks melt, and the bars on the right,
    of very different lengths at first, become equally long.
    """

    rounding = Real(1.0, 0, 1)
    position = Whole(128, 97, 160)


class TwoCounters(View):
    """In the step to 128 all eight bits flip, and the hands move as far as in any other step.

    Try this: step on from 127 to 128. All eight bits flip, and the row of hands moves by 1.12.
    Then step on once more: only one bit flips, and the row moves by 1.12 again.
    """

    position = Whole(127, 0, 255)
    width = Whole(16, 16, 512, step=16)
    base = Real(256.0, 10, 1e7)


class StretchedLadder(View):
    """Each pair's wavelength before and after stretching, against the texts of training.

    Try this: go through the four methods. Watch the top, where the fast pairs are, and count
    the gold ones below. Then put the factor to 1.
    """

    method = Enum(("linear", "NTK-aware", "YaRN", "Llama 3"), "NTK-aware")
    factor = Real(8.0, 1, 32)
    length = Whole(8192, 512, 131072)
    width = Whole(128, 4, 256, step=2)
    base = Real(500000.0, 10, 1e7)


class WavelengthLadder(View):
    """The wavelength of every hand on a logarithmic axis, against a length of text.

    A hand finishes a turn in L tokens if its wavelength is at most L - 1: from the first token
    to the last there are L - 1 steps. The slider of d is there only if `any_width` is set.

    Try this: shorten the text to 50 tokens. How many dots are gold? Go back to 512, and lower the
    base to 16, then raise it to 100 000 000. How many are gold now?

    Try this: double d, and look where the new dots go. Then raise n to a million. Which end of
    the ladder moves?
    """

    _other = "any_width"
    base = Real(10000.0, 10, 1e8)
    width = Whole(8, 4, 1024, step=2)
    length = Whole(512, 8, 131072)
    any_width = Bool(False)  # such a figure has a slider for the numbers in a row


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
    """Words change places, and their new rows stay the same, unless positions are added.

    Each word has a row of two numbers, which is its query, its key and its value. The word that
    asks weighs a row with 2 to the score, divided by the sum of these powers.

    Try this: press “dog”, then “man”, and they change places. The new row belongs to
    the word that you press first.

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
        """Return the proposed vectors as they are; raise a TraitError unless each word has a pair.

        No vectors at all are allowed.
        """
        wanted, shape = (len(self.sentence.split()), 2), np.shape(proposal.value)
        if proposal.value and shape != wanted:
            raise TraitError(f"vectors must be a table of shape {wanted}, got shape {shape}")
        return proposal.value


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
    """The table of 100 positions; on the right, the two waves of one hand.

    Try this: press on the picture and drag straight down. You watch one hand turn. Then drag to
    the right. You read one position, from fast hands to slow ones.

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

    Try this: move k. The curve goes along and keeps its shape.
    """

    position = Whole(20, 0, 63)
    width = Whole(64, 4, 128, step=4)
    base = Real(10000.0, 10, 1e7)


def _samples() -> list[list[str]]:
    """Return some tables to try, as libraries make them: lists of [name, its text, its verdict]."""
    # The base at which width 16 has the frequencies of tensor2tensor, which divides the exponent
    # by d/2 - 1 and not by d/2: the last pair is slower by exactly 10 000.
    spaced = 10_000 ** (16 / 14)
    tables = {
        "the paper, width 16": sinusoidal(6, 16),
        "Marian in Transformers, width 16": sinusoidal(6, 16, layout="halves"),
        "Whisper, width 16": sinusoidal(6, 16, base=spaced, layout="halves"),
        # Its positions begin after 1, the number of its token for padding.
        "M2M100, its first tokens, width 16": sinusoidal(
            range(2, 8), 16, base=spaced, layout="halves"
        ),
        # All cosines first.
        "MusicGen, width 16": np.roll(sinusoidal(6, 16, base=spaced, layout="halves"), 8, axis=1),
        # The least that a reader may bring is one row.
        "row 1 alone, width 64": sinusoidal([1], 64),
    }
    texts = {
        name: "\n".join(" ".join(f"{entry:.6f}" for entry in row) for row in table)
        for name, table in tables.items()
    }
    return [[name, text, verdict(text)] for name, text in texts.items()]


class TableInspector(View):
    """Rows of a table, as text, and the answer of `posenc_check.inspect_table`.

    Try this: paste a few rows of your own table, as NumPy or PyTorch prints them; the row of
    position 1 is enough to begin.

    The kernel answers; in the built book the Python of the page does.
    """

    table = Unicode("")
    _answer = Unicode().tag(sync=True)
    _samples = List().tag(sync=True)

    def __init__(self, **state):
        """Make a view with the tables to try, and with the answer to its own table."""
        super().__init__(**state)
        self._samples = _samples()
        self._answered()  # for the table that stands there from the start, which is no change

    @observe("table")
    def _answered(self, _change=None):
        """Set `_answer` to the verdict on the table, at the start and whenever that has changed."""
        self._answer = verdict(self.table)

    def data(self) -> dict:
        """Return what a page must know to draw the view: that of every view, and `_answer`."""
        return {**super().data(), "_answer": self._answer}

    @classmethod
    def files(cls) -> dict[str, str]:
        """Return {name: text} of a page's files; the script has the tables to try, too.

        So no notebook stores them.
        """
        files, name = super().files(), cls._module.name
        files[name] = f"window.posencTables = {json.dumps(_samples())};\n{files[name]}"
        return files
