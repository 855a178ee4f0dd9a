"""Timm: tables of pictures, and its rotary embedding of them."""

import importlib
import importlib.util
import sys
import types
from pathlib import Path

from conformance.rows import axes, drawn, table
from posenc.axes import grid_positions


def compare_all():
    code = without_its_package()
    for interleaved in (False, True):
        made = code.build_sincos2d_pos_embed([9, 7], 64, interleave_sin_cos=interleaved)
        ours = "axial_sinusoidal((9, 7), 64, layout='halves')"
        if not interleaved:  # sines of both axes, then cosines of both
            ours += ".reshape(63, 2, 2, 16).swapaxes(1, 2)"
        called = f"build_sincos2d_pos_embed, interleave_sin_cos={interleaved}"
        sides = "row, then column" if interleaved else "sines of both sides, then cosines"
        table(called, ours, made, scaling=sides)
    grid = grid_positions(4, 6)
    x, given = drawn(64)
    for pixels in (False, True):
        module = code.RotaryEmbeddingCat(64, in_pixels=pixels, feat_shape=[4, 6])
        theirs = code.apply_rot_embed_cat(given, module.get_embed()).numpy()
        ours = "axial_rope(x, grid, *axial_frequencies(64, 2))"
        if pixels:  # corners at -1 and 1
            ladder = "np.tile(np.geomspace(1, 112, 16), 2)"
            ours = f"axial_rope(x, 2 * grid / [3, 5] - 1, np.pi * {ladder}, np.repeat([0, 1], 16))"
        called = f"RotaryEmbeddingCat, {'pixel' if pixels else 'language'} frequencies"
        about = {"base": "", "far": 360} if pixels else {}
        said = "row, then column"
        said += "; from -1 to 1, frequencies from π to 112π" if pixels else ""
        names = {"x": x, "grid": grid}
        axes(called, ours, theirs, names, scaling=said, **about)


def without_its_package():
    """Import a module whose package would import torchvision, which positions do not need."""
    folder = Path(importlib.util.find_spec("timm").origin).parent
    for package, place in (("timm", folder), ("timm.layers", folder / "layers")):
        sys.modules[package] = types.ModuleType(package)
        sys.modules[package].__path__ = [str(place)]
    return importlib.import_module("timm.layers.pos_embed_sincos")
