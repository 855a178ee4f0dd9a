"""What a table is: what is named gives every number, and nothing else is named."""

import math

import numpy as np
import pytest

from posenc import sinusoidal
from posenc_check import inspect_table
from tests.by_formula import ROUNDINGS
from tests.by_formula import rounded_to_bfloat16 as bfloat16
from tests.check.test_rounding import WAYS

RIGHT = ("Sinusoidal", "Too few")  # what a right table is told
every_rounding = pytest.mark.parametrize("rounding", ROUNDINGS)


def t2t(width, n=10_000.0):
    """Return the base that gives tensor2tensor's frequencies, n^(-i/(d/2 - 1))."""
    return n ** (width / (width - 2))


def cosines_first(table, layout):
    if layout == "halves":
        return np.roll(table, table.shape[-1] // 2, axis=-1)
    return table.reshape(len(table), -1, 2)[..., ::-1].reshape(table.shape)


def both(angles):
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


def in_float32(count, width):
    """Return the recipe of many tutorials, all of it in float32."""
    step = np.float32(-math.log(10_000) / width)
    omega = np.exp(np.arange(0, width, 2, dtype=np.float32) * step)
    angles = np.arange(count, dtype=np.float32)[:, np.newaxis] * omega
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(count, width)


# ---------------------------------------------------------------------------- what a table is


@every_rounding
@pytest.mark.parametrize("layout", ["interleaved", "halves"])
@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("spacing", ["paper", "tensor2tensor"])
@pytest.mark.parametrize(("width", "first"), [(8, 0), (64, 2), (512, 0), (512, 2)])
def test_layout_base_spacing_and_first_position(rounding, layout, swapped, spacing, width, first):
    base = 10_000.0 if spacing == "paper" else t2t(width)
    table = sinusoidal(np.arange(first, first + 40), width, base=base, layout=layout)
    table = ROUNDINGS[rounding](cosines_first(table, layout) if swapped else table)
    report = inspect_table(table)
    assert report.sinusoidal, report
    assert (report.layout, report.cosines_first) == (layout, swapped)
    assert report.spacing == spacing
    assert math.isclose(report.base, base, rel_tol=1e-9)
    np.testing.assert_array_equal(report.positions, np.arange(first, first + 40))
    assert report.rounding == rounding
    assert math.isclose(abs(report.scale), 1, rel_tol=3e-3)
    text = str(report)
    assert f"{layout}{', cosines first' if swapped else ''}, base 10 000" in text
    assert f"first position {first}" in text
    assert ("tensor2tensor" in text) == (spacing == "tensor2tensor")
    same = (layout, swapped, spacing, first) == ("interleaved", False, "paper", 0)
    assert ("This is the paper's table." in text) == same == (report.change == ())


@every_rounding
@pytest.mark.parametrize("width", [64, 128, 512, 1024])
@pytest.mark.parametrize("layout", ["interleaved", "halves"])
def test_row_1_is_enough_to_begin(rounding, width, layout):
    for base in (10_000.0, t2t(width)):
        report = inspect_table(
            ROUNDINGS[rounding](sinusoidal([1], width, base=base, layout=layout))
        )
        assert report.sinusoidal
        assert report.layout == layout
        np.testing.assert_array_equal(report.positions, [1])
        # Rounded to bfloat16 a row may be too coarse for the last step; it must not say otherwise.
        right = "paper" if base == 10_000 else "tensor2tensor"
        assert report.spacing in (right, "either")
        assert rounding in ("bfloat16", "float16") or report.spacing == right


@pytest.mark.parametrize("base", [2.0, 100.0, 123.4, 1e3, 5e5, 1e6, 1e8, 1234.567])
def test_any_base(base):
    report = inspect_table(sinusoidal(40, 64, base=base))
    assert math.isclose(report.base, base, rel_tol=1e-9)
    assert report.spacing == "paper"
    assert any("take the frequencies 10 000^(-2i/64)" in step for step in report.change)


def test_a_rounder_base_comes_before_its_neighbour_in_the_other_spacing():
    # 500 000 ** (7/8) is 96 960: from bfloat16 that is 97 000, nearly, in tensor2tensor's spacing.
    for start in range(1, 30):
        table = sinusoidal(range(start, start + 40), 16, base=500_000)[::2]
        report = inspect_table(bfloat16(table))
        assert (report.base, report.spacing) == (500_000, "paper"), str(report)


@every_rounding
@pytest.mark.parametrize("start", [100, 5_000, 60_000])
def test_rows_from_far_down_the_table(rounding, start):
    table = ROUNDINGS[rounding](sinusoidal(np.arange(start, start + 30), 128))
    np.testing.assert_array_equal(inspect_table(table).positions, np.arange(start, start + 30))


@pytest.mark.parametrize(
    ("first", "rows", "width", "decimals"),
    [(25_548, 4, 8, 8), (512, 33, 4, 12), (17, 200, 4, 6), (99_990, 5, 16, 4), (-20, 5, 8, 6)],
)
@pytest.mark.parametrize("layout", ["interleaved", "halves"])
def test_few_rows_of_few_columns_keep_their_whole_position(first, rows, width, decimals, layout):
    places = np.arange(first, first + rows)
    report = inspect_table(sinusoidal(places, width, layout=layout).round(decimals))
    assert report.layout == layout
    np.testing.assert_array_equal(report.positions, places)


@pytest.mark.parametrize(
    ("first", "rows", "steps", "spacing"),
    [(71_664, 4, 47, "tensor2tensor"), (73_690, 20, 48, "paper")],
)
def test_rows_far_down_show_how_rough_angles_in_float32_are(first, rows, steps, spacing):
    omega = (100.0 ** (-np.arange(48) / steps)).astype(np.float32)
    angles = np.arange(first, first + rows, dtype=np.float32)[:, np.newaxis] * omega
    report = inspect_table(both(angles.astype(float)).round(6))
    assert (report.spacing, report.positions[0], report.angles) == (spacing, first, "float32")


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (sinusoidal(6, 12, base=1e6), "base 1 000 000, first position 0, rounded to 4 significant"),
        (sinusoidal(range(1, 7), 12, base=1e6, layout="halves"), "halves, base 1 000 000"),
    ],
)
def test_a_print_that_may_be_of_digits_or_decimals(table, said):
    printed = [[float(f"{entry:.3e}") for entry in row] for row in table]
    assert said in inspect_table(printed).text


