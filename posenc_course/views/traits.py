"""What views take beside the kinds of traitlets: NumPy's numbers, steps, sentences, tables."""

from __future__ import annotations

from typing import Any

from traitlets import Float, Int, List, Unicode

from posenc._checks import real_number, whole_number


class _Read:
    """What the traits below share: words for what is `allowed`, and one method, `read`.

    `read` returns the value that is kept, or raises a TypeError or ValueError, of which `validate`
    makes the trait's own error: nobody sees its text.
    """

    allowed = ""

    def info(self) -> str:
        """Return the words for what is allowed, which traitlets puts into its errors."""
        return self.allowed

    def validate(self, obj: Any, value: Any) -> Any:
        """Return the value as the trait keeps it, or raise a TraitError that says `allowed`."""
        try:
            value_read = self.read(value)
        except (TypeError, ValueError):
            self.error(obj, value)  # raises the TraitError
        return super().validate(obj, value_read)


class Whole(_Read, Int):
    """A whole number from `low` to `high`, in steps of `step`: 2 for even ones."""

    def __init__(self, default_value, low, high, step=1):
        """Set the range, the step, and the words of what is allowed."""
        super().__init__(default_value, min=low, max=high)
        kinds = {1: "a whole number", 2: "an even number"}
        self.step = step
        self.allowed = f"{kinds.get(step, f'a multiple of {step}')} from {low} to {high}"

    def read(self, value: Any) -> int:
        """Return an integer of any type as an int in range and on a step, or raise an error."""
        number = whole_number(value, self.name, least=self.min, most=self.max)
        if number % self.step:
            raise ValueError(number)
        return number


class Real(_Read, Float):
    """A finite number from `low` to `high`."""

    def __init__(self, default_value, low, high):
        """Set the range, and the words of what is allowed."""
        super().__init__(default_value, min=low, max=high)
        self.allowed = f"a number from {low:g} to {high:g}"

    def read(self, value: Any) -> float:
        """Return a finite real number of any type as a float, or raise an error.

        `validate` of traitlets looks at the range.
        """
        return real_number(value, self.name)


class Sentence(_Read, Unicode):
    """A sentence of 1 to so many words."""

    def __init__(self, default_value, words):
        """Set the largest number of words, and the text of what is allowed."""
        super().__init__(default_value)
        self.words = words
        self.allowed = f"a sentence of 1 to {words} words"

    def read(self, value: str) -> str:
        """Return the text, or raise a ValueError if it has no word or too many."""
        if not 1 <= len(value.split()) <= self.words:
            raise ValueError(value)
        return value


class Rows(_Read, List):
    """A table of finite numbers, as a list of its rows; an empty list where there is none."""

    allowed = "a table of finite numbers, its rows all of one length, or []"

    def read(self, value: Any) -> list[list[float]]:
        """Return a table as a list of rows of floats; raise an error for rows unequal or empty."""
        rows = [[real_number(entry, self.name) for entry in row] for row in value]
        if len({len(row) for row in rows}) > 1 or [] in rows:
            raise ValueError(value)
        return rows
