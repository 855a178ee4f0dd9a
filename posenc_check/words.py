"""The sentence of each kind of finding.

No other file of this package has sentences of a verdict, and no code reads one. A sentence is a
template whose fields are the values of the finding, or a function of these values where it has
plurals or parts that may be missing.
"""

from collections.abc import Callable, Iterable, Sequence
from math import log10
from typing import Any

from posenc_check.findings import Finding
from posenc_check.rounding import number

Template = str | Callable[..., str]


def numbers_shown(values: list[Any], most: int = 3) -> str:
    """Return the first of some numbers as text, with dots where there are more."""
    return ", ".join(map(number, values[:most])) + (", ..." if len(values) > most else "")


def storage_name(storage: Any) -> str:
    """Return how numbers are stored: a type, or decimals or digits."""
    name = {"decimals": "decimals", "digits": "significant digits"}.get(storage.kind, storage.kind)
    if storage.places or storage.kind == "decimals":
        name = name.removesuffix("s") if storage.places == 1 else name
        name = f"{storage.places} {name}" if storage.places else "whole numbers"
    return f"{storage.before} printed to {name}" if storage.before else name


# Tables: `posenc_check.inspect_table`. Kinds in PHRASES are parts of one sentence.


def _layout(layout: str, cosines_first: bool, spacing: str, **_others: Any) -> str:
    number = {
        "paper": "its number in place of its pair's",
        "twice the number": "twice its number: 2*i of an i that is even, as in a tutorial",
    }
    lone = {
        "sines": "sines alone, one column for each pair, as RoPE's code keeps them",
        "cosines": "cosines alone, one column for each pair, as RoPE's code keeps them",
        "by column": f"each column has a frequency of its own, by {number.get(spacing)}",
    }
    return lone.get(layout, layout) + (", cosines first" if cosines_first else "")


SPACINGS = {
    "tensor2tensor": " in tensor2tensor's spacing",
    "of an even width": " and the exponents of the next even width",
}


def _base_number(base: float) -> str:
    return number(base) if base >= 1 else f"1/{number(1 / base)}"


def _base(base: float, spacing: str, within: float, also: Any, **_others: Any) -> str:
    text = f"base {_base_number(base)}{SPACINGS.get(spacing, '')}"
    if base < 1:
        text += " (frequencies grow: the exponent has no minus)"
    if base == 1e8 and spacing == "paper":
        text += " (10 000 with twice the exponent: 2*i of an i that is even)"
    same = [each for each, _ in also if each == base]
    if same:
        text += " (too short to tell the paper's spacing from tensor2tensor's)"
    elif also:
        names = [f"{_base_number(other)}{SPACINGS.get(way, '')}" for other, way in also]
        text += f" (or {' or '.join(names)}, which gives every number as well)"
    elif within >= 1:
        text += " (of which these numbers say little)"
    elif within > 5e-3:
        text += f" (within {max(1, round(100 * within))} %)"
    return text


def _octaves(pi: bool, **_others: Any) -> str:
    return f"frequencies that double: {'π, 2π, 4π' if pi else '1, 2, 4'}, ..."


STEP_NAMES = {
    "degrees": " (degrees taken for radians)",
    "turns": " (turns taken for radians)",
    "pairs from 1": " (pairs counted from 1)",
}


def _steps(first: float, row: int, step: float, name: str, **_others: Any) -> str:
    text = f"first position {number(first)}" + (f" in row {row}" if row else "")
    if step != 1:
        text += f", in steps of {number(float(f'{step:.6g}'))}{STEP_NAMES.get(name, '')}"
    return text


def _listed(positions: list[float], more: bool, row: int | None, at: float | None) -> str:
    text = f"positions {', '.join(map(number, positions))}{', ...' if more else ''}"
    return text + (f" (row {row} is at {number(at)})" if row is not None and at is not None else "")


def _scale(factor: float, width: int, within: float) -> str:
    text = number(float(f"{factor:.6g}"))
    for value, name in ((width**-0.5, f"1/√{width}"), (width**0.5, f"√{width}")):
        if abs(factor / value - 1) < 1e-6:
            text = name
    return f"times {text}" + (f" (within {round(100 * within)} %)" if within > 0.01 else "")


