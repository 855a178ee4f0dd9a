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
from tests.field.recipes import RECIPES, Truth, exponential, grid, power, side, turned, weave
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

SIXTEEN_BITS = [name for name in [*ARRAYS, *TEXTS] if "float16" in name]  # bfloat16 has it, too

# What these numbers do not tell: (recipe, storages, rows), each None for any.
UNTOLD: list = [
    ("index column", ["CSV with an index", "pandas"], None),  # which have an index of their own
    ("angles of Megatron", ["CSV with an index", "pandas"], None),  # in which it is angles, too
    ("angles of Qwen2-VL", ["CSV with an index", "pandas"], None),
    # Places in steps that are no rule are read off, and in bfloat16 coarsely.
    ("NeRF with pi", ["bfloat16"], ["irregular"]),
    # Cosines alone show their base in row 1, and rows elsewhere are looked up for usual bases.
    ("cosines of a long cache", None, ["every seventh", "reversed", "irregular"]),
    ("cosines of TGAT", None, ["every seventh", "reversed", "irregular"]),
    # In 16 bits a few pairs of base 256 show no more than one of about 256.
    *((name, SIXTEEN_BITS, None) for name in ("HunyuanVideo", "cosines of HunyuanVideo")),
    ("cosines of HunyuanVideo", None, ["every seventh", "reversed", "irregular"]),
    ("cosines of TGAT", ["PyTorch's print of bfloat16"], None),  # nor its spacing
    # Pairs that turn alike are one pair, of which so few rows are no evidence in coarse storages.
    ("integer division", ["bfloat16", "float16", "4 decimals"], ["every seventh", "irregular"]),
    (
        *("integer division, halves", ["bfloat16", "float16", "4 decimals"]),
        ["every seventh", "irregular"],
    ),
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


@pytest.mark.parametrize("storage", ARRAYS)
@pytest.mark.parametrize(("name", "kind"), [("Wan", "pairs_axis"), ("Flux", "matrices")])
def test_pairs_and_matrices_of_several_coordinates_are_named(name, kind, storage):
    table, truth = made(name)
    given = ARRAYS[storage](table).reshape(len(table), -1, 2)
    if kind == "matrices":
        cosines, sines = np.moveaxis(given, -1, 0)
        given = np.stack([cosines, -sines, sines, cosines], -1).reshape(*given.shape, 2)
    report = inspect_table(given)
    assert_found(report, replace(truth, kinds=(kind,)))
    assert np.abs(np.asarray(report.reproduce(), float) - given).max() <= 2.0**-7


def test_what_has_pairs_on_its_last_axis_is_never_read_as_rows_of_two():
    # A list of frequencies that falls by no ratio, as in a model that was trained with its own.
    sines, cosines = turned(np.arange(64), 1 / np.arange(1.0, 65))
    report = inspect_table(np.stack([cosines, sines], -1))
    assert report.text == "None of the formulas tried gives these numbers."


def test_a_cache_of_cosines_that_gets_no_name_says_what_to_pass():
    # EVA-02 of 24 x 24 patches, trained with 16 x 16: places in steps of 2/3.
    places = [place * 2 / 3 for place in grid(24, 24)]
    sines, cosines = map(side, *(turned(place, power(32)) for place in places))
    sines, cosines = np.repeat(sines, 2, axis=1), np.repeat(cosines, 2, axis=1)
    text = inspect_table(cosines).text
    assert "It has columns twice" in text
    assert "pass both, as np.stack([cos, sin], axis=-1)" in text
    report = inspect_table(np.stack([cosines, sines], axis=-1))
    assert_found(report, Truth("interleaved", 1e4, places, True, kinds=("pairs_equal",)))


def test_the_order_of_words_is_that_of_the_columns():
    # vLLM, SGLang: the cosines of row and column before their sines, for Qwen2-VL's pictures.
    rows, columns = grid(12, 8)
    sines, cosines = map(side, *(turned(place, power(40)) for place in (rows, columns)))
    text = inspect_table(side(cosines, sines)).text
    assert "first the cosines of all, then the sines; coordinate 0: halves, cosines first" in text


@pytest.mark.parametrize(
    ("positions", "words"),
    [
        # The middle coordinate of a video; a picture of DETR whose last columns are padded; the
        # distances of Transformer-XL, whose largest are cut.
        (np.arange(196) // 7 % 7, "first position 0, each 7 times, starting over after 6"),
        (
            np.minimum(np.arange(280) // 14, 15) + 1,
            "positions 1 (14 times), 2 (14 times), 3 (14 times), 4 (14 times), 5 (14 times), "
            "6 (14 times), ..., from 1 to 16",
        ),
        (
            np.minimum(np.arange(299, -1, -1), 100),
            "positions 100 (200 times), 99, 98, 97, 96, 95, ..., from 0 to 100",
        ),
        # FrameDiff multiplies by pi; degrees that were taken for radians.
        (np.arange(1, 129) * np.pi, "first position 3.14159, in steps of 3.14159 (π), which are"),
        (np.degrees(np.arange(50)), "first position 0, in steps of 57.2958 (180/π, as where"),
        (6.3 * np.arange(1, 300), "first position 6.3, in steps of 6.3"),
    ],
)
def test_positions_have_their_rule_in_words(positions, words):
    text = inspect_table(weave(*turned(positions, exponential(64)))).text
    assert f", {words}" in text


def test_a_base_of_many_digits_is_read_from_float64():
    base = 1e4 * 4 ** (64 / 62)  # NTK-aware
    report = inspect_table(sinusoidal(100, 64, base=base))
    assert report.named
    assert report.base == pytest.approx(base, rel=1e-12)


@pytest.mark.parametrize("rows", [300, 1024])
@pytest.mark.parametrize("storage", ["float64", "float32", "8 decimals"])
@pytest.mark.parametrize("base", [1e4 * 1000 ** (128 / 126), 85550.4])
def test_a_base_by_alpha_is_said_first_in_the_papers_spacing(base, storage, rows):
    # tencent/Hunyuan-A13B, whose alpha is 1000, and alpha 8 in text-generation-webui.
    sines, cosines = turned(np.arange(rows), power(128, base))
    report = inspect_table(ARRAYS[storage](side(cosines, sines)))
    assert report.spacing == "paper", str(report)
    assert report.base == pytest.approx(base, rel=5e-6)


def test_a_base_of_many_digits_is_said_in_both_spacings():
    # casanovo 145: the base is 10 000 / 2 pi, in tensor2tensor's spacing.
    table = side(*turned(np.arange(100), exponential(64, spaced=True, base=1e4 / (2 * np.pi))))
    text = inspect_table(table).text
    assert "base 2018.85 (or 1591.55 in tensor2tensor's spacing, which gives every number" in text