def test_no_number_has_the_room_of_another_rounding():
    table = sinusoidal(50, 64).round(3)
    table[0, 1] = 1.001  # three significant digits would allow it, three decimals do not
    report = inspect_table(table)
    assert not report.named
    assert "3 decimals, but 1 of 64 columns differ: column 1 by up to 0.001" in report.text


def test_a_base_and_a_factor_are_fitted_within_the_last_place():
    rng = np.random.default_rng(0)
    for _ in range(12):
        base, scale = np.exp(rng.uniform(1, 14)), np.exp(rng.normal())
        first, rows, pairs = rng.integers((0, 20, 8), (50, 100, 40))
        table = (scale * sinusoidal(first + np.arange(rows), 2 * pairs, base=base)).round(3)
        report = inspect_table(table)
        assert report.sinusoidal, (base, scale, report.text)
        exact = report.scale * sinusoidal(report.positions, 2 * pairs, base=report.base)
        assert np.abs(exact - table).max() < 5.001e-4


def test_a_zero_is_no_small_number_in_significant_digits():
    table = sinusoidal(6, 64, base=1e6, layout="halves")
    table[:, 29] = 0  # pairs 30 and 31 turn
    printed = [[float(f"{entry:.4e}") for entry in row] for row in table]
    assert not inspect_table(printed).sinusoidal


def test_a_fitted_number_has_no_room_of_its_own():
    base, scale, off = 98.7654321, 1.2345678, 0
    for column in range(0, 64, 7):
        table = scale * sinusoidal(60, 64, base=base)
        report = inspect_table(table.round(2))
        assert report.sinusoidal, report.text
        assert np.abs(report.reproduce() - table.round(2)).max() < 1.1e-2
        table[:, column] += 4e-3  # less than half of the last place, but not everywhere
        report = inspect_table(table.round(2))
        off += not report.sinusoidal
        if report.sinusoidal:
            exact = report.scale * sinusoidal(60, 64, base=report.base)
            assert np.abs(exact - table.round(2)).max() < 5.001e-3
    assert off > 5


