"""What is this table? A table of numbers, read back to the formula that made it."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from posenc._checks import plain_tensor, real_array, shown
from posenc_check.candidates import explained, listed
from posenc_check.formula import EXACT, Indices, spread
from posenc_check.rounding import SHORT, Array, Rounding, number, rounded, roundings_of
from posenc_check.search import ROWS, Found, orders

__all__ = ["TableReport", "inspect_table"]

# Numbers beyond these are not rounded as the others are.
LEAST_ENTRY, MOST_ENTRY = 1e-30, 1e30

# What the angles of a row must say, in bits, before a table that nothing gives is none.
LEAST_BITS_OF_A_ROW = 40

# Where half of a last place is as large a part of the largest number, what is off by less than so
# many of them may be the search's fault.
COARSE, FAR_OFF = 2e-3, 10


INTEGERS = "count the positions in integers"
UNKNOWN = "No formula known here is near its numbers."


class TableReport(NamedTuple):
    """What `inspect_table` found; ``str(report)`` says it in a few sentences.

    Attributes
    ----------
    sinusoidal : bool
        Whether every row is an encoding of one formula that is known here. The fields below are
        None if not.
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
        Whether what is said gives every number of the table: `reproduce` returns that table. Where
        a number of the formula was fitted, an entry may round to the next last place.
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
    size: tuple[int, int]  # of the table whose rows it gives
    rows: Indices  # those of the formula; the others are zeros
    width: int  # without a last column of zeros
    transposed: bool

    def table(self) -> npt.NDArray[Any]:
        """Return the table."""
        own = self.found if isinstance(self.found, np.ndarray) else self.found.numbers()
        whole = np.zeros(self.size)
        whole[self.rows, : self.width] = self.rounding.round(own)
        whole = whole.T if self.transposed else whole
        copies = math.prod(self.shape) // whole.size
        return np.tile(whole, (copies, 1)).reshape(self.shape).astype(self.dtype)


@np.errstate(all="ignore")
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
    part of the formula: frequencies, positions or angles in 16 or 32 bits. A column without the
    other of its pair tells its frequency by :math:`x_{k-1} + x_{k+1} = 2 \cos(\omega)\,x_k`.

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
    >>> from posenc_check import inspect_table
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
    most = float(max(values.max(), -values.min()))
    if most and not LEAST_ENTRY <= most <= MOST_ENTRY:
        raise ValueError(
            f"table must have entries of at least {LEAST_ENTRY:g} and at most {MOST_ENTRY:g}, "
            f"got {shown(table)}"
        )
    dtype = np.asarray(plain).dtype
    dtype = dtype if dtype.kind == "f" else np.dtype(np.float64)
    copies, one = math.prod(values.shape[:-2]), values[(0,) * (values.ndim - 2)]
    if copies < 2 or values.shape[-2] < 2 or not (values == one).all():
        copies, one = 1, values.reshape(-1, values.shape[-1])
    report = _inspected(one.astype(np.float64, copy=False), values.shape, dtype)
    if copies == 1:
        return report
    ground = f"{report.ground} The table is {number(copies)} times the same.".strip()
    positions = None if report.positions is None else np.tile(report.positions, copies)
    return report._replace(ground=ground, positions=positions)


def _inspected(table: Array, shape: tuple[int, ...], dtype: Any) -> TableReport:
    """Return the report on a table, or on its columns where these have a name and its rows none."""
    rows = _whole(table, shape, dtype)
    if not rows.named and table.shape[1] % 2 and not table[:, -1].any():  # as slow sines may be
        odd = _whole(table, shape, dtype, padded=False)
        rows = odd if odd.named else rows
    if rows.named or rows.layout or rows.text.startswith("Too few") or min(table.shape) < 2:
        return rows
    turned = _whole(table.T, shape, dtype, transposed=True)
    if not turned.named:
        return turned if turned.text.startswith("Too few") and min(table.shape) > 3 else rows
    text = turned.text.removesuffix(" This is the paper's table.")
    text = f"Transposed, with rows for columns, {text[0].lower()}{text[1:]}"
    change = ("transpose it", *turned.change) if turned.sinusoidal else ()
    return turned._replace(text=text, change=change)


