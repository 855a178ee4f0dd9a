"""Checks for the exercises of the book: ``check("rotation-3", turn)`` says right, or what is off.

The checks of a chapter stand in the module named after its label, ``course.exercises.rotation``
for the chapter ``rotation``, in a dict ``EXERCISES``. They need NumPy alone and no network.
"""

from course.exercises.judging import Exercise, Function, Value, Verdict, assess, check

__all__ = ["Exercise", "Function", "Value", "Verdict", "assess", "check"]
