"""How the numbers of a table are rounded: types, decimals, digits, prints, whole numbers."""

import numpy as np
import pytest

from posenc import sinusoidal
from posenc_check.rounding import roundings_of
from tests.by_formula import rounded_to_bfloat16 as bfloat16


def printed(form):
    return lambda table: np.array([[float(form % entry) for entry in row] for row in table])


def numpys(kind):
    """Return what reads NumPy's print of a type back."""

    def read(table):
        text = np.array2string(table.astype(kind), threshold=10**9, separator=",")
        return np.array(eval(text), float)  # of digits, brackets and commas

    return read


def whole(most):
    return lambda table: np.round(table * most / np.abs(table).max()) * np.abs(table).max() / most


def short(bits, least, most=1.0):
    """Return what rounds to so many significant bits, as an eight-bit type with a factor."""

    def rounded(table):
        grown = table * most / np.abs(table).max() if most > 1 else table
        unit = 2.0 ** (np.floor(np.log2(np.maximum(np.abs(grown), least))) + 1 - bits)
        rounded = np.round(grown / unit) * unit
        return rounded / most * np.abs(table).max() if most > 1 else rounded

    return rounded


WAYS = {
    "float64": lambda table: table,
    "float32": lambda table: table.astype(np.float32),
    "float16": lambda table: table.astype(np.float16),
    "bfloat16": bfloat16,
    **{f"{n} decimals": lambda table, n=n: table.round(n) for n in (1, 3, 4, 6, 8, 11)},
    "4 decimals in float32": lambda table: table.round(4).astype(np.float32),
    "6 decimals in float32": lambda table: table.round(6).astype(np.float32),
    "5 significant digits": printed("%.4e"),
    "4 significant digits": printed("%.4g"),
    "5 significant digits in float32": lambda table: printed("%.4e")(table).astype(np.float32),
    "float32 printed by NumPy": numpys("float32"),
    "float16 printed by NumPy": numpys("float16"),
    "bfloat16 printed by PyTorch": lambda table: printed("%.4e")(bfloat16(table)),
    "float16 printed by PyTorch": lambda table: printed("%.4f")(table.astype(np.float16)),
    "int8": whole(127),
    "int4": whole(7),
    "float8_e4m3": short(4, 2.0**-6),
    "float8_e4m3 with a factor": short(4, 2.0**-6, 448.0),
    "float8_e5m2": short(3, 2.0**-14),
    "whole numbers": lambda table: np.round(127 * table),
}


@pytest.mark.parametrize("shape", [(4, 8), (50, 64), (300, 128)])
@pytest.mark.parametrize("name", WAYS)
def test_a_rounding_is_named_and_explains_every_number(name, shape):
    table = sinusoidal(*shape)
    given = np.asarray(WAYS[name](table), float)
    way = roundings_of(given)[0]
    assert name.startswith(way.name)
    grown = 127.0 if name == "whole numbers" else 1.0
    off = np.abs(given - grown * table) - way.half(given)
    assert off.max() < 1e-12
    assert (np.abs(way.round(given) - given) <= way.half(given)).all()


def test_a_short_type_without_small_numbers_is_no_int16():
    table = sinusoidal(range(500, 537), 16, base=5e5)  # its bfloat16 are multiples of 2^-15
    assert roundings_of(bfloat16(table).astype(float))[0].name == "bfloat16"
