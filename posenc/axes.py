"""Positions with several coordinates: rows and columns of an image, time, and more.

A grid has the shape (rows, columns), and a position in it is (row, column), as an index in NumPy.
"""

from collections.abc import Sequence
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc import _checks as checks
from posenc._checks import FloatArray, Layout
from posenc.frequencies import angles_of, frequencies
from posenc.rotary import rotate
from posenc.sinusoids import sinusoidal

__all__ = [
    "axial_frequencies",
    "axial_ladders",
    "axial_rope",
    "axial_sinusoidal",
    "grid_positions",
    "mrope_axes",
]


def grid_positions(*lengths: SupportsIndex) -> FloatArray:
    """Return the coordinates of every place of a grid, a row for each, in reading order.

    Parameters
    ----------
    *lengths : int
        Places along each axis: rows, then columns, of an image.

    Returns
    -------
    ndarray of float64, shape (product of lengths, number of axes)
        Coordinates from 0 on; the last axis counts fastest, as the words of a page do.

    Examples
    --------
    >>> from posenc.axes import grid_positions
    >>> print(grid_positions(2, 2))
    [[0. 0.]
     [0. 1.]
     [1. 0.]
     [1. 1.]]
    """
    shape = checks.whole_numbers(checks.at_least_one(lengths, "lengths"), "lengths")
    # np.indices has a whole grid for each axis; the transpose has a row for each place.
    return np.indices(shape, dtype=np.float64).reshape(len(shape), -1).T


def axial_sinusoidal(
    positions: Sequence[Any],
    d_model: SupportsIndex,
    *,
    order: Sequence[SupportsIndex] | None = None,
    base: float = 10_000.0,
    layout: Layout = "interleaved",
) -> FloatArray:
    r"""Return an array (rows, columns, ..., d_model): the encodings of coordinates, side by side.

    Parameters
    ----------
    positions : sequence of int or array_like
        The coordinates along each axis, as `sinusoidal` takes them.
    d_model : int
        Width of the encoding: a multiple of twice the number of axes.
    order : sequence of int, optional
        Which axis has the first columns, which the next. Rows first unless it is given; (1, 0)
        puts the columns of an image first, as MAE and Diffusers.
    base, layout : float, {"interleaved", "halves"}, optional
        Those of each part, as for `sinusoidal`.

    Returns
    -------
    ndarray of float64, shape (length of each axis ..., d_model)
        The parts stand side by side. Each is `sinusoidal` of one coordinate, of width d_model over
        the number of axes, as in He et al., "Masked Autoencoders Are Scalable Vision Learners",
        2022, and Carion et al., "End-to-End Object Detection with Transformers", 2020.

    Examples
    --------
    >>> from posenc import sinusoidal
    >>> from posenc.axes import axial_sinusoidal
    >>> table = axial_sinusoidal((14, 16), 32)
    >>> table.shape
    (14, 16, 32)
    >>> bool((table[3, 5, :16] == sinusoidal([3], 16)).all())
    True
    """
    coordinates = checks.entries(positions, "positions", "the positions of each axis")
    checks.at_least_one(coordinates, "positions")
    axes = list(range(len(coordinates)))
    width = _columns_of_axis(checks.even_width(d_model), len(axes), "d_model")
    axes_in_order = axes if order is None else checks.whole_numbers(order, "order")
    if sorted(axes_in_order) != axes:
        raise ValueError(f"order must name each of {axes} once, got {checks.shown(order)}")
    tables = [sinusoidal(each, width, base=base, layout=layout) for each in coordinates]
    for along_axis, table in zip(coordinates, tables, strict=True):
        if table.ndim != 2:  # not a row for each position
            refused = checks.shown(along_axis)
            raise ValueError(f"positions of an axis must have one axis, got {refused}")
    # For each axis, the row of its table that each place of the grid has.
    rows = np.indices([len(table) for table in tables])
    return np.concatenate([tables[axis][rows[axis]] for axis in axes_in_order], axis=-1)