def _padding(rows: list[int]) -> str:
    return f"row {numbers_shown(rows)} all zeros (padding)"


def _stored(storage: Any) -> str:
    exact = storage.kind == "float64"
    return "" if exact else f"rounded to {storage_name(storage)}"


def _coordinates(count: int, split: str) -> str:
    order = {"sines, then cosines": "first the sines of all, then the cosines"}.get(split, split)
    return f"Sinusoidal in {count} coordinates, {order}"


def _coordinate(number: int, columns: tuple[int, int] | None) -> str:
    name = f"columns {columns[0]} to {columns[1]}" if columns else f"coordinate {number}"
    return f"{name}:"


def _compared(rows: int, columns: int, storage: Any) -> str:
    exact = storage.kind == "float64"
    room = "as far as float64 computes it" if exact else f"rounded to {storage_name(storage)}"
    return f"Each of the {number(rows)} × {number(columns)} numbers is the formula's, {room}."


def _paper(rows: int) -> str:
    return "This is the paper's table." if rows > 1 else "A row of the paper's table."


def _differs(
    count: int,
    rows: list[int],
    columns: list[int],
    of_rows: int,
    of_columns: int,
    row: int,
    column: int,
    by: float,
    most: float,
) -> str:
    """Say how many numbers differ, where they stand, the first of them, and the largest."""
    text = f"It differs in {number(count)} {'number' if count == 1 else 'numbers'}"
    if len(columns) <= of_columns / 4 and len(columns) * of_rows <= len(rows) * of_columns:
        text += f", all in {'column' if len(columns) == 1 else 'columns'} {numbers_shown(columns)}"
    elif len(rows) <= of_rows / 4:
        text += f", all in {'row' if len(rows) == 1 else 'rows'} {numbers_shown(rows)}"
    text += f", first in row {row}, column {column}, by {by:.2g}"
    return text + (f", and by at most {most:.2g}." if count > 1 else ".")


def _list(count: int, base: float, spacing: str) -> str:
    return (
        f"Not a table but a list of {count} frequencies, those of base {_base_number(base)}"
        f"{SPACINGS.get(spacing, '')} and width {number(2 * count)}; a table has their sines and "
        "cosines at each position."
    )


MORE = "Add rows, that of position 1 too, or digits."

