"""positional-encodings: tables of one, two and three coordinates."""

import torch

from conformance.rows import table


def compare_all():
    from positional_encodings.torch_encodings import (
        PositionalEncoding1D,
        PositionalEncoding2D,
        PositionalEncoding3D,
    )

    made = PositionalEncoding1D(64)(torch.empty(1, 300, 64))[0]
    table("1-D", "sinusoidal(300, 64)", made)
    made = PositionalEncoding2D(64)(torch.empty(1, 9, 7, 64))[0].reshape(63, 64)
    table("2-D", "axial_sinusoidal((9, 7), 64)", made, scaling="row, then column")
    made = PositionalEncoding3D(96)(torch.empty(1, 4, 5, 6, 96))[0].reshape(120, 96)
    sides = "three coordinates, in order"
    table("3-D", "axial_sinusoidal((4, 5, 6), 96)", made, scaling=sides)
