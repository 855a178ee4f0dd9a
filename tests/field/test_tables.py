"""Tables of the field: each recipe, as it is stored and printed, has its name and its values.

Of all recipes, storages and choices of rows a part is run, the same each time; FIELD=all runs all.
"""

import os
from dataclasses import replace

import numpy as np
import pytest

from posenc import sinusoidal
from posenc_check import inspect_table
from posenc_check.pasted import inspect_text
from tests.field.recipes import RECIPES, exponential, side, turned
from tests.field.storages import ARRAYS, TEXTS

# Rows that are passed on.
ROWS = {
    "all": lambda n: np.arange(n),
    "first 8": lambda n: np.arange(min(n, 8)),
    "first 50": lambda n: np.arange(min(n, 50)),
    "every seventh": lambda n: np.arange(0, n, 7),
    "reversed": lambda n: np.arange(n)[::-1][:300],
    "irregular": lambda n: np.sort(np.random.default_rng(5).choice(n, min(n, 40), replace=False)),
}

# What these numbers do not tell: (recipe, storages, rows), each None for any.
UNTOLD: list = [
    ("index column", ["CSV with an index", "pandas"], None),  # which have an index of their own
    # Places in steps that are no rule are read off, and in bfloat16 coarsely.
    ("NeRF with pi", ["bfloat16"], ["irregular"]),
    # Cosines alone show their base in row 1, and rows elsewhere are looked up for usual bases.
    ("cosines of a long cache", None, ["every seventh", "reversed", "irregular"]),
]


def untold(name, storage, rows):
    return any(
        name == recipe and storage in (storages or [storage]) and rows in (choices or [rows])
        for recipe, storages, choices in UNTOLD
    )


def chosen(combinations):
    """Return the combinations that are run: all of them, or one of 29 of each recipe.

    The steps differ from recipe to recipe, so that each storage meets each choice of rows.
    """
    combinations = [each for each in combinations if not untold(*each)]
    if os.environ.get("FIELD") == "all":
        return combinations
    names = list(RECIPES)
    return [
        each
        for number, each in enumerate(combinations)
        if (number + names.index(each[0])) % 29 == 0
    ]


MADE: dict = {}


def made(name):
    if name not in MADE:
        MADE[name] = RECIPES[name].make()
    return MADE[name]


def assert_found(report, truth):
    """Assert that a report names what the truth says, and that its program gives the numbers."""
    assert report.named, str(report)
    assert len(report.formulas) == len(truth.positions), str(report)
    kinds = [finding.kind for finding in report.findings]
    assert set(truth.kinds) <= set(kinds), kinds
    parts = report.parts or (report,)
    for part, positions in zip(parts, truth.positions, strict=True):
        assert part.layout == truth.layout, str(report)
        assert part.cosines_first == truth.cosines_first
        np.testing.assert_allclose(part.scale, truth.scale, rtol=5e-3)
        off = 2e-3 * max(1.0, np.nanmax(np.abs(positions)))
        np.testing.assert_allclose(part.positions, positions, atol=off)
        if np.nanmax(np.abs(positions)) > 0:
            assert part.spacing in (truth.spacing, "either"), str(report)
            np.testing.assert_allclose(np.log(part.base), np.log(truth.base), rtol=2e-3)


@pytest.mark.parametrize(
    ("name", "storage", "rows"),
    chosen([(n, s, r) for n in RECIPES for r in ROWS for s in ARRAYS]),
)
def test_an_array_of_the_field_has_its_name(name, storage, rows, record_property):
    record_property("table", (name, storage, rows))
    table, truth = made(name)
    at = ROWS[rows](len(table))
    given = ARRAYS[storage](table[at])
    report = inspect_table(given)
    assert_found(report, truth.of_rows(at))
    again = np.asarray(report.reproduce(), float)
    unit = 2.0**-8 if storage == "bfloat16" else 1e-3
    assert np.abs(again - given).max() <= 2 * unit * truth.scale


@pytest.mark.parametrize(
    ("name", "form", "rows"),
    chosen([(n, s, r) for n in RECIPES for r in ("first 8", "first 50") for s in TEXTS]),
)
def test_a_print_of_the_field_has_its_name(name, form, rows, record_property):
    record_property("table", (name, form, rows))
    table, truth = made(name)
    at = ROWS[rows](len(table))
    assert_found(inspect_text(TEXTS[form](table[at])), truth.of_rows(at))


def test_the_frequencies_that_loftr_was_published_with_are_named():
    # LoFTR 41: -ln(10 000) / d // 2 is -1, and ports that keep its weights have it too.
    table, truth = RECIPES["LoFTR"].make(np.exp(-np.arange(0, 128, 2, dtype=np.float32)))
    report = inspect_table(table)
    assert_found(report, replace(truth, base=np.exp(128)))
    assert report.text.count("floor division makes the exponent's factor -1") == 2


def test_a_base_of_many_digits_is_read_from_float64():
    base = 1e4 * 4 ** (64 / 62)  # NTK-aware
    report = inspect_table(sinusoidal(100, 64, base=base))
    assert report.named
    assert report.base == pytest.approx(base, rel=1e-12)


def test_a_base_of_many_digits_is_said_in_both_spacings():
    # casanovo 145: the base is 10 000 / 2 pi, in tensor2tensor's spacing.
    table = side(*turned(np.arange(100), exponential(64, spaced=True, base=1e4 / (2 * np.pi))))
    text = inspect_table(table).text
    assert "base 2018.85 (or 1591.55 in tensor2tensor's spacing, which gives every number" in text
