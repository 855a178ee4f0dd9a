"""What does this function do to queries and keys? A rotary embedding, read back from its effect."""

import math
from typing import NamedTuple

import numpy as np

from posenc._checks import plain_tensor, real_array, shown, whole_number

__all__ = ["RopeReport", "check_rope"]

TURN = 2 * math.pi

# Positions that are probed together; those that refine the frequencies, one by one; and those far
# down a text that show how angles are rounded. Of whole numbers, 257 is the first that bfloat16 has
# not, 2049 the first that float16 has not: there they are the number before.
TOKENS, FAR = 24, (1_000, 32_000, 131_072)
SHORT = {257: "bfloat16", 2049: "float16"}
LATER = tuple(sorted([2**n for n in range(5, 15)] + list(SHORT)))

# A base that is larger is none that a model has.
MOST_BASE = 1e9

# What a result of each type may be off by.
TOLERANCES = {np.dtype(np.float64): 1e-9, np.dtype(np.float32): 3e-6, np.dtype(np.float16): 4e-3}


class RopeReport(NamedTuple):
    """What `check_rope` found; ``str(report)`` says it in a few sentences.

    Attributes
    ----------
    rotary : bool
        Whether the function is a rotary embedding without a bug. Its settings may be any.
    text : str
        The finding in words.
    problems : tuple of str
        What is wrong, one sentence each; empty if nothing.
    layout : {"interleaved", "halves", None}
        Which columns turn together.
    width : int
        Columns that turn.
    frequencies : ndarray of float64
        Radians per token of each pair.
    base : float
        The base of those frequencies, if they are a ladder of equal steps that begins with 1,
        before they were scaled.
    scaling : str
        How they differ from that ladder, in words; empty if they do not.
    offset : float
        The position that the first token is turned by: 0, if all is well.
    attention_factor : float
        What the turned columns are multiplied by.
    far : dict
        The largest error of an angle, in radians, at positions far down a text.
    """

    rotary: bool
    text: str
    problems: tuple = ()
    layout: str | None = None
    width: int = 0
    frequencies: np.ndarray | None = None
    base: float | None = None
    scaling: str = ""
    offset: float = 0.0
    attention_factor: float = 1.0
    far: dict | None = None

    def __str__(self):
        """Return the finding in words, problems first."""
        return " ".join([*self.problems, self.text]).strip()


class _NotTurnedError(Exception):
    """A call that did not return x turned; what it did instead, in a sentence."""


@np.errstate(all="ignore")
def check_rope(function, head_dim):
    r"""Probe a function that applies RoPE: name its settings, or the bug it has.

    Parameters
    ----------
    function : callable
        ``function(x, positions)`` returns x turned: x is a float64 array of shape (1, heads,
        tokens, head_dim), positions an int array of shape (tokens,). Wrap code that takes
        something else; it may compute in any type, as its result shows.
    head_dim : int
        Columns of a head, even.

    Returns
    -------
    RopeReport
        Fields for a program; ``str`` of it is the answer in words.

    Raises
    ------
    TypeError
        If `function` cannot be called, or `head_dim` is no integer.
    ValueError
        If `head_dim` is odd or below 2.

    Notes
    -----
    What RoPE does at one position is a matrix. Its columns are what becomes of the unit
    vectors, which are passed as the heads of one call. From the matrices of positions 0 to 23
    the pairs, the angles and the frequencies are read; then one token is passed at a time, as
    in decoding with a cache, and tokens far down a text.

    References
    ----------
    Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding", 2024.

    Examples
    --------
    >>> from posenc import check_rope, rope
    >>> print(check_rope(lambda x, positions: rope(x, positions, layout="halves"), 64))
    RoPE: halves, base 10 000, all 64 columns.
    >>> print(check_rope(lambda x, positions: rope(x, positions + 1), 64).problems[0])
    Position k is turned as position k + 1.
    """
    if not callable(function):
        raise TypeError(f"function must be callable, got {shown(function)}")
    width = whole_number(head_dim, "head_dim", least=2)
    if width % 2:
        raise ValueError(f"head_dim must be even, got {width}")
    try:
        return _probed(function, width)
    except _NotTurnedError as problem:
        return _bug(str(problem))


