"""What `inspect_table` says beyond the tables of the field: edges, defects, and what is none."""

import numpy as np
import pytest

from posenc import axes, binary_code, frequencies, scaling, sinusoidal
from posenc_check import inspect_table
from tests.by_formula import ROUNDINGS

TABLE = sinusoidal(60, 64)
TRAINED = {"factor": 4.0, "original_max_position_embeddings": 8192}
TURNS = {"low_freq_factor": 1, "high_freq_factor": 4}


def kinds(report):
    return [finding.kind for finding in report.findings]


def only(report, kind):
    """Return the one finding of a kind."""
    (finding,) = [finding for finding in report.findings if finding.kind == kind]
    return finding


def halves(angles):
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


# ------------------------------------------------------------------------------ what is said of it


def test_the_papers_table_is_called_so_and_needs_no_change():
    report = inspect_table(TABLE)
    assert "paper" in kinds(report)
    assert report.change == ()
    assert str(report).startswith("Sinusoidal: interleaved, base 10 000, first position 0. This is")


def test_the_type_of_the_angles_is_told_unless_the_storage_hides_it():
    assert inspect_table(TABLE).angles == "float64"
    assert inspect_table(TABLE.round(4)).angles is None


def test_each_difference_from_the_papers_table_has_its_step():
    table = 8 * sinusoidal(np.arange(2, 42), 64, base=500.0, layout="halves")
    report = inspect_table(table)
    assert "paper" not in kinds(report)
    assert [step.split()[0] for step in report.change] == ["put", "take", "begin", "divide"]


@pytest.mark.parametrize(
    "table",
    [
        TABLE,
        TABLE[::-1].astype(np.float32),
        sinusoidal(9, 8, layout="halves"),
        TABLE[[3, 1, 40]],
        TABLE.round(4),
        axes.axial_sinusoidal((4, 5), 64),
        scaling.yarn(64, rope_theta=5e5, **TRAINED),
        np.cos(np.outer(range(9), [1, 0.1, 0.01])),
        halves(np.outer(np.linspace(-1, 1, 21), np.pi * 2.0 ** np.arange(4))),
    ],
)
def test_what_is_named_gives_the_table_again(table):
    np.testing.assert_allclose(inspect_table(table).reproduce(), table, atol=1e-12)


def test_a_base_that_is_not_round_has_its_twin_in_the_other_spacing():
    omega = frequencies(64, base=11_158_840.0).astype(np.float32)
    angles = np.arange(200, dtype=np.float32)[:, np.newaxis] * omega
    report = inspect_table(halves(angles))
    spacings = {report.spacing, *(spacing for _, spacing in only(report, "base").also)}
    assert spacings == {"paper", "tensor2tensor"}


def test_a_base_that_few_numbers_tell_is_said_to_be_vague():
    within = {n: only(inspect_table(sinusoidal(n, 64).round(1)), "base").within for n in (3, 60)}
    assert within[3] > 1 > 0.1 > within[60]


def test_sides_in_tensor2tensors_spacing_have_their_own_base():
    omega = 1e4 ** (-np.arange(16) / 15)
    rows, columns = np.divmod(np.arange(48), 8)
    table = np.concatenate([halves(np.outer(p, omega)) for p in (columns, rows)], axis=1)
    report = inspect_table(table)
    assert [(part.base, part.spacing) for part in report.parts] == [(1e4, "tensor2tensor")] * 2


