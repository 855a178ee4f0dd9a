"""A table as it is pasted: numbers in a print, a file or a list, and what `inspect_table` says."""

import re

import numpy as np

from posenc._checks import FloatArray
from posenc_check.table import inspect_table

_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def read_table(text: str) -> FloatArray:
    """Return the rows of numbers in a text as an array, or say in a ValueError what is off.

    The text is what NumPy or PyTorch prints, lists of Python, JSON, or a row to a line as CSV has
    them. Decimal commas are read where no point stands and something else parts the numbers.

    Examples
    --------
    >>> read_table("tensor([[0.8415, 0.5403], [0.9093, -0.4161]])")
    array([[ 0.8415,  0.5403],
           [ 0.9093, -0.4161]])
    """
    if "..." in text or "\u2026" in text:
        raise ValueError(
            "The print is cut short (...). Print all of a row: "
            'np.set_printoptions(threshold=np.inf), or torch.set_printoptions(profile="full").'
        )
    if re.search(r"\b(nan|inf(inity)?)\b", text, re.IGNORECASE):
        raise ValueError("There are entries that are NaN or infinite.")
    bare = re.sub(r"\w*(?:float|int)\d+", "", text.replace("\u2212", "-"))
    if "." not in bare and re.search(r"\d,\d", bare) and re.search(r"\d[;\t ]+[-\d]", bare):
        bare = re.sub(r"(?<=\d),(?=\d)", ".", bare)
    pieces = re.findall(r"\[[^\[\]]*\]", bare) if "[" in bare else bare.splitlines()
    rows = [row for row in map(_NUMBER.findall, pieces) if row]
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
    return np.array(rows, float)


def verdict(text: str) -> str:
    """Return what `inspect_table` says of a pasted table, or why none can be read.

    Examples
    --------
    >>> verdict("5")
    'A row must have at least two numbers.'
    """
    try:
        return str(inspect_table(read_table(text)))
    except ValueError as problem:
        return str(problem)
