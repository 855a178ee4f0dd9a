"""The tables that are known: each candidate fits a formula to the numbers, and is then compared.

A candidate takes a table and its rounding and yields what it fitted. `explained` returns those that
give every number; what is added here is tried with everything else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from posenc_check.formula import EXACT, SINGLES, Formula, Indices, spread
from posenc_check.ladder import hypotheses
from posenc_check.rounding import UNIT, Array, Rounding
from posenc_check.search import (
    BEFORE,
    ENOUGH_BITS,
    FARTHEST,
    HEAD,
    PAIRS,
    USUAL,
    Found,
    fit_line,
    plain,
    rule_of,
    rules_near,
)


def explained(table: Array, rounding: Rounding, rows: Indices) -> Found | None:
    """Return the simplest formula that gives every number, or else the nearest, or None."""
    best = plain(table, rounding, rows)
    if best is not None and best.misses.wrong:
        best = _repaired(table, rounding, best)
    if best is not None and best.misses.near:
        return best
    for candidate in CANDIDATES:
        for found in candidate(table, rounding, rows):
            if not found.misses.wrong:
                return found
            if best is None or found.misses.far < best.misses.far:
                best = found
    return best


def _repaired(table: Array, rounding: Rounding, found: Found) -> Found:
    """Return a table with a few columns of another sign, or in each other's place."""
    formula, wrong = found.formula, np.flatnonzero(found.misses.columns)
    if len(wrong) > max(1, table.shape[1] // 8):
        return found
    gain, words = formula.gain.copy(), []
    omega, cosine = formula.omega.copy(), formula.cosine.copy()
    own, slack = formula.only(slice(None), wrong).numbers()
    given, half = table[:, wrong], 2 * rounding.half(table[:, wrong])
    for at, column in enumerate(wrong):
        bound = slack + half[:, at : at + 1]
        if (np.abs(given[:, at] + own[:, at]) <= bound[:, at]).all():
            gain[column] *= -1
            words.append(f"column {column} has the opposite sign")
            continue
        same = (np.abs(given[:, at : at + 1] - own) <= bound).all(axis=0)
        for second in wrong[same][:1]:
            omega[column], cosine[column] = formula.omega[second], formula.cosine[second]
            if column < second:
                words.append(f"columns {column} and {second} are swapped")
    if not words:
        return found
    text = ", ".join(words[:3]) + (", ..." if len(words) > 3 else "")
    formula = formula._replace(gain=gain, omega=omega, cosine=cosine)
    misses = formula.misses(table, rounding)
    if misses.wrong:
        return found
    return found._replace(formula=formula, misses=misses, sinusoidal=False, defects=text)


def coordinates(table: Array, rounding: Rounding, rows: Indices) -> Iterator[Found]:
    """Yield two to four coordinates, side by side or all sines and then all cosines.

    The rows of a grid follow each other along one coordinate, and the others stay.
    """
    width = table.shape[1]
    stays = np.diff(table[: 4 * HEAD], axis=0) == 0
    for count in (2, 3, 4) if len(stays) else ():
        if width % (2 * count) or width < 4 * count:
            continue
        halves = np.arange(width).reshape(2 * count, -1)
        stacked = np.hstack([halves[:count], halves[count:]])
        for where in (halves.reshape(count, -1), stacked):
            if sum(stays[:, columns].all(axis=1).mean() >= 0.5 for columns in where) < count - 1:
                continue
            parts: list[tuple[Indices, Found]] = []
            for columns in where:
                found = plain(table[:, columns], rounding, rows)
                if found is None or found.misses.wrong:
                    break
                parts.append((columns, found))
            alike = {part.rule[:2] for _, part in parts if part.formula.places.any()}
            if len(parts) == count and len(alike) == 1 and not all(part.few for _, part in parts):
                yield parts[0][1]._replace(parts=tuple(parts), few=False)


def _cast(
    table: Array, rounding: Rounding, rows: Indices, formula: Formula, *about: Any
) -> Iterator[Found]:
    """Yield what a formula with these words leaves, its angles in float64 and in float32."""
    head = np.ix_(np.arange(min(HEAD, len(table))), spread(table.shape[1], PAIRS))
    some = formula.only(head[0][:, 0], head[1][0])
    off, bound = some.bounded(table[head], rounding, UNIT["float32"])
    if (off > bound + 1e-4).any():
        return
    for through, divides in ((EXACT, False), *SINGLES):
        cast = formula._replace(through=through, divides=divides)
        yield Found(*cast.compared(table, rounding), rows, *about)._replace(sinusoidal=False)


# Tables whose columns have angles of their own: what is said, the width times the exponent of each
# column, and whether it is a cosine. A column may stand for a pair, once or twice.
OWN = "each column has a frequency of its own, by "
ALONE: Any = (
    *(
        (f"{name} alone, as RoPE's code keeps them, {said}", exponent, cosine)
        for name, cosine in (("cosines", 1), ("sines", 0))
        for said, exponent in (
            ("one column for each pair", lambda at, _: at),
            ("each twice, in halves", lambda at, width: 2 * at % width),
            ("each twice, side by side", lambda at, _: at - at % 2),
        )
    ),
    (OWN + "its number in place of its pair's", lambda at, _: at, None),
    (
        f"{OWN}twice its number: 2*i of an i that is even, as in a tutorial that is often copied",
        *(lambda at, _: 2 * at, None),
    ),
    (
        "every column turns by one radian per token: the exponent is 0, as 2*(i//2)//d is",
        *(lambda at, _: 0 * at, None),
    ),
)


def alone(table: Array, rounding: Rounding, rows: Indices) -> Iterator[Found]:
    """Yield sines or cosines in columns that have no other of their pair beside them.

    Where a sine turns by ω a row, the two neighbours of a number add up to 2 cos(ω) times it.
    """
    width, column = table.shape[1], np.arange(table.shape[1])
    unbroken = int(np.append(np.diff(rows) != 1, True).argmax()) + 1
    head = table[: min(unbroken, 4 * HEAD)]
    half = np.maximum(rounding.half(head), 1e-16 * np.abs(head).max())
    told = half.ravel()[np.unique(head, return_index=True)[1]]
    if width < 3 or len(head) < 3 or np.log2(np.abs(head).max() / told).sum() < ENOUGH_BITS * 4:
        return
    before, now, after = head[:-2], head[1:-1], head[2:]
    size = (now**2).sum(axis=0)  # 0 where nothing is told, and what follows is NaN
    twice = (now * (before + after)).sum(axis=0) / size
    off = np.hypot(half[:-2], np.hypot(2 * half[1:-1], half[2:]))
    doubt = np.sqrt(((now * off) ** 2).sum(axis=0)) / size + 1e-7
    turn = np.arccos(np.clip(twice / 2, -1, 1))
    error = doubt / (2 * np.sin(turn) + 1e-9)
    known = (turn > 8 * error) & (turn < 3)
    fits = []
    for said, exponents, cosine in ALONE:
        cosines = np.broadcast_to(column % 2 if cosine is None else cosine, width) == 1
        index = exponents(column, width)
        rules = [rule_of(base, "paper", width) for base in USUAL]
        if known.sum() > 2 and np.ptp(index[known]):
            slope, _, sigma, _ = fit_line(index[known], np.log(turn[known]), (turn / error)[known])
            rules = [*rules_near(-slope, sigma, [float(width)])[:-1], *rules]
        for rule in dict.fromkeys(rules):
            omega = np.exp(-rule.beta * index)
            # As far down as tables are looked for, float32 moves an angle by 0.01 of its frequency.
            if not (np.abs(2 * np.cos(omega) - twice) > 4 * doubt + 0.02 * omega).any():
                fits.append((rule, said, omega, cosines))
    for rule, said, omega, cosines in sorted(fits, key=lambda each: each[0].base != 1e4):
        square = (now**2 + after**2 - 2 * np.cos(omega) * now * after).sum()
        gain = float(np.sqrt(square / len(now) / (np.sin(omega) ** 2).sum()))
        gain = 1.0 if abs(gain - 1) < 0.01 else gain
        formula = Formula(omega, rows - rows[0], cosines, np.full(width, gain))
        sure = rule._replace(doubt=rule.doubt / len(table))  # as all rows are compared
        for place in _first_places(head, half, formula):
            formula = formula._replace(places=place + rows - rows[0])
            own = formula.only(slice(len(head))).numbers()[0]
            fitted = gain * float((own * head).sum() / (own**2).sum())
            most = gain * float(np.abs(head).max() / np.abs(own).max())
            # A short factor, or one under which the largest number is that of a type.
            for by in (1.0,) if gain == 1 else (float(f"{fitted:.3g}"), most):
                made = formula._replace(gain=np.full(width, by))
                yield from _cast(table, rounding, rows, made, sure, said)


def _first_places(head: Array, half: Array, formula: Formula) -> list[float]:
    """Return whole positions at which the rows of a formula may begin, a few nearest 0."""
    places = np.arange(-BEFORE, FARTHEST, dtype=np.float32)  # whose sines are quick
    for at in spread(head.shape[1], PAIRS):
        function, gain = np.cos if formula.cosine[at] else np.sin, float(formula.gain[at])
        for row in (0, len(head) - 1):
            angle = float(formula.omega[at]) * (places + row)
            near = 4 * float(half[row, at]) + 1e-6 * gain * (1 + np.abs(angle))
            places = places[np.abs(gain * function(angle) - float(head[row, at])) <= near]
    return sorted(places.tolist(), key=abs)[:8]


CANDIDATES = (coordinates, alone)


def listed(row: Array, rounding: Rounding) -> Any:
    """Return the list of frequencies that one row is, or None."""
    if len(row) < 3 or abs(row[0] - 1) > 0.01 or (row <= 0).any() or (np.diff(row) >= 0).any():
        return None
    slack = np.full(len(row), 4 * UNIT["float32"])
    for ladder in hypotheses(row, rounding.half(row) / row, slack):
        omega = ladder.frequencies
        bound = rounding.half(row) + omega * UNIT["float32"] * (3 + 3 * np.abs(np.log(omega)))
        if not ladder.fitted and (np.abs(omega - row) <= bound).all():
            return ladder
    return None
