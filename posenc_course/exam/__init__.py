"""Exam questions with numbers from a seed and keys that are computed, and an assignment."""

from posenc_course.exam.question import QUESTIONS, Asked, Part, Question, same, shown
from posenc_course.exam.sheet import LENGTHS, chosen, key, sheet

__all__ = [
    "LENGTHS",
    "QUESTIONS",
    "Asked",
    "Part",
    "Question",
    "chosen",
    "key",
    "same",
    "sheet",
    "shown",
]
