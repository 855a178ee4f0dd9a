"""Figures the reader can move: live widgets in Jupyter, self-contained HTML elsewhere."""

from posenc_course.views.arrows import MovedPoint, TwoArrows
from posenc_course.views.hands import (
    ClockHand,
    ClockWall,
    EncodingGrows,
    RotatedPair,
    SameTurn,
    TwoCounters,
)
from posenc_course.views.ladders import StretchedLadder, WavelengthLadder
from posenc_course.views.sentences import SentenceEncoder, ShuffledWords
from posenc_course.views.tables import (
    CollisionExplorer,
    FormulaReader,
    SimilarityKernel,
    TableInspector,
)

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
