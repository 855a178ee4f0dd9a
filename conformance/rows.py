"""A row of the comparison: what a library computes, what posenc does, and why they differ."""

import numpy as np
import torch

import posenc
from posenc import axes as posenc_axes
from posenc_check import check_rope, inspect_table
from posenc_check.words import sentence

TOKENS, HEADS = 256, 3
rng = np.random.default_rng(15)
rows, library = [], ""  # of the file that is compared now


def drawn(width, tokens=24):
    """Return queries of shape (1, heads, tokens, width), as NumPy in float64 and as a tensor."""
    x = rng.standard_normal((1, HEADS, tokens, width)).astype(np.float32)
    return x.astype(float), torch.from_numpy(x)


def of(ours, **names):
    """Return what a row's line of posenc gives: the line that is shown is the line that is run."""
    return eval(ours, {**vars(posenc_axes), **vars(posenc), "np": np, **names})


def reason_for(difference, far, reason):
    """Return why there is a difference: what is said of it, or what float32 explains."""
    if reason:
        return reason
    if difference <= 1e-12:
        return "none"
    if difference <= 6e-7:
        return "rounding to float32"
    # An angle kω in float32 is off by up to 6e-8 kω, and ω itself by a few times 6e-8.
    if difference <= 2e-6 + 3e-6 * far:
        return "their angles are in float32"
    return ""


def compare(code, ours, theirs, expected, *, kind, far=1.0, reason="", most=1, **about):
    """Add a row: the largest difference between what they compute and what posenc does.

    `kind` is the table of the book's page that shows it; `about` may have the cells of the row
    (order, base, columns, first, scaling, angles). Above `most` no reason explains a difference.
    """
    if isinstance(expected, dict):  # what the line of posenc is made of, beside its functions
        expected = of(ours, **expected)
    difference = float(np.abs(np.asarray(theirs, dtype=float) - expected).max())
    explained = reason_for(difference, far, reason) if difference <= most else ""
    if explained == "their angles are in float32":
        about["angles"] = "float32"
    rows.append(
        {
            "library": library,
            "kind": kind,
            "code": code,
            "posenc": ours,
            "difference": float(f"{difference:.1e}"),
            "reason": explained,
        }
        | {name: str(value) for name, value in about.items() if value not in ("", None)}
    )
    print(f"{library:24}{code:44}{difference:9.1e}  {explained or 'UNEXPLAINED'}", flush=True)


def table(code, ours, theirs, expected=None, **more):
    """Add a row on a table, with what `inspect_table` says of theirs."""
    theirs = np.asarray(theirs, dtype=np.float32)
    if expected is None:
        expected = of(ours, n=len(theirs)).reshape(theirs.shape)
    report = inspect_table(theirs[:300])
    one = report.parts[0] if report.parts else report
    assert one.layout, report
    spacing = ", tensor2tensor's spacing" if one.spacing == "tensor2tensor" else ""
    about = {
        "order": one.layout + (", cosines first" if one.cosines_first else ""),
        "base": in_words(one.base) + spacing,
        "columns": theirs.shape[1],
        "first": f"{one.positions[0]:g}",
        "angles": angles_of(report),
    }
    if abs(one.scale - 1) > 1e-3:
        about["scaling"] = f"1/√{one.scale**-2:.0f}" if one.scale < 1 else f"{one.scale:.6g}"
    kind = "axes" if report.parts else "table"
    compare(code, ours, theirs, expected, kind=kind, far=len(theirs), **about | more)


def angles_of(report):
    """Return the type in which angles were computed; "" where no coordinate shows it.

    The small positions of a short side give the same float32 numbers by either type.
    """
    shown = {part.angles for part in report.parts or (report,)} - {None}
    assert len(shown) <= 1, report
    return "".join(shown)


def axes(code, ours, theirs, expected, *, scaling, width=64, far=6, **about):
    """Add a row on a rotary embedding by several coordinates, of which all columns turn."""
    about = {"order": "interleaved", "base": "10 000", "columns": f"{width} of {width}"} | about
    compare(code, ours, theirs, expected, kind="axes", far=far, **about, scaling=scaling)


def turned(code, ours, function, width, *, places=None, names=None, scaling="", **about):
    """Add a row on a rotary embedding: `function` takes torch tensors (1, heads, tokens, width)."""
    places = np.arange(TOKENS) if places is None else places
    x, given = drawn(width, len(places))
    theirs = function(given, torch.from_numpy(places))

    def of_arrays(units, positions):
        return function(torch.from_numpy(units.astype(np.float32)), torch.from_numpy(positions))

    report = check_rope(of_arrays, width)
    assert report.base, report
    scalings = [scaling] if scaling else [sentence(rule) for rule in report.rules]
    size = f"times {report.attention_factor:.6g}"
    size = "" if abs(report.attention_factor - 1) < 1e-4 else size
    compare(
        code,
        ours,
        theirs,
        {"x": x, "n": places, **(names or {})},
        far=float(np.max(places)),
        base=in_words(report.base),
        columns=f"{report.width} of {width}",
        scaling=", ".join(filter(None, [*scalings, size])),
        angles="float64",  # unless the difference says float32
        **{"kind": "rotary", "order": report.layout} | about,
    )


def in_words(value):
    """Return a base as text, thousands set apart."""
    return f"{round(value):,}".replace(",", " ")
