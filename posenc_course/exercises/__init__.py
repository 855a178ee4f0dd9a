"""Checks for the exercises of the book: ``check("ex-rotation-turn", answer)`` says what is off.

The name of a check is the label of its exercise. The checks of a chapter stand in a module named
after it, ``posenc_course.exercises.rotation``, or together with those of chapters of its subject
(``rope``, ``right_table``), and what they say in ``answers.md``. They need NumPy alone and no
network.
"""

from posenc_course.exercises.judging import Function, Verdict, assess, check

__all__ = ["Function", "Verdict", "assess", "check"]
