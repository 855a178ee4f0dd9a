"""How tables are stored and printed: what reads a table as it is passed on, or its text."""

import numpy as np

from tests.by_formula import rounded_to_bfloat16

# What passes on an array.
ARRAYS = {
    "float64": lambda table: table.astype(float),
    "float32": lambda table: table.astype(np.float32),
    "float16": lambda table: table.astype(np.float16),
    "bfloat16": rounded_to_bfloat16,
    "4 decimals": lambda table: table.astype(float).round(4),
    "6 decimals": lambda table: table.astype(float).round(6),
    "8 decimals": lambda table: table.astype(float).round(8),
    ".4e": lambda table: np.array(
        [[float(f"{x:.4e}") for x in row] for row in table.astype(float)]
    ),
}


def _lines(table, form, between=" "):
    return [between.join(form.format(x) for x in row) for row in table.astype(float)]


def _numpy(table):
    return np.array2string(table, threshold=10**9)


def _pytorch(table):
    rows = ",\n        ".join(f"[{line}]" for line in _lines(table, "{:.4e}", ", "))
    return f"tensor([{rows}])"


def _pytorch_decimals(table):
    rows = ",\n        ".join(f"[{line}]" for line in _lines(table, "{:7.4f}", ", "))
    return f"tensor([{rows}], dtype=torch.bfloat16)"


def _pandas(table):
    head = "   " + " ".join(f"{column:>9}" for column in range(table.shape[1]))
    return "\n".join([head, *(f"{n:<3}{line}" for n, line in enumerate(_lines(table, "{:9.6f}")))])


def _csv(table):
    head = "," + ",".join(map(str, range(table.shape[1])))
    rows = (
        ",".join([str(n), *map(str, row.tolist())]) for n, row in enumerate(table.astype(float))
    )
    return "\n".join([head, *rows])


def _c(table):
    rows = ",\n  ".join("{" + line + "}" for line in _lines(table, "{:.7f}f", ", "))
    return f"static const float table[{len(table)}][{table.shape[1]}] = {{\n  {rows}\n}};"


def _matlab(table):
    return "T = [" + ";\n     ".join(_lines(table, "{:.4f}")) + "];"


# What makes a text of a table, to be pasted.
TEXTS = {
    "NumPy's print": _numpy,
    "NumPy's print of float16": lambda table: _numpy(table.astype(np.float16)),
    "PyTorch's print": _pytorch,
    "PyTorch's print of bfloat16": lambda table: _pytorch_decimals(rounded_to_bfloat16(table)),
    "pandas": _pandas,
    "CSV with an index": _csv,
    "C": _c,
    "MATLAB": _matlab,
}