@every_rounding
def test_shuffled_rows_are_named_with_their_positions(rounding):
    order = np.random.default_rng(3).permutation(300)
    report = inspect_table(ROUNDINGS[rounding](sinusoidal(300, 64)[order]))
    np.testing.assert_array_equal(report.positions, order)
    assert "rows shuffled, positions 0 to 299" in report.text
    assert report.change == ("sort the rows by position",)


@every_rounding
@pytest.mark.parametrize(
    ("factor", "said", "change"),
    [
        (64**-0.5, "1/√64", "multiply by √64"),
        (8.0, "√64", "divide by √64"),
        (3.0, "3", "divide by 3"),
        (0.02, "0.02", "divide by 0.02"),
        (-1.0, "-1", "change all signs"),
    ],
)
def test_scaled_tables(rounding, factor, said, change):
    report = inspect_table(ROUNDINGS[rounding](factor * sinusoidal(50, 64)))
    assert report.sinusoidal
    assert math.isclose(report.scale, factor, rel_tol=5e-3)
    assert f"base 10 000, first position 0, times {said}" in report.text
    assert [step.startswith(change) for step in report.change] == [True]


@pytest.mark.parametrize(
    ("step", "name"),
    [
        (0.25, ""),
        (16 / 14, ""),
        (1 / 50, ""),
        (2, ""),
        (math.pi / 180, " (degrees taken for radians)"),
        (2 * math.pi, " (turns taken for radians)"),
        (10_000 ** (-2 / 64), " (pairs counted from 1)"),
    ],
)
def test_steps_other_than_1(step, name):
    report = inspect_table(sinusoidal(step * np.arange(50), 64))
    assert f"first position 0, in steps of {step:.6g}{name}" in report.text
    np.testing.assert_allclose(report.positions, step * np.arange(50), atol=1e-6)


@pytest.mark.parametrize("rounding", ["float64", "float32", "float16", "4 decimals"])
@pytest.mark.parametrize("width", [16, 256])
@pytest.mark.parametrize("rows", [77, 513])
def test_rows_of_a_table_of_another_length_have_their_fractions(rounding, width, rows):
    centres = np.arange(0.5, rows)
    for places in (
        np.arange(rows) * 512 / 700,
        np.linspace(-1, 1, rows),
        centres * 14 / 16,
        centres * 512 / 700,
    ):
        report = inspect_table(ROUNDINGS[rounding](sinusoidal(places, width)))
        np.testing.assert_allclose(report.positions, places, atol=1e-3)


@pytest.mark.parametrize("rounding", ["float64", "float32", "float16", "4 decimals"])
@pytest.mark.parametrize("base", [100, 32_000, 1_000_000])
def test_any_order_of_positions_that_need_not_be_whole_is_found(rounding, base):
    rng = np.random.default_rng(base)
    for places, off in ((rng.permutation(50), 0), (rng.uniform(0, 50, 40), 2e-3)):
        report = inspect_table(ROUNDINGS[rounding](sinusoidal(places, 32, base=base)))
        assert report.base == pytest.approx(base, rel=1e-3)
        np.testing.assert_allclose(report.positions, places, atol=off)


@pytest.mark.parametrize("count", [50, 1500])
def test_angles_in_float32_are_seen(count):
    width = 512
    report = inspect_table(in_float32(count, width))
    assert report.angles == "float32"
    assert "angles in float32" in report.text
    assert inspect_table(sinusoidal(count, width, dtype=np.float32)).angles != "float32"
    assert inspect_table(sinusoidal(count, width)).angles == "float64"
    assert inspect_table(sinusoidal(count, width, dtype=np.float16)).angles is None