@pytest.mark.parametrize(
    ("positions", "kind"),
    [
        (np.minimum(np.arange(60), 55), "listed"),
        (np.arange(60) % 55, "starting_over"),
        (np.arange(60) // 2, "each_repeated"),
        (np.random.default_rng(3).permutation(60), "shuffled"),
        (np.abs(np.arange(19, -20, -1)), "falling_and_rising"),
        (np.arange(60) * 512 / 700, "steps"),
        ([1, 1, 2, 2], "each_repeated"),
        ([0, 0, 0, 7], "listed"),
        ([0, 0, 1, 1, 2], "listed"),
        ([5, 3, 8, 1], "listed"),
    ],
)
def test_positions_that_do_not_count_on_are_named(positions, kind):
    report = inspect_table(sinusoidal(positions, 32))
    assert kind in kinds(report)
    np.testing.assert_allclose(report.positions, positions, atol=1e-9)


def test_the_end_of_a_count_is_said_by_its_row_in_the_table_below_a_row_of_zeros():
    table = sinusoidal([*range(7), *range(9, 20)], 64)
    listed = only(inspect_table(np.concatenate([np.zeros((1, 64)), table])), "listed")
    assert (listed.row, listed.at) == (8, 9)


def test_rows_of_zeros_between_positions_that_count_on_are_to_be_counted():
    report = inspect_table(np.insert(TABLE[:20], [5, 5, 9], 0, axis=0))
    assert [step.split(",")[0] for step in report.change] == [
        "count the rows of zeros",
        "take the rows of zeros from the formula",
    ]


def test_positions_that_were_read_off_say_so():
    places = np.sort(np.random.default_rng(0).uniform(0, 50, 40))
    report = inspect_table(sinusoidal(places, 64).round(6))
    assert "positions_read" in kinds(report)
    np.testing.assert_allclose(report.positions, places, atol=1e-5)
    assert "read off" in report.text


@pytest.mark.parametrize(
    ("listed", "rules"),
    [
        (frequencies(64, base=5e5), []),
        (frequencies(64, base=5e5).astype(np.float32), []),
        (frequencies(64, base=5e5) / 4, ["all_slower"]),
        (frequencies(64, base=5e5) * (np.arange(32) < 8), ["still_pairs"]),
        (scaling.yarn(64, rope_theta=5e5, **TRAINED), ["yarn_scaling"]),
        (scaling.llama3(64, rope_theta=5e5, **TRAINED, **TURNS), ["llama3_scaling"]),
    ],
)
def test_a_list_of_frequencies_is_no_table_and_has_its_rule(listed, rules):
    report = inspect_table(listed)
    found = only(report, "list")
    assert (found.count, found.base, [rule.kind for rule in found.rules]) == (32, 5e5, rules)
    assert not report.sinusoidal
    np.testing.assert_allclose(report.reproduce(), listed, rtol=1e-6)


@pytest.mark.parametrize("kind", [np.float32, np.float16])
def test_timescales_are_said_to_be_1_divided_by_frequencies(kind):
    # google-deepmind/gemma, positional_embeddings.py: max_wavelength ** (2 * arange(128) / 256).
    fractions = np.float32(2) * np.arange(128, dtype=np.float32) / np.float32(256)
    listed = (np.float32(1e4) ** fractions).astype(kind)
    report = inspect_table(listed)
    assert report.base == pytest.approx(1e-4)
    assert (
        "a list of 128 timescales, 1 divided by the frequencies of base 10 000 and width 256"
        in report.text
    )
    np.testing.assert_allclose(report.reproduce(), listed, rtol=1e-3)


@pytest.mark.parametrize("base", [2e5, 5e5, 1e6])
def test_timescales_are_as_long_as_their_base_says(base):
    fractions = np.arange(128, dtype=np.float32) / np.float32(128)
    for listed in (np.float32(base) ** fractions, base ** (np.arange(64) / 64)):
        assert inspect_table(listed).base == pytest.approx(1 / base)


def test_powers_of_2_have_a_power_of_2_for_their_base():
    assert inspect_table(2.0 ** np.arange(16)).base == 2.0**-16  # of few bits, as in bfloat16


@pytest.mark.parametrize("factor", [2 * np.pi, 1.0])
def test_a_list_by_no_rule_gets_no_name(factor):
    listed = np.linspace(1, 0.1, 32) if factor == 1 else factor * frequencies(64)
    assert kinds(inspect_table(listed)) == ["unknown"]


def test_the_nearest_list_is_said():
    listed = frequencies(64)
    listed[5] *= 1.1
    report = inspect_table(listed)
    assert kinds(report) == ["unknown", "nearest", "like_list", "differs"]
    assert "The nearest is a list of 32 frequencies, those of base 10 000 and" in report.text
    assert kinds(inspect_table([1, 0.1, 0.01])) == ["too_few", "like_list"]


def test_decimals_that_are_known_are_not_guessed():
    table = np.array([[0.0, 1.0, 0.0, 1.0], [0.8, 0.5, 0.0, 1.0]])
    assert inspect_table(table).rounding == "1 decimal"
    assert inspect_table(table, decimals=4).rounding == "4 decimals"
    with pytest.raises(ValueError, match="decimals must be an integer"):
        inspect_table(table, decimals=-1)


def test_complex_numbers_are_refused_with_the_way_to_pass_them():
    turns = TABLE[:, 1::2] + 1j * TABLE[:, 0::2]
    with pytest.raises(TypeError, match=r"np\.stack\(\[table\.real, table\.imag\], axis=-1\)"):
        inspect_table(turns)
    assert inspect_table(np.stack([turns.real, turns.imag], axis=-1)).cosines_first


@pytest.mark.parametrize("shape", [(60, 1, 64), (1, 60, 64), (5, 12, 64)])
def test_leading_axes_are_rows(shape):
    assert inspect_table(TABLE.reshape(shape)).text == inspect_table(TABLE).text


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        (TABLE.T, "transposed"),
        (np.broadcast_to(TABLE, (3, 60, 64)), "copies"),
        (TABLE.T.reshape(64, 6, 10), "channels_first"),
        (TABLE.reshape(60, 32, 2), "pairs_axis"),
        (np.pad(TABLE, ((0, 0), (0, 6))), "zero_columns"),
        (np.c_[np.arange(60), TABLE], "index_column"),
        (np.c_[np.arange(60), TABLE / 8], "index_column"),
        (np.c_[np.arange(300), sinusoidal(300, 64)], "index_column"),  # far larger than the sines
        (np.tile(TABLE, 2), "halves_equal"),
        ((TABLE + 1) / 2, "from_0_to_1"),
    ],
)
def test_where_the_table_lies_is_said_and_led_back(given, kind):
    report = inspect_table(given)
    assert report.sinusoidal
    assert kind in kinds(report)
    assert "paper" not in kinds(report)  # what was given is not the paper's table
    assert report.reproduce().shape == given.shape
    np.testing.assert_allclose(report.reproduce(), given, atol=1e-12)


