"""What is this table? A table of numbers, read back to the formula that made it."""

import math
from typing import NamedTuple

import numpy as np

from posenc._checks import plain_tensor, real_array

__all__ = ["TableReport", "inspect_table"]

TURN = 2 * math.pi

# Bases that are tried first, in the paper's spacing and in tensor2tensor's.
USUAL_BASES = (1e4, 1e2, 1e3, 2e4, 1e5, 5e5, 1e6, 1e7, 1e8)

# Rows that the search looks at; in the end every row is checked.
PROBES = 12

# Entries that tell how a table is rounded.
ENTRIES = 20_000

# ln of the largest base.
MOST_LOG = 35.0

# A position further from 0, in tokens, is none.
FARTHEST = 1e8

# Half the last digit, as a part of 1, and what the type is called.
GRAINS = {"bfloat16": 2.0**-9, "float16": 2.0**-11, "float32": 2.0**-24, "float64": 2.0**-53}

# How much more than chance a match must be, in bits, before it gets a name, and to look no further.
ENOUGH_BITS, SURE_BITS = 24, 100

# Ways to read the columns: in halves or not, cosines first or not, all with a minus sign or not.
READINGS = tuple(
    (halves, cosines_first, negative)
    for negative in (False, True)
    for cosines_first in (False, True)
    for halves in (False, True)
)


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
        "either" if the rounding hides which.
    positions : ndarray of float64
        The position of each row, in tokens; NaN in a row of zeros.
    scale : float
        What the sines and cosines are multiplied by.
    rounding : str
        The type or the digits that the entries are rounded to: "float16", "4 decimals".
    angles : {"float64", "float32", None}
        The type that the angles were computed in, as far as the rounding lets it be seen.
    parts : tuple of TableReport
        For a table of several coordinates, one report for each stretch of columns.
    """

    sinusoidal: bool
    text: str
    change: tuple = ()
    layout: str | None = None
    cosines_first: bool | None = None
    base: float | None = None
    spacing: str | None = None
    positions: np.ndarray | None = None
    scale: float | None = None
    rounding: str | None = None
    angles: str | None = None
    parts: tuple = ()

    def __str__(self):
        """Return the finding in words, and what to change."""
        if not self.change:
            return self.text
        return f"{self.text} To get the paper's table: {'; '.join(self.change)}."


class _Fit(NamedTuple):
    """One reading of a table: its layout, its frequencies and its positions."""

    halves: bool
    cosines_first: bool
    scale: float
    beta: float  # ω_i = exp(-βi)
    sigma: float  # how far β may be off
    places: np.ndarray
    misses: np.ndarray  # the largest error of each row, as a part of what is allowed
    bits: float  # what fits, less what was chosen to make it fit
    whole: bool  # whether all positions are whole numbers


@np.errstate(all="ignore")
def inspect_table(table):
    r"""Say what a table of positional encodings is, and how it differs from the paper's.

    Parameters
    ----------
    table : array_like of real numbers, shape (..., d)
        A whole table, a few of its rows, or one row, of any float type: each row complete. It
        may be a parameter of PyTorch, in bfloat16 too.

    Returns
    -------
    TableReport
        Fields for a program; ``str`` of it is the answer in words.

    Raises
    ------
    TypeError
        If the table does not hold real numbers.
    ValueError
        If an entry is NaN or infinite, or there is no row of at least two columns.

    Notes
    -----
    In the right order of columns, sine and cosine of a pair lie on a circle. The angles of
    one row are :math:`k \omega_i`, so in the slow pairs, which have not turned round yet, they
    are the frequencies up to one factor. From there the positions are read as in
    `decode_positions`, and the ratio of the frequencies is refined until every angle of every
    row fits. What fits by chance gets no name.

    References
    ----------
    Vaswani et al., "Attention Is All You Need", 2017, section 3.5; tensor2tensor,
    layers/common_attention.py, ``get_timing_signal_1d``.

    Examples
    --------
    >>> import numpy as np
    >>> from posenc import inspect_table, sinusoidal
    >>> print(inspect_table(sinusoidal(50, 64)))
    Sinusoidal: interleaved, base 10 000, first position 0. This is the paper's table.
    >>> theirs = sinusoidal(np.arange(2, 9), 64, layout="halves", dtype=np.float16)
    >>> print(inspect_table(theirs).text)
    Sinusoidal: halves, base 10 000, first position 2, rounded to float16.
    >>> inspect_table(np.eye(8)).sinusoidal
    False
    """
    values = real_array(plain_tensor(table), "table")
    if values.ndim == 0 or values.shape[-1] < 2 or values.size == 0:
        raise ValueError(f"table must have a row of at least two columns, got shape {values.shape}")
    rows = values.reshape(-1, values.shape[-1])
    report = _whole(rows)
    if report.sinusoidal or report.layout or len(rows) * rows.shape[1] < 8:
        return report
    for count in (2, 3, 4):
        for stacked in (False, True):
            parts = _parts(rows, count, stacked)
            if parts:
                return parts
    if min(rows.shape) > 1:
        turned = _whole(rows.T)
        if turned.sinusoidal:
            text = turned.text.replace("Sinusoidal: ", "Transposed, sinusoidal in its columns: ")
            text = text.removesuffix(" This is the paper's table.")
            return turned._replace(text=text, change=("transpose it", *turned.change))
    return report


def _whole(rows):
    """Return the report on rows of one coordinate."""
    padding = np.flatnonzero(~rows.any(axis=1))
    kept = np.delete(rows, padding, axis=0)
    if not kept.size:
        return _no("all entries are 0")
    odd = kept.shape[1] % 2
    if odd and kept[:, -1].any():
        return _no(f"an odd number of columns, {kept.shape[1]}, and the last is not 0")
    columns = kept[:, : kept.shape[1] - odd]
    rounding, grain = _rounding(columns)
    if _stands_still(columns):
        return _few("every row is that of position 0, which is the same for every base")
    best, circles = None, False
    for halves, cosines_first, negative in READINGS:
        pairs = _pairs(columns, halves)
        radii = np.hypot(*pairs)
        scale = float(np.median(radii))
        rough = grain / (scale if rounding.endswith("decimals") else 1.0)
        if scale == 0 or np.abs(radii / scale - 1).max() > 3 * rough + 3e-6:
            continue
        circles = True
        sines, cosines = pairs[::-1] if cosines_first else pairs
        if negative:
            sines, cosines, scale = -sines, -cosines, -scale
        fit = _fit(np.arctan2(sines, cosines), rough)
        if fit and (best is None or fit.bits > best.bits):
            best = fit._replace(halves=halves, cosines_first=cosines_first, scale=scale)
        if best and best.bits >= SURE_BITS:
            break
    if best is None or (best.bits < ENOUGH_BITS and (best.misses > 1).any()):
        return _no(_reason(columns, circles))
    if best.bits < ENOUGH_BITS or _base_error(best.sigma, columns.shape[1] // 2) > 0.5:
        return _few("they fit a sinusoidal table, and would by chance")
    return _report(best, len(rows), columns.shape[1], padding, rounding, grain, bool(odd))


def _pairs(columns, halves):
    """Return the first and the second number of each pair, each of shape (rows, pairs)."""
    if halves:
        return columns[:, : columns.shape[1] // 2], columns[:, columns.shape[1] // 2 :]
    return columns[:, 0::2], columns[:, 1::2]


def _no(reason):
    return TableReport(False, f"Not a sinusoidal table: {reason}.")


def _few(reason):
    return TableReport(
        False, f"Too few numbers to tell: {reason}. Add rows, that of position 1 too."
    )


# How the entries are rounded


def _rounding(values):
    """Return the coarsest rounding that all entries have gone through, and half its last digit."""
    values = values.reshape(-1)[:: max(1, values.size // ENTRIES)]
    for digits in range(1, 9):
        shifted = values * 10.0**digits
        whole = (values == np.round(values)).all()
        if not whole and (np.abs(shifted - np.round(shifted)) < 1e-6).all():
            return f"{digits} decimals", 0.5 * 10.0**-digits
    for name, bits in (("bfloat16", 8), ("float16", 11), ("float32", 24)):
        mantissa, exponent = np.frexp(values)
        if name == "float16":  # below 2**-14 its steps do not get finer
            exponent = np.maximum(exponent, -13)
            mantissa = values / np.ldexp(1.0, exponent)
        shifted = np.ldexp(mantissa, bits)
        if (shifted == np.round(shifted)).all():
            return name, GRAINS[name]
    return "float64", GRAINS["float64"]


# The search for positions and frequencies


def _wrap(angles):
    """Return angles moved by whole turns to between -π and π."""
    return angles - TURN * np.round(angles / TURN)


def _fit(angles, grain):
    """Return the reading of these angles, of shape (rows, pairs), that fits best, or None."""
    pairs = angles.shape[1]
    probes = _probes(angles)
    if pairs == 1 or not len(probes):
        return None
    if (angles == angles[0]).all() and len(angles) > 1:
        return None
    starts = [beta for probe in probes[:8] for beta in _slopes(probe, grain)]
    starts += [beta for base in USUAL_BASES for beta in _spacings(base, pairs)]
    best = None
    for start in starts:
        beta, sigma = _refined(probes, start, grain)
        if beta is None:
            continue
        for value in (_round_beta(beta, sigma, pairs), beta):
            fit = _judged(probes, value, sigma, grain)
            if best is None or fit.bits > best.bits:
                best = fit
        if best.bits >= SURE_BITS and (best.misses <= 1).all() and (best.whole or pairs > 7):
            break
    return best and _judged(angles, best.beta, best.sigma, grain)


def _judged(angles, beta, sigma, grain):
    """Return the fit of all angles for a β, and how much it says."""
    places, residuals = _places(angles, beta)
    allowed = np.minimum(_allowed(places, grain), 0.3)
    misses = np.abs(residuals).max(axis=1) / allowed
    misses[np.abs(places) > FARTHEST] = math.inf
    whole = _all_whole(places[misses <= 1])
    kept, first = np.unique(np.round(places[misses <= 1], 6), return_index=True)
    each = np.log2(math.pi / allowed[misses <= 1][first])
    cost = 2 * np.log2(2 + np.abs(kept)) + (0 if whole else 1) * each
    gain = np.where(np.abs(kept) < 1e-6, 0.0, angles.shape[1] * each - cost)
    known = _round_base(beta, sigma, angles.shape[1])
    bits = float(gain.sum()) - (10 if known else 30) - 40.0 * float((misses > 1).sum())
    return _Fit(False, False, 1.0, beta, sigma, places, misses, bits, whole)


def _allowed(places, grain):
    """Return the error of an angle that rounding explains, that of float32 angles too."""
    return 3 * grain + 1e-6 + 6e-7 * np.abs(places)


def _all_whole(places):
    return places.size > 0 and float(np.abs(places - np.round(places)).max()) < 0.02


def _probes(angles):
    """Return a few rows and differences of neighbours, first those of both that turned least."""
    chosen = np.unique(np.linspace(0, len(angles) - 1, PROBES).round().astype(int))
    turned = np.abs(angles).mean(axis=1)
    least = np.argsort(turned, kind="stable")[:PROBES]
    chosen = np.unique(np.concatenate([chosen, least]))
    beside = chosen[chosen > 0]
    both = [_by_turn(angles[chosen]), _by_turn(_wrap(angles[beside] - angles[beside - 1]))]
    first = [rows[:4] for rows in both]
    return np.concatenate([*first, *(rows[4:] for rows in both)])


def _by_turn(rows):
    """Return the rows that have turned at all, those first that have turned least."""
    turned = np.abs(rows).mean(axis=1)
    moved = turned > 1e-9
    return rows[moved][np.argsort(turned[moved], kind="stable")]


def _spacings(base, pairs):
    """Return β of a base, in the paper's spacing and in tensor2tensor's."""
    return math.log(base) / pairs, math.log(base) / (pairs - 1)


def _slopes(probe, grain):
    """Return β as the slow pairs of one row tell it: there the angles are kω, not yet wrapped."""
    sizes = np.abs(probe)
    last = len(probe) - 1
    while last > 0 and sizes[last] < 8 * grain:
        last -= 1
    first = last
    while (
        first > 0
        and sizes[first - 1] < 3
        and sizes[first - 1] > 0.9 * sizes[first]
        and probe[first - 1] * probe[last] > 0
    ):
        first -= 1
    found = []
    for start in (first, (first + last) // 2):
        if last - start >= 1:
            found.append(math.log(sizes[start] / sizes[last]) / (last - start))
    return [beta for beta in found if beta > 0]


def _places(angles, beta):
    """Return the position of each row for a β, and what is left of each angle."""
    omega = np.exp(-beta * np.arange(angles.shape[1]))
    longest = TURN / omega[-1]
    start = angles[:, -1] / omega[-1]
    places, residuals = _refine_places(angles, start, omega, beta)
    worst = np.abs(residuals).max(axis=1)
    most = min(12, max(3, math.ceil(64 / longest)))
    for winding in (*(sign * n for n in range(1, most + 1) for sign in (1, -1)), None):
        bad = np.flatnonzero(worst > 0.05)
        if not bad.size:
            break
        if winding is None:  # follow the rows that fit, in equal steps
            good = np.flatnonzero(worst <= 0.05)
            if good.size < 2:
                break
            steps = np.diff(places[good]) / np.diff(good)
            line = places[good[0]] + np.median(steps) * (bad - good[0])
            moved = start[bad] + longest * np.round((line - start[bad]) / longest)
        else:
            moved = start[bad] + winding * longest
        again, left = _refine_places(angles[bad], moved, omega, beta)
        size = np.abs(left).max(axis=1)
        better = size < 0.5 * worst[bad]
        places[bad[better]] = again[better]
        residuals[bad[better]] = left[better]
        worst[bad[better]] = size[better]
    return places, residuals


def _refine_places(angles, places, omega, beta):
    """Return positions read by ever faster pairs, each at most twice as fast, and what is left."""
    pairs = len(omega)
    stride = max(1, math.floor(math.log(2) / beta))
    for pair in [*range(pairs - 1 - stride, 0, -stride), 0]:
        places = places + _wrap(angles[:, pair] - places * omega[pair]) / omega[pair]
    return places, _wrap(angles - places[:, np.newaxis] * omega)


def _refined(probes, beta, grain):
    """Return β refined on the probes, those nearest to 0 first, and how far it may be off."""
    index = np.arange(probes.shape[1])
    reach = 0.0
    for _ in range(20):
        if not 1e-4 < beta * len(index) < MOST_LOG:
            return None, None
        omega = np.exp(-beta * index)
        places, residuals = _refine_places(probes, probes[:, -1] / omega[-1], omega, beta)
        sizes, worst = np.abs(places), np.abs(residuals).max(axis=1)
        if worst.min() > 1:
            return None, None
        fits = worst <= max(0.05, 4 * float(worst.min()))
        reach = max(8.0 * reach, 2.0 * float(sizes[fits].min()), 2.0)
        near = fits & (sizes <= reach)
        left = residuals[near]
        spread = math.sqrt(float(np.mean(left**2)))
        # A change of β moves each angle along `slope`; what a change of the position could do
        # as well is taken off.
        slope = -places[near, np.newaxis] * index * omega
        slope = slope - np.outer(slope @ omega / (omega @ omega), omega)
        size = float((slope**2).sum())
        if size == 0:
            return None, None
        change = float((slope * left).sum()) / size
        beta += change
        # The spread of few numbers may be small by chance, and that of exact ones is rounding.
        sigma = math.sqrt((spread**2 * (1 + 8 / left.size) + (grain / 8) ** 2) / size)
        if (sizes[fits] <= reach).all() and abs(change) <= 1e-3 * sigma + 1e-15:
            break
    return (beta, sigma) if 1e-4 < beta * len(index) < MOST_LOG else (None, None)


def _round_base(beta, sigma, pairs):
    """Return the round base n that β may come from, and how it is spaced; None if there is none.

    Of two, 10 000 comes first, then one of a single digit, as 500 000 before the 97 000 that has
    nearly its frequencies in the other spacing, then the nearer one. If 10 000 fits in both
    spacings, the numbers do not tell them apart: then the spacing is "either".
    """
    error = _base_error(sigma, pairs)
    found = []
    for spacing, steps in (("paper", pairs), ("tensor2tensor", pairs - 1)):
        exact = math.exp(beta * steps)
        power = 10.0 ** math.floor(math.log10(exact))
        for digit in (10, 20, 50, 100) if error > 2e-3 else range(10, 101):
            n = float(round(digit * power / 10)) if power >= 10 else digit * power / 10
            off = abs(math.log(n / exact))
            if n >= 2 and off <= error:
                rank = n != 1e4, digit % 10 != 0, off, spacing == "tensor2tensor"
                found.append((*rank, n, spacing))
    if not found:
        return None
    *_, n, spacing = min(found)
    usual = [one for one in found if not one[0]]
    return n, "either" if len(usual) == 2 else spacing


def _base_error(sigma, pairs):
    """Return how far ln n may be off; frequencies in float32 are off all to the same side."""
    return 6 * sigma * pairs + 4e-6


def _round_beta(beta, sigma, pairs):
    """Return the β of a round base, if there is one within the error."""
    found = _round_base(beta, sigma, pairs)
    if not found or found[1] == "either":
        return beta
    return math.log(found[0]) / (pairs if found[1] == "paper" else pairs - 1)


# What is said


def _report(fit, count, width, padding, rounding, grain, odd):
    """Return the report on a fit."""
    pairs = width // 2
    rows = np.setdiff1d(np.arange(count), padding)
    whole = fit.whole
    places = np.round(fit.places) if whole else fit.places
    error = _base_error(fit.sigma, pairs)
    found = _round_base(fit.beta, fit.sigma, pairs)
    n, spacing = found or (math.exp(fit.beta * pairs), "paper")
    order = "halves" if fit.halves else "interleaved"
    spoken = _Spoken()
    spoken.say(order + (", cosines first" if fit.cosines_first else ""))
    if fit.halves:
        spoken.change(f"put column i and column i + {pairs} side by side, i from 0 to {pairs - 1}")
    if fit.cosines_first:
        spoken.change("swap the sine and the cosine of each pair")
    _say_base(spoken, n, spacing, error, width)
    flipped = bool((places <= 0).all() and (places < 0).any())
    flipped = flipped and (len(places) == 1 or bool((np.diff(places) < 0).all()))
    if flipped:
        places = -places
        spoken.say("sines with the opposite sign")
        spoken.change("change the sign of the sines")
    _say_positions(spoken, places, rows, whole, fit.beta)
    if abs(fit.scale - 1) > 3 * grain + 1e-6:
        scale, back = _scale_text(fit.scale, width)
        spoken.say(f"times {scale}")
        spoken.change(back)
    if padding.size:
        listed = ", ".join(map(str, padding[:3])) + (", ..." if padding.size > 3 else "")
        spoken.say(f"row {listed} all zeros (padding)")
        spoken.change("fill the rows of zeros")
    if odd:
        spoken.say("a last column of zeros (the width is odd)")
        spoken.change("drop the last column")
    if rounding != "float64":
        spoken.say(f"rounded to {rounding}")
    angles = _angles_type(fit, grain)
    if angles == "float32":
        spoken.say("angles in float32")
    said = ", ".join(spoken.said)
    bad = rows[fit.misses > 1]
    if bad.size:
        share = f"{bad.size} of {len(rows)} rows do not fit, first row {bad[0]}"
        return _no(f"it would be {said}, but {share}")._replace(layout=order)
    positions = np.full(count, np.nan)
    positions[rows] = places
    text = f"Sinusoidal: {said}."
    if not spoken.changes:
        text += " This is the paper's table." if count > 1 else " A row of the paper's table."
    base = float(n) if spacing == "paper" else math.exp(fit.beta * pairs)
    return TableReport(
        True,
        text,
        tuple(spoken.changes),
        order,
        fit.cosines_first,
        base,
        spacing,
        positions,
        fit.scale,
        rounding,
        angles,
    )


class _Spoken:
    """What is said of a table, and what to change in it."""

    def __init__(self):
        self.said, self.changes = [], []

    def say(self, text):
        self.said.append(text)

    def change(self, text):
        self.changes.append(text)


def _say_base(spoken, n, spacing, error, width):
    """Say the base, how far it may be off, and the width it may have been cut from."""
    text = f"base {_number(n)}"
    if spacing == "either":
        text += " (too short to tell the paper's spacing from tensor2tensor's)"
    elif error > 5e-3:
        text += f" (within {max(1, round(100 * error))} %)"
    last = f"{_number(n)}^(-2i/{width})"
    if spacing == "tensor2tensor":
        text += " in tensor2tensor's spacing"
        last = f"{_number(n)}^(-i/{width // 2 - 1})"
    wider = math.log(1e4) * width / math.log(n)
    cut = 2 * round(wider / 2)
    if (
        n < 50
        and n != round(n)
        and wider < 1e5
        and error * wider < math.log(n)
        and abs(wider - cut) < 0.5
    ):
        text += f", as in the first {width} columns of width {cut} and base 10 000"
        spoken.change(f"take all {cut} columns")
    elif spacing == "tensor2tensor" or n != 1e4:
        spoken.change(f"take the frequencies 10 000^(-2i/{width}), not {last}")
    spoken.say(text)


def _say_positions(spoken, places, rows, whole, beta):
    """Say the position of each row; a row of zeros has none."""
    first = places[0]
    if len(places) == 1:
        spoken.say(f"position {_number(first)}")
        return
    steps = np.diff(places) / np.diff(rows)
    step = float(np.median(steps))
    begin = first - step * rows[0]
    if whole and (steps == 1).all():
        spoken.say(f"first position {_number(begin)}")
        if begin:
            spoken.change(f"begin with position 0, not {_number(begin)}")
    elif step and np.abs(steps - step).max() <= (0 if whole else 1e-3 * abs(step)):
        name = _step_name(abs(step), beta)
        spoken.say(f"first position {_number(begin)}, in steps of {_number(step)}{name}")
        spoken.change(f"take positions in steps of 1, not {_number(step)}")
    elif whole and _rounded_positions(places):
        kind = _rounded_positions(places)
        spoken.say(f"first position {_number(first)}, positions rounded to {kind}")
        spoken.change("count the positions in integers")
    elif whole and (np.diff(np.sort(places)) == 1).all():
        low, high = _number(places.min()), _number(places.max())
        spoken.say(f"rows shuffled, positions {low} to {high}")
        spoken.change("sort the rows by position")
    else:
        listed = ", ".join(_number(place) for place in places[:5])
        spoken.say(f"positions {listed}{', …' if len(places) > 5 else ''}")
        spoken.change("take the positions 0, 1, 2, ...")


def _angles_type(fit, grain):
    """Return the type the angles were computed in, or None where rounding hides it."""
    far = float(np.abs(fit.places).max())
    worst = float((fit.misses * np.minimum(_allowed(fit.places, grain), 0.3)).max())
    if worst > 4 * grain + 1e-12 * far + 1e-13:
        return "float32"
    return "float64" if 4 * grain < 1e-8 * far else None


def _step_name(step, beta):
    """Return what a step is known as, in brackets, or nothing."""
    known = {
        "degrees taken for radians": math.pi / 180,
        "turns taken for radians": TURN,
        "pairs counted from 1": math.exp(-beta),
    }
    for name, value in known.items():
        if abs(step / value - 1) < 1e-3:
            return f" ({name})"
    return ""


def _rounded_positions(places):
    """Return the short type that counting up by 1 was rounded to, or None."""
    counted = places[0] + np.arange(len(places))
    for name, bits in (("bfloat16", 8), ("float16", 11)):
        mantissa, exponent = np.frexp(counted)
        if (np.ldexp(np.round(np.ldexp(mantissa, bits)), exponent - bits) == places).all():
            return name
    return None


def _number(value):
    """Return a number as text, thousands set apart."""
    if value == round(value) and abs(value) < 1e15:
        return f"{int(value):,}".replace(",", " ")
    return f"{value:.6g}"


def _scale_text(scale, width):
    """Return a factor as text, by its name if it has one, and how to undo it."""
    known = (
        (-1.0, "-1", "change all signs"),
        (width**-0.5, f"1/√{width}", f"multiply by √{width}"),
        (width**0.5, f"√{width}", f"divide by √{width}"),
    )
    for value, name, back in known:
        if abs(scale / value - 1) < 5e-3:
            return name, back
    return f"{scale:.6g}", f"divide by {scale:.6g}"


def _reason(columns, circles):
    """Return why nothing fits."""
    if len(columns) > 1 and (columns == columns[0]).all():
        return "all rows are the same"
    low, high = np.split(columns, 2, axis=1)
    if (low == high).all():
        return "both halves are equal, as in RoPE's table of cosines or of sines"
    if (columns[:, 0::2] == columns[:, 1::2]).all():
        return "neighbouring columns are equal, as in RoPE's table of cosines or of sines"
    if circles:
        return "its pairs lie on circles, but no positions and no base give their angles"
    width = columns.shape[1]
    column = np.arange(width)
    for begin in (0, 1):
        angles = (np.arange(len(columns)) + begin)[:, np.newaxis] * 1e4 ** (-column / width)
        own = np.where(column % 2, np.cos(angles), np.sin(angles))
        if np.abs(own - columns).max() < 0.01:
            return "each column has a frequency of its own, by its number in place of its pair's"
    cut = " (or a row is cut)" if len(columns) < 3 else ""
    return f"sine² + cosine² differs from pair to pair, in either order of columns{cut}"


def _parts(rows, count, stacked):
    """Return the report on a table of `count` coordinates, or None.

    They stand side by side, or `stacked`: the sines of all, and then the cosines of all.
    """
    width = rows.shape[1]
    if width % (2 * count):
        return None
    pieces = np.split(rows, count, axis=1)
    if stacked:
        pieces = np.split(rows, 2 * count, axis=1)
        pieces = [
            np.concatenate(pair, axis=1) for pair in zip(pieces, pieces[count:], strict=False)
        ]
    reports = [_whole(part) for part in pieces]
    named = [report for report in reports if report.sinusoidal]
    # A coordinate that is 0 in every row says nothing of its frequencies: that is no objection.
    quiet = [_stands_still(part) for part in pieces]
    if not named or not all(r.sinusoidal or q for r, q in zip(reports, quiet, strict=True)):
        return None
    part = width // count
    said = []
    for place, report in enumerate(reports):
        found = "position 0"
        if report.sinusoidal:
            found = report.text.removeprefix("Sinusoidal: ").partition(". ")[0].rstrip(".")
        where = f"columns {place * part} to {place * part + part - 1}"
        said.append(f"{f'coordinate {place}' if stacked else where}: {found}")
    order = "first the sines of all, then the cosines" if stacked else "side by side"
    text = f"Sinusoidal in {count} coordinates, {order}; {'; '.join(said)}."
    return TableReport(
        True,
        text,
        (),
        named[0].layout,
        named[0].cosines_first,
        named[0].base,
        named[0].spacing,
        named[0].positions,
        named[0].scale,
        named[0].rounding,
        named[0].angles,
        tuple(reports),
    )


def _stands_still(part):
    """Return whether all rows are the encoding of position 0, in some order of columns."""
    low, high = np.split(part, 2, axis=1)
    for sines, cosines in ((low, high), (high, low), (part[:, 0::2], part[:, 1::2])):
        for a, b in ((sines, cosines), (cosines, sines)):
            if not a.any() and b.any() and np.ptp(b) == 0:
                return True
    return False