def axial_frequencies(
    head_dim: SupportsIndex,
    n_axes: SupportsIndex,
    *,
    base: float = 10_000.0,
    interleaved: bool = False,
) -> tuple[FloatArray, NDArray[np.intp]]:
    r"""Return (frequencies, axes) of the pairs of an axial RoPE, axis after axis.

    Parameters
    ----------
    head_dim, n_axes : int
        Columns that turn, a multiple of 2 n_axes, and coordinates of a position: 2 in an image.
    base : float, optional
        The constant n of the formula, positive, finite and not 1.
    interleaved : bool, optional
        False gives each axis a ladder of its own, that of the width ``head_dim / n_axes``, as
        the vision part of Qwen2-VL. True shares one ladder of the whole head out among the
        axes in turn, so that each has its own frequencies, as Pixtral.

    Returns
    -------
    omega : ndarray of float64, shape (head_dim/2,)
        Radians per step along its axis, all pairs of the first axis first, for `axial_rope`.
    axes : ndarray of int, shape (head_dim/2,)
        The axis of each pair.

    Examples
    --------
    >>> from posenc.axes import axial_frequencies
    >>> omega, axes = axial_frequencies(8, 2)
    >>> print(omega, axes)
    [1.   0.01 1.   0.01] [0 0 1 1]
    >>> print(*axial_frequencies(8, 2, interleaved=True))
    [1.    0.01  0.1   0.001] [0 0 1 1]
    """
    count = checks.whole_number(n_axes, "n_axes", least=1)
    width = checks.even_width(head_dim, "head_dim")
    of_axis = _columns_of_axis(width, count, "head_dim")
    omega, axes = axial_ladders([of_axis] * count, base=base)
    if checks.true_or_false(interleaved, "interleaved"):
        dealt = frequencies(width, base=base).reshape(-1, count)  # a column for each axis
        omega = dealt.T.ravel()  # column after column, as `axes` has them
    return omega, axes