def _whole(
    table: Array, shape: tuple[int, ...], dtype: Any, padded: bool = True, transposed: bool = False
) -> TableReport:
    """Return the report on the rows of a table that are not zeros."""
    rows, width = np.flatnonzero(table.any(axis=1)), table.shape[1]
    if not rows.size:
        return _no("all entries are 0")
    width -= bool(padded and width % 2 and width > 2 and not table[:, -1].any())
    kept = table if rows.size * width == table.size else table[rows, :width]
    ways = roundings_of(table)
    made = Program(None, ways[0], shape, dtype, table.shape, rows, width, transposed)
    if len(kept) == 1 and (ladder := listed(kept[0], ways[0])) is not None:
        words = ", ".join(filter(None, [f"base {number(ladder.base)}", ladder.words]))
        report = _no(
            f"a list of {width} frequencies, those of {words} and width {2 * width}; a table has "
            "their sines and cosines at each position"
        )
        program = made._replace(found=ladder.frequencies[np.newaxis])
        return report._replace(named=True, program=program)
    alike = bool((kept == kept[0]).all())
    for order in orders(kept) if alike else ():
        if not kept[0, ~order.cosine].any() and not np.ptp(kept[0, order.cosine]):
            return _few("every row is that of position 0, which is the same for every base")
    if len(np.unique(kept[:ROWS])) < 3:
        return _few("all rows are the same" if alike else "they are two, again and again")
    found = explained(kept, ways[0], rows)
    for way in ways[1:] if found is not None and found.misses.wrong and found.misses.near else ():
        other = explained(kept, way, rows)
        if other is not None and not other.misses.wrong:
            found, made = other, made._replace(rounding=way)
    size = float(max(kept.max(), -kept.min()))
    half = float(ways[0].half(np.array([0.7 * size]))[0]) / size
    bits = width / 2 * math.log2(1 / half)
    if alike and len(kept) > 1 and (found is None or found.misses.wrong or found.few):
        return _few("all rows are the same")
    if found is None:
        if kept.size < 16 or len(kept) == 1 or width < 4 or bits < LEAST_BITS_OF_A_ROW / 2:
            return _few("many formulas give as few")
        return TableReport(False, UNKNOWN)
    if found.misses.wrong:
        vague = half > 5e-4 or (len(kept) == 1 and width < 16)
        coarse = half > COARSE and found.misses.worst.max() < FAR_OFF * half * size
        if bits < LEAST_BITS_OF_A_ROW or coarse or (vague and not found.misses.near):
            return _few("they lie on circles, as those of many bases do to so few numbers")
    elif found.few:
        return _few("they fit a sinusoidal table, and would by chance")
    return _said(found, made._replace(found=found), table)


def _no(reason: str) -> TableReport:
    return TableReport(False, f"Not a sinusoidal table: {reason}.")


def _few(reason: str) -> TableReport:
    advice = "Add rows, that of position 1 too, or digits."
    return TableReport(False, f"Too few numbers to tell: {reason}. {advice}")


# What is said: words, and what to change


