"""Figures the reader can move: live widgets in Jupyter, self-contained HTML elsewhere."""

from course.views.clock_hand import ClockHand
from course.views.clock_wall import ClockWall
from course.views.collision_explorer import CollisionExplorer
from course.views.encoding_grows import EncodingGrows
from course.views.formula_reader import FormulaReader
from course.views.moved_point import MovedPoint
from course.views.rotated_pair import RotatedPair
from course.views.same_turn import SameTurn
from course.views.sentence_encoder import SentenceEncoder
from course.views.shuffled_words import ShuffledWords
from course.views.similarity_kernel import SimilarityKernel
from course.views.stretched_ladder import StretchedLadder
from course.views.table_inspector import TableInspector
from course.views.two_arrows import TwoArrows
from course.views.two_counters import TwoCounters
from course.views.wavelength_ladder import WavelengthLadder

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
