"""Figures the reader can move: live widgets in Jupyter, self-contained HTML elsewhere."""

from posenc_course.views.clock_hand import ClockHand
from posenc_course.views.clock_wall import ClockWall
from posenc_course.views.collision_explorer import CollisionExplorer
from posenc_course.views.encoding_grows import EncodingGrows
from posenc_course.views.formula_reader import FormulaReader
from posenc_course.views.moved_point import MovedPoint
from posenc_course.views.rotated_pair import RotatedPair
from posenc_course.views.same_turn import SameTurn
from posenc_course.views.sentence_encoder import SentenceEncoder
from posenc_course.views.shuffled_words import ShuffledWords
from posenc_course.views.similarity_kernel import SimilarityKernel
from posenc_course.views.stretched_ladder import StretchedLadder
from posenc_course.views.table_inspector import TableInspector
from posenc_course.views.two_arrows import TwoArrows
from posenc_course.views.two_counters import TwoCounters
from posenc_course.views.wavelength_ladder import WavelengthLadder

__all__ = [
    "ClockHand",
    "ClockWall",
    "CollisionExplorer",
    "EncodingGrows",
    "FormulaReader",
    "MovedPoint",
    "RotatedPair",
    "SameTurn",
    "SentenceEncoder",
    "ShuffledWords",
    "SimilarityKernel",
    "StretchedLadder",
    "TableInspector",
    "TwoArrows",
    "TwoCounters",
    "WavelengthLadder",
]
