"""A table as it is pasted: numbers in a print, a file or a list, and what `inspect_table` says."""

import re

import numpy as np

from posenc_check.storage import Storage
from posenc_check.table import TableReport, inspected

# A number that is no part of a word, as in x1, and not the rest of another number.
_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_NOT_FINITE = re.compile(r"\b(nan|inf(inity)?)\b", re.IGNORECASE)
_WORD = re.compile(r"[a-z]{2,}", re.IGNORECASE)


def rows_of_numbers(text: str) -> list[list[str]]:
    """Return the rows of a pasted table as the texts of their numbers, or raise a ValueError.

    The text is what NumPy, PyTorch or pandas prints, lists of Python, JSON, arrays of C or MATLAB,
    or a row to a line as CSV has them. Decimal commas are read where no point stands and something
    else separates the numbers. The texts show with how many decimals a table was printed.

    Examples
    --------
    >>> rows_of_numbers("tensor([[0.8415, 0.5403], [0.9093, -0.4161]])")
    [['0.8415', '0.5403'], ['0.9093', '-0.4161']]
    """
    if "..." in text or "\u2026" in text:
        raise ValueError(
            "The print is cut short (...). Print all of a row: "
            'np.set_printoptions(threshold=np.inf), or torch.set_printoptions(profile="full").'
        )
    texts = _texts_of_rows(_with_plain_numbers(text))
    for text_of_row in texts:
        # A line of words may have "inf" in it, as a heading does.
        has_words = _WORD.search(_NOT_FINITE.sub("", text_of_row))
        if _NOT_FINITE.search(text_of_row) and not has_words:
            raise ValueError("There are entries that are NaN or infinite.")
    rows = [row for row in map(_NUMBER.findall, texts) if row]  # a heading has no numbers
    # The names of columns, as pandas prints them. A single row of such numbers is a table. A row
    # 0, 1 may be a sine and a cosine at position 0, unless the next row is that of position 0.
    names_of_columns = [str(column) for column in range(len(rows[0]))] if rows else []
    if (
        len(rows) > 1
        and rows[0] == names_of_columns
        and (len(rows[0]) > 2 or list(map(float, rows[1])) == [0.0, 1.0])
    ):
        rows = rows[1:]
    if not rows:
        raise ValueError("Paste rows of a table: the numbers of one position to a line.")
    lengths = list(dict.fromkeys(map(len, rows)))  # each once, of which the first few are shown
    if len(lengths) > 1:
        raise ValueError(
            f"The rows have different lengths ({', '.join(map(str, lengths[:4]))}). Each row must "
            "be whole, one to a line."
        )
    if lengths == [1]:
        raise ValueError("A row must have at least two numbers.")
    return rows


def _with_plain_numbers(text: str) -> str:
    """Return a text without sizes of arrays in C, and with signs, brackets and points of Python."""
    text = text.replace("\u2212", "-")  # the minus of typesetting
    text = re.sub(
        r"\b[a-z_]\w*(\s*\[\d*\])+", "", text, flags=re.IGNORECASE
    )  # as table[8][16] in C
    text = text.replace("{", "[").replace("}", "]")  # rows in C
    # A comma between digits is a decimal one where blanks or semicolons separate numbers.
    decimal_commas = re.search(r"\d,\d", text) and re.search(r"\d[;\t ]+[-\d]", text)
    if "." not in text and decimal_commas:
        text = re.sub(r"(?<=\d),(?=\d)", ".", text)
    return text


def _texts_of_rows(text: str) -> list[str]:
    """Return the texts of the rows of a table: innermost brackets, or lines, or parts of one.

    What semicolons separate are rows where there is one line, or one pair of brackets. A row whose
    bracket is not closed, at the end of a print that is cut off, is left out.
    """
    innermost_brackets = re.findall(r"\[[^\[\]]*\]", text)
    rows = innermost_brackets if "[" in text else text.splitlines()
    if len(rows) == 1 and ";" in rows[0]:  # as MATLAB separates rows
        return rows[0].split(";")
    return rows


def _storage(rows: list[list[str]]) -> Storage | None:
    """Return how numbers were printed: to decimals, or to digits with exponents; None if unclear.

    It is unclear where numbers have nearly all digits of a float64, which say of no rounding, and
    where some have an exponent and others none, as Python prints each number by itself.
    """
    numbers = [number.lower().partition("e") for row in rows for number in row]
    # Zeros at the end may be left out, so that the number with the most decimals shows them.
    decimals = max(len(mantissa.partition(".")[2]) for mantissa, _, _ in numbers)
    with_exponent = [bool(exponent) for _, _, exponent in numbers]
    # A float64 has 15 to 17 digits, of which one stands before the point.
    if decimals >= 14 or (any(with_exponent) and not all(with_exponent)):
        return None
    if all(with_exponent):
        return Storage("digits", 1 + decimals)  # one digit stands before the point
    return Storage("decimals", decimals)


def inspect_text(text: str) -> TableReport:
    """Return the report of `inspect_table` on a pasted table, whose text shows how it was printed.

    Examples
    --------
    >>> inspect_text("[[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, 0.01, 1.0]]").rounding
    '4 decimals'
    """
    rows = rows_of_numbers(text)
    return inspected(np.array(rows, float), _storage(rows))


def verdict(text: str) -> str:
    """Return what `inspect_table` says of a pasted table, or why none can be read.

    Examples
    --------
    >>> verdict("5")
    'A row must have at least two numbers.'
    """
    try:
        return str(inspect_text(text))
    except ValueError as problem:
        return str(problem)
