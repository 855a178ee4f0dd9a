"""The encoding in JavaScript is the encoding in Python."""

import base64
import itertools
from pathlib import Path

import numpy as np

from posenc import sinusoidal
from posenc_course import views

SHARED = Path(views.__file__).parent / "shared.js"
POSITIONS = [0, 1, 2, 3, 7, 63, 99, 511, 1000, 2047, 4095]


WIDTHS = [2, 4, 6, 32, 128, 512]
BASES = [10, 100, 10_000, 500_000, 1e7]


def test_rows_agree(tab):
    module = base64.b64encode(SHARED.read_bytes()).decode()
    page = tab()
    for width, base in itertools.product(WIDTHS, BASES):
        rows = page.evaluate(
            """async ([module, positions, width, base]) => {
              const { encode } = await import(`data:text/javascript;base64,${module}`);
              return positions.map((position) => [...encode(position, width, base)]);
            }""",
            [module, POSITIONS, width, base],
        )
        table = sinusoidal(max(POSITIONS) + 1, width, base=base)
        np.testing.assert_allclose(rows, table[POSITIONS], rtol=0, atol=1e-12)