@pytest.mark.parametrize("width", [64, 320, 512, 1024])
@pytest.mark.parametrize("spacing", ["paper", "tensor2tensor"])
@pytest.mark.parametrize("by_power", [True, False])
def test_frequencies_in_float32_still_have_a_round_base(width, spacing, by_power):
    steps = width // 2 if spacing == "paper" else width // 2 - 1
    index = np.arange(width // 2, dtype=np.float32)
    if by_power:
        omega = np.float32(1) / np.float32(10_000) ** (index / np.float32(steps))
    else:
        omega = np.exp(index * np.float32(-math.log(10_000) / steps))
    angles = np.arange(1000, dtype=np.float32)[:, np.newaxis] * omega
    report = inspect_table(both(angles))
    assert f"base 10 000{'' if spacing == 'paper' else ' in tensor2tensor'}" in report.text
    assert report.spacing == spacing


# A picture of 14 patches, in a model made for 16.
@pytest.mark.parametrize(("unit", "dtype"), [(1, float), (16 / 14, float), (16 / 14, np.float32)])
@pytest.mark.parametrize("layout", ["interleaved", "halves"])
def test_several_coordinates_side_by_side(layout, unit, dtype):
    rows, columns = (unit * np.indices((6, 7)).reshape(2, -1)).astype(dtype)
    parts = [sinusoidal(places, 32, layout=layout) for places in (rows, columns)]
    report = inspect_table(np.concatenate(parts, axis=1))
    assert report.text.startswith("Sinusoidal in 2 coordinates, side by side; columns 0 to 31: ")
    for part, places in zip(report.parts, (rows, columns), strict=True):
        assert part.layout == layout
        np.testing.assert_array_equal(part.positions, places)


@pytest.mark.parametrize("count", [2, 3])
def test_sines_of_all_coordinates_and_then_cosines_of_all(count):
    places = np.indices((4, 5, 6)[:count]).reshape(count, -1)
    parts = [sinusoidal(each, 32, layout="halves") for each in places]
    parts = [part[:, :16] for part in parts] + [part[:, 16:] for part in parts]
    report = inspect_table(np.concatenate(parts, axis=1))
    assert report.text.startswith(
        f"Sinusoidal in {count} coordinates, first the sines of all, then the cosines; coordinate 0"
    )
    for part, each in zip(report.parts, places, strict=True):
        np.testing.assert_array_equal(part.positions, each)


@pytest.mark.parametrize("shape", [(50, 1, 64), (1, 50, 64), (5, 10, 64)])
def test_leading_axes_are_rows(shape):
    table = sinusoidal(50, 64).reshape(shape)
    assert str(inspect_table(table)) == str(inspect_table(sinusoidal(50, 64)))


@pytest.mark.parametrize("shape", [(3, 40, 64), (2, 3, 40, 64)])
def test_a_table_for_each_text_of_a_batch_is_one_table(shape):
    report = inspect_table(np.broadcast_to(sinusoidal(40, 64), shape))
    assert report.text.endswith("This is the paper's table.")
    assert f"The table is {math.prod(shape[:-2])} times the same." in report.ground
    np.testing.assert_array_equal(report.positions, np.tile(np.arange(40), math.prod(shape[:-2])))


# ---------------------------------------------------------------------------- what is none


@every_rounding
@pytest.mark.parametrize("layout", ["interleaved", "halves"])
@pytest.mark.parametrize(("first", "base", "factor"), [(0, 1e4, 1), (2, 5e5, -1), (50, 1e4, 8)])
def test_columns_that_differ_are_named_and_how(rounding, layout, first, base, factor):
    right = factor * sinusoidal(first + np.arange(60), 64, base=base, layout=layout)
    noisy = right.copy()
    noisy[20:, 9] += 0.3 * factor
    for table, said in (
        (right * np.where(np.arange(64) == 6, -1, 1), "column 6 has the opposite sign"),
        (right[:, [*range(4), 5, 4, *range(6, 64)]], "columns 4 and 5 are swapped"),
        (right[:, [6, *range(1, 6), 0, *range(7, 64)]], "columns 0 and 6 are swapped"),
        (noisy, f"column 9 by up to {0.3 * abs(factor):.1g}, first in row 20"),
    ):
        report = inspect_table(ROUNDINGS[rounding](table))
        assert not report.sinusoidal
        assert f"t would be {layout}, base {base:,.0f}".replace(",000", " 000") in report.text
        assert f"first position {first}" in report.text
        assert said in report.text


@pytest.mark.parametrize("width", [16, 64, 256])
def test_at_most_an_eighth_of_the_columns_may_differ(width):
    for count in (width // 8, width // 8 + 1):
        table = sinusoidal(50, width)
        table[:, np.random.default_rng(width).permutation(width)[:count]] *= -1
        report = inspect_table(table)
        assert not report.sinusoidal
        assert report.named == (count == width // 8)


@every_rounding
@pytest.mark.parametrize("seed", range(12))
def test_random_numbers_get_no_name(rounding, seed):
    rng = np.random.default_rng(seed)
    count, pairs = int(rng.integers(1, 20)), int(rng.choice([1, 2, 3, 4, 8, 32]))
    turning = np.outer(range(count), np.exp(rng.uniform(-9, 0, size=pairs)))
    tables = [both(angles) for angles in (turning, rng.uniform(0, 2 * math.pi, (count, pairs)))]
    for table in (*tables, rng.normal(size=(count, 2 * pairs))):
        rounded = ROUNDINGS[rounding](table)
        report = inspect_table(rounded)
        assert not report.sinusoidal, (rounded, str(report))
        assert report.base is None


def test_pairs_that_hardly_turn_have_no_base():
    omega = [0.0009645, 0.00022571, 0.00305536, 0.00097709]
    table = both(np.outer(range(12), omega))
    assert str(inspect_table(ROUNDINGS["bfloat16"](table))).startswith("Too few numbers to tell")


def test_caller_state_and_table_stay_as_they_are():
    table = sinusoidal(50, 64)
    before = table.copy()
    with np.errstate(all="raise"):
        inspect_table(table)
        inspect_table(np.zeros((2, 4)))
    np.testing.assert_array_equal(table, before)


def test_parameters_and_tensors_of_torch_in_bfloat16_are_read():
    torch = pytest.importorskip("torch")
    tensor = torch.from_numpy(sinusoidal(40, 64))
    assert inspect_table(torch.nn.Parameter(tensor)).base == 10_000
    report = inspect_table(torch.nn.Embedding.from_pretrained(tensor.bfloat16()).weight)
    assert "base 10 000, first position 0, rounded to bfloat16" in report.text


@pytest.mark.parametrize("base", [50, 10_000])
@pytest.mark.parametrize("d", [2, 4, 6, 8])
def test_a_right_table_of_few_digits_is_never_denied(base, d):
    texts = {
        (length, decimals): inspect_table(sinusoidal(length, d, base=base).round(decimals)).text
        for length in (2, 3, 31, 58, 100)
        for decimals in (1, 2, 3)
    }
    assert {made: text for made, text in texts.items() if not text.startswith(RIGHT)} == {}


@pytest.mark.parametrize("factor", [96**-0.5, 92**-0.5, 106**0.5, 1.02])
@pytest.mark.parametrize("base", [1e4, t2t(96, 5e5)])
def test_a_factor_under_which_cosines_lose_a_digit_is_named(factor, base):
    # Cosines near 1 go beyond a power of ten, and have a decimal less than all other numbers.
    table = factor * sinusoidal(range(5, 38), 96, base=base)
    report = inspect_table([[float(f"{number:.3e}") for number in row] for row in table])
    assert report.sinusoidal, report.text
    assert math.isclose(report.scale, factor, rel_tol=1e-3)
    assert math.isclose(report.base, base, rel_tol=1e-9)


@pytest.mark.parametrize("function", [np.cos, np.sin])
def test_sines_or_cosines_alone_are_named_at_every_width(function):
    for pairs in range(3, 49):  # the exponents are thirds, fifths, sevenths, ...
        numbers = function(np.outer(range(40), 5e5 ** (-np.arange(pairs) / pairs)))
        for table, said in (
            (numbers, "one column for each pair"),
            (np.tile(numbers, 2), "each twice, in halves"),
            (np.repeat(numbers, 2, axis=1), "each twice, side by side"),
        ):
            report = inspect_table(table)
            assert report.named, (pairs, report.text)
            assert report.change == ()
            assert f"alone, as RoPE's code keeps them, {said}, base 500 000" in report.text


def test_all_rows_alike_are_too_few():
    for one in (1, 0.5):
        text = inspect_table(np.full((200, 8), one)).text
        assert text.startswith("Too few numbers to tell: all rows are the same")


def test_binary_positions_are_too_few():
    bits = np.arange(5, 21)[:, np.newaxis] >> np.arange(12) & 1
    assert inspect_table(127 * bits).text.startswith("Too few numbers to tell: they are two")


def test_a_learned_first_row_leaves_the_base_in_no_doubt():
    table = sinusoidal(50, 64)
    table[0] = np.random.default_rng(0).normal(size=64) * 0.02
    assert "base 10 000, first position 0, but 1 of 50 rows" in inspect_table(table).text


@pytest.mark.parametrize("step", [0.1, 0.25, 0.5])
@pytest.mark.parametrize(("base", "width", "rows"), [(1e4, 32, 12), (5e5, 64, 77), (100, 16, 50)])
def test_steps_in_few_decimals_are_never_denied(step, base, width, rows):
    for decimals in (1, 2, 3):
        table = sinusoidal(step * np.arange(rows), width, base=base).round(decimals)
        report = inspect_table(table)
        assert report.text.startswith(RIGHT), (decimals, report.text)
        if decimals == 3:
            assert f"in steps of {step:g}" in report.text


# ---------------------------------------------------------------------------- the proof


eight_bits = WAYS["float8_e4m3 with a factor"]
OMEGA = 10_000.0 ** (-np.arange(32) / 32)
ANGLES = np.outer(range(300), OMEGA)
BELOW_1 = np.sin(np.outer(np.arange(20), 1e5 ** (-np.arange(32) / 32)))
TABLE = sinusoidal(60, 64)
TWICE = np.outer(range(50), 1e4 ** (-2 * np.arange(64) / 64))  # an exponent for each column
NAMED = {
    "toy in float32": (sinusoidal(4, 8, dtype=np.float32), "the paper's table"),
    "angles in float32": (in_float32(3000, 128), "angles in float32"),
    "far rows of base 1000": (sinusoidal(range(7000, 7050), 32, base=1e3), "position 7 000"),
    "far rows of base 1.5": (sinusoidal(range(300, 364), 32, base=1.5), "base 1.5, first"),
    "odd width": (TABLE[:, :-1], "interleaved, base 10 000, first position 0"),
    "cosines": (np.cos(ANGLES), "cosines alone"),
    "sines": (np.sin(ANGLES), "sines alone"),
    "cosines far down": (
        np.cos(np.outer(range(94_609, 94_621), 1e4 ** (-np.arange(8) / 8))),
        "one column for each pair, base 10 000, first position 94 609",
    ),
    "four rows of sines": (
        np.sin(np.outer(range(4), 1e6 ** (-np.arange(16) / 16))).astype(np.float16),
        "one column for each pair, base 1 000 000",
    ),
    "sines below 1 in eight bits": (np.round(127 * BELOW_1 / np.abs(BELOW_1).max()), "sines alone"),
    "sines in eight bits": (
        eight_bits(np.sin(np.outer(range(50), 1e3 ** (-np.arange(25) / 25)))),
        "base 1 000 (within 3 %), first position 0, rounded to float8_e4m3",
    ),
    "sines whose slowest are 0": (
        np.sin(np.outer(range(77), 1e6 ** (-np.arange(25) / 25))).round(2),
        "one column for each pair, base 1 000 000 (within 1 %), first position 0, rounded to 2 dec",
    ),
    "a small factor in float32's print": (
        WAYS["float32 printed by NumPy"](sinusoidal(20, 96, base=1e3) / math.sqrt(96)),
        "base 1 000, first position 0, times 1/√96, rounded to 8 decimals",
    ),
    "a small factor in nine digits": (
        np.array([[float(f"{entry:.8e}") for entry in row] for row in 0.02 * TABLE]),
        "first position 0, times 0.02, rounded to 9 significant digits",
    ),
    "short numbers in float32": (
        sinusoidal(range(5, 10), 12, base=1e6, dtype=np.float32),
        "base 1 000 000, first position 5, rounded to float32",
    ),
    "eight decimals in float32": (
        sinusoidal(range(1, 21), 16).round(8).astype(np.float32),
        "first position 1, rounded to 8 decimals",
    ),
    "eight decimals in float32, few of them small": (
        sinusoidal(range(90, 96), 16, base=123.4).round(8).astype(np.float32),
        "base 123.4, first position 90, rounded to 8 decimals",
    ),
    "an own factor in eight bits": (
        eight_bits(1.37 * TABLE),
        "first position 0, times 1.37 (within 4 %), rounded to float8_e4m3",
    ),
    "cosines twice": (np.tile(np.cos(ANGLES), 2), "each twice, in halves"),
    "frequencies": (OMEGA, "a list of 32 frequencies"),
    "a table that ends": (sinusoidal(np.minimum(range(60), 55), 64), "the last, 55, repeated"),
    "starting over": (sinusoidal(np.arange(60) % 55, 64), "starting over after 54"),
    "a row again": (TABLE[[*range(17), 3, *range(18, 60)]], "(row 17 is at 3)"),
    "padding among far rows": (
        sinusoidal(range(512, 562), 50, base=100) * (np.arange(50) != 2)[:, np.newaxis],
        "base 100, first position 512, row 2 all zeros",
    ),
    "shuffled far down": (
        sinusoidal(1900 + np.random.default_rng(0).permutation(50), 16, base=100),
        "base 100, rows shuffled, positions 1 900 to 1 949",
    ),
    "repeated rows": (sinusoidal(np.arange(60) // 2, 64), "positions 0, 0, 1, 1, 2"),
    "int8": (np.round(TABLE * 127), "times 127"),
    "transposed": (
        TABLE.T,
        "Transposed, with rows for columns, sinusoidal: interleaved, base 10 000",
    ),
    "cosines transposed": (
        np.cos(ANGLES).T,
        "with rows for columns, not a sinusoidal table: cosines",
    ),
    "a sign": (TABLE * np.where(np.arange(64) == 6, -1, 1), "column 6 has the opposite sign"),
    "frequencies in bfloat16": (
        both(np.outer(range(300), bfloat16(OMEGA).astype(float))),
        "frequencies rounded to bfloat16",
    ),
    "short frequencies of an unusual base, in float32": (
        both(np.outer(range(200), np.float16(50.0 ** (-np.arange(6) / 5))).astype(np.float32)),
        "base 50 in tensor2tensor's spacing, first position 0, frequencies rounded to float16",
    ),
    **{
        f"positions in {name}": (
            both(np.outer(rounded(np.arange(4000)).astype(float), OMEGA)),
            f"first position 0, positions rounded to {name}",
        )
        for name, rounded in (("float16", np.float16), ("bfloat16", bfloat16))
    },
    "in bfloat16, from float32": (
        bfloat16(sinusoidal(4000, 16, base=1e3).astype(np.float32)),
        "base 1 000, first position 0, rounded to bfloat16",
    ),
    "a factor in 2 decimals": (
        (sinusoidal(50, 50) / math.sqrt(50)).round(2),
        "times 1/√50, rounded to 2 decimals",
    ),
    "angles in float16": (
        both(ANGLES.astype(np.float16).astype(float)),
        "angles rounded to float16",
    ),
    "2*i of an even i": (
        np.where(np.arange(64) % 2, np.cos(TWICE), np.sin(TWICE)),
        "by twice its number",
    ),
}


@pytest.mark.parametrize("name", NAMED)
def test_what_is_named_gives_the_table_again(name):
    table, said = NAMED[name]
    report = inspect_table(table)
    assert said in report.text
    again = report.reproduce()
    assert again.shape == table.shape
    np.testing.assert_allclose(again, table, rtol=0, atol=1.3e-7 if "32" in name else 1e-11)


@pytest.mark.parametrize("column", [1, 34, 35, 51, 127])
def test_a_sign_is_named_where_the_first_guess_of_the_base_is_another(column):
    table = sinusoidal(12, 128, base=t2t(128, 5e5)) * np.where(np.arange(128) == column, -1, 1)
    text = inspect_table(table).text
    assert "base 500 000 in tensor2tensor's spacing, first position 0" in text
    assert f"but column {column} has the opposite sign" in text


def test_a_sign_in_few_pairs_is_named_under_the_base_that_gives_more_numbers():
    table = sinusoidal(range(2, 14), 16, base=t2t(16, 1e6)) * np.where(np.arange(16) == 3, -1, 1)
    text = inspect_table([[float(f"{entry:.5e}") for entry in row] for row in table]).text
    assert "base 1 000 000 in tensor2tensor's spacing, first position 2" in text
    assert "but column 3 has the opposite sign" in text


def test_a_fit_that_runs_away_is_no_base():
    table = cosines_first(sinusoidal(5, 12, base=t2t(12, 1e3)), "interleaved").round(8)
    table[4, 9] = -0.1137253
    assert not inspect_table(table).named


def test_what_has_no_name_gives_no_table():
    for table in (np.random.default_rng(0).normal(size=(20, 16)), sinusoidal(1, 16)):
        with pytest.raises(ValueError, match="no known formula"):
            inspect_table(table).reproduce()


def test_a_difference_without_a_known_cause_is_measured():
    table = TABLE.copy()
    table[20, 5] += 1e-9
    said = inspect_table(table).text
    assert "first in row 20, whose column 5 is off by 1e-09" in said
    assert "no cause known here gives these numbers" in said