def _probed(function, width):
    """Return the report on a function, as far as it returns what can be read."""
    places = np.arange(TOKENS)
    units = np.repeat(np.eye(width)[np.newaxis, :, np.newaxis], TOKENS, axis=2)
    result, tolerance = _called(function, units, places)
    # matrices[k, out, in]
    matrices = result[0].transpose(1, 2, 0)
    problem = _of_the_whole(function, matrices, tolerance)
    if problem:
        return _bug(problem)
    places, later, before = list(range(TOKENS)), [], []
    cached = _cached(function, units, matrices, tolerance)
    for place in LATER if not cached else ():
        try:
            found, _ = _called(function, units[:, :, :2], np.array([place - 1, place]))
        except _NotTurnedError:  # a table that ends before
            break
        places.append(place)
        later.append(found[0, :, 1].T)
        before.append(found[0, :, 0].T)
    probed = np.array([*matrices, *later, *before])
    return _read(function, units, probed, np.array(places), tolerance, cached)


def _bug(problem):
    return RopeReport(False, "", (problem,))


def _called(function, x, positions):
    """Return what the function makes of a copy of x, as float64, and how exact its type is."""
    try:
        result = function(x.copy(), positions.copy())
    except Exception as error:
        raise _NotTurnedError(f"It raised {type(error).__name__}: {error}") from error
    try:
        array = np.asarray(plain_tensor(result))
        values = real_array(array, "the result")
    except Exception as error:  # whatever the conversion of an object raises
        raise _NotTurnedError(
            f"It returned what is no array of finite real numbers: {shown(result)}."
        ) from error
    if values.shape != x.shape:
        raise _NotTurnedError(f"From shape {x.shape} it returned shape {values.shape}.")
    tolerance = TOLERANCES.get(array.dtype, 1e-9)
    # Numbers that float32 or bfloat16 holds were computed in it, whatever type they came in.
    if (values == values.astype(np.float32)).all() and array.dtype == np.float64:
        tolerance = TOLERANCES[np.dtype(np.float32)]
    coarse = values.astype(np.float32).view(np.uint32) & 0xFFFF
    if array.dtype != np.float16 and not coarse.any() and (np.abs(values) % 1 != 0).any():
        tolerance = 2e-2
    return values, tolerance


def _of_the_whole(function, matrices, tolerance):
    """Return a problem that keeps the matrices from being read, or None."""
    width = matrices.shape[1]
    other = np.random.default_rng(0).normal(size=(1, 2, TOKENS, width))
    found, _ = _called(function, other, np.arange(TOKENS))
    expected = np.einsum("koi,bhki->bhko", matrices, other)
    constant = np.abs(matrices - matrices[0]).max() < tolerance
    if np.abs(found - expected).max() > 20 * tolerance * width:
        if constant:
            return "It turns by the number of the head: the axes of heads and tokens are swapped."
        return "It is not the same matrix for every head: axes are mixed up, or it is not linear."
    if constant and np.abs(matrices[0] - np.eye(width)).max() < tolerance:
        return "It changes nothing, at any position."
    return "It does the same at every position." if constant else None


