"""What others have printed: their numbers, where each stands, and how ours compare.

Only values are kept here. Every table names the document, or the repository, path, commit and
test, that prints it. Tables in float32 are compared to float32 precision, all others to the
digits that are printed.

tensor2tensor, the code published with the paper, spaces its frequencies differently from the
paper: with h = d/2 of them, ω_i = n^(-i/(h - 1)) instead of n^(-i/h), so that the last one is 1/n
itself. fairseq, AllenNLP and others follow it. That is the paper's formula with the base
n^(h/(h - 1)), which is how those tables are compared here.
Formula: tensorflow/tensor2tensor, tensor2tensor/layers/common_attention.py, get_timing_signal_1d,
commit 75b75f2e2281101b9b3637e14ef519afd6a11b68.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from posenc import sinusoidal


def tensor2tensor_base(d_model, base=10_000.0):
    """Return the base that gives the paper's formula the spacing of tensor2tensor."""
    pairs = d_model // 2
    return base ** (pairs / (pairs - 1))


# Interleaved, the paper's spacing


def test_four_tokens_of_width_4_and_base_100_to_every_printed_digit():
    # "A Gentle Introduction to Positional Encoding In Transformer Models, Part 1", 2022
    # (Machine Learning Mastery): the matrix for "I am a robot", printed by NumPy to 8 decimals.
    printed = [
        [0.0, 1.0, 0.0, 1.0],
        [0.84147098, 0.54030231, 0.09983342, 0.99500417],
        [0.90929743, -0.41614684, 0.19866933, 0.98006658],
        [0.14112001, -0.9899925, 0.29552021, 0.95533649],
    ]
    np.testing.assert_array_equal(sinusoidal(4, 4, base=100).round(8), printed)


def test_six_tokens_of_width_512_to_every_printed_digit():
    # "Positional Encoding in Transformer Models" (Gen-ai tutorial): the rows for "Transformers
    # revolutionized the field of NLP", of which NumPy prints columns 0 to 2 and 509 to 511.
    printed = """
         0.00000000e+00  1.00000000e+00  0.00000000e+00
         1.00000000e+00  0.00000000e+00  1.00000000e+00
         8.41470985e-01  5.40302306e-01  8.21856190e-01
         9.99999994e-01  1.03663293e-04  9.99999995e-01
         9.09297427e-01 -4.16146837e-01  9.36414739e-01
         9.99999977e-01  2.07326584e-04  9.99999979e-01
         1.41120008e-01 -9.89992497e-01  2.45085415e-01
         9.99999948e-01  3.10989874e-04  9.99999952e-01
        -7.56802495e-01 -6.53643621e-01 -6.57166863e-01
         9.99999908e-01  4.14653159e-04  9.99999914e-01
        -9.58924275e-01  2.83662185e-01 -9.93854779e-01
         9.99999856e-01  5.18316441e-04  9.99999866e-01
    """
    shown = sinusoidal(6, 512)[:, [0, 1, 2, 509, 510, 511]]
    assert [f"{value:.8e}" for value in shown.flat] == printed.split()


def test_keras_hub():
    # keras-team/keras-hub, keras_hub/src/layers/modeling/sine_position_encoding_test.py,
    # test_output_correct_values, commit aa42194c18ba6e912d4ec811a72beb898e50e7a5.
    # Five decimals, cut off rather than rounded: the third is 0.138798.
    printed_0 = [0.0, 1.0, 0.0, 1.0, 0.0, 1.0]
    printed_3 = [0.14112, -0.98999, 0.13879, 0.99032, 0.00646, 0.99997]
    np.testing.assert_allclose(sinusoidal([0, 3], 6), [printed_0, printed_3], rtol=0, atol=1e-5)


# Halves, the paper's spacing


def test_hugging_face_roformer():
    # huggingface/transformers, tests/models/roformer/test_modeling_roformer.py,
    # RoFormerSinusoidalPositionalEmbeddingTest, commit 004d5906fc36dbee5f06708b95d626ff26b07c8c.
    printed_width_6 = [
        [0.0000, 0.0000, 0.0000, 1.0000, 1.0000, 1.0000],
        [0.8415, 0.0464, 0.0022, 0.5403, 0.9989, 1.0000],
    ]
    printed_width_512 = [
        [0.0000, 0.0000, 0.0000, 0.0000, 0.0000],
        [0.8415, 0.8219, 0.8020, 0.7819, 0.7617],
        [0.9093, 0.9364, 0.9581, 0.9749, 0.9870],
    ]
    np.testing.assert_array_equal(sinusoidal(2, 6, layout="halves").round(4), printed_width_6)
    np.testing.assert_array_equal(
        sinusoidal(3, 512, layout="halves")[:, :5].round(4), printed_width_512
    )


def test_diffusers_with_the_spacing_of_the_paper_and_cosines_first():
    # huggingface/diffusers, tests/models/test_layers_utils.py, test_sinoid_embeddings_hardcoded
    # (t2), commit 01fd65424ad01803b4d7dcd7fa673270d91ae8cc: rows 23 to 25, columns 47 to 49,
    # width 64, all cosines before all sines.
    printed = [[0.3019, 0.2280, 0.1716], [0.3146, 0.2377, 0.1790], [0.3272, 0.2474, 0.1864]]
    sines, cosines = np.split(sinusoidal([23, 24, 25], 64, layout="halves"), 2, axis=1)
    cosines_first = np.concatenate([cosines, sines], axis=1)
    np.testing.assert_array_equal(cosines_first[:, 47:50].round(4), printed)


# Halves, the spacing of tensor2tensor


TABLES = json.loads(Path(__file__).with_name("published_tables.json").read_text(encoding="utf-8"))
each_table = pytest.mark.parametrize("table", TABLES, ids=[table["who"] for table in TABLES])


def off(table, base):
    """Return how far the printed entries are from ours, in halves."""
    ours = sinusoidal(table["positions"], table["width"], base=base, layout="halves")
    printed = np.array(table["printed"])
    first = table["first_column"]
    return np.abs(ours[:, first : first + printed.shape[1]] - printed).max()


@each_table
def test_tables_have_the_spacing_of_tensor2tensor_and_not_that_of_the_paper(table):
    assert off(table, tensor2tensor_base(table["width"])) <= table["tolerance"]
    assert off(table, 10_000.0) > 100 * table["tolerance"]