def _said(found: Found, made: Program, table: Array) -> TableReport:
    """Return the report on a formula: that it gives every number, or where it does not."""
    formula, rows, width, name = found.formula, found.rows, made.width, made.rounding.name
    scale = float(formula.gain[0]) if found.sinusoidal else float(np.abs(formula.gain).max())
    places, flipped = rounded(formula.places, formula.through[0]) + 0.0, False
    if (places <= 0).all() and (places < 0).any():
        flipped = len(places) == 1 or bool((np.diff(places) < 0).all())
        places = 0.0 - places if flipped else places
    pairs, padding = width // 2, np.setdiff1d(np.arange(len(table)), rows)
    spacing = _spacing(found, made, table)
    side = f"put column i and column i + {pairs} side by side, i from 0 to {pairs - 1}"
    order = found.layout + (", cosines first" if found.cosines_first else "")
    said = [(order, side if found.layout == "halves" else "")]
    if found.cosines_first:
        said.append(("", "swap the sine and the cosine of each pair"))
    said.append(_base_said(found, width, spacing))
    if flipped:
        said.append(("sines with the opposite sign", "change the sign of the sines"))
    half = float(made.rounding.half(np.array([scale]))[0])
    said.append(_positions_said(places, rows, formula.omega, 1e-9 + half / abs(scale)))
    for what, kind in zip(("frequencies", "angles"), formula.through[1:], strict=True):
        if kind in SHORT:
            said.append((f"{what} rounded to {kind}", f"compute the {what} in float32 or float64"))
    if f"{scale:.6g}" != "1":
        said.append(_scale_said(scale, width, half))
    if len(padding) and found.sinusoidal:
        text = ", ".join(map(str, padding[:3])) + (", ..." if len(padding) > 3 else "")
        cure = "drop" if padding[-1] < rows[0] and places[0] < rows[0] else "fill"
        said.append((f"row {text} all zeros (padding)", f"{cure} the rows of zeros"))
    if width < table.shape[1]:
        said.append(("a last column of zeros (the width is odd)", "drop the last column"))
    said.append((f"rounded to {name}" if name != "float64" else "", ""))
    said.append(("angles in float32" if formula.through[2] == "float32" else "", ""))
    words = ", ".join(text for text, _ in said if text)
    if found.misses.wrong:
        return _nearest(found, words, made)
    rounding = f"rounded to {name}" if name != "float64" else "as far as float64 computes it"
    count = f"{number(len(rows))} × {number(width)}"
    about: dict[str, Any] = {
        "named": True,
        "program": made,
        "rounding": name,
        "ground": f"Each of the {count} numbers is the formula's, {rounding}.",
    }
    if not found.sinusoidal:
        words = f"it would be {words}, but {found.defects}" if found.defects else words
        return _no(words)._replace(**about)  # no steps make the paper's of cosines alone
    about["change"] = tuple(cure for _, cure in said if cure)
    text = f"Sinusoidal: {words}."
    if not about["change"]:
        text += " This is the paper's table." if len(rows) > 1 else " A row of the paper's table."
    parts = tuple(_said(part, made, table) for _, part in found.parts)
    if parts:
        stacked, each = bool(np.diff(found.parts[0][0]).max() > 1), []
        for at, part in enumerate(parts):
            ends = f"columns {at * width // len(parts)} to {(at + 1) * width // len(parts) - 1}"
            own = part.text.removeprefix("Sinusoidal: ").partition(". ")[0].rstrip(".")
            each.append(f"{f'coordinate {at}' if stacked else ends}: {own}")
        order = "first the sines of all, then the cosines" if stacked else "side by side"
        text = f"Sinusoidal in {len(parts)} coordinates, {order}; {'; '.join(each)}."
        about["change"] = ()
    half = float(np.median(made.rounding.half(np.full(1, scale))))
    exact = 4 * half < 1e-8 * float(np.abs(places).max())
    base, positions = found.rule.base, np.full(len(table), np.nan)
    positions[rows] = places
    return TableReport(
        True,
        text,
        layout=found.layout,
        cosines_first=found.cosines_first,
        base=base ** (width / max(width - 2, 1)) if found.rule.spacing == "tensor2tensor" else base,
        spacing=spacing if spacing != "measured" else "paper",
        positions=positions,
        scale=scale,
        angles=formula.through[2] if formula.through != EXACT else "float64" if exact else None,
        parts=parts,
        **about,
    )


def _nearest(found: Found, words: str, made: Program) -> TableReport:
    """Return what the nearest formula leaves: the measured difference, and no cause."""
    misses, rows = found.misses, found.rows
    if not misses.near:
        return TableReport(False, UNKNOWN)
    wrong, columns = np.flatnonzero(misses.rows), np.flatnonzero(misses.columns)
    if len(columns) * len(rows) < len(wrong) * made.width:
        each = [f"column {c} by up to {misses.worst[c]:.1g}" for c in columns[:3]]
        share = f"{len(columns)} of {made.width} columns differ: {', '.join(each)}"
        share += ", ..." if len(columns) > 3 else ""
    else:
        share = f"{len(wrong)} of {number(len(rows))} rows differ"
    row, column, off = misses.first
    share += f", first in row {rows[row]}, whose column {column} is off by {off:.1g}"
    text = f"It would be {words}, but {share}; no cause known here gives these numbers."
    return TableReport(False, text, layout=found.layout, rounding=made.rounding.name)


def _spacing(found: Found, made: Program, table: Array) -> str:
    """Return the spacing, "either" if both of the usual base give every number."""
    formula, rule = found.formula, found.rule
    steps = (made.width + 1) // 2 - (rule.spacing == "paper")
    usual = rule.base == 1e4 and found.sinusoidal and len(formula.omega) == made.width
    if usual and steps > 1 and not found.misses.wrong:
        omega = np.exp(np.log(formula.omega) / rule.beta * math.log(1e4) / steps)
        for some in (spread(len(found.rows), ROWS), np.arange(len(found.rows))):
            kept = table[found.rows[some], : made.width]
            if formula._replace(omega=omega).only(some).misses(kept, made.rounding).wrong:
                return rule.spacing
        return "either"
    return rule.spacing


