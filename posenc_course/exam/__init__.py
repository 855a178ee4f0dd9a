"""Exam questions with numbers from a seed and keys that are computed, and an assignment."""

from posenc_course.exam.question import QUESTIONS
from posenc_course.exam.sheet import chosen, code, key, key_blocks, sheet, sheet_blocks

__all__ = ["QUESTIONS", "chosen", "code", "key", "key_blocks", "sheet", "sheet_blocks"]