def _read(function, units, matrices, places, tolerance, problems):
    """Return the report on matrices, one for each place, and one before each later place."""
    width = matrices.shape[1]
    pairs, order = _pairing(np.abs(matrices).max(axis=0), tolerance)
    if pairs is None:
        return _bug("Columns do not turn in pairs: one column reaches more than two.")
    if not pairs:
        return _bug("No pair of columns turns.")
    first, second = np.array(pairs).T
    straight = matrices[:, order]
    cosines = straight[:, first, first], straight[:, second, second]
    sines = straight[:, second, first], -straight[:, first, second]
    if np.abs(cosines[0][0] - cosines[1][0]).max() > 3 * tolerance:
        return _bug("It is no rotation: the two columns of a pair are scaled by different factors.")
    if np.abs(cosines[0] - cosines[1]).max() > 3 * tolerance:
        return _bug(
            "The two columns of a pair turn by different angles: the table is in one layout, the "
            "pairs in the other."
        )
    if np.abs(sines[0] + sines[1]).max() <= 3 * tolerance:
        return _bug("It is no rotation: a minus sign is missing before one of the two sines.")
    if np.abs(sines[0] - sines[1]).max() > 3 * tolerance:
        return _bug("It is no rotation: the two sines of a pair differ.")
    sizes = np.hypot(cosines[0], sines[0])
    factor = float(np.median(sizes))
    if np.abs(sizes - factor).max() > 5 * tolerance * max(1.0, factor):
        return _bug("It is no rotation: sine² + cosine² changes with the position or the pair.")
    angles = np.arctan2(sines[0], cosines[0])
    omega, problem, changed = _speeds(angles, places, tolerance)
    if problem:
        return _bug(problem)

    said = []
    layout, turning = _layout(pairs, width)
    if layout is None:
        problems.append(f"The pairs are in no known layout; the first are {pairs[:3]}.")
    said.append(layout or "no known layout")
    where = first // 2 if layout == "interleaved" else np.arange(len(pairs))
    ladder = np.zeros(turning // 2)
    ladder[where] = omega
    start = angles[0]
    if (ladder[where] < 0).all():
        problems.append("It turns the other way: the sign of the sines is the opposite.")
        ladder, start, angles = -ladder, -start, -angles
    offset = 0.0
    if np.abs(start).max() > 20 * tolerance:
        fastest = int(np.argmax(np.abs(ladder[where])))
        offset = float(start[fastest] / ladder[where][fastest])
        if np.abs(_wrap(start - offset * ladder[where])).max() > 60 * tolerance:
            problems.append("The first token is turned already, by no one position.")
        else:
            sign = "+" if offset > 0 else "-"
            problems.append(f"Position k is turned as position k {sign} {abs(offset):.6g}.")
    base, scaling, exact, wrong = _named(ladder, max(tolerance / 100, 1e-9))
    problems += wrong
    said.append("no base" if base is None else f"base {_number(base)}")
    over_all = 0.0 if base is None else _round(base ** (width / turning), 2, 1e-5) or 0.0
    if turning < width and base < 1000 and 0 < over_all <= MOST_BASE:
        said[-1] += f" (the fastest pairs of a whole head with base {_number(over_all)})"
    said.append(
        f"all {width} columns" if turning == width else f"the first {turning} of {width} columns"
    )
    said += [scaling] if scaling else []
    if abs(factor - 1) > 5 * tolerance:
        said.append(f"times {factor:.6g}")
    if (order != np.arange(width)).any():
        said.append(
            "neighbours go in and halves come out (as DeepSeek; harmless if queries and keys do)"
            if (order == _dealt(width, turning)).all()
            else "columns come out in another order"
        )
    errors = {}
    if changed:
        said.append(f"other frequencies in texts of {_number(changed)} tokens (dynamic)")
    elif not problems:
        exact = ladder if exact is None else exact
        errors = _far(function, units, first, second, order, exact[where], tolerance)
    worst = max(errors.values(), default=0.0)
    if worst > 1e-4:
        place = max(errors, key=errors.get)
        if worst < 1e-6 * place:
            said.append(f"angles in float32 (off by {worst:.1g} at position {_number(place)})")
        else:
            problems.append(f"Its angles are off by {worst:.1g} at position {_number(place)}.")
    return RopeReport(
        not problems,
        f"RoPE: {', '.join(said)}.",
        tuple(problems),
        layout,
        turning,
        ladder,
        base,
        scaling,
        offset,
        factor,
        errors,
    )


def _pairing(reach, tolerance):
    """Return the pairs of columns that mix, and the order of rows that undoes a reordering."""
    width = len(reach)
    order, pairs, groups = np.arange(width), [], {}
    for column in range(width):
        rows = tuple(np.flatnonzero(reach[:, column] > 10 * tolerance).tolist())
        groups.setdefault(rows, []).append(column)
    for rows, columns in groups.items():
        if len(rows) != len(columns) or len(rows) > 2:
            return None, None
        order[columns] = rows
        if len(columns) == 2:
            pairs.append(tuple(columns))
    return sorted(pairs), order


def _dealt(width, turning):
    """Return where the columns go if neighbours go in and halves come out."""
    order = np.arange(width)
    order[0:turning:2] = np.arange(turning // 2)
    order[1:turning:2] = np.arange(turning // 2) + turning // 2
    return order


def _speeds(angles, places, tolerance):
    """Return radians per token of each pair, a problem if there is one, and where they change."""
    omega, reached = _wrap(angles[1] - angles[0]), 1
    rounded = _rounded_positions(angles, places, omega, tolerance)
    for row, place in enumerate(places):
        left = _wrap(angles[row] - angles[0] - place * omega)
        line = np.abs(place * omega)
        bad = np.abs(left) > 60 * tolerance + 1e-6 * line
        bad &= np.abs(left) > 3 * tolerance * place / reached + 1e-6 * line
        if bad.any():
            coarse = float(np.max(np.abs(left) / np.maximum(line, 1e-12)))
            if place > TOKENS and rounded:
                return omega, rounded, 0
            if place > TOKENS:  # another ladder, or a table that has come to its end?
                step = _wrap(angles[row] - angles[row + len(places) - TOKENS])
                if 0.2 < np.median(np.abs(step / omega)) < 5:
                    return omega, None, int(place)
            elif coarse < 2**-6:
                worst = f"{np.abs(left).max():.1g} at position {place}"
                return omega, f"Its angles are rounded to float16 or bfloat16: off by {worst}.", 0
            return (
                omega,
                f"The angles do not grow evenly with the position: position {place} is the first "
                "that is turned otherwise.",
                0,
            )
        if place > reached:
            omega, reached = omega + left / place, place
    return omega, rounded, 0


def _rounded_positions(angles, places, omega, tolerance):
    """Return the problem of positions in a short float, which turn as the position before."""
    if np.abs(omega).max() < 10 * tolerance:
        return None
    for place, name in SHORT.items():
        row = int(np.searchsorted(places, place))
        if row + 1 >= len(places):  # a table that has ended
            break
        step = angles[row] - angles[row + len(places) - TOKENS]
        onward = angles[row + 1] - angles[row]  # at its end, a table would stand still
        if np.abs(_wrap(step)).max() <= 3 * tolerance < np.abs(_wrap(onward)).max():
            return (
                f"Its positions are rounded to {name}: position {_number(place)} is turned as "
                f"position {_number(place - 1)}."
            )
    return None


def _layout(pairs, width):
    """Return the layout of the pairs, and how many columns turn."""
    if all(b == a + 1 and a % 2 == 0 for a, b in pairs):
        return "interleaved", 2 * (pairs[-1][0] // 2 + 1)
    half = pairs[0][1] - pairs[0][0]
    if all(b - a == half and a < half for a, b in pairs) and 2 * half <= width:
        return "halves", 2 * half
    return None, 2 * len(pairs)


def _named(ladder, slack):
    """Return the base of a ladder, how it was scaled, its exact frequencies, and problems."""
    count, total = np.count_nonzero(ladder), len(ladder)
    turning, index = ladder[:count], np.arange(total)
    none = None, "", None, ["The frequencies are no ladder of equal steps, scaled or not."]
    if count == 0 or (turning <= 0).any():
        return none
    first, problems = float(turning[0]), []
    if count == 1:
        return none if abs(first - 1) > slack else (None, "", None, [])
    beta = math.log(first / turning[-1]) / (count - 1)
    if np.abs(first * np.exp(-beta * index[:count]) / turning - 1).max() <= 30 * slack:
        words = []
        base = math.exp(beta * total)
        spaced = _round(math.exp(beta * (total - 1)), 3, 30 * slack) if total > 1 else None
        base = _round(base, 3, 30 * slack) or base
        exact = np.where(index < count, first * np.exp(-math.log(base) / total * index), 0.0)
        if float(f"{base:.2e}") != base and spaced:
            words.append(f"{_number(spaced)} in tensor2tensor's spacing")
            exact = None
        if abs(first - 1) > 30 * slack:
            said, wrong = _speed(first, math.exp(-beta), slack)
            words.append(said)
            problems += wrong
        if count < total:
            words.append(f"the last {total - count} pairs still (p-RoPE)")
        return base, ", ".join(words), exact, problems
    return _slowed(ladder, slack) or none


def _slowed(ladder, slack):
    """Return the same for a ladder whose fast pairs are as before and whose slow ones slower."""
    total = len(ladder)
    base = math.exp(math.log(ladder[0] / ladder[1]) * total)
    base = _round(base, 3, 300 * slack * total) or base
    plain = np.exp(-math.log(base) / total * np.arange(total))
    stretch = plain / ladder
    last = stretch[-1]
    if abs(ladder[0] - 1) > 30 * slack or last < 1.01 or abs(stretch[-2] / last - 1) > 0.01:
        return None
    kept = (1 / stretch - 1 / last) / (1 - 1 / last)
    ramp = (kept > 0.01) & (kept < 0.99)
    rule = "Llama 3 or YaRN"
    if ramp.sum() >= 3:
        steps, turns = np.diff(kept[ramp]), np.diff(plain[ramp])
        rule = "YaRN" if np.ptp(steps) < 0.02 * abs(steps.mean()) else rule
        slopes = steps / turns
        rule = "Llama 3" if np.ptp(slopes) < 0.05 * abs(slopes.mean()) else rule
    last = _round(last, 4, 1e-3) or last
    return base, f"slow pairs {last:.6g} times slower ({rule})", None, []


def _speed(first, step, slack):
    """Return what is said of a ladder that begins with another number than 1, and problems."""
    known = {
        "Angles in degrees are taken for radians.": math.pi / 180,
        "All pairs turn twice as fast: the rotation is applied two times.": 2.0,
        "Angles are taken times 2π.": TURN,
        "The pairs are counted from 1: the first has the second's frequency.": step,
    }
    wrong = [said for said, value in known.items() if abs(first / value - 1) < 1e-3]
    slower = _round(1 / first, 5, 30 * slack) or 1 / first
    return f"all pairs {slower:.6g} times slower", wrong


def _round(value, digits, slack):
    """Return a number of so many digits if it is as near as the slack allows, or None."""
    near = float(f"{value:.{digits - 1}e}")
    return (
        near if abs(near - value) <= slack * abs(value) * max(1.0, math.log(abs(value))) else None
    )


def _cached(function, units, matrices, tolerance):
    """Return the problem of tokens that come alone, if there is one."""
    places = (0, 1, 7, TOKENS - 1)
    try:
        alone = [
            _called(function, units[:, :, :1], np.array([place]))[0][0, :, 0].T for place in places
        ]
    except _NotTurnedError as problem:
        return [f"One token at a time, as with a cache: {problem}"]
    near = 30 * tolerance
    wrong = [
        place
        for place, found in zip(places, alone, strict=True)
        if np.abs(found - matrices[place]).max() > near
    ]
    if not wrong:
        return []
    if all(np.abs(found - alone[0]).max() <= near for found in alone):
        return [
            "One token at a time, as with a cache, every token is turned as the first: its "
            "position is not used."
        ]
    return [f"One token at a time, as with a cache, position {wrong[0]} is turned otherwise."]


def _far(function, units, first, second, order, omega, tolerance):
    """Return the largest error of an angle at each far position, where it can be seen."""
    errors = {}
    for place in FAR:
        try:
            result, _ = _called(function, units[:, :, :2], np.array([place - 1, place]))
        except _NotTurnedError:  # a table that ends before
            break
        turned = result[0, :, 1].T[order]
        angles = np.arctan2(turned[second, first], turned[first, first])
        error = float(np.abs(_wrap(angles - place * omega)).max())
        errors[place] = error if error > 3 * tolerance else 0.0
    return errors


def _wrap(angles):
    """Return angles moved by whole turns to between -π and π."""
    return angles - TURN * np.round(angles / TURN)


def _number(value):
    """Return a number as text, thousands set apart."""
    if value == round(value) and abs(value) < 1e15:
        return f"{int(value):,}".replace(",", " ")
    return f"{value:.6g}"
