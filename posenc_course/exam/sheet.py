"""A sheet of questions and its key, in Markdown with TeX."""

import numpy as np

from posenc_course.exam.question import QUESTIONS

# For 45 and for 90 minutes, a point for each; the same questions for every seed.
LENGTHS = {
    45: (
        *("attention-by-hand", "masked-line", "row-by-formula", "finished-pairs", "wrong-sign"),
        *("kernel-by-hand", "turned-score"),
    ),
    90: (
        *("block-follows", "hand-turned", "row-by-formula", "wrong-axis", "finished-pairs"),
        *("one-matrix", "count-in-bits", "kernel-by-hand", "where-it-looks", "twins"),
        *("which-bug", "halves-as-neighbours", "by-the-key"),
    ),
}
HELP = (
    "A calculator, set to radians, is allowed. Positions and indices count from 0. Where no "
    "decimals are named, give two, or the exact value."
)


def chosen(names="", minutes=90):
    """Return the names of the questions on a sheet.

    They are those in `names`, with spaces between, or "all", or those of the ready-made sheet.
    """
    if minutes not in LENGTHS:
        raise ValueError(f"minutes must be one of {[*LENGTHS]}, got {minutes!r}")
    wanted = [*QUESTIONS] if names == "all" else names.split() or [*LENGTHS[minutes]]
    unknown = [name for name in wanted if name not in QUESTIONS]
    if unknown:
        raise ValueError(f"no question is named {unknown}; there are {[*QUESTIONS]}")
    return wanted


def count(points):
    """Say how many points."""
    return f"{points} point{'s' * (points != 1)}"


def sheet(names, seed):
    """Return what students get, with the numbers of a seed."""
    asked = [QUESTIONS[name].ask(seed) for name in names]
    lines = [f"{HELP} {count(sum(one.points for one in asked))} in all."]
    for number, one in enumerate(asked, start=1):
        lines += [f"**{number}. {one.title}** ({count(one.points)})", one.text]
        lines += [f"{part.asks} *({part.points})*" for part in one.parts]
    return "\n\n".join(lines) + "\n"


def key(names, seed):
    """Return the answers, with points, reasons and what typical wrong answers show."""
    lines = [
        "Take a rounded decimal that is off by two in its last digit, and an exact value in place "
        "of decimals; a whole number must be right. Give the points of a method whose numbers went "
        "wrong once, and all points to any other proof, reason or line of code that is right. A "
        "list of wrong answers is there to see what went wrong, not to take points off."
    ]
    for number, name in enumerate(names, start=1):
        one = QUESTIONS[name].ask(seed)
        lines.append(f"**{number}. {one.title}** ({count(one.points)}; grade: {one.grade})")
        for part in one.parts:
            answer = part.answer and f" **{part.answer}**{exact(part.key, part.digits)}"
            lines += [f"{part.asks[:3]}{answer} *({part.points})*", part.notes]
        lines.append(one.solution)
    return "\n\n".join(lines) + "\n"


def exact(key, digits):
    """Return a row of fractions that its decimals only round, or nothing."""
    row = key if np.ndim(key) == 1 else []
    whole = {getattr(entry, "denominator", 1) for entry in row} - {1}
    if not any(10**digits % denominator for denominator in whole):
        return ""
    return ", exactly $(" + r",\ ".join(map(str, row)) + ")$"
