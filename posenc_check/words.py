"""The sentence of each kind of finding.

No other file of this package has sentences of a verdict, and no code reads one. A kind has a
template or a function of the finding, where its sentence has plurals or parts that may be missing.
The fields of a template are values of the finding, as `in_words` writes them; ``{value!s}`` is the
value as Python writes it. To reword a sentence, look its kind up here: no other file changes.
"""

from collections.abc import Callable, Iterable, Sequence
from math import log10
from string import Formatter
from typing import Any

from posenc_check.findings import Finding

Sentence = str | Callable[[Finding], str]


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

# Kinds that open a sentence, and kinds that are parts of it, with commas between them.
OPENINGS = ("sinusoidal", "not_sinusoidal", "coordinates", "coordinate", "nearest", "too_few")
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


MORE = "Add rows, that of position 1 too, or digits."

TABLES: dict[str, Sentence] = {
    "copies": "The same table is repeated {count} times.",
    "transposed": "Transposed: rows for columns.",
    "channels_first": "The channels are the first axis.",
    "pairs_axis": "The last axis has the two numbers of a pair.",
    "index_column": "The first column is an index.",
    "zero_columns": lambda finding: (
        "The last column is zeros."
        if finding.count == 1
        else f"The last {finding.count} columns are zeros."
    ),
    "from_0_to_1": "The numbers are (T + 1)/2 of a table T.",
    "halves_equal": "The second half of the columns repeats the first.",
    "neighbours_equal": "Each column stands twice, side by side.",
    "sinusoidal": "Sinusoidal:",
    "not_sinusoidal": "Not a sinusoidal table:",
    "coordinates": _coordinates,
    "coordinate": _coordinate,
    "layout": _layout,
    "one_pair": "one pair, of 1 radian per token for every base",
    "base": _base,
    "octaves": lambda finding: (
        f"frequencies that double: {'π, 2π, 4π' if finding.pi else '1, 2, 4'}, ..."
    ),
    "steps": _steps,
    "one_position": "position {position}",
    "positions_short": "first position {first}, positions rounded to {stored}",
    "last_repeated": "first position {first}, the last, {last}, repeated",
    "starting_over": "first position {first}, starting over after {last}",
    "falling_and_rising": "positions that fall from {first} to {least} and rise to {last}",
    "shuffled": "rows shuffled, positions {least} to {most}",
    "each_repeated": "first position {first}, each {times} times",
    "listed": _listed,
    "positions_read": "which are no round numbers and were read off, to about two last places",
    "short": "{what} rounded to {stored}",
    "scale": _scale,
    "padding": lambda finding: f"row {first_numbers(finding.rows)} all zeros (padding)",
    "storage": _rounded_to,
    "angles": "angles in {stored}",
    "paper": lambda finding: (
        "This is the paper's table." if finding.rows > 1 else "A row of the paper's table."
    ),
    "compared": lambda finding: (
        f"Each of the {number(finding.rows)} × {number(finding.columns)} numbers is the formula's, "
        f"{_rounded_to(finding) or 'as far as float64 computes it'}."
    ),
    "unknown": "None of the formulas tried gives these numbers.",
    "nearest": "The nearest is",
    "differs": _differs,
    "too_few": "Too few numbers to tell, though they would fit",
    "zeros": "Not a sinusoidal table: all entries are 0.",
    "two_values": "Not a sinusoidal table: there are only two values.",
    "position_0": "Too few numbers to tell: every row is that of position 0, which is the same for "
    f"every base. {MORE}",
    "rows_alike": f"Too few numbers to tell: all rows are the same. {MORE}",
    "list": lambda finding: (
        f"Not a table but a list of {finding.count} frequencies, those of base "
        f"{_spaced(finding.base, finding.spacing)} and width {number(2 * finding.count)}; a table "
        "has their sines and cosines at each position."
    ),
}


# How to get the paper's table, by the kind of what is other there.


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
FROM_0 = "take the positions 0, 1, 2, ..."
GO_ON = "let the table go on"

