"""What views take beside the kinds of traitlets: NumPy's numbers, steps, sentences, tables."""

from __future__ import annotations

import numpy as np
from traitlets import Float, Int, List, Unicode

from posenc._checks import real_number, whole_number

__all__ = ["Order", "Real", "Rows", "Text", "Whole"]


def _listed(value):
    """Return an array as lists, and anything else as it is."""
    return value.tolist() if isinstance(value, np.ndarray) else value


class Whole(Int):
    """A whole number from `low` to `high`, in steps of `step`: 2 for even ones."""

    def __init__(self, default_value, low, high, step=1):
        super().__init__(default_value, min=low, max=high)
        self.step = step

    def info(self):
        """Return what is allowed."""
        kind = {1: "a whole number", 2: "an even number"}.get(
            self.step, f"a multiple of {self.step}"
        )
        return f"{kind} from {self.min} to {self.max}"

    def validate(self, obj, value):
        """Return `value` as an int, or raise TraitError."""
        try:
            number = whole_number(value, self.name, least=self.min, most=self.max)
        except (TypeError, ValueError):
            self.error(obj, value)
        if number % self.step:
            self.error(obj, value)
        return number


class Real(Float):
    """A finite number from `low` to `high`."""

    def __init__(self, default_value, low, high):
        super().__init__(default_value, min=low, max=high)

    def info(self):
        """Return what is allowed."""
        return f"a number from {self.min:g} to {self.max:g}"

    def validate(self, obj, value):
        """Return `value` as a float, or raise TraitError."""
        try:
            number = real_number(value, self.name)
        except (TypeError, ValueError):
            self.error(obj, value)
        return super().validate(obj, number)


class Text(Unicode):
    """Text of at most `length` characters; with `words`, a sentence of 1 to so many words."""

    def __init__(self, default_value, length, words=None):
        super().__init__(default_value)
        self.length, self.words = length, words

    def info(self):
        """Return what is allowed."""
        kind = f"a sentence of 1 to {self.words} words and" if self.words else "text of"
        return f"{kind} at most {self.length} characters"

    def validate(self, obj, value):
        """Return `value`, or raise TraitError."""
        value = super().validate(obj, value)
        if len(value) > self.length or (self.words and not 1 <= len(value.split()) <= self.words):
            self.error(obj, value)
        return value


class Order(List):
    """An arrangement of the whole numbers 0, 1, 2, ..., as a list."""

    def info(self):
        """Return what is allowed."""
        return "an arrangement of 0, 1, 2, ..., one for each word"

    def validate(self, obj, value):
        """Return `value` as a list of ints, or raise TraitError."""
        value = super().validate(obj, _listed(value))
        try:
            order = [whole_number(item, self.name, least=0) for item in value]
        except (TypeError, ValueError):
            self.error(obj, value)
        if sorted(order) != list(range(len(order))):
            self.error(obj, value)
        return order


class Rows(List):
    """A table of finite numbers, as a list of its rows; an empty list where there is none."""

    def info(self):
        """Return what is allowed."""
        return "a table of finite numbers, its rows all of one length, or []"

    def validate(self, obj, value):
        """Return `value` as a list of lists of floats, or raise TraitError."""
        try:
            rows = [[real_number(entry, self.name) for entry in row] for row in _listed(value)]
        except (TypeError, ValueError):
            self.error(obj, value)
        if len({len(row) for row in rows}) > 1 or [] in rows:
            self.error(obj, value)
        return super().validate(obj, rows)
