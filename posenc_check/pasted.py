"""A table as it is pasted: numbers in a print, a file or a list, and what `inspect_table` says."""

import re

import numpy as np

from posenc._checks import FloatArray
from posenc_check.storage import Storage
from posenc_check.table import TableReport, inspected

_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_NOT_FINITE = re.compile(r"\b(nan|inf(inity)?)\b", re.IGNORECASE)
_WORD = re.compile(r"[a-z]{2,}", re.IGNORECASE)

# With so many decimals a text has all of a float64.
EXACT_DECIMALS = 14


def read_table(text: str) -> FloatArray:
    """Return the rows of numbers in a text as an array, or say in a ValueError what is off.

    The text is what NumPy, PyTorch or pandas prints, lists of Python, JSON, arrays of C or MATLAB,
    or a row to a line as CSV has them. Decimal commas are read where no point stands and something
    else parts the numbers.

    Examples
    --------
    >>> read_table("tensor([[0.8415, 0.5403], [0.9093, -0.4161]])")
    array([[ 0.8415,  0.5403],
           [ 0.9093, -0.4161]])
    """
    return np.array(_tokens(text), float)


def _tokens(text: str) -> list[list[str]]:
    """Return the rows of a text as the texts of their numbers."""
    if "..." in text or "\u2026" in text:
        raise ValueError(
            "The print is cut short (...). Print all of a row: "
            'np.set_printoptions(threshold=np.inf), or torch.set_printoptions(profile="full").'
        )
    bare = re.sub(r"\w*(?:float|int)\d+", "", text.replace("\u2212", "-"))
    bare = (
        re.sub(r"\w(\s*\[\d*\])+", "", bare).replace("{", "[").replace("}", "]")
    )  # as C writes arrays
    if "." not in bare and re.search(r"\d,\d", bare) and re.search(r"\d[;\t ]+[-\d]", bare):
        bare = re.sub(r"(?<=\d),(?=\d)", ".", bare)
    pieces = re.findall(r"\[[^\[\]]*\]", bare) if "[" in bare else bare.splitlines()
    if len(pieces) == 1 and ";" in pieces[0]:  # as MATLAB parts rows
        pieces = pieces[0].split(";")
    for piece in pieces:
        if _NOT_FINITE.search(piece) and not _WORD.search(_NOT_FINITE.sub("", piece)):
            raise ValueError("There are entries that are NaN or infinite.")
    rows = [row for row in map(_NUMBER.findall, pieces) if row]
    if len(rows) > 1 and rows[0] == [str(column) for column in range(len(rows[0]))]:
        rows = rows[1:]  # the names of columns, as pandas prints them
    if not rows:
        raise ValueError("Paste rows of a table: the numbers of one position to a line.")
    lengths = list(dict.fromkeys(map(len, rows)))
    if len(lengths) > 1:
        raise ValueError(
            f"The rows have different lengths ({', '.join(map(str, lengths[:4]))}). Each row must "
            "be whole, one to a line."
        )
    if lengths == [1]:
        raise ValueError("A row must have at least two numbers.")
    return rows


def _storage(rows: list[list[str]]) -> Storage | None:
    """Return how numbers were printed: to decimals, or to digits where all have an exponent."""
    numbers = [number.lower().partition("e") for row in rows for number in row]
    decimals = max(len(mantissa.partition(".")[2]) for mantissa, _, _ in numbers)
    if decimals >= EXACT_DECIMALS:
        return None
    exponents = [exponent for _, _, exponent in numbers]
    if all(exponents):
        return Storage("digits", decimals + 1)
    return None if any(exponents) else Storage("decimals", decimals)


def inspect_text(text: str) -> TableReport:
    """Return the report of `inspect_table` on a pasted table, whose text shows how it was printed.

    Examples
    --------
    >>> inspect_text("[[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, 0.01, 1.0]]").rounding
    '4 decimals'
    """
    rows = _tokens(text)
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
