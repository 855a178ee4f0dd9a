"""Exam questions with numbers from a seed and keys that are computed, and an assignment."""

from posenc_course.exam.question import QUESTIONS
from posenc_course.exam.sheet import LENGTHS, chosen, key, sheet

__all__ = ["LENGTHS", "QUESTIONS", "chosen", "key", "sheet"]