@pytest.mark.parametrize("width", [8, 16, 32, 64])
def test_columns_of_one_frequency_are_no_table_twice(width):
    report = inspect_table(np.tile(sinusoidal(30, 2), width // 2))
    assert kinds(report)[:3] == ["sinusoidal", "layout", "one_frequency"]


@pytest.mark.parametrize("shape", [(4, 15, 2), (6, 10, 2)])
def test_a_table_of_one_pair_may_have_more_axes(shape):
    assert "paper" in kinds(inspect_table(sinusoidal(60, 2).reshape(shape)))


def test_a_table_from_0_to_1_may_be_computed_in_float32():
    table = (TABLE.astype(np.float32) + 1) / 2  # near 0 its numbers have lost the places of T
    report = inspect_table(table)
    assert "from_0_to_1" in kinds(report)
    np.testing.assert_allclose(report.reproduce(), table, atol=2.0**-23)


# ------------------------------------------------------------------------------- what is none


def test_a_difference_is_measured_and_gets_no_name():
    table = TABLE.copy()
    table[20, 5] += 1e-9
    report = inspect_table(table)
    assert not report.named
    differs = only(report, "differs")
    assert (differs.count, differs.row, differs.column) == (1, 20, 5)
    assert differs.first_difference == pytest.approx(1e-9, rel=1e-3)
    with pytest.raises(ValueError, match="no known formula"):
        report.reproduce()


def test_a_table_from_0_to_1_with_a_wrong_number_is_said_to_be_one():
    table = (TABLE + 1) / 2
    table[20, 5] += 0.1
    report = inspect_table(table)
    assert kinds(report)[:4] == ["unknown", "from_0_to_1", "nearest", "layout"]
    assert "Sinusoidal:" not in report.text


@pytest.mark.parametrize("first", [0, 100])
@pytest.mark.parametrize("decimals", [4, 15])
def test_a_wrong_number_makes_no_other_number_of_its_row_wrong(first, decimals):
    # In every fifth of the last rows, most of which are not among those that a formula is first
    # tried on.
    table = sinusoidal(np.arange(first, first + 200), 16).round(decimals)
    rng = np.random.default_rng(0)
    for row in range(150, 200, 5):
        given, column = table.copy(), int(rng.integers(16))
        given[row, column] = np.round(rng.uniform(-1, 1), decimals)
        differs = only(inspect_table(given), "differs")
        assert (differs.count, differs.row, differs.column) == (1, row, column)


def test_wrong_numbers_beside_frequencies_in_float32_are_counted():
    omega = 1 / np.float32(1e4) ** (np.arange(0, 128, 2, dtype=np.float32) / np.float32(128))
    table = halves(np.arange(2048, dtype=np.float32)[:, np.newaxis] * omega)
    table[[1000, 600], [5, 125]] += 0.01
    differs = only(inspect_table(table), "differs")
    assert (differs.count, differs.rows, differs.columns) == (2, [600, 1000], [5, 125])


@pytest.mark.parametrize("rounding", ROUNDINGS)
@pytest.mark.parametrize("seed", range(2))
def test_random_numbers_get_no_name(rounding, seed):
    rng = np.random.default_rng(seed)
    count, pairs = int(rng.integers(1, 20)), int(rng.choice([1, 2, 3, 4, 8, 32]))
    turning = np.outer(range(count), np.exp(rng.uniform(-9, 0, size=pairs)))
    tables = [halves(turning), halves(rng.uniform(0, 6, (count, pairs)))]
    for table in (*tables, rng.normal(size=(count, 2 * pairs))):
        report = inspect_table(ROUNDINGS[rounding](table))
        assert not report.named, str(report)


@pytest.mark.parametrize(
    ("table", "kind"),
    [
        (np.zeros((2, 4)), "zeros"),
        (sinusoidal(1, 64), "position_0"),
        (np.tile(sinusoidal([7], 8), (9, 1)), "rows_alike"),
        (binary_code(64, 8), "two_values"),
        (np.random.default_rng(0).normal(size=(20, 16)), "unknown"),
    ],
)
def test_tables_that_tell_nothing_say_why(table, kind):
    assert kinds(inspect_table(table)) == [kind]


def test_parts_of_one_ladder_are_no_coordinates():
    assert not inspect_table(np.roll(TABLE, 32, axis=1)).named
    ahead = np.arange(60)[:, np.newaxis] + np.where(np.arange(16) > 8, 0.5, 0)  # slow pairs are
    angles = ahead * frequencies(32)
    table = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(60, 32)
    assert not inspect_table(ROUNDINGS["bfloat16"](table).astype(np.float32)).named


def test_few_numbers_far_from_0_get_no_place_near_it():
    far = np.arange(574833, 574837)
    omega = 1e4 ** (-np.arange(3) / 2)
    angles = np.outer(far, omega)
    report = inspect_table(np.stack([np.sin(angles), np.cos(angles)], -1).reshape(4, 6).round(3))
    assert not report.named or report.positions.tolist() == far.tolist()


def test_two_pairs_have_no_name_where_their_positions_are_not_round():
    rng = np.random.default_rng(4)
    for _ in range(5):
        table = sinusoidal(np.sort(rng.uniform(0, 60, 6)), 4, base=2e6).round(4)
        assert not inspect_table(table).named


def test_the_table_and_the_callers_settings_stay_as_they_are():
    before = TABLE.copy()
    with np.errstate(all="raise"):
        inspect_table(TABLE)
        inspect_table(np.random.default_rng(0).normal(size=(20, 16)))
    np.testing.assert_array_equal(TABLE, before)


def test_parameters_and_tensors_of_torch_in_bfloat16_are_read():
    torch = pytest.importorskip("torch")
    tensor = torch.from_numpy(TABLE)
    assert inspect_table(torch.nn.Parameter(tensor)).base == 10_000
    report = inspect_table(torch.nn.Embedding.from_pretrained(tensor.bfloat16()).weight)
    assert (report.base, report.rounding) == (10_000, "bfloat16")


@pytest.mark.parametrize("width", [16, 64, 100])
def test_rows_of_length_1_are_named_in_16_bits(width):
    factor = (2 / width) ** 0.5
    report = inspect_table((sinusoidal(60, width) * factor).astype(np.float16))
    assert report.base == 10_000
    assert report.scale == pytest.approx(factor)


def test_shuffled_cosines_alone_are_named():
    positions = [0, 5, 3, 4, 2, 1, 6, 7, 8, 9]  # both ends as if in order
    report = inspect_table(sinusoidal(positions, 64)[:, 1::2])
    np.testing.assert_array_equal(report.positions, positions)


def test_a_wrong_number_among_equal_rows_is_told():
    table = sinusoidal(np.full(20, 5), 64)
    table[7, 9] += 0.1
    (differs,) = [each for each in inspect_table(table).findings if each.kind == "differs"]
    assert (differs.count, differs.row, differs.column) == (1, 7, 9)
