"""The sentence of each kind of finding.

``sentences.toml`` has a line for each kind. A kind whose sentence has a plural, or a part that may
be missing, has a function here in its place. No other file of this package has sentences of a
verdict, and no code reads one.
"""

import tomllib
from collections.abc import Callable, Iterable, Sequence
from math import log10
from pathlib import Path
from string import Formatter
from typing import Any

from posenc_check.findings import Finding

Sentence = str | Callable[[Finding], str]
TEXTS = tomllib.loads(Path(__file__).with_name("sentences.toml").read_text(encoding="utf-8"))


def sentence(finding: Finding) -> str:
    """Return the sentence of a finding."""
    template = (TABLES | FUNCTIONS | CONFIGS)[finding.kind]
    return template(finding) if callable(template) else filled_in(template, vars(finding))


def filled_in(template: str, values: dict[str, Any]) -> str:
    """Return a template with values in the place of its fields."""
    return _FORMATTER.vformat(template, (), values)


def in_words(value: Any) -> str:
    """Return a number with its thousands set apart, a finding as its sentence, others by `str`."""
    if isinstance(value, Finding):
        return sentence(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return number(value)
    return str(value)


def number(value: float) -> str:
    """Return a number as text, with a space between thousands."""
    if value == round(value) and abs(value) < 1e15:
        return f"{int(value):,}".replace(",", " ")
    return f"{value:.6g}"


class _Formatter(Formatter):
    """A formatter whose fields without a format are written by `in_words`."""

    def format_field(self, value: Any, format_spec: str) -> str:
        return format(value, format_spec) if format_spec else in_words(value)


_FORMATTER = _Formatter()


def first_numbers(values: Sequence[float], shown: int = 3) -> str:
    """Return the first of some numbers as text, with dots where there are more."""
    return ", ".join(map(number, values[:shown])) + (", ..." if len(values) > shown else "")


def plural(count: int, noun: str) -> str:
    """Return a noun, with an s unless the count is 1."""
    return noun if count == 1 else f"{noun}s"


# Tables: `posenc_check.inspect_table`.

# Kinds that are parts of one sentence, with commas between them.
PHRASES = (
    *("layout", "one_pair", "base", "octaves", "steps", "one_position", "positions_short"),
    *("last_repeated", "starting_over", "falling_and_rising", "shuffled", "each_repeated"),
    *("listed", "positions_read", "short", "scale", "padding", "storage", "angles"),
)


def table_report(findings: Iterable[Finding]) -> str:
    """Return the findings of a table as text."""
    text, before = "", ""
    for finding in findings:
        words = sentence(finding)
        if not words:
            continue
        if before in PHRASES or before == "coordinates":
            if finding.kind in PHRASES:
                text += ", "
            else:
                text += "; " if finding.kind == "coordinate" else ". "
        elif text:
            text += " "
        text, before = text + words, finding.kind
    return text + "." if before in PHRASES else text


def storage_name(storage: Any) -> str:
    """Return how numbers are stored: a type, or how many decimals or digits were printed."""
    name = str(storage.kind)
    if name == "decimals" and not storage.places:
        name = "whole numbers"
    elif name == "decimals":
        name = f"{storage.places} {plural(storage.places, 'decimal')}"
    elif name == "digits":
        name = f"{storage.places} {plural(storage.places, 'significant digit')}"
    return f"{storage.before} printed to {name}" if storage.before else name


LAYOUTS = {
    "sines": "sines alone, one column for each pair, as RoPE's code keeps them",
    "cosines": "cosines alone, one column for each pair, as RoPE's code keeps them",
    "by column": "each column has a frequency of its own, by ",
}
COLUMN_EXPONENTS = {
    "paper": "its number in place of its pair's",
    "twice the number": "twice its number: 2*i of an i that is even, as in a tutorial",
}


def _layout(finding: Finding) -> str:
    text: str = LAYOUTS.get(finding.layout, finding.layout)
    if finding.layout == "by column":
        text += COLUMN_EXPONENTS[finding.spacing]
    return text + (", cosines first" if finding.cosines_first else "")


SPACINGS = {
    "tensor2tensor": " in tensor2tensor's spacing",
    "of an even width": " and the exponents of the next even width",
}


def _base_number(base: float) -> str:
    return number(base) if base >= 1 else f"1/{number(1 / base)}"


def _spaced(base: float, spacing: str) -> str:
    return f"{_base_number(base)}{SPACINGS.get(spacing, '')}"


def _base(finding: Finding) -> str:
    base, spacing, within = finding.base, finding.spacing, finding.within
    text = f"base {_spaced(base, spacing)}"
    if base < 1:
        text += " (frequencies grow: the exponent has no minus)"
    if base == 1e8 and spacing == "paper":
        text += " (10 000 with twice the exponent: 2*i of an i that is even)"
    if any(other == base for other, _ in finding.also):
        return f"{text} (too short to tell the paper's spacing from tensor2tensor's)"
    if finding.also:
        others = " or ".join(_spaced(*other) for other in finding.also)
        return f"{text} (or {others}, which gives every number as well)"
    if within >= 1:
        return f"{text} (of which these numbers say little)"
    return text + (f" (within {max(1, round(100 * within))} %)" if within > 5e-3 else "")


STEP_NAMES = {
    "degrees": " (degrees taken for radians)",
    "turns": " (turns taken for radians)",
    "pairs from 1": " (pairs counted from 1)",
}


def _six_digits(value: float) -> str:
    return number(float(f"{value:.6g}"))


def _steps(finding: Finding) -> str:
    text = f"first position {number(finding.first)}"
    if finding.row:
        text += f" in row {finding.row}"
    if finding.step != 1:
        text += f", in steps of {_six_digits(finding.step)}{STEP_NAMES.get(finding.name, '')}"
    return text


def _listed(finding: Finding) -> str:
    listed = ", ".join(map(number, finding.positions)) + (", ..." if finding.more else "")
    stray = "" if finding.row is None else f" (row {finding.row} is at {number(finding.at)})"
    return f"positions {listed}{stray}"


def _power_of_width(finding: Finding) -> int:
    """Return 1 if a factor is the square root of the width, -1 if it is the inverse, else 0."""
    powers = (power for power in (1, -1) if _near(finding.factor, finding.width ** (power / 2)))
    return next(powers, 0)


def _near(value: float, other: float) -> bool:
    return abs(value / other - 1) < 1e-6


def _scale(finding: Finding) -> str:
    names = {1: f"√{finding.width}", -1: f"1/√{finding.width}", 0: _six_digits(finding.factor)}
    text = names[_power_of_width(finding)]
    within = f" (within {round(100 * finding.within)} %)" if finding.within > 0.01 else ""
    return f"times {text}{within}"


def _rounded_to(finding: Finding) -> str:
    exact = finding.storage.kind == "float64"
    return "" if exact else f"rounded to {storage_name(finding.storage)}"


def _coordinates(finding: Finding) -> str:
    order = finding.split
    if order == "sines, then cosines":
        order = "first the sines of all, then the cosines"
    return f"Sinusoidal in {finding.count} coordinates, {order}"


def _coordinate(finding: Finding) -> str:
    if finding.columns:
        return "columns {} to {}:".format(*finding.columns)
    return f"coordinate {finding.number}:"


def _differs(finding: Finding) -> str:
    count, rows, columns = finding.count, finding.rows, finding.columns
    text = f"It differs in {number(count)} {plural(count, 'number')}"
    part_of_columns = len(columns) / finding.table_columns
    part_of_rows = len(rows) / finding.table_rows
    if part_of_columns <= min(part_of_rows, 1 / 4):
        text += f", all in {plural(len(columns), 'column')} {first_numbers(columns)}"
    elif part_of_rows <= 1 / 4:
        text += f", all in {plural(len(rows), 'row')} {first_numbers(rows)}"
    text += (
        f", first in row {finding.row}, column {finding.column}, by {finding.first_difference:.2g}"
    )
    return text + (f", and by at most {finding.largest_difference:.2g}." if count > 1 else ".")


TABLES: dict[str, Sentence] = TEXTS["tables"] | {
    "zero_columns": lambda finding: (
        "The last column is zeros."
        if finding.count == 1
        else f"The last {finding.count} columns are zeros."
    ),
    "coordinates": _coordinates,
    "coordinate": _coordinate,
    "layout": _layout,
    "base": _base,
    "octaves": lambda finding: (
        f"frequencies that double: {'π, 2π, 4π' if finding.pi else '1, 2, 4'}, ..."
    ),
    "steps": _steps,
    "listed": _listed,
    "scale": _scale,
    "padding": lambda finding: f"row {first_numbers(finding.rows)} all zeros (padding)",
    "storage": _rounded_to,
    "paper": lambda finding: (
        "This is the paper's table." if finding.rows > 1 else "A row of the paper's table."
    ),
    "compared": lambda finding: (
        f"Each of the {number(finding.rows)} × {number(finding.columns)} numbers is the formula's, "
        f"{_rounded_to(finding) or 'as far as float64 computes it'}."
    ),
    "differs": _differs,
    "list": lambda finding: (
        f"Not a table but a list of {finding.count} frequencies, those of base "
        f"{_spaced(finding.base, finding.spacing)} and width {number(2 * finding.count)}; a table "
        "has their sines and cosines at each position."
    ),
}


def cures(findings: Iterable[Finding]) -> tuple[str, ...]:
    """Return what to do about the findings of a table to get the paper's, step by step."""
    steps: list[str] = []
    for finding in findings:
        cure = CURES.get(finding.kind, "")
        if callable(cure):
            steps += cure(finding)
        elif cure:
            steps.append(filled_in(cure, vars(finding)))
    return tuple(steps)


def _order_cure(finding: Finding) -> list[str]:
    half = (finding.width + 1) // 2
    steps = []
    if finding.layout == "halves":
        steps.append(f"put column i and column i + {half} side by side, i from 0 to {half - 1}")
    if finding.cosines_first:
        steps.append("swap the sine and the cosine of each pair")
    return steps


def _base_cure(finding: Finding) -> list[str]:
    base, width = _base_number(finding.base), finding.width
    theirs = f"{base}^(-2i/{width})"
    if finding.spacing == "tensor2tensor":
        theirs = f"{base}^(-i/{(width + 1) // 2 - 1})"
    elif finding.base == 1e4:
        return []
    return [f"take the frequencies 10 000^(-2i/{width}), not {theirs}"]


def _step_cure(finding: Finding) -> list[str]:
    if finding.step != 1:
        return [f"take positions in steps of 1, not {_six_digits(finding.step)}"]
    return [f"begin with position 0, not {number(finding.first)}"] if finding.first else []


def _scale_cure(finding: Finding) -> list[str]:
    by = {1: f"divide by √{finding.width}", -1: f"multiply by √{finding.width}"}
    return [by.get(_power_of_width(finding), f"divide by {finding.factor:.6g}")]


TO_PAPER = "To get the paper's table:"

CURES: dict[str, str | Callable[[Finding], list[str]]] = TEXTS["cures"] | {
    "layout": _order_cure,
    "base": _base_cure,
    "steps": _step_cure,
    "scale": _scale_cure,
}


# Functions: `posenc_check.check_rope`, `compare_rope` and `assert_rope`.

# Where a type of 16 bits goes wrong first, among positions.
FIRST_ROUNDED = {
    "bfloat16": "position 257 is turned as position 256",
    "float16": "position 2 049 is turned as position 2 048",
}
# The two functions of a comparison.
ROLES = {
    "first": "the first",
    "second": "the second",
    "function": "the function",
    "expected": "what is expected",
}


def _other_frequencies(finding: Finding) -> str:
    return f"other frequencies in texts of {number(finding.position + 1)} tokens or more"


def _positions_end(finding: Finding) -> str:
    last = number(finding.position - 1)
    return (
        f"Positions stop at {last}: position {number(finding.position)} and all after it are "
        f"turned as position {last}."
    )


def _columns_apart(finding: Finding) -> str:
    text = "The two columns of a pair turn by different angles"
    return text + (f": the second {finding.times:.6g} times as fast." if finding.times else ".")


def _yarn_scaling(finding: Finding) -> str:
    cut = "" if finding.truncate else ", its ramp not cut to whole pairs"
    factor, length = number(finding.factor), number(finding.length)
    return f"slow pairs {factor} times slower (YaRN, trained with {length} tokens{cut})"


def _runs(finding: Finding) -> str:
    """Return which pairs turn how many times as fast as in a list, the first three runs of them."""
    parts = []
    for first, last, least, most in finding.runs[:3]:
        alone = first == last
        pairs = f"pair {first}" if alone else f"pairs {first} to {last}"
        if most == 0:
            parts.append(f"{pairs} {'does' if alone else 'do'} not turn")
        else:
            times = f"{least:.6g}" if least == most else f"{least:.6g} to {most:.6g}"
            parts.append(f"{pairs} {'turns' if alone else 'turn'} {times} times as fast")
    return ", ".join(parts) + (", and more" if len(finding.runs) > 3 else "")


def _rope(finding: Finding) -> str:
    """Return what a function is: layout, base, columns, how its list is scaled, and remarks."""
    begin, width, head_dim = finding.begin, finding.width, finding.head_dim
    if width == head_dim:
        columns = f"all {head_dim} columns"
    elif begin in (0, head_dim - width):
        columns = f"the {'last' if begin else 'first'} {width} of {head_dim} columns"
    else:
        columns = f"columns {begin} to {begin + width - 1} of {head_dim}"
    if finding.base is None:
        frequencies = "frequencies by no rule known here"
    elif finding.base == 0:  # of one pair
        frequencies = f"{number(finding.frequency)} radian per token"
    else:
        frequencies = f"base {number(finding.base)}"
    layout = finding.layout or "no known layout"
    if finding.parts > 1:
        layout += f" within each of {finding.parts} parts"
    words = [layout, frequencies, columns, *map(sentence, finding.rules)]
    words += [f"times {finding.factor:.6g}"] if finding.factor != 1 else []
    return f"RoPE: {', '.join([*words, *map(sentence, finding.remarks)])}."


def _looked_at(finding: Finding) -> str:
    """Return what a verdict on a function holds of, and what was not looked at."""
    lengths = [use.tokens for use in finding.uses if use.kind == "call_length"]
    names = dict.fromkeys(sentence(use) for use in finding.uses if use.kind != "call_length")
    if lengths:
        names[f"texts of {', '.join(map(number, lengths))} tokens"] = None
    last, untaken = number(finding.last), ""
    if not finding.own:
        untaken = ", positions of the shape (batch, tokens), which it does not take"
    return (
        f"Looked at {finding.calls} calls: positions 0 to {finding.near - 1} and {finding.far} "
        f"more up to {last}; {'; '.join(names)}. x was float64, and the numbers are "
        f"{finding.kind_of_numbers}. Not looked at: positions beyond {last}{untaken}, more than "
        f"{number(finding.longest)} tokens in a call."
    )


def _raised(finding: Finding) -> str:
    text = f"It raised {finding.error}" + (f": {finding.message}" if finding.message else "")
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _ends(finding: Finding) -> str:
    message = finding.message.rstrip(".")
    text = f"only to position {number(finding.position)}, then raised {finding.error}"
    return text + (f": {message}" if message else "")


def _in_call(finding: Finding) -> str:
    text = f"{sentence(finding.call)}: {sentence(finding.problem)}"
    return text[0].upper() + text[1:]


def _unexplained(finding: Finding) -> str:
    pairs = finding.layout or "the pairs that its unit vectors show"
    return (
        "No cause known here gives its numbers. From plain RoPE with the same frequencies "
        f"({pairs}) they differ first in {sentence(finding.call)}, token {number(finding.token)}, "
        f"at position {number(finding.position)}, column {finding.column}, head {finding.head}, "
        f"text {finding.text}: by {finding.by:.2g}."
    )


def _two_numbers(finding: Finding) -> str:
    """Return what two functions give in a column."""
    both = zip(finding.numbers, finding.roles, strict=True)
    one, other = (f"{value:.6g} with {ROLES[role]}" for value, role in both)
    return f"column {finding.column} is {one}, {other}."


def _differ_for_unit(finding: Finding) -> str:
    return (
        f"They first differ at position {number(finding.position)}: for a single token that is 1 "
        f"in column {finding.one} and 0 elsewhere, {_two_numbers(finding)}"
    )


def _differ_in_call(finding: Finding) -> str:
    return (
        f"They first differ at position {number(finding.position)}, in {sentence(finding.call)}: "
        f"in token {number(finding.token)} of text {finding.text}, head {finding.head}, "
        f"{_two_numbers(finding)}"
    )


FUNCTIONS: dict[str, Sentence] = TEXTS["functions"] | {
    "position_offset": lambda finding: (
        f"Position k is turned as position k {'+' if finding.steps > 0 else '-'} "
        f"{number(abs(finding.steps))}."
    ),
    "positions_end": _positions_end,
    "positions_turn_negative": lambda finding: (
        f"Position {number(finding.position)} is turned as position {number(-finding.position)}: "
        "a type of integers ends there."
    ),
    "positions_rounded": lambda finding: (
        f"Its positions are rounded to {finding.dtype}: {FIRST_ROUNDED[finding.dtype]}."
    ),
    "other_list_in_long_texts": lambda finding: (
        f"{_other_frequencies(finding)} (one list for all of them, as LongRoPE)"
    ),
    "dynamic": lambda finding: (
        f"{_other_frequencies(finding)} (dynamic, factor {finding.factor:.6g})"
    ),
    "dynamic_kept": lambda finding: (
        f"{_other_frequencies(finding)} (dynamic, factor {finding.factor:.6g}), kept for later "
        f"texts until one has fewer than {number(finding.position)} tokens"
    ),
    "columns_apart": _columns_apart,
    "unturned_long_texts": lambda finding: (
        f"Texts of {number(finding.position + 1)} tokens or more are not turned."
    ),
    "one_of": lambda finding: " Or, which these calls do not tell apart: ".join(
        map(sentence, finding.causes)
    ),
    "yarn_scaling": _yarn_scaling,
    "list_of_whole_head": lambda finding: (
        f"The frequencies are the first {finding.columns // 2} of the list for all "
        f"{finding.head_dim} columns of the head, with base {number(finding.base)}; "
        f"{finding.columns} columns alone have a list of their own."
    ),
    "list_of_whole_head_too": lambda finding: (
        f"which are also the first {finding.columns // 2} of the list of base "
        f"{number(finding.base)} for all {finding.head_dim} columns"
    ),
    "pairs_off_list": lambda finding: (
        f"Not all frequencies are those of base {number(finding.base)}: {_runs(finding)}."
    ),
    "slowed_by_no_rule": lambda finding: (
        f"slowed by no rule known here, from base {number(finding.base)}: {_runs(finding)}"
    ),
    "rope": _rope,
    "unknown_layout": lambda finding: (
        f"The pairs are in no known layout; the first are {[*map(tuple, finding.pairs)]}."
    ),
    "ends": _ends,
    "unexplained": _unexplained,
    "raised": _raised,
    "in_call": _in_call,
    "looked_at": _looked_at,
    "call_block": lambda finding: (
        f"positions {number(finding.begin)} to {number(finding.begin + finding.tokens - 1)} "
        "together"
    ),
    "differ_for_unit": _differ_for_unit,
    "differ_in_call": _differ_in_call,
    "one_gives_none": lambda finding: (
        f"They first differ at position {number(finding.position)}, in {sentence(finding.call)}: "
        f"{ROLES[finding.role]} gives no numbers. {sentence(finding.problem)}"
    ),
    "report_of": lambda finding: (
        f"check_rope says of {ROLES[finding.role]}: {' '.join(map(sentence, finding.findings))}"
    ),
}


# Configs: `posenc_check.rotary_settings`, `scaled_frequencies` and `config_report`. Their sentences
# have numbers as a config writes them, so that they can be looked for in it.


def _columns(finding: Finding) -> str:
    text = f"{finding.turning} of the {finding.columns} columns of a head turn, in pairs:"
    if finding.layers is None:
        return text
    numbers = f" ({', '.join(map(str, finding.numbers))})" if finding.numbers else ""
    return f"In the layers of the kind {finding.layers}{numbers}, {text}"


def _ladder(finding: Finding) -> str:
    lines = []
    for pair, tokens in finding.pairs:
        if tokens is None:
            lines.append(f"  pair {pair:3} has frequency 0")
        else:
            shown = f"{tokens:11.0f}" if tokens < 1e11 else f"{tokens:11.3g}"
            lines.append(f"  pair {pair:3} {shown} tokens a turn {'-' * round(3 * log10(tokens))}")
    return "\n".join(lines)


CONFIGS: dict[str, Sentence] = TEXTS["configs"] | {
    "columns": _columns,
    "ladder": _ladder,
    "factor": lambda finding: (
        f"The factor is {finding.factor:g}"
        f"{', on the columns that turn' if finding.factor != 1 else ''}."
    ),
    "pairs unknown": lambda finding: (
        f"Which columns form a pair is not known for "
        f"{finding.model_type or 'a config without model_type'}: ask check_rope, and put its "
        "answer in here. What to type:"
    ),
}