TABLES: dict[str, Template] = {
    "copies": lambda count: f"The same table is repeated {number(count)} times.",
    "transposed": "Transposed: rows for columns.",
    "channels_first": "The channels are the first axis.",
    "pairs_axis": "The last axis has the two numbers of a pair.",
    "index_column": "The first column is an index.",
    "zero_columns": lambda count: (
        "The last column is zeros." if count == 1 else f"The last {count} columns are zeros."
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
    "octaves": _octaves,
    "steps": _steps,
    "one_position": lambda position: f"position {number(position)}",
    "positions_short": lambda first, stored: (
        f"first position {number(first)}, positions rounded to {stored}"
    ),
    "last_repeated": lambda first, last: (
        f"first position {number(first)}, the last, {number(last)}, repeated"
    ),
    "starting_over": lambda first, last: (
        f"first position {number(first)}, starting over after {number(last)}"
    ),
    "falling_and_rising": lambda first, least, last: (
        f"positions that fall from {number(first)} to {number(least)} and rise to {number(last)}"
    ),
    "shuffled": lambda least, most: f"rows shuffled, positions {number(least)} to {number(most)}",
    "each_repeated": lambda first, times: f"first position {number(first)}, each {times} times",
    "listed": _listed,
    "positions_read": "which are no round numbers and were read off, to about two last places",
    "short": "{what} rounded to {stored}",
    "scale": _scale,
    "padding": _padding,
    "storage": _stored,
    "angles": "angles in {stored}",
    "paper": _paper,
    "compared": _compared,
    "unknown": "None of the formulas tried gives these numbers.",
    "nearest": "The nearest is",
    "differs": _differs,
    "too_few": "Too few numbers to tell, though they would fit",
    "zeros": "Not a sinusoidal table: all entries are 0.",
    "two_values": "Not a sinusoidal table: there are only two values.",
    "position_0": "Too few numbers to tell: every row is that of position 0, which is the same for "
    f"every base. {MORE}",
    "rows_alike": f"Too few numbers to tell: all rows are the same. {MORE}",
    "list": _list,
}

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
        said = sentence(finding)
        if not said:
            continue
        if before in PHRASES or before == "coordinates":
            if finding.kind in PHRASES:
                text += ", "
            else:
                text += "; " if finding.kind == "coordinate" else ". "
        elif text:
            text += " "
        text, before = text + said, finding.kind
    return text + "." if before in PHRASES else text


def cures(findings: Iterable[Finding]) -> tuple[str, ...]:
    """Return what to do about the findings of a table to get the paper's, step by step."""
    steps: list[str] = []
    for finding in findings:
        values = dict(vars(finding))
        cure = CURES.get(values.pop("kind"))
        if callable(cure):
            steps += cure(**values)
        elif cure is not None:
            steps.append(cure.format(**values))
    return tuple(steps)


def _order_cures(layout: str, cosines_first: bool, width: int, **_others: Any) -> list[str]:
    half = (width + 1) // 2
    side = f"put column i and column i + {half} side by side, i from 0 to {half - 1}"
    swap = "swap the sine and the cosine of each pair"
    return [side] * (layout == "halves") + [swap] * cosines_first


def _base_cure(base: float, spacing: str, width: int, **_others: Any) -> list[str]:
    if base == 1e4 and spacing != "tensor2tensor":
        return []
    last = f"{_base_number(base)}^(-2i/{width})"
    if spacing == "tensor2tensor":
        last = f"{_base_number(base)}^(-i/{(width + 1) // 2 - 1})"
    return [f"take the frequencies 10 000^(-2i/{width}), not {last}"]


def _step_cures(first: float, step: float, **_others: Any) -> list[str]:
    if step != 1:
        return [f"take positions in steps of 1, not {number(float(f'{step:.6g}'))}"]
    return [f"begin with position 0, not {number(first)}"] if first else []


def _scale_cure(factor: float, width: int, **_others: Any) -> list[str]:
    for value, name in (
        (width**-0.5, f"multiply by √{width}"),
        (width**0.5, f"divide by √{width}"),
    ):
        if abs(factor / value - 1) < 1e-6:
            return [name]
    return [f"divide by {factor:.6g}"]


TO_PAPER = "To get the paper's table:"
FROM_0 = "take the positions 0, 1, 2, ..."
GO_ON = "let the table go on"

CURES: dict[str, str | Callable[..., list[str]]] = {
    "transposed": "transpose it",
    "channels_first": "move the channels to the last axis",
    "index_column": "drop the first column",
    "zero_columns": "keep the columns before the zeros",
    "from_0_to_1": "take 2 T - 1",
    "halves_equal": "keep the first half of the columns",
    "neighbours_equal": "keep every other column",
    "layout": _order_cures,
    "base": _base_cure,
    "octaves": "take the frequencies 10 000^(-2i/{width})",
    "steps": _step_cures,
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

# Functions: `posenc_check.check_rope`, `compare_rope` and `assert_rope`. The first part is for the
# causes, which are named as in `posenc_check.programs.CHANGES`.
FUNCTIONS: dict[str, Template] = {
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
    "position_offset": lambda steps: (
        f"Position k is turned as position k {'+' if steps > 0 else '-'} {number(abs(steps))}."
    ),
    "positions_end": lambda position: (
        f"Positions stop at {number(position - 1)}: position {number(position)} and all after it "
        f"are turned as position {number(position - 1)}."
    ),
    "positions_begin_again": lambda position: (
        f"Positions begin again at {number(position)}, which is turned as position 0."
    ),
    "positions_turn_negative": lambda position: (
        f"Position {number(position)} is turned as position {number(-position)}: a type of "
        "integers ends there."
    ),
    "positions_rounded": lambda dtype: (
        f"Its positions are rounded to {dtype}: {FIRST_ROUNDED[dtype]}."
    ),
    "angles_rounded": "Its angles are rounded to {dtype}.",
    "chain_rounded": (
        "Positions, frequencies and angles are rounded to {dtype}, as after a cast of the whole "
        "model."
    ),
    "list_rounded": lambda dtype, pair, position: (
        f"Its frequencies were rounded to {dtype}: pair {pair} is off by a radian from position "
        f"{number(position)} on."
    ),
    "list_of_few_bits": (
        "Its frequencies follow no rule known here, and hold no more bits than {dtype} has."
    ),
    "cosines_rounded": "cosines and sines rounded to {dtype}, as in a cached table",
    "other_list_in_long_texts": lambda position, **_: (
        f"{_from_tokens(position)} (one list for all of them, as LongRoPE)"
    ),
    "dynamic": lambda position, factor, **_: (
        f"{_from_tokens(position)} (dynamic, factor {factor:.6g})"
    ),
    "dynamic_kept": lambda position, factor, **_: (
        f"{_from_tokens(position)} (dynamic, factor {factor:.6g}), kept for later texts until one "
        f"has fewer than {number(position)} tokens"
    ),
    "columns_of_other_layout": (
        "The two columns of a pair turn by different angles: the table is in one layout, the "
        "pairs in the other."
    ),
    "columns_apart": lambda times, **_: (
        "The two columns of a pair turn by different angles"
        + (f": the second {times:.6g} times as fast." if times else ".")
    ),
    "temperature": lambda position, beta: (
        "a length that depends on the position, as an attention temperature does "
        f"(1 + {beta:.6g} ln(1 + k // {position}))"
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
    "unturned_positions": lambda position: (
        f"Position {number(position)} and all after it are not turned."
    ),
    "unturned_long_texts": lambda position: (
        f"Texts of {number(position + 1)} tokens or more are not turned."
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
    "one_of": lambda causes: " Or, which these calls do not tell apart: ".join(
        map(sentence, causes)
    ),
    # Lists of frequencies.
    "two_coordinates": "the list twice, for two coordinates",
    "one_coordinate": lambda still, base_of_all, **_: (
        f"the other {still} pairs still (the list of one of two coordinates; or base "
        f"{number(base_of_all)} over all pairs)"
    ),
    "tensor2tensor_spacing": lambda base: f"{number(base)} in tensor2tensor's spacing",
    "still_pairs": "the last {count} pairs still (p-RoPE)",
    "all_slower": lambda times: f"all pairs {number(times)} times slower",
    "llama3_scaling": lambda factor, length: (
        f"slow pairs {number(factor)} times slower (Llama 3, trained with {number(length)} tokens)"
    ),
    "yarn_scaling": lambda factor, length, truncate: (
        f"slow pairs {number(factor)} times slower (YaRN, trained with {number(length)} tokens"
        f"{'' if truncate else ', its ramp not cut to whole pairs'})"
    ),
    "turned_twice": "All pairs turn twice as fast: the rotation is applied two times.",
    "degrees_as_radians": "Angles in degrees are taken for radians.",
    "turns_as_radians": "All pairs turn 2π times slower: angles in turns are taken for radians.",
    "radians_as_turns": "All pairs turn 2π times as fast: angles in radians are taken for turns.",
    "pairs_counted_from_1": "The pairs are counted from 1: the first has the second's frequency.",
    "exponent_without_minus": lambda base: (
        f"Frequencies grow from pair to pair: the exponent of {number(base)} lacks its minus sign."
    ),
    "list_of_whole_head": lambda base, columns, head_dim: (
        f"The frequencies are the first {columns // 2} of the list for all {head_dim} columns of "
        f"the head, with base {number(base)}; {columns} columns alone have a list of their own."
    ),
    "over_whole_head": "counted over all {head_dim} columns of the head",
    "list_of_whole_head_too": lambda base, columns, head_dim: (
        f"which are also the first {columns // 2} of the list of base {number(base)} for all "
        f"{head_dim} columns"
    ),
    "pairs_off_list": lambda base, runs: (
        f"Not all frequencies are those of base {number(base)}: {_runs(runs)}."
    ),
    "slowed_by_no_rule": lambda base, runs: (
        f"slowed by no rule known here, from base {number(base)}: {_runs(runs)}"
    ),
    "pair_faster": lambda pair, frequency: (
        f"Pair {pair} turns by {number(frequency)} a token; in a model each turns less, none "
        "backwards."
    ),
    # What a function is.
    "rope": lambda **values: _rope(**values),
    "unknown_layout": lambda pairs: (
        f"The pairs are in no known layout; the first are {[tuple(pair) for pair in pairs]}."
    ),
    "columns_out_of_order": "Columns come out in another order: column {column} as {comes_out_as}.",
    "neighbours_to_halves": (
        "neighbours go in and halves come out (as DeepSeek; harmless if queries and keys do)"
    ),
    "still_columns_scaled": "as {count} columns that do not turn are",
    "ends": lambda position, error, message: (
        f"only to position {number(position)}, then raised {error}{': ' if message else ''}"
        f"{message.rstrip('.')}"
    ),
    "float32_angles": "angles in float32",
    "unexplained": lambda layout, call, token, position, column, head, text, by: (
        "No cause known here gives its numbers. From plain RoPE with the same frequencies "
        f"({layout or 'the pairs that its unit vectors show'}) they differ first in "
        f"{sentence(call)}, token {number(token)}, at position {number(position)}, column "
        f"{column}, head {head}, text {text}: by {by:.2g}."
    ),
    "no_pairs": (
        "Columns do not turn in pairs: column {column} of x reaches {reaches} of the result."
    ),
    "nothing_turned": "It turns nothing, at positions {positions}.",
    "not_deterministic": "It is not deterministic: the same call gives other numbers.",
    "writes_into_positions": "It writes into the positions that it is given.",
    "writes_into_x": "It writes into x.",
    "raised": lambda error, message: _ended(f"It raised {error}: {message}".rstrip(": ")),
    "returned_no_numbers": "It returned what is no array of finite real numbers: {value}.",
    "returned_other_shape": "From shape {given} it returned shape {returned}.",
    "from_position": lambda position, problem: (
        f"From position {number(position)} on: {sentence(problem)}"
    ),
    "in_call": lambda call, problem: _capital(f"{sentence(call)}: {sentence(problem)}"),
    "looked_at": lambda **values: _looked_at(**values),
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
    "call_length": lambda tokens: f"a text of {number(tokens)} tokens",
    "call_far": lambda position: f"a text with position {number(position)}",
    "call_ends": "positions where types of integers end",
    "call_together": "near and far positions together",
    "call_prompt": lambda tokens: f"a prompt of {number(tokens)} tokens",
    "call_block": lambda begin, tokens: (
        f"positions {number(begin)} to {number(begin + tokens - 1)} together"
    ),
    "call_packed": "short texts packed in a row",
    "call_piece": "a piece of a text",
    "call_again": "the first tokens after a longer text",
    "call_own": "a batch whose texts have positions of their own",
    # How two functions differ.
    "same": lambda positions, last, most: (
        f"They agree, one token at a time at {number(positions)} positions up to {number(last)}, "
        "and together in texts of all lengths, a batch and another order: entries of unit vectors "
        f"differ by at most {most:.1g}."
    ),
    "both_end": lambda position, problem: (
        f"Both end at position {number(position)}. {sentence(problem)}"
    ),
    "differ_for_unit": lambda position, one, column, numbers, roles: (
        f"They first differ at position {number(position)}: for a single token that is 1 in column "
        f"{one} and 0 elsewhere, {_two_numbers(column, numbers, roles)}"
    ),
    "differ_in_call": lambda position, call, token, text, head, column, numbers, roles: (
        f"They first differ at position {number(position)}, in {sentence(call)}: in token "
        f"{number(token)} of text {text}, head {head}, {_two_numbers(column, numbers, roles)}"
    ),
    "one_gives_none": lambda position, call, role, problem: (
        f"They first differ at position {number(position)}, in {sentence(call)}: {ROLES[role]} "
        f"gives no numbers. {sentence(problem)}"
    ),
    "report_of": lambda role, findings: (
        f"check_rope says of {ROLES[role]}: {' '.join(map(sentence, findings))}"
    ),
}


def _not_read(model_type: str, reason: str) -> str:
    why = CONFIGS[f"reason {reason}"]
    return f"config must be of a model whose list is read, got {model_type}: {why}"


def _nothing_turns(key: str, value: Any) -> str:
    what = CONFIGS[f"turns {key}"]
    return f"config must be of a model that turns, got {key} {value}: {what}"


def _filled(value: float, release: str) -> str:
    number = f"{value:.0f}" if value == round(value) else f"{value:g}"
    return (
        f"is not in the config: {number} is what the class of its model_type has in "
        f"Transformers {release}"
    )


def _columns(
    turning: int, columns: int, layers: str | None = None, numbers: Sequence[int] = ()
) -> str:
    words = f"{turning} of the {columns} columns of a head turn, in pairs:"
    if layers is None:
        return words
    listed = f" ({', '.join(map(str, numbers))})" if numbers else ""
    return f"In the layers of the kind {layers}{listed}, {words}"


def _ladder(pairs: Sequence[tuple[int, float | None]]) -> str:
    lines = []
    for pair, tokens in pairs:
        if tokens is None:
            lines.append(f"  pair {pair:3} has frequency 0")
        else:
            shown = f"{tokens:11.0f}" if tokens < 1e11 else f"{tokens:11.3g}"
            lines.append(f"  pair {pair:3} {shown} tokens a turn {'-' * round(3 * log10(tokens))}")
    return "\n".join(lines)


def _factor(factor: float) -> str:
    where = ", on the columns that turn" if factor != 1 else ""
    return f"The factor is {factor:g}{where}."


def _pairs_unknown(model_type: str | None) -> str:
    which = model_type or "a config without model_type"
    return (
        f"Which columns form a pair is not known for {which}: ask check_rope, and put its answer "
        "in here. What to type:"
    )


# Configs: `posenc_check.rotary_settings`, `scaled_frequencies` and `config_report`.
NOTHING_TURNS = "nothing turns"
SLOPES = "slopes in place of turns, posenc.alibi_slopes"
TABLE_TOO = "says how many rows the table of positions has that is added to the patches, too"
CONFIGS: dict[str, Template] = {
    # Why a config is refused.
    "not read": _not_read,
    "unknown model_type": (
        "model_type must be one that was compared with its code, or be passed: "
        "model_type='llama' reads the config as one of Llama's, got {got}"
    ),
    "nothing turns": _nothing_turns,
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
    "turns alibi": SLOPES,
    "turns use_alibi": SLOPES,
    "turns position_embedding_type": NOTHING_TURNS,
    "turns mla_use_nope": NOTHING_TURNS,
    "turns use_mem_rope": NOTHING_TURNS,
    "turns use_rope": NOTHING_TURNS,
    "turns use_rotary": NOTHING_TURNS,
    "turns use_rotary_embedding": NOTHING_TURNS,
    "turns rotary": NOTHING_TURNS,
    "turns use_pos_enc": NOTHING_TURNS,
    "turns rotary_value": "the values turn, too",
    # What acts beside the list of frequencies: read after the name of a key and a colon.
    "filled": _filled,
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
        "has the base, {config[rope_theta]}, in the model's own code; Transformers "
        "{config[release]} does not look there and takes 10 000"
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
        "posenc.scaling.attention_temperature(positions + 1, beta={config[attn_scale]}, "
        "original_max_position_embeddings={config[floor_scale]})"
    ),
    "acts llama_4_scaling_beta": (
        "multiplies each query by a number that grows with its position: attention_temperature"
    ),
    "acts use_logn_attn": (
        "multiplies a query after the first {config[seq_length]} tokens by "
        "log(position + 1) / log({config[seq_length]})"
    ),
    "acts use_dynamic_ntk": (
        "raises the base with a text of more than {config[seq_length]} tokens; this is the list of "
        "shorter ones"
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
        "by (1 + 0.1 * {mscale_all_dim} * math.log({factor})) ** 2"
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
    "up to": "In texts of up to {tokens} tokens:",
    "beyond": (
        "In longer texts than {tokens} tokens, whose cached keys must be turned anew when the list "
        "changes:"
    ),
    "ladder": _ladder,
    "full turns": "In {tokens} tokens, {turning} of {pairs} pairs make a full turn.",
    "longer texts": "A longer text has another list: pass sequence_length= for it.",
    "factor": _factor,
    "acts": "{key}: {does}.",
    "pairs": (
        "The pairs are {layout}, by the code of {model_type} in transformers {release}. "
        "What to type:"
    ),
    "pairs unknown": _pairs_unknown,
    "left open": (
        "What this file does not say: whether queries and keys are normalised, and if so, before "
        "the turn or after it; whether your program reads these settings; and what a key does "
        "whose name is not about positions."
    ),
}


def sentence(finding: Finding) -> str:
    """Return a finding as a sentence."""
    values = dict(vars(finding))
    template = (TABLES | FUNCTIONS | CONFIGS)[values.pop("kind")]
    return template(**values) if callable(template) else template.format(**values)


def _two_numbers(column: int, numbers: Sequence[float], roles: Sequence[str]) -> str:
    """Return what two functions give in a column."""
    one, other = (f"{n:.6g} with {ROLES[role]}" for n, role in zip(numbers, roles, strict=True))
    return f"column {column} is {one}, {other}."


def _from_tokens(position: int) -> str:
    return f"other frequencies in texts of {number(position + 1)} tokens or more"


def _ended(text: str) -> str:
    """Return a text with a full stop, unless it ends a sentence already."""
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _runs(runs: Sequence[tuple[int, int, float, float]]) -> str:
    """Return which pairs turn how many times as fast as in a list, the first three runs of them."""
    parts = []
    for first, last, least, most in runs[:3]:
        pairs = f"pair {first}" if first == last else f"pairs {first} to {last}"
        turn = "turns" if first == last else "turn"
        times = f"{least:.6g}" if least == most else f"{least:.6g} to {most:.6g}"
        still = f"{'does' if first == last else 'do'} not turn"
        parts.append(f"{pairs} {still if most == 0 else f'{turn} {times} times as fast'}")
    return ", ".join(parts) + (", and more" if len(runs) > 3 else "")


def _rope(
    layout: str | None,
    parts: int,
    base: float | None,
    frequency: float,
    begin: int,
    width: int,
    head_dim: int,
    rules: Sequence[Finding],
    factor: float,
    remarks: Sequence[Finding],
) -> str:
    """Return what a function is: layout, base, columns, how its list is scaled, and remarks."""
    columns = f"columns {begin} to {begin + width - 1} of {head_dim}"
    if width == head_dim:
        columns = f"all {head_dim} columns"
    elif begin in (0, head_dim - width):
        columns = f"the {'last' if begin else 'first'} {width} of {head_dim} columns"
    listed = "frequencies by no rule known here"
    if base is not None:
        listed = f"base {number(base)}" if base else f"{number(frequency)} radian per token"
    pairs = layout or "no known layout"
    words = [pairs if parts == 1 else f"{pairs} within each of {parts} parts", listed, columns]
    words += [sentence(rule) for rule in rules]
    words += [f"times {factor:.6g}"] if factor != 1 else []
    words += [sentence(remark) for remark in remarks]
    return f"RoPE: {', '.join(words)}."


def _looked_at(
    calls: int,
    near: int,
    far: int,
    last: int,
    uses: Sequence[Finding],
    kind_of_numbers: str,
    own: bool,
    longest: int,
) -> str:
    """Return what a verdict on a function holds of, and what was not looked at."""
    lengths = [use.tokens for use in uses if use.kind == "call_length"]
    names = dict.fromkeys(sentence(use) for use in uses if use.kind != "call_length")
    if lengths:
        names[f"texts of {', '.join(map(number, lengths))} tokens"] = None
    left_out = "" if own else ", positions of the shape (batch, tokens), which it does not take"
    return (
        f"Looked at {calls} calls: positions 0 to {near - 1} and {far} more up to {number(last)}; "
        f"{'; '.join(names)}. x was float64, and the numbers are {kind_of_numbers}. Not looked at: "
        f"positions beyond {number(last)}{left_out}, more than {number(longest)} tokens in a call."
    )