def _base_said(found: Found, width: int, spacing: str) -> tuple[str, str]:
    """Return the base, and how far it may be off."""
    n, doubt, pairs = found.rule.base, found.rule.doubt, (width + 1) // 2
    if width == 2:
        return "one pair, of 1 radian per token for every base", ""
    if found.rule.spacing == "measured":  # in the digits that are known
        n = float(f"{n:.{min(6, max(1, math.ceil(1 - math.log10(2 * doubt))))}g}")
    text, last = f"base {number(n)}", f"{number(n)}^(-2i/{width})"
    if spacing == "either":
        text += " (too short to tell the paper's spacing from tensor2tensor's)"
    elif doubt > 5e-3 and not found.misses.wrong:
        text += f" (within {max(1, round(100 * doubt))} %)"
    if spacing == "tensor2tensor":
        text += " in tensor2tensor's spacing"
        last = f"{number(n)}^(-i/{pairs - 1})"
    if spacing == "tensor2tensor" or n != 1e4:
        doubled = width > 2 and n == 1e8 and spacing == "paper"
        text += " (10 000 with twice the exponent: 2*i of an i that is even)" if doubled else ""
        return text, f"take the frequencies 10 000^(-2i/{width}), not {last}"
    return text, ""


def _positions_said(places: Array, rows: Indices, omega: Array, least: float) -> tuple[str, str]:
    """Return the position of each row in words; a row of zeros has none, and below `least` is 0."""
    first, most, count = float(places[0]), float(places.max()), np.arange(len(places))
    if len(places) == 1:
        return f"position {number(first)}", ""
    steps, begun = np.diff(places) / np.diff(rows), f"first position {number(first)}"
    step, whole = float(np.median(steps)), bool((places == np.round(places)).all())
    if np.abs(steps - step).max() <= (0 if whole else 1e-9 * abs(step) + 1e-9) and step:
        begin, where = first - step * float(rows[0]), ""
        if rows[0] and begin < 0 <= first:  # after a row of zeros, as that of a class token
            begin, where = first, f" in row {rows[0]}"
        begin = float(f"{begin:.6g}") if abs(begin) > least else 0.0
        words = f"first position {number(begin)}{where}"
        if step == 1:
            return words, f"begin with position 0, not {number(begin)}" if begin else ""
        known = {
            " (degrees taken for radians)": math.pi / 180,
            " (turns taken for radians)": math.tau,
            " (pairs counted from 1)": float(omega[omega < 1].max(initial=1e-9)),
        }
        names = [name for name, value in known.items() if abs(abs(step) / value - 1) < 1e-5]
        step = step if whole else float(f"{step:.6g}")
        words += f", in steps of {number(step)}{''.join(names[:1])}"
        return words, f"take positions in steps of 1, not {number(step)}"
    rest, go_on = count % (most - first + 1), "let the table go on"
    for said, made, cure in (
        *(
            (f"positions rounded to {kind}", rounded(first + count, kind), INTEGERS)
            for kind in SHORT
        ),
        (f"the last, {number(most)}, repeated", np.minimum(first + count, most), go_on),
        (f"starting over after {number(most)}", first + rest, go_on),
    ):
        if (made == places).all():
            return f"{begun}, {said}", cure
    if (np.diff(np.sort(places)) == 1).all():
        ends = f"{number(float(places.min()))} to {number(most)}"
        return f"rows shuffled, positions {ends}", "sort the rows by position"
    words = f"positions {', '.join(map(number, places[:5]))}{', ...' if len(places) > 5 else ''}"
    astray = np.flatnonzero(places != first + count)
    if astray.size and astray[0] > 4:
        words += f" (row {astray[0]} is at {number(float(places[astray[0]]))})"
    return words, "take the positions 0, 1, 2, ..."


def _scale_said(scale: float, width: int, half: float) -> tuple[str, str]:
    """Return a factor as text, by its name if it has one, and how to undo it."""
    known = (
        (-1.0, "-1", "change all signs"),
        (width**-0.5, f"1/√{width}", f"multiply by √{width}"),
        (width**0.5, f"√{width}", f"divide by √{width}"),
    )
    for value, name, back in known:
        if abs(scale / value - 1) < 1e-6:
            return f"times {name}", back
    doubt = 100 * half / abs(scale)
    within = f" (within {round(doubt)} %)" if doubt > 1 else ""
    return f"times {scale:.6g}{within}", f"divide by {scale:.6g}"
