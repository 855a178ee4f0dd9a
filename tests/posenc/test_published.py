"""What others have printed, in published_tables.json: their numbers, where each stands, and ours.

Only values are kept. Every table names the document, or the repository, path, commit and test,
that prints it. Its tolerance is float32's rounding, or half of the last digit that is printed.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from posenc import sinusoidal

TABLES = json.loads(Path(__file__).with_name("published_tables.json").read_text(encoding="utf-8"))


def off(table, base):
    """Return how far the printed entries are from ours."""
    layout = table.get("layout", "halves")
    ours = sinusoidal(table["positions"], table["width"], base=base, layout=layout)
    printed = np.array(table["printed"])
    first = table["first_column"]
    return np.abs(ours[:, first : first + printed.shape[1]] - printed).max()


@pytest.mark.parametrize("table", TABLES, ids=[table["who"] for table in TABLES])
def test_printed_tables_are_ours(table):
    if "base" in table:
        assert off(table, table["base"]) <= table["tolerance"]
        return
    # tensor2tensor, the code published with the paper, spaces its frequencies differently from the
    # paper: with h = d/2 of them, ω_i = n^(-i/(h - 1)) instead of n^(-i/h), so that the last one is
    # 1/n itself. fairseq, AllenNLP and others follow it. That is the paper's formula with the base
    # n^(h/(h - 1)). Formula: tensorflow/tensor2tensor, tensor2tensor/layers/common_attention.py,
    # get_timing_signal_1d, commit 75b75f2e2281101b9b3637e14ef519afd6a11b68.
    pairs = table["width"] // 2
    assert off(table, 10_000.0 ** (pairs / (pairs - 1))) <= table["tolerance"]
    assert off(table, 10_000.0) > 100 * table["tolerance"]
