"""What is pasted is read: prints, files, lists; what is no table is answered."""

import json

import numpy as np
import pytest

from posenc import sinusoidal
from posenc_check import inspect_table
from posenc_check.pasted import rows_of_numbers, verdict
from posenc_course.views import TableInspector

TABLE = sinusoidal(3, 8).round(6)
ROWS = TABLE.tolist()


@pytest.mark.parametrize(
    "text",
    [
        str(TABLE),
        repr(TABLE),
        repr(TABLE.astype(np.float32)),
        repr([list(row) for row in TABLE]),  # np.float64(0.841471), ...
        "\n".join(" ".join(map(str, row)) for row in ROWS),
        "\n".join(" ".join(f"{entry:.7e}" for entry in row) for row in ROWS),
        "\n".join(",".join(map(str, row)) for row in ROWS),
        "\n".join("\t".join(map(str, row)) for row in ROWS),
        "\n".join(";".join(map(str, row)).replace(".", ",") for row in ROWS),
        json.dumps(ROWS),
        json.dumps([ROWS]),
        str(TABLE).replace("-", "\u2212"),
        f"tensor({json.dumps(ROWS)}, device='cuda:0', dtype=torch.float64, requires_grad=True)",
    ],
)
def test_prints_files_and_lists_are_read(text):
    numbers = np.array(rows_of_numbers(text), float)
    np.testing.assert_allclose(numbers, TABLE, atol=1e-7)


def test_a_row_of_names_is_left_out_and_position_0_of_a_single_pair_is_not():
    assert rows_of_numbers("0 1 2 3\n0.5 0.1 0.2 0.3") == [["0.5", "0.1", "0.2", "0.3"]]
    assert rows_of_numbers("0,1\n0.84,0.54") == [["0", "1"], ["0.84", "0.54"]]
    assert rows_of_numbers("0 1\n0.0 1.0") == [["0.0", "1.0"]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Paste rows of a table"),
        ("hello", "Paste rows of a table"),
        ("[[0.1, 0.2, ..., 0.3]]", "The print is cut short (...)"),
        ("1 2 3\n4 5", "The rows have different lengths (3, 2)"),
        ("nan 1\n2 3", "NaN or infinite"),
        ("5", "at least two numbers"),
        ("1e99 1", "at most 1e+30"),
    ],
)
def test_text_that_is_no_table_is_answered(text, said):
    assert said in verdict(text)


def test_the_view_answers_what_it_shows_and_follows_its_table():
    view = TableInspector(table=str(TABLE))
    assert view.data()["_answer"] == str(inspect_table(TABLE))
    view.table = "hello"
    assert view.data()["_answer"].startswith("Paste rows")
    for name, text, answer in view._samples:
        assert answer == verdict(text), name
        assert answer.startswith("Sinusoidal"), name
