"""Figures the reader can move: live widgets in Jupyter, self-contained HTML elsewhere."""

from posenc.interactive.clock_hand import ClockHand
from posenc.interactive.clock_wall import ClockWall
from posenc.interactive.collision_explorer import CollisionExplorer
from posenc.interactive.encoding_grows import EncodingGrows
from posenc.interactive.formula_reader import FormulaReader
from posenc.interactive.moved_point import MovedPoint
from posenc.interactive.rotated_pair import RotatedPair
from posenc.interactive.same_turn import SameTurn
from posenc.interactive.sentence_encoder import SentenceEncoder
from posenc.interactive.shuffled_words import ShuffledWords
from posenc.interactive.similarity_kernel import SimilarityKernel
from posenc.interactive.stretched_ladder import StretchedLadder
from posenc.interactive.table_inspector import TableInspector
from posenc.interactive.two_arrows import TwoArrows
from posenc.interactive.two_counters import TwoCounters
from posenc.interactive.wavelength_ladder import WavelengthLadder

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
