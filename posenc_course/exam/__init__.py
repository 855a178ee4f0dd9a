"""Exam questions with numbers from a seed and keys that are computed, and an assignment."""

from posenc_course.exam import part_one, part_two  # noqa: F401  they enter their questions
from posenc_course.exam.question import GRADES, QUESTIONS, Asked, Part, Question, same, shown
from posenc_course.exam.sheet import LENGTHS, chosen, key, sheet

__all__ = [
    "GRADES",
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
