"""The binary code of positions, against Python's own notation."""

import numpy as np
import pytest

from posenc import binary_code


def bits_by_format(position, width):
    """Return the bits that Python writes, turned round to start with the least significant."""
    return [int(bit) for bit in reversed(format(position, f"0{width}b"))]


@pytest.mark.parametrize("width", [1, 2, 3, 7, 10])
def test_all_codes_of_a_width_equal_pythons_format(width):
    expected = [bits_by_format(k, width) for k in range(2**width)]
    np.testing.assert_array_equal(binary_code(2**width, width), expected)


def test_largest_position_of_the_largest_width_is_all_ones():
    np.testing.assert_array_equal(binary_code([2**53 - 1], 53), np.ones((1, 53)))


@pytest.mark.parametrize("width", [1, 3, 53])
def test_first_position_that_needs_one_more_bit_is_refused(width):
    with pytest.raises(ValueError, match=f"{width} bits.*{2**width}"):
        binary_code([2**width], width)