CURES: dict[str, str | Callable[[Finding], list[str]]] = {
    "transposed": "transpose it",
    "channels_first": "move the channels to the last axis",
    "index_column": "drop the first column",
    "zero_columns": "keep the columns before the zeros",
    "from_0_to_1": "take 2 T - 1",
    "halves_equal": "keep the first half of the columns",
    "neighbours_equal": "keep every other column",
    "layout": _order_cure,
    "base": _base_cure,
    "octaves": "take the frequencies 10 000^(-2i/{width})",
    "steps": _step_cure,
    "last_repeated": GO_ON,
    "starting_over": GO_ON,
    "positions_short": "count the positions in integers",
    "shuffled": "sort the rows by position",
    "falling_and_rising": FROM_0,
    "each_repeated": FROM_0,
    "listed": FROM_0,
    "short": "compute the {what} in float32 or float64",
    "scale": _scale_cure,
    "padding": "take the rows of zeros from the formula",
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


# The first part is for the causes, which are named as in `posenc_check.programs.CHANGES`.
FUNCTIONS: dict[str, Sentence] = {
    "positions_unused": (
        "The positions that are passed are not used: tokens are counted from the start of each "
        "call, and a token alone, as with a cache, is turned as position 0."
    ),
    "first_position_only": (
        "Only the first position of a call is used; from there tokens are counted on, whatever "
        "gaps and order are passed."
    ),
    "positions_less_the_first": "Positions are counted from the first one of each call.",
    "positions_of_first_text": (
        "The positions of the first text of a batch are used for all its texts."
    ),
    "texts_counted_on": "In a batch positions are counted on from one text to the next.",
    "text_as_position": "It turns by the number of the text in its batch, not by the position.",
    "head_as_position": (
        "It turns by the number of the head: the axes of heads and tokens are swapped."
    ),
    "view_for_transpose": (
        "Positions run across heads: heads and tokens were swapped by view or reshape, which "
        "deals the numbers anew, where a transpose is needed."
    ),
    "positions_by_length": (
        "A call is turned by the positions of the first call with as many tokens: what is cached "
        "is looked up by length alone."
    ),
    "alone_one_ahead": (
        "In a call of one token, as with a cache, position k is turned as position k + 1."
    ),
    "alone_at_zero": (
        "In a call of one token, as with a cache, every token is turned as position 0."
    ),
    "position_offset": lambda finding: (
        f"Position k is turned as position k {'+' if finding.steps > 0 else '-'} "
        f"{number(abs(finding.steps))}."
    ),
    "positions_end": _positions_end,
    "positions_begin_again": (
        "Positions begin again at {position}, which is turned as position 0."
    ),
    "positions_turn_negative": lambda finding: (
        f"Position {number(finding.position)} is turned as position {number(-finding.position)}: "
        "a type of integers ends there."
    ),
    "positions_rounded": lambda finding: (
        f"Its positions are rounded to {finding.dtype}: {FIRST_ROUNDED[finding.dtype]}."
    ),
    "angles_rounded": "Its angles are rounded to {dtype}.",
    "chain_rounded": (
        "Positions, frequencies and angles are rounded to {dtype}, as after a cast of the whole "
        "model."
    ),
    "list_rounded": (
        "Its frequencies were rounded to {dtype}: pair {pair} is off by a radian from position "
        "{position} on."
    ),
    "list_of_few_bits": (
        "Its frequencies follow no rule known here, and hold no more bits than {dtype} has."
    ),
    "cosines_rounded": "cosines and sines rounded to {dtype}, as in a cached table",
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
    "columns_of_other_layout": (
        "The two columns of a pair turn by different angles: the table is in one layout, the "
        "pairs in the other."
    ),
    "columns_apart": _columns_apart,
    "temperature": (
        "a length that depends on the position, as an attention temperature does "
        "(1 + {beta:.6g} ln(1 + k // {position!s}))"
    ),
    "growth": (
        "a length that depends on the position, by a factor of its own per token in each pair, as "
        "in xPos"
    ),
    "turned_backwards": "It turns the other way: the sign of the sines is the opposite.",
    "minus_missing": "It is no rotation: a minus sign is missing before one of the two sines.",
    "minus_twice": "It is no rotation: both sines have a minus sign, where one must have none.",
    "cosine_and_sine_swapped": "Cosines and sines are swapped.",
    "sines_for_cosines": "It is no rotation: sines stand where the cosines should.",
    "in_place": (
        "In place: the first column of a pair is overwritten before the second is made of it."
    ),
    "unturned_positions": "Position {position} and all after it are not turned.",
    "unturned_long_texts": lambda finding: (
        f"Texts of {number(finding.position + 1)} tokens or more are not turned."
    ),
    "unturned_tokens": "Token {token} of a call and all after it are not turned.",
    "unturned_heads": "Head {head} and all after it are not turned.",
    "unturned_texts": "Text {text} of a batch and all after it are not turned.",
    "alone_other_texts_unturned": (
        "In a batch with one token each, as with a cache, the texts after the first are not turned."
    ),
    "alone_other_texts_zero": (
        "In a batch with one token each, as with a cache, the texts after the first are zeros."
    ),
    "zeros_at_position_0": "Position 0 gives zeros.",
    "one_of": lambda finding: " Or, which these calls do not tell apart: ".join(
        map(sentence, finding.causes)
    ),
    # Lists of frequencies.
    "two_coordinates": "the list twice, for two coordinates",
    "one_coordinate": (
        "the other {still} pairs still (the list of one of two coordinates; or base {base_of_all} "
        "over all pairs)"
    ),
    "tensor2tensor_spacing": "{base} in tensor2tensor's spacing",
    "still_pairs": "the last {count} pairs still (p-RoPE)",
    "all_slower": "all pairs {times} times slower",
    "llama3_scaling": ("slow pairs {factor} times slower (Llama 3, trained with {length} tokens)"),
    "yarn_scaling": _yarn_scaling,
    "turned_twice": "All pairs turn twice as fast: the rotation is applied two times.",
    "degrees_as_radians": "Angles in degrees are taken for radians.",
    "turns_as_radians": "All pairs turn 2π times slower: angles in turns are taken for radians.",
    "radians_as_turns": "All pairs turn 2π times as fast: angles in radians are taken for turns.",
    "pairs_counted_from_1": "The pairs are counted from 1: the first has the second's frequency.",
    "exponent_without_minus": (
        "Frequencies grow from pair to pair: the exponent of {base} lacks its minus sign."
    ),
    "list_of_whole_head": lambda finding: (
        f"The frequencies are the first {finding.columns // 2} of the list for all "
        f"{finding.head_dim} columns of the head, with base {number(finding.base)}; "
        f"{finding.columns} columns alone have a list of their own."
    ),
    "over_whole_head": "counted over all {head_dim} columns of the head",
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
    "pair_faster": (
        "Pair {pair} turns by {frequency} a token; in a model each turns less, none backwards."
    ),
    # What a function is.
    "rope": _rope,
    "unknown_layout": lambda finding: (
        f"The pairs are in no known layout; the first are {[*map(tuple, finding.pairs)]}."
    ),
    "columns_out_of_order": "Columns come out in another order: column {column} as {comes_out_as}.",
    "neighbours_to_halves": (
        "neighbours go in and halves come out (as DeepSeek; harmless if queries and keys do)"
    ),
    "still_columns_scaled": "as {count} columns that do not turn are",
    "ends": _ends,
    "float32_angles": "angles in float32",
    "unexplained": _unexplained,
    "no_pairs": (
        "Columns do not turn in pairs: column {column} of x reaches {reaches} of the result."
    ),
    "nothing_turned": "It turns nothing, at positions {positions}.",
    "not_deterministic": "It is not deterministic: the same call gives other numbers.",
    "writes_into_positions": "It writes into the positions that it is given.",
    "writes_into_x": "It writes into x.",
    "raised": _raised,
    "returned_no_numbers": "It returned what is no array of finite real numbers: {value}.",
    "returned_other_shape": "From shape {given} it returned shape {returned}.",
    "from_position": "From position {position} on: {problem}",
    "in_call": _in_call,
    "looked_at": _looked_at,
    # How a function was called.
    "call_first": "the first tokens",
    "call_first_units": "the first tokens, unit vectors",
    "call_units": "unit vectors",
    "call_alone": "one token alone",
    "call_gaps": "positions with gaps",
    "call_order": "positions in another order",
    "call_batch": "a batch of three",
    "call_batch_alone": "a batch with one token each",
    "call_batch_order": "a batch in another order",
    "call_heads": "64 heads",
    "call_length": "a text of {tokens} tokens",
    "call_far": "a text with position {position}",
    "call_ends": "positions where types of integers end",
    "call_together": "near and far positions together",
    "call_prompt": "a prompt of {tokens} tokens",
    "call_block": lambda finding: (
        f"positions {number(finding.begin)} to {number(finding.begin + finding.tokens - 1)} "
        "together"
    ),
    "call_packed": "short texts packed in a row",
    "call_piece": "a piece of a text",
    "call_again": "the first tokens after a longer text",
    "call_own": "a batch whose texts have positions of their own",
    # How two functions differ.
    "same": (
        "They agree, one token at a time at {positions} positions up to {last}, and together in "
        "texts of all lengths, a batch and another order: entries of unit vectors differ by at "
        "most {most:.1g}."
    ),
    "both_end": "Both end at position {position}. {problem}",
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


TABLE_TOO = "says how many rows the table of positions has that is added to the patches, too"
CONFIGS: dict[str, Sentence] = {
    # Why a config is refused.
    "not read": "config must be of a model whose list is read, got {model_type}: {reason}",
    "unknown model_type": (
        "model_type must be one that was compared with its code, or be passed: "
        "model_type='llama' reads the config as one of Llama's, got {got}"
    ),
    "nothing turns": "config must be of a model that turns, got {key} {value!s}: {reason}",
    "slip": (
        "config must have no key that is nearly {name}, got {key}: write {name} if it is meant, "
        "or leave {key} out"
    ),
    "missing": (
        "config must have {name}: pass what to_dict() of its Transformers config returns, or add "
        "what its code has, if its code turns at all, got {got}"
    ),
    "missing kinds": (
        "config must have rope_parameters of each kind of layers, {kinds}, in place of one base "
        "and scaling: pass what to_dict() of its Transformers config returns, got {got}"
    ),
    "not read by the code": (
        "config must have no {name}, which the code of its model_type does not read: leave it "
        "out, or write rope_parameters as its to_dict() does, got {got}"
    ),
    "unknown key": (
        "config must have no key about positions that is not known here, got {key} {value}: leave "
        "it out if it does not act in your model"
    ),
    # Why a model type is not read.
    "reason slopes": "its slopes are added to scores: posenc.alibi_slopes",
    "reason two sizes": (
        "the model of 7 billion turns with base 10 000, that of 13 billion has ALiBi: pass "
        "model_type='llama' and rope_theta for the first"
    ),
    "reason distances": "its distances are buckets, or its scores come from vectors of distances",
    "reason table": "its positions are rows of a table, added to words or to patches",
    "reason no layer": "no layer of it turns",
    "reason half in neighbours": (
        "its own code turns neighbours in half of each head, with base 10 000 times rope_ratio, "
        "and has no key for it"
    ),
    "reason height and width apart": (
        "its pairs of height and width come apart, in the order of mrope_section"
    ),
    "reason width of its own": (
        "its width stands in keys of its own: memory_attention_hidden_size over its heads"
    ),
    "reason two axes": "it turns by two axes, though its rope_type says default: posenc.axes",
    "reason all columns": (
        "its module does not read rotary_dim, and turns all columns: pass the config without "
        "rotary_dim, with model_type='minimax_m2'"
    ),
    "reason three axes": "three axes of 26 columns each, and two columns stay: posenc.axes",
    "reason shared out": (
        "one ladder is shared out among row and column: "
        "posenc.axes.axial_frequencies(interleaved=True)"
    ),
    "reason centres": (
        "its patches turn by row and column, whose centres run from -1 to 1, times 2π: "
        "posenc.axes.axial_frequencies(head_dim, 2, base=rope_theta)"
    ),
    # What a key says where it says that the list does not act.
    "turns nothing": "nothing turns",
    "turns slopes": "slopes in place of turns, posenc.alibi_slopes",
    "turns values too": "the values turn, too",
    # What acts beside the list of frequencies: read after the name of a key and a colon.
    "acts by class": (
        "is not in the config: {value:.15g} is what the class of its model_type has in "
        "Transformers {release}"
    ),
    "acts still": "layers of this kind have no RoPE; this list is of the others",
    "acts no_rope_layers": "layers {layers}, from 0 on, do not turn; others have this list",
    "acts ignored": "is not read by the code of {model_type}, which turns whatever it says",
    "acts heads as one": "{heads:g} heads of {columns} columns turn as one",
    "acts rope_interleave": (
        "says which columns form a pair: layout='interleaved' if true, 'halves' if not"
    ),
    "acts rope_interleaved": (
        "says which columns form a pair: layout='interleaved'; Transformers does not read it"
    ),
    "acts attn_config": (
        "has the base, {config[rope_theta]!s}, in the model's own code; Transformers {release} "
        "does not look there and takes 10 000"
    ),
    "acts rotary_emb_interleaved": "says which columns form a pair: layout='interleaved'",
    "acts mrope_section": "says which coordinate turns a pair: posenc.axes.mrope_axes",
    "acts mrope_interleaved": "says how the coordinates share the pairs: posenc.axes.mrope_axes",
    "acts xdrope_section": "says how many columns each coordinate gets (HunYuan-VL)",
    "acts qk_nope_head_dim": "says how many columns of each head do not turn",
    "acts dual_chunk_attention_config": (
        "says that long texts are read in chunks, in which positions begin anew: this list is that "
        "of each chunk. vLLM reads it, Transformers does not"
    ),
    "acts attn_temperature_tuning": (
        "multiplies the queries of layers without RoPE: "
        "posenc.scaling.attention_temperature(positions + 1, beta={config[attn_scale]!s}, "
        "original_max_position_embeddings={config[floor_scale]!s})"
    ),
    "acts llama_4_scaling_beta": (
        "multiplies each query by a number that grows with its position: attention_temperature"
    ),
    "acts use_logn_attn": (
        "multiplies a query after the first {config[seq_length]!s} tokens by "
        "log(position + 1) / log({config[seq_length]!s})"
    ),
    "acts use_dynamic_ntk": (
        "raises the base with a text of more than {config[seq_length]!s} tokens; this is the list "
        "of shorter ones"
    ),
    "acts rope_scaling_layers": (
        "only these layers have the scaling: {config[rope_scaling_layers]}; the others have the "
        "list of the base alone"
    ),
    "acts num_position_embeddings": TABLE_TOO,
    "acts position_embedding_size": TABLE_TOO,
    "acts posemb_grid_size": (
        "says how many rows and columns the table has that is added to the patches, too"
    ),
    "acts pos_emb_height": (
        "says how many rows of patches the table has that is added to the patches, too"
    ),
    "acts mistral_large4": (
        "its weights multiply the list by exp(alpha), and queries by "
        "scale * log(position + 1) + bias"
    ),
    "acts beam": (
        "multiplies queries by exp(0.1 * log(1 + (position + 1) / 2048)) in its full layers"
    ),
    "acts max_position_embeddings": "is an argument of scaled_frequencies",
    "acts mscale_all_dim": (
        "multiplies all scores, too, where the attention is DeepSeek's: "
        "by (1 + 0.1 * {mscale_all_dim!s} * math.log({factor!s})) ** 2"
    ),
    "acts axial": (
        "lists the row's pairs, then the column's, a ladder each; where one ladder is shared "
        "out (Pixtral) or there are three axes: posenc.axes.axial_frequencies"
    ),
    "acts elsewhere": "is not read by {rope_type}, only by {readers}",
    # The lines of a report.
    "no JSON": "This is not JSON: {problem}.\nPaste the whole file, from {{ to }}.",
    "refused": "{message}",
    "columns": _columns,
    "up to": "In texts of up to {tokens!s} tokens:",
    "beyond": (
        "In longer texts than {tokens!s} tokens, whose cached keys must be turned anew when the "
        "list changes:"
    ),
    "ladder": _ladder,
    "full turns": "In {tokens!s} tokens, {turning} of {pairs} pairs make a full turn.",
    "longer texts": "A longer text has another list: pass sequence_length= for it.",
    "factor": lambda finding: (
        f"The factor is {finding.factor:g}"
        f"{', on the columns that turn' if finding.factor != 1 else ''}."
    ),
    "acts": "{key}: {does}.",
    "pairs": (
        "The pairs are {layout}, by the code of {model_type} in transformers {release}. "
        "What to type:"
    ),
    "pairs unknown": lambda finding: (
        f"Which columns form a pair is not known for "
        f"{finding.model_type or 'a config without model_type'}: ask check_rope, and put its "
        "answer in here. What to type:"
    ),
    "program": "{code}",
    "left open": (
        "What this file does not say: whether queries and keys are normalised, and if so, before "
        "the turn or after it; whether your program reads these settings; and what a key does "
        "whose name is not about positions."
    ),
    "unreadable": "{error}: {message}",
}
