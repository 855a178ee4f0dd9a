"""Spaces at which no line ends: between the groups of a number, in a pair, in a sum.

The functions take text, never HTML: in HTML a regular expression would also change attributes, such
as the ``viewBox="0 0 875 4800"`` of a bracket.
"""

import re

NO_BREAK = "\N{NO-BREAK SPACE}"
# A space between groups of three digits, before a per cent, in a short pair, as (0, 1), and in
# a row of digits, as 0 1 1 0.
GROUPED = re.compile(
    r"(?<=\d) (?=\d{3}(?!\d)|%)|(?<=[(\u2212]\d,) (?=\u2212?\d\))"
    r"|(?<=[\s\u2212]\d) (?=\u2212?\d(?!\w|\.\d))"
)
SHORT_SUM = 22  # letters of a sum that is not broken at all
# Something short in brackets, or a number, which may have a minus or a root; or the sine or cosine
# of either. A bracket may end behind a number, and a mark that ends a sentence is no part of it.
NUMBER = r"(?:(?:sin|cos) )?(?:\([^()\n]{1,20}\)|[\u2212\u221a]?\d[\d.,/\u00a0]*(?<![.,])\)?)"
SIGN = r"[+\u2212\u00b7\u00d7=\u2248]"
# Numbers with signs between them, or one after an equals sign. A sum may begin with an equals sign
# where a formula stands before the text.
SUM = re.compile(rf"(?:(?<![\w)]) ?= )?{NUMBER}(?: {SIGN} {NUMBER})+|[=\u2248] {NUMBER}")


def numbers_kept(text: str) -> str:
    """Return a text in which the spaces within numbers and rows of digits are no-break spaces."""
    return GROUPED.sub(NO_BREAK, text)


def _sum_kept(match: re.Match) -> str:
    """Return a sum, which `SUM` matched, with no-break spaces: all, or of a long sum most.

    A long one would leave a gap in the line before it: it may still be broken before "=" and "≈".
    """
    spaces = r" (?![=\u2248])" if len(match[0]) > SHORT_SUM else " "
    return re.sub(spaces, NO_BREAK, match[0])


def sums_kept(text: str) -> str:
    """Return a text in which the spaces within numbers and sums of numbers are no-break spaces.

    In a long sum lines may still end before its equals signs.
    """
    return SUM.sub(_sum_kept, numbers_kept(text))