def axial_ladders(
    columns: Sequence[SupportsIndex], *, base: float = 10_000.0
) -> tuple[FloatArray, NDArray[np.intp]]:
    r"""Return (frequencies, axes) of the pairs of a RoPE whose axes have parts of different widths.

    Parameters
    ----------
    columns : sequence of int
        Columns of each axis, positive and even: [44, 42, 42] for time, height and width in Wan,
        [16, 56, 56] in Qwen-Image and Flux, [16, 24, 24] in CogVideoX.
    base : float, optional
        The constant n of the formula, positive, finite and not 1.

    Returns
    -------
    omega : ndarray of float64, shape (m,)
        Radians per step along its axis; m is half of all columns.
    axes : ndarray of int, shape (m,)
        The axis of each pair.

    Examples
    --------
    >>> from posenc.axes import axial_ladders
    >>> omega, axes = axial_ladders([2, 4])
    >>> print(omega, axes)
    [1.   1.   0.01] [0 1 1]
    """
    widths = [checks.even_width(each, "columns") for each in checks.entries(columns, "columns")]
    checks.at_least_one(widths, "columns")
    omega = np.concatenate([frequencies(width, base=base) for width in widths])
    return omega, np.repeat(np.arange(len(widths)), [width // 2 for width in widths])


def mrope_axes(
    mrope_section: Sequence[SupportsIndex], *, interleaved: bool = False
) -> NDArray[np.intp]:
    """Return the axis, from 0, whose coordinate turns each pair of a multimodal RoPE (M-RoPE).

    Parameters
    ----------
    mrope_section : sequence of int
        Pairs for each axis, as the config has it: [16, 24, 24] for time, height and width in
        Qwen2-VL, whose heads have 128 columns.
    interleaved : bool, optional
        False gives the first section to the first axis, the next to the next. True, as Qwen3-VL,
        deals pairs to the axes in turn while the later sections last; the rest is the first axis's.

    Returns
    -------
    ndarray of int, shape (sum of the sections,)
        The axis of each pair, for `axial_rope`. The frequencies are those of the whole head; a
        text token has the same coordinate on all axes, so for text M-RoPE is RoPE. Source: Wang
        et al., "Qwen2-VL: Enhancing Vision-Language Model's Perception of the World at Any
        Resolution", 2024, section 2.1.

    Examples
    --------
    >>> from posenc.axes import mrope_axes
    >>> print(mrope_axes([2, 3, 3]))
    [0 0 1 1 1 2 2 2]
    >>> print(mrope_axes([4, 2, 2], interleaved=True))
    [0 1 2 0 1 2 0 0]
    """
    sections = checks.whole_numbers(mrope_section, "mrope_section")
    checks.at_least_one(sections, "mrope_section")
    count = len(sections)
    if not checks.true_or_false(interleaved, "interleaved"):
        return np.repeat(np.arange(count), sections)
    axes = np.zeros(sum(sections), dtype=np.intp)  # what no later section takes, the first has
    for axis, section in enumerate(sections[1:], start=1):
        # Of the pairs from `axis` on, every `count`-th one, as many as the section says.
        last_pair = axis + count * (section - 1)
        if last_pair >= len(axes):
            raise ValueError(
                f"mrope_section must end within its {len(axes)} pairs if they are dealt in turn, "
                f"got {section} for axis {axis} in {checks.shown(mrope_section)}"
            )
        axes[axis : count * section : count] = axis
    return axes


def axial_rope(
    x: ArrayLike,
    positions: ArrayLike,
    frequencies: ArrayLike,
    axes: Sequence[SupportsIndex] | NDArray[np.integer[Any]],
    *,
    layout: Layout = "interleaved",
) -> NDArray[Any]:
    r"""Return `x` with m pairs of columns rotated, each by its frequency times one coordinate.

    Parameters
    ----------
    x : array_like of real numbers, shape (..., n_positions, d)
        Queries or keys. float32 stays float32; every other type is computed in float64.
    positions : array_like of real numbers, shape (..., n_positions, n_axes)
        The coordinates of each token. Leading axes broadcast to those of `x`.
    frequencies, axes : array_like of real numbers, array_like of int, shape (m,)
        Radians per step of each pair, and the coordinate by which it turns. With 2m below d, the
        first 2m columns turn and the others stay as they are. `axial_frequencies` and
        `axial_ladders` return both, and `mrope_axes` returns the axes of text, images and video in
        one sequence.
    layout : {"interleaved", "halves"}, optional
        Which columns form pair i, as in `rotate`.

    Returns
    -------
    ndarray of float32 or float64, the shape of `x`
        Each row has the length of the row of `x`.

    Notes
    -----
    A score depends on the difference of each coordinate, and on nothing else of where the two
    tokens are. Source: Heo et al., "Rotary Position Embedding for Vision Transformer", 2024.

    Examples
    --------
    >>> import numpy as np
    >>> from posenc.axes import axial_frequencies, axial_rope, grid_positions
    >>> patches = np.ones((6, 8))
    >>> turned = axial_rope(patches, grid_positions(2, 3), *axial_frequencies(8, 2))
    >>> scores = turned @ turned.T
    >>> print(np.isclose(scores[0, 4], scores[1, 5]))  # both one down and one to the right
    True
    """
    coordinates = checks.real_array(positions, "positions")
    omega = checks.real_array(frequencies, "frequencies")
    rows, tokens = checks.float_array(x, "x"), coordinates.shape[:-1]
    if not tokens or checks.broadcast(tokens, rows.shape[:-1]) != rows.shape[:-1]:
        raise ValueError(
            "positions must have an axis of tokens and one of coordinates, and broadcast to the "
            f"leading axes of x, got shapes {coordinates.shape} and {rows.shape}"
        )
    axis_of_pair = checks.whole_numbers(axes, "axes", most=coordinates.shape[-1] - 1)
    if omega.shape != (len(axis_of_pair),):
        raise ValueError(
            "frequencies and axes must be one number each for every pair, "
            f"got shape {omega.shape} and {len(axis_of_pair)} axes"
        )
    angles = angles_of(coordinates[..., axis_of_pair], omega)
    return rotate(rows, angles, layout=layout)


def _columns_of_axis(width: int, n_axes: int, name: str) -> int:
    """Return width / n_axes, the columns of each axis; raise a ValueError if that is not even."""
    if width % (2 * n_axes):
        allowed = f"a multiple of {2 * n_axes} for {n_axes} axes"
        raise ValueError(f"{name} must be {allowed}, got {width}")
    return width // n_axes
