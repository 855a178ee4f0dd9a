"""The kinds of value a view accepts, each with an error that says what is allowed."""

from __future__ import annotations

import operator

from traitlets import Bool, TraitError, TraitType, Undefined

from posenc._checks import real_number, whole_number

__all__ = ["Choice", "Order", "Pasted", "Real", "Rows", "Switch", "Text", "Whole"]


class _Synced(TraitType):
    """A trait the page and the kernel share; subclasses say what they allow and accept."""

    def __init__(self, default_value=Undefined):
        super().__init__(default_value)
        self.tag(sync=True)

    def _allowed(self):
        raise NotImplementedError

    def _refuse(self, value):
        raise TraitError(f"{self.name} must be {self._allowed()}, got {value!r}")


class Whole(_Synced):
    """A whole number from `low` to `high`, in steps of `step`.

    Parameters
    ----------
    default_value, low, high : int
        The value a view starts with, and the smallest and largest allowed.
    step : int, optional
        1 for any whole number, 2 for even ones, 4 for multiples of 4.
    """

    def __init__(self, default_value, low, high, step=1):
        super().__init__(default_value)
        self.low, self.high, self.step = low, high, step

    def _allowed(self):
        kind = {1: "a whole number", 2: "an even number"}.get(
            self.step, f"a multiple of {self.step}"
        )
        return f"{kind} from {self.low} to {self.high}"

    def validate(self, _obj, value):
        """Return `value` as an int, or raise TraitError."""
        try:
            number = whole_number(value, self.name, least=self.low, most=self.high)
        except (TypeError, ValueError):
            self._refuse(value)
        if number % self.step:
            self._refuse(value)
        return number


class Real(_Synced):
    """A finite number from `low` to `high`, in `unit`."""

    def __init__(self, default_value, low, high, unit=""):
        super().__init__(default_value)
        self.low, self.high, self.unit = low, high, unit

    def _allowed(self):
        return f"a number from {self.low:g} to {self.high:g} {self.unit}".rstrip()

    def validate(self, _obj, value):
        """Return `value` as a float, or raise TraitError."""
        try:
            number = real_number(value, self.name)
        except (TypeError, ValueError):
            self._refuse(value)
        if not self.low <= number <= self.high:
            self._refuse(value)
        return number


class Choice(_Synced):
    """One of a few numbers or names."""

    def __init__(self, default_value, values):
        super().__init__(default_value)
        self.values = values

    def _allowed(self):
        return "one of " + ", ".join(map(str, self.values))

    def validate(self, _obj, value):
        """Return the number in the list that equals `value`, or raise TraitError."""
        if isinstance(value, bool) or value not in self.values:
            self._refuse(value)
        return self.values[self.values.index(value)]


class Switch(_Synced, Bool):
    """True or False."""

    def _allowed(self):
        return "True or False"

    def validate(self, _obj, value):
        """Return `value`, or raise TraitError if it is not a bool."""
        if not isinstance(value, bool):
            self._refuse(value)
        return value


class Text(_Synced):
    """A sentence of 1 to `words` words and at most `length` characters."""

    def __init__(self, default_value, words, length):
        super().__init__(default_value)
        self.words, self.length = words, length

    def _allowed(self):
        return f"a sentence of 1 to {self.words} words and at most {self.length} characters"

    def validate(self, _obj, value):
        """Return `value`, or raise TraitError."""
        if not isinstance(value, str) or len(value) > self.length:
            self._refuse(value)
        if not 1 <= len(value.split()) <= self.words:
            self._refuse(value)
        return value


class Order(_Synced):
    """An arrangement of the whole numbers 0, 1, ..., one for each word of `sentence`."""

    def _allowed(self):
        return "an arrangement of 0, 1, 2, ..., one for each word"

    def validate(self, _obj, value):
        """Return `value` as a list of ints, or raise TraitError."""
        try:
            order = [operator.index(item) for item in value]
        except TypeError:
            self._refuse(value)
        if sorted(order) != list(range(len(order))):
            self._refuse(value)
        return order


class Rows(_Synced):
    """A table of finite numbers, as a list of its rows; an empty list where there is none."""

    def _allowed(self):
        return "a table of finite numbers, its rows all of one length, or []"

    def validate(self, _obj, value):
        """Return `value` as a list of lists of floats, or raise TraitError."""
        try:
            rows = [[real_number(entry, self.name) for entry in row] for row in value]
        except (TypeError, ValueError):
            self._refuse(value)
        if len({len(row) for row in rows}) > 1 or [] in rows:
            self._refuse(value)
        return rows


class Pasted(_Synced):
    """Text of any kind, at most `length` characters."""

    def __init__(self, default_value, length):
        super().__init__(default_value)
        self.length = length

    def _allowed(self):
        return f"text of at most {self.length} characters"

    def validate(self, _obj, value):
        """Return `value`, or raise TraitError."""
        if not isinstance(value, str) or len(value) > self.length:
            self._refuse(value)
        return value
