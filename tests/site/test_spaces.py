"""Spaces at which no line ends, in texts; a no-break space is written ~ here."""

import pytest

from extensions.slides import rendered
from extensions.spaces import NO_BREAK, numbers_kept, sums_kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("10 000 rows of 62 832", "10~000 rows of 62~832"),
        ("12 % of (0, 1) and (\u22121, 0)", "12~% of (0,~1) and (\u22121,~0)"),
        ("the bits 0 1 1 0 end", "the bits 0~1~1~0 end"),
        ("5 words, 3 of 8, page 12 13", "5 words, 3 of 8, page 12 13"),
    ],
)
def test_the_parts_of_a_number_stay_together(text, kept):
    assert numbers_kept(text) == kept.replace("~", NO_BREAK)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("so 1 + 2 = 3 at last", "so 1~+~2~=~3 at last"),
        ("\u221a(1 + 2) \u2248 1.73.", "\u221a(1~+~2)~\u2248~1.73."),
        ("1 + 2 + 3 + 4 + 5 + 6 + 7 = 28", "1~+~2~+~3~+~4~+~5~+~6~+~7 =~28"),
        ("a + b = c", "a + b = c"),
    ],
)
def test_a_short_sum_stays_on_a_line(text, kept):
    assert sums_kept(text) == kept.replace("~", NO_BREAK)


def test_a_matrix_keeps_its_brackets_where_numbers_are_kept_together():
    """KaTeX draws a large bracket in an SVG: a no-break space in its viewBox leaves it blank."""
    matrix = r"\begin{bmatrix}1\\2\\3\\4\\5\end{bmatrix}"
    html = rendered(f"10 000 rows:\n\n$$\n{matrix}\n$$\n")
    assert f"10{NO_BREAK}000" in html
    boxes = [part.partition('"')[0] for part in html.split('viewBox="')[1:]]
    assert boxes
    assert all(len(box.split(" ")) == 4 for box in boxes)
