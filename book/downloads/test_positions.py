"""Two tests of a layer that adds sinusoidal positions, with NumPy and pytest.

Put this file among your tests, and let `layer` call yours. From the course
Where Words Stand, chapter "A bug zoo". MIT licence.
"""

import numpy as np
import pytest

WIDTH = 16  # even, and equal to no length or batch below
LAST = 31_999  # the largest odd position your layer allows: 16 bits round it
BASE = 10_000
TOLERANCE = 1e-5  # 1e-3 for a table in float16, 4e-3 in bfloat16


def layer(x):
    """Return x, of shape (batch, length, width), plus the encoding.

    Replace it. Around a PyTorch module, in eval mode:

        with torch.no_grad():
            return module(torch.from_numpy(x).float()).double().numpy()
    """
    _, length, width = x.shape
    if width % 2:
        raise ValueError(f"the width must be even, got {width}")
    omega = BASE ** (-np.arange(0, width, 2) / width)
    angles = np.arange(length)[:, np.newaxis] * omega
    table = np.empty((length, width))
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    return x + table


def test_positions_near_and_far_are_those_of_the_formula():
    x = np.random.default_rng(0).normal(size=(2, LAST + 1, WIDTH))
    added = layer(x) - x
    i = np.arange(WIDTH // 2)
    angles = np.arange(LAST + 1)[:, np.newaxis] / BASE ** (2 * i / WIDTH)
    for text in added:
        # For halves: text[:, : WIDTH // 2] and text[:, WIDTH // 2 :].
        np.testing.assert_allclose(
            text[:, 0::2], np.sin(angles), rtol=0, atol=TOLERANCE
        )
        np.testing.assert_allclose(
            text[:, 1::2], np.cos(angles), rtol=0, atol=TOLERANCE
        )


def test_an_odd_width_is_refused():
    with pytest.raises(ValueError, match="even"):
        layer(np.zeros((2, 5, WIDTH - 1)))
