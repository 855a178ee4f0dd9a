"""What is this table? A table of numbers, read back to the formula that made it."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from posenc._checks import check_room, plain_tensor, real_array, shown
from posenc.diagnose.candidates import Found, explained, listed
from posenc.diagnose.formula import EXACT
from posenc.diagnose.rounding import SHORT, Array, Rounding, number, rounded, rounding_of
from posenc.diagnose.search import Indices, spread

__all__ = ["TableReport", "inspect_table"]

# Numbers beyond these are not rounded as the others are.
LEAST_ENTRY, MOST_ENTRY = 1e-30, 1e30

# What the angles of a row must say, in bits, before a table that nothing gives is none.
LEAST_BITS_OF_A_ROW = 40


class TableReport(NamedTuple):
    """What `inspect_table` found; ``str(report)`` says it in a few sentences.

    Attributes
    ----------
    sinusoidal : bool
        Whether every row is an encoding of one formula. The fields below are None if not.
    text : str
        The finding in words.
    change : tuple of str
        What to do to the table to get the paper's, step by step; empty if nothing.
    layout : {"interleaved", "halves"}
        The order of the columns.
    cosines_first : bool
        Whether cosines stand where the paper has sines.
    base : float
        The constant n in the paper's formula that gives these frequencies.
    spacing : {"paper", "tensor2tensor", "either"}
        "tensor2tensor" if ``base`` is n^(d/(d-2)) of a round n: then ω goes down to exactly 1/n.
        "either" if both give every number.
    positions : ndarray of float64
        The position of each row, in tokens; NaN in a row of zeros.
    scale : float
        What the sines and cosines are multiplied by.
    rounding : str
        The type or the digits that the entries are rounded to: "float16", "4 decimals".
    angles : str
        The type that the angles were computed in, None where the rounding hides it.
    parts : tuple of TableReport
        For a table of several coordinates, one report for each.
    named : bool
        Whether what is said gives every number of the table: `reproduce` returns that table.
    ground : str
        What was compared, and at which rounding.
    """

    sinusoidal: bool
    text: str
    change: tuple[str, ...] = ()
    layout: str | None = None
    cosines_first: bool | None = None
    base: float | None = None
    spacing: str | None = None
    positions: Array | None = None
    scale: float | None = None
    rounding: str | None = None
    angles: str | None = None
    parts: tuple[TableReport, ...] = ()
    named: bool = False
    ground: str = ""
    program: Any = None

    def __str__(self) -> str:
        """Return the finding in words, what to change, and the ground."""
        change = f"To get the paper's table: {'; '.join(self.change)}." if self.change else ""
        return " ".join(filter(None, [self.text, change, self.ground]))

    def reproduce(self) -> npt.NDArray[Any]:
        """Return the table that the named formula gives, rounded as the given one is.

        Returns
        -------
        ndarray
            Of the shape of the table, and of its float type.

        Raises
        ------
        ValueError
            If nothing was named.
        """
        if self.program is None:
            raise ValueError(f"no known formula gives this table, so none can be made: {self.text}")
        table: npt.NDArray[Any] = self.program.table()
        return table


class Program(NamedTuple):
    """What gives a table again: a formula or a list, and how it lies in what was given."""

    found: Any
    rounding: Rounding
    shape: tuple[int, ...]
    dtype: Any
    rows: Indices  # those of the formula; the others are zeros
    width: int  # without a last column of zeros
    transposed: bool = False

    def table(self) -> npt.NDArray[Any]:
        """Return the table."""
        own = self.found if isinstance(self.found, np.ndarray) else self.found.numbers()[0]
        count = max(int(self.rows[-1]) + 1, self.shape[-2] if len(self.shape) > 1 else 1)
        if not self.transposed and math.prod(self.shape[:-1]) % count:
            count = math.prod(self.shape[:-1])
        size = (self.shape[-1], self.shape[-2]) if self.transposed else (count, self.shape[-1])
        whole = np.zeros(size)
        whole[self.rows, : self.width] = self.rounding.round(own)
        whole = whole.T if self.transposed else whole
        copies = math.prod(self.shape) // whole.size
        return np.tile(whole, (copies, 1)).reshape(self.shape).astype(self.dtype)


def inspect_table(table: npt.ArrayLike) -> TableReport:
    r"""Say what a table of positional encodings is, and how it differs from the paper's.

    Parameters
    ----------
    table : array_like of real numbers, shape (..., d)
        A whole table, a few of its rows, or one row, of any float type: each row complete. It
        may be a parameter of PyTorch, in bfloat16 too.

    Returns
    -------
    TableReport
        Fields for a program; ``str`` of it is the answer in words, and its ``reproduce()`` gives
        the table again.

    Raises
    ------
    TypeError
        If the table does not hold real numbers.
    ValueError
        If an entry is NaN or infinite, all are below 1e-30 or one is above 1e30, there is no row
        of at least two columns, or the table would not fit in memory a few times over.

    Notes
    -----
    A cause is named only if it gives every number. In the right order of columns sine and cosine
    of a pair lie on a circle. The angles of one row are :math:`k \omega_i`, so in the slow pairs,
    which have not turned round yet, they are the frequencies up to one factor; from there base and
    positions are fitted on a few rows and pairs. The formula that they make is then compared with
    every number of the table, which may be off by half of the last place that the table's numbers
    show (of a type, of decimals, of significant digits, of a print) and by what the sine and its
    angle lose where they are computed. Where a type is too short for that, what goes through it is
    part of the formula: frequencies, positions or angles in 16 or 32 bits.

    Where several bases, or both spacings, give every number, the roundest base is named and the
    others are said to be possible. Where no formula gives every number, the answer is what the
    nearest one leaves: how many rows or columns differ, from where on, and by how much.

    References
    ----------
    Vaswani et al., "Attention Is All You Need", 2017, section 3.5; tensor2tensor,
    layers/common_attention.py, ``get_timing_signal_1d``.

    Examples
    --------
    >>> import numpy as np
    >>> from posenc import sinusoidal
    >>> from posenc.diagnose import inspect_table
    >>> print(inspect_table(sinusoidal(50, 64)).text)
    Sinusoidal: interleaved, base 10 000, first position 0. This is the paper's table.
    >>> theirs = sinusoidal(np.arange(2, 9), 64, layout="halves", dtype=np.float16)
    >>> print(inspect_table(theirs).text)
    Sinusoidal: halves, base 10 000, first position 2, rounded to float16.
    >>> bool((inspect_table(theirs).reproduce() == theirs).all())
    True
    >>> inspect_table(np.eye(8)).sinusoidal
    False
    """
    plain = plain_tensor(table)
    values = real_array(plain, "table")
    if values.ndim == 0 or values.shape[-1] < 2 or values.size == 0:
        raise ValueError(f"table must have a row of at least two columns, got shape {values.shape}")
    check_room((4, *values.shape), np.float64, "table")
    most = float(np.abs(values).max())
    if most and not LEAST_ENTRY <= most <= MOST_ENTRY:
        raise ValueError(
            f"table must have entries of at least {LEAST_ENTRY:g} and at most {MOST_ENTRY:g}, "
            f"got {shown(table)}"
        )
    dtype = np.asarray(plain).dtype
    dtype = dtype if dtype.kind == "f" else np.dtype(np.float64)
    copies = math.prod(values.shape[:-2])
    one = values[(0,) * (values.ndim - 2)]
    if copies < 2 or values.shape[-2] < 2 or not (values == one).all():
        one, copies = values.reshape(-1, values.shape[-1]), 1
    with np.errstate(all="ignore"):
        report = _inspected(one, values.shape, dtype)
    if copies == 1:
        return report
    ground = f"{report.ground} The table is {number(copies)} times the same.".strip()
    positions = None if report.positions is None else np.tile(report.positions, copies)
    return report._replace(ground=ground, positions=positions)


def _inspected(table: Array, shape: tuple[int, ...], dtype: Any) -> TableReport:
    rounding = rounding_of(table)
    report = _whole(table, rounding, shape, dtype)
    if report.named or report.layout or report.text.startswith("Too few") or min(table.shape) < 2:
        return report
    turned = _whole(table.T, rounding, shape, dtype, transposed=True)
    if not turned.named:
        return report
    text = turned.text.removesuffix(" This is the paper's table.")
    text = text.replace("Sinusoidal: ", "Transposed, sinusoidal in its columns: ")
    return turned._replace(text=text, change=("transpose it", *turned.change))


def _whole(
    table: Array, rounding: Rounding, shape: tuple[int, ...], dtype: Any, transposed: bool = False
) -> TableReport:
    """Return the report on the rows of a table that are not zeros."""
    rows = np.flatnonzero(table.any(axis=1))
    if not rows.size:
        return _no("all entries are 0")
    padding = np.setdiff1d(np.arange(len(table)), rows)
    width = table.shape[1]
    no_last = bool(width % 2 and width > 2 and not table[:, -1].any())
    kept = table[rows, : width - no_last] if len(padding) or no_last else table
    made = Program(None, rounding, shape, dtype, rows, width - no_last, transposed)
    if len(kept) == 1:
        ladder = listed(kept[0], rounding)
        if ladder is not None:
            words = ", ".join(filter(None, [f"base {number(ladder.base)}", ladder.words]))
            text = (
                f"a list of {width} frequencies, those of {words} and width {2 * width}; a table "
                "has their sines and cosines at each position"
            )
            program = made._replace(found=ladder.frequencies[np.newaxis])
            return _no(text)._replace(named=True, program=program)
    found = explained(kept, rounding, rows)
    if _still(kept):
        return _few("every row is that of position 0, which is the same for every base")
    size = float(np.abs(kept).max())
    half = float(rounding.half(np.array([0.7 * size]))[0]) / size
    bits = width / 2 * math.log2(1 / half)
    if found is None:
        if len(kept) > 1 and (kept == kept[0]).all():
            return _no("all rows are the same")
        if kept.size < 16 or len(kept) == 1 or width < 4 or bits < LEAST_BITS_OF_A_ROW / 2:
            return _few("many formulas give as few")
        return _no("no formula known here is near its numbers")
    if found.misses.wrong:
        alone = len(kept) == 1 and width < 16
        vague = half > 5e-4 or alone
        if bits < LEAST_BITS_OF_A_ROW or (vague and not found.misses.near):
            return _few("they lie on circles, as those of many bases do to so few numbers")
    elif found.few:
        return _few("they fit a sinusoidal table, and would by chance")
    return _said(found, made._replace(found=found.formula, rounding=found.rounding), table, padding)


def _still(table: Array) -> bool:
    """Return whether all rows are the encoding of position 0, in some order of columns."""
    columns = table[:, : table.shape[1] // 2 * 2]
    for one, other in ((columns[:, ::2], columns[:, 1::2]), np.split(columns, 2, axis=1)):
        for a, b in ((one, other), (other, one)):
            if b.size and not a.any() and b.any() and np.ptp(b) == 0:
                return True
    return False


def _no(reason: str) -> TableReport:
    return TableReport(False, f"Not a sinusoidal table: {reason}.")


def _few(reason: str) -> TableReport:
    advice = "Add rows, that of position 1 too, or digits."
    return TableReport(False, f"Too few numbers to tell: {reason}. {advice}")


# What is said


def _said(found: Found, made: Program, table: Array, padding: Indices) -> TableReport:
    """Return the report on a formula: that it gives every number, or where it does not."""
    formula, rows, width = found.formula, found.rows, made.width
    scale = float(formula.gain[0]) if found.sinusoidal else float(np.abs(formula.gain).max())
    said: list[tuple[str, str]] = [
        (found.layout + (", cosines first" if found.cosines_first else ""), "")
    ]
    if found.layout == "halves":
        pairs = width // 2
        said[0] = (
            said[0][0],
            f"put column i and column i + {pairs} side by side, i from 0 to {pairs - 1}",
        )
    if found.cosines_first:
        said.append(("", "swap the sine and the cosine of each pair"))
    spacing = _spacing(found, table, made)
    said.append(_base_said(found, width, spacing))
    places = formula.places[0] + 0.0
    flipped = bool((places <= 0).all() and (places < 0).any())
    if flipped and (len(places) == 1 or bool((np.diff(places) < 0).all())):
        places = 0.0 - places
        said.append(("sines with the opposite sign", "change the sign of the sines"))
    said += [note for note in found.notes if note[0]]
    if not formula.blend:
        said.append(_positions_said(places, rows, formula))
    said += _through_said(formula)
    if scale != 1:
        said.append(_scale_said(scale, width))
    if len(padding) and found.sinusoidal:
        listed = ", ".join(map(str, padding[:3])) + (", ..." if len(padding) > 3 else "")
        before = padding[-1] < rows[0] and places[0] < rows[0]
        said.append(
            (
                f"row {listed} all zeros (padding)",
                f"{'drop' if before else 'fill'} the rows of zeros",
            )
        )
    if width < table.shape[1]:
        said.append(("a last column of zeros (the width is odd)", "drop the last column"))
    if made.rounding.name != "float64":
        said.append((f"rounded to {made.rounding.name}", ""))
    angles = "float32" if formula.single else formula.through[2]
    if formula.through[2] == "float32":
        said.append(("angles in float32", ""))
    words = ", ".join(text for text, _ in said if text)
    count = f"{number(len(rows))} × {number(width)}"
    if found.misses.wrong:
        return _nearest(found, words, made)
    changes = tuple(change for _, change in said if change)
    ground = f"Each of the {count} numbers is the formula's" + (
        f", rounded to {made.rounding.name}."
        if made.rounding.name != "float64"
        else ", as far as float64 computes it."
    )
    about: dict[str, Any] = {
        "named": True,
        "program": made,
        "rounding": made.rounding.name,
        "ground": ground,
        "change": changes,
    }
    if found.defects:
        shown = ", ".join(found.defects[:3]) + (", ..." if len(found.defects) > 3 else "")
        words = f"it would be {words}, but {shown}"
    if not found.sinusoidal:
        return _no(words)._replace(**about)
    positions = np.full(len(table), np.nan)
    positions[rows] = places
    parts = tuple(_said(part, made, table, padding) for part in found.parts)
    if parts:
        ends = np.arange(len(parts)) * (width // len(parts))
        stacked = found.notes == (("stacked", ""),)
        each = "; ".join(
            (
                f"coordinate {at}: "
                if stacked
                else f"columns {end} to {end + width // len(parts) - 1}: "
            )
            + part.text.removeprefix("Sinusoidal: ").partition(". ")[0].rstrip(".")
            for at, (end, part) in enumerate(zip(ends, parts, strict=True))
        )
        order = "first the sines of all, then the cosines" if stacked else "side by side"
        text, about["change"] = f"Sinusoidal in {len(parts)} coordinates, {order}; {each}.", ()
    else:
        text = f"Sinusoidal: {words}."
        if not changes:
            text += (
                " This is the paper's table." if len(rows) > 1 else " A row of the paper's table."
            )
    exact = 4 * float(np.median(made.rounding.half(np.full(1, scale)))) < 1e-8 * float(
        np.abs(places).max()
    )
    base = (
        found.base
        if found.spacing != "tensor2tensor"
        else found.base ** (width / max(width - 2, 1))
    )
    seen = formula.single or formula.through != EXACT
    return TableReport(
        True,
        text,
        layout=found.layout,
        cosines_first=found.cosines_first,
        base=base,
        spacing=spacing if spacing != "measured" else "paper",
        positions=positions,
        scale=scale,
        angles=angles if seen else "float64" if exact else None,
        parts=parts,
        **about,
    )


def _nearest(found: Found, words: str, made: Program) -> TableReport:
    """Return what the nearest formula leaves: the measured difference, and no cause."""
    misses, rows = found.misses, found.rows
    if not misses.near:
        return _no("no formula known here is near its numbers")
    wrong, columns = np.flatnonzero(misses.rows), np.flatnonzero(misses.columns)
    if len(columns) * len(rows) < len(wrong) * made.width:
        share = f"{len(columns)} of {made.width} columns differ: "
        each = [f"column {c} by up to {misses.worst[c]:.1g}" for c in columns[:3]]
        share += ", ".join(each) + (", ..." if len(columns) > 3 else "")
    else:
        share = f"{len(wrong)} of {number(len(rows))} rows differ"
    row, column = misses.first
    share += f", first in row {rows[row]}, whose column {column} is off by {misses.off:.1g}"
    if len(wrong) == 1 and wrong[0] == 0 and len(rows) > 1:
        share += ": as a learned row before the others would be"
    text = f"it would be {words}, but {share}; no cause known here gives these numbers"
    return _no(text)._replace(layout=found.layout, rounding=made.rounding.name)


def _spacing(found: Found, table: Array, made: Program) -> str:
    """Return the spacing, "either" if both of the usual base give every number."""
    pairs = len(found.formula.omega)
    if (
        len(found.formula.holds) != made.width
        or found.base != 1e4
        or found.misses.wrong
        or found.parts
        or not found.sinusoidal
        or pairs < 3
    ):
        return found.spacing
    steps = pairs - (found.spacing == "paper")
    omega = np.exp(-math.log(1e4) / steps * np.arange(pairs))
    other = found.formula._replace(omega=np.where(found.formula.omega > 0, omega, 0.0))
    for some in (spread(len(found.rows), 48), np.arange(len(found.rows))):
        kept = table[found.rows[some], : made.width]
        if other.only(some, slice(None)).misses(kept, made.rounding).wrong:
            return found.spacing
    return "either"


def _base_said(found: Found, width: int, spacing: str) -> tuple[str, str]:
    """Return the base, how far it may be off, and the width it may have been cut from."""
    n, pairs = found.base, len(found.formula.omega)
    if width == 2:
        return "one pair, of 1 radian per token for every base", ""
    if found.spacing == "measured":  # in the digits that are known
        n = float(f"{n:.{min(6, max(1, math.ceil(1 - math.log10(2 * found.doubt))))}g}")
    text, last = f"base {number(n)}", f"{number(n)}^(-2i/{width})"
    if spacing == "either":
        text += " (too short to tell the paper's spacing from tensor2tensor's)"
    elif found.doubt > 5e-3:
        text += f" (within {max(1, round(100 * found.doubt))} %)"
    if spacing == "tensor2tensor":
        text += " in tensor2tensor's spacing"
        last = f"{number(n)}^(-i/{pairs - 1})"
    wider = math.log(1e4) * width / math.log(found.base)
    cut = 2 * round(wider / 2)
    sure = found.doubt * wider < math.log(found.base) and abs(wider - cut) < 1e-6 * wider
    if found.spacing == "measured" and wider < 1e5 and cut > width and sure:
        text += f", as in the first {width} columns of width {cut} and base 10 000"
        return text, f"take all {cut} columns"
    if spacing == "tensor2tensor" or n != 1e4:
        doubled = width > 2 and n == 1e8 and spacing == "paper"
        text += " (10 000 with twice the exponent: 2*i of an i that is even)" if doubled else ""
        return text, f"take the frequencies 10 000^(-2i/{width}), not {last}"
    return text, ""


def _through_said(formula: Any) -> list[tuple[str, str]]:
    """Return what positions, frequencies and angles went through, where it is short."""
    names = ("positions", "frequencies", "angles")
    return [
        (f"{name} rounded to {kind}", f"compute the {name} in float32 or float64")
        for name, kind in zip(names, formula.through, strict=True)
        if kind in SHORT
    ]


def _positions_said(places: Array, rows: Indices, formula: Any) -> tuple[str, str]:
    """Return the position of each row in words; a row of zeros has none."""
    first = float(places[0])
    if len(places) == 1:
        return f"position {number(first)}", ""
    steps = np.diff(places) / np.diff(rows)
    step = float(np.median(steps))
    begin, where = first - step * float(rows[0]), ""
    if rows[0] and begin < 0 <= first:  # after a row of zeros, as that of a class token
        begin, where = first, f" in row {rows[0]}"
    begin = float(f"{begin:.6g}") if abs(begin) > 1e-9 else 0.0
    whole = bool((places == np.round(places)).all())
    to_zero = f"begin with position 0, not {number(begin)}" if begin else ""
    if np.abs(steps - step).max() <= (0 if whole else 1e-9 * abs(step) + 1e-9) and step:
        words = f"first position {number(begin)}{where}"
        if step == 1:
            return words, to_zero
        step = float(f"{step:.6g}") if not whole else step
        words += f", in steps of {number(step)}{_step_name(abs(step), formula.omega)}"
        return words, f"take positions in steps of 1, not {number(step)}"
    return _whole_positions(places)


def _whole_positions(places: Array) -> tuple[str, str]:
    """Return what whole positions are that do not go up in equal steps."""
    first, most = float(places[0]), float(places.max())
    counted = first + np.arange(len(places))
    for name in SHORT:
        if (rounded(counted, name) == places).all():
            return (
                f"first position {number(first)}, positions rounded to {name}",
                "count the positions in integers",
            )
    if (np.minimum(counted, most) == places).all():
        return (
            f"first position {number(first)}, the last, {number(most)}, repeated",
            "let the table go on",
        )
    if (first + np.arange(len(places)) % (most - first + 1) == places).all():
        return (
            f"first position {number(first)}, starting over after {number(most)}",
            "let the table go on",
        )
    if (np.diff(np.sort(places)) == 1).all():
        low, high = number(float(places.min())), number(most)
        return f"rows shuffled, positions {low} to {high}", "sort the rows by position"
    listed = ", ".join(number(float(place)) for place in places[:5])
    words = f"positions {listed}{', ...' if len(places) > 5 else ''}"
    astray = np.flatnonzero(places != counted)
    if astray.size and astray[0] > 4:
        words += f" (row {astray[0]} is at {number(float(places[astray[0]]))})"
    return words, "take the positions 0, 1, 2, ..."


def _step_name(step: float, omega: Array) -> str:
    """Return what a step is known as, in brackets, or nothing."""
    known = {
        "degrees taken for radians": math.pi / 180,
        "turns taken for radians": math.tau,
        "pairs counted from 1": float(omega[min(1, len(omega) - 1)]),
    }
    names = [name for name, value in known.items() if abs(step / value - 1) < 1e-5]
    return f" ({names[0]})" if names else ""


def _scale_said(scale: float, width: int) -> tuple[str, str]:
    """Return a factor as text, by its name if it has one, and how to undo it."""
    known = (
        (-1.0, "-1", "change all signs"),
        (width**-0.5, f"1/√{width}", f"multiply by √{width}"),
        (width**0.5, f"√{width}", f"divide by √{width}"),
    )
    for value, name, back in known:
        if abs(scale / value - 1) < 1e-6:
            return f"times {name}", back
    return f"times {scale:.6g}", f"divide by {scale:.6g}"
