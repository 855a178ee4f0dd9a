"""The words of findings, which are made last: no code reads a sentence.

``sentences.toml`` has all words. A kind of finding whose sentence has a plural, a number of its own
or a part that may be missing has a function here, which chooses among the texts of that file.
"""

import tomllib
from collections.abc import Callable, Iterable, Sequence
from math import log10
from pathlib import Path
from string import Formatter
from typing import Any

from posenc_check.findings import Finding

CATALOG = tomllib.loads(Path(__file__).with_name("sentences.toml").read_text(encoding="utf-8"))
CURES: dict[str, str] = CATALOG.pop("cures")
SENTENCES: dict[str, str] = {kind: text for part in CATALOG.values() for kind, text in part.items()}


def sentence(finding: Finding) -> str:
    """Return the sentence of a finding."""
    composed = COMPOSED.get(finding.kind)
    return composed(finding) if composed else text(finding.kind, finding)


def text(name: str, finding: Finding | None = None, /, **values: Any) -> str:
    """Return a text of the catalog, filled in with the values of a finding and with others."""
    return _filled(SENTENCES[name], finding, values)


def _filled(template: str, finding: Finding | None, values: dict[str, Any]) -> str:
    of_finding = vars(finding) if finding else {}
    return _FORMATTER.vformat(template, (), of_finding | values)


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


def _listed(values: Sequence[Any], most: int = 3) -> str:
    """Return the first values of a list in words, with dots where there are more."""
    return ", ".join(map(in_words, values[:most])) + (", ..." if len(values) > most else "")


def _sentences(findings: Iterable[Finding], between: str) -> str:
    return between.join(map(sentence, findings))


# A function that is named after a kind of finding returns the sentence of that kind.

# Tables: `posenc_check.inspect_table`.

# Kinds that are parts of one sentence, with commas between them.
PHRASES = (
    *("layout", "one_pair", "base", "octaves", "steps", "one_position", "starting_over"),
    *("falling_and_rising", "shuffled", "each_repeated", "listed", "positions_read"),
    *("scale", "padding", "storage", "angles"),
)


def table_report(findings: Iterable[Finding]) -> str:
    """Return the findings of a table as text."""
    report, before = "", ""
    for finding in findings:
        words = sentence(finding)
        if not words:
            continue
        if before in PHRASES or before == "coordinates":
            if finding.kind in PHRASES:
                report += ", "
            else:
                report += "; " if finding.kind == "coordinate" else ". "
        elif report:
            report += " "
        report, before = report + words, finding.kind
    return report + "." if before in PHRASES else report


def storage_name(storage: Any) -> str:
    """Return how numbers are stored: a type, or how many decimals or digits were printed."""
    name = str(storage.kind)
    if name in ("decimals", "digits"):
        name = text(f"{name}_1" if storage.places == 1 else name, places=storage.places)
        name = name if storage.places else text("decimals_0")
    return text("printed", before=storage.before, name=name) if storage.before else name


def _layout(finding: Finding) -> str:
    name, ends = f"layout {finding.layout}", ""
    if finding.layout == "by column":
        name += f", {finding.spacing}"
    if finding.cosines_first:
        ends = text("cosines_first")
    return text(name) + ends


def _base_in_words(base: float, spacing: str) -> str:
    """Return a base with its spacing, and a base below 1 as a fraction."""
    written = number(base) if base >= 1 else f"1/{number(1 / base)}"
    return text("base_spaced", base=written, spacing=SENTENCES.get(f"spacing {spacing}", ""))


def _base(finding: Finding) -> str:
    base, spacing, within = finding.base, finding.spacing, finding.within
    words = text("base", base=_base_in_words(base, spacing))
    if base < 1:
        words += text("base_below_1")
    if base == 1e8 and spacing == "paper":
        words += text("base_squared")
    if any(other == base for other, _ in finding.also):
        return words + text("base_of_either_spacing")
    if finding.also:
        others = text("or").join(_base_in_words(*other) for other in finding.also)
        return words + text("base_or", others=others)
    if within >= 1:
        return words + text("base_vague")
    return words + (text("within", percent=max(1, round(100 * within))) if within > 5e-3 else "")


def _six_digits(value: float) -> float:
    return float(f"{value:.6g}")


def _steps(finding: Finding) -> str:
    words = text("steps", finding)
    if finding.row:
        words += text("steps_row", finding)
    if finding.step != 1:
        words += text("steps_of", step=_six_digits(finding.step))
    return words


def _positions(finding: Finding) -> str:
    dots = ", ..." if finding.more else ""
    words = text("listed", listed=", ".join(map(number, finding.positions)) + dots)
    return words + (text("listed_astray", finding) if finding.row is not None else "")


def _power_of_width(finding: Finding) -> int:
    """Return 1 if a factor is the square root of the width, -1 if it is the inverse, else 0."""
    for power in (1, -1):
        if abs(finding.factor / finding.width ** (power / 2) - 1) < 1e-6:
            return power
    return 0


def _scale(finding: Finding) -> str:
    names = {1: f"√{finding.width}", -1: f"1/√{finding.width}"}
    factor = names.get(_power_of_width(finding), _six_digits(finding.factor))
    rough = finding.within > 0.01
    words = text("within", percent=round(100 * finding.within)) if rough else ""
    return text("scale", factor=factor) + words


def _storage(finding: Finding) -> str:
    exact = finding.storage.kind == "float64"
    return "" if exact else text("storage", name=storage_name(finding.storage))


def _differs(finding: Finding) -> str:
    rows, columns = finding.rows, finding.columns
    words = text("differs" if finding.count > 1 else "differs_1", finding)
    part_of_columns = len(columns) / finding.table_columns
    part_of_rows = len(rows) / finding.table_rows
    if part_of_columns <= min(part_of_rows, 1 / 4):
        words += text("in_columns" if len(columns) > 1 else "in_column", listed=_listed(columns))
    elif part_of_rows <= 1 / 4:
        words += text("in_rows" if len(rows) > 1 else "in_row", listed=_listed(rows))
    words += text("differs_first", finding)
    return words + (text("differs_most", finding) if finding.count > 1 else ".")


def _compared(finding: Finding) -> str:
    room = _storage(finding) or text("as_computed")
    return text("compared", finding, room=room)


def cures(findings: Iterable[Finding]) -> tuple[str, ...]:
    """Return what to do about the findings of a table to get the paper's, step by step."""
    steps: list[str] = []
    for finding in findings:
        choose = CHOSEN_CURES.get(finding.kind)
        for name, values in choose(finding) if choose else [(finding.kind, {})]:
            if name in CURES:
                steps.append(_filled(CURES[name], finding, values))
    return tuple(steps)


# The names of cures, with values that the finding has not.
Cures = list[tuple[str, dict[str, Any]]]


def _order_cures(finding: Finding) -> Cures:
    half = (finding.width + 1) // 2
    found: Cures = []
    if finding.layout == "halves":
        found.append(("halves", {"half": half, "last": half - 1}))
    if finding.cosines_first:
        found.append(("cosines_first", {}))
    return found


def _base_cures(finding: Finding) -> Cures:
    values = {"base": _base_in_words(finding.base, ""), "last": (finding.width + 1) // 2 - 1}
    if finding.spacing == "tensor2tensor":
        return [("spacing", values)]
    return [] if finding.base == 1e4 else [("base", values)]


def _step_cures(finding: Finding) -> Cures:
    if finding.step != 1:
        return [("steps", {"step": _six_digits(finding.step)})]
    return [("first position", {})] if finding.first else []


def _scale_cures(finding: Finding) -> Cures:
    names = {1: "scale by root", -1: "scale by inverse root", 0: "scale"}
    return [(names[_power_of_width(finding)], {})]


CHOSEN_CURES: dict[str, Callable[[Finding], Cures]] = {
    "layout": _order_cures,
    "base": _base_cures,
    "steps": _step_cures,
    "scale": _scale_cures,
}

# Functions: `posenc_check.check_rope`, `compare_rope` and `assert_rope`.


def _in_long_texts(finding: Finding) -> str:
    return text(finding.kind, finding, tokens=finding.position + 1)


def _runs(finding: Finding) -> str:
    """Return which pairs turn how many times as fast as in a list, the first three runs of them."""
    parts = []
    for first, last, least, most in finding.runs[:3]:
        times = f"{least:.6g}" if least == most else text("from_to", first=least, last=most)
        name = "run" if most else "run_still"
        name += "_of_one" if first == last else ""
        parts.append(text(name, first=first, last=last, times=times))
    more = text("and_more") if len(finding.runs) > 3 else ""
    return text(finding.kind, finding, runs=", ".join(parts) + more)


def _rope(finding: Finding) -> str:
    """Return what a function is: layout, base, columns, how its list is scaled, and remarks."""
    begin, width, head_dim = finding.begin, finding.width, finding.head_dim
    columns = "columns_between"
    if width == head_dim:
        columns = "all_columns"
    elif begin in (0, head_dim - width):
        columns = "last_columns" if begin else "first_columns"
    frequencies = "no_rule"
    if finding.base is not None:  # 0 for a single pair, which any base gives
        frequencies = "of_base" if finding.base else "of_one_pair"
    layout = finding.layout or text("no_layout")
    words = [text("in_parts", finding, layout=layout) if finding.parts > 1 else layout]
    words += [text(frequencies, finding), text(columns, finding, last=begin + width - 1)]
    words += map(sentence, finding.rules)
    words += [text("scale", factor=f"{finding.factor:.6g}")] if finding.factor != 1 else []
    words += map(sentence, finding.remarks)
    return text("rope", parts=", ".join(words))


def _looked_at(finding: Finding) -> str:
    """Return what a verdict on a function holds of, and what was not looked at."""
    lengths = [use.tokens for use in finding.uses if use.kind == "call_length"]
    names = dict.fromkeys(sentence(use) for use in finding.uses if use.kind != "call_length")
    if lengths:
        names[text("call_lengths", lengths=", ".join(map(number, lengths)))] = None
    untaken = "" if finding.own else text("untaken")
    near = finding.near - 1
    return text("looked_at", finding, near=near, names="; ".join(names), untaken=untaken)


def _raised(finding: Finding) -> str:
    words = text("raised" if finding.message else "raised_only", finding)
    return words if words.endswith((".", "!", "?")) else f"{words}."


def _ends(finding: Finding) -> str:
    name = "ends" if finding.message else "ends_only"
    return text(name, finding, message=finding.message.rstrip("."))


def _in_call(finding: Finding) -> str:
    words = text("in_call", finding)
    return words[0].upper() + words[1:]


def _two_numbers(finding: Finding) -> str:
    """Return where two functions differ, with what each gives in a column."""
    both = zip(finding.numbers, finding.roles, strict=True)
    one, other = (text("with_role", value=value, role=_role(role)) for value, role in both)
    return text(finding.kind, finding, first=one, second=other)


def _role(role: str) -> str:
    return text(f"role {role}")


# Configs: `posenc_check.rotary_settings`, `scaled_frequencies` and `config_report`.


def _columns(finding: Finding) -> str:
    words = text("columns", finding)
    if finding.layers is None:
        return words
    numbers = f" ({', '.join(map(str, finding.numbers))})" if finding.numbers else ""
    return text("columns_of_layers", layers=finding.layers, numbers=numbers) + words


def _ladder(finding: Finding) -> str:
    lines = []
    for pair, tokens in finding.pairs:
        if tokens is None:
            lines.append(text("rung_still", pair=pair))
        else:
            shown = f"{tokens:11.0f}" if tokens < 1e11 else f"{tokens:11.3g}"
            dashes = "-" * round(3 * log10(tokens))
            lines.append(text("rung", pair=pair, tokens=shown, dashes=dashes))
    return "\n".join(lines)


COMPOSED: dict[str, Callable[[Finding], str]] = {
    # Tables
    "zero_columns": lambda f: text("zero_columns" if f.count > 1 else "zero_column", f),
    "coordinates": lambda f: text(
        "coordinates", f, order=SENTENCES.get(f"order {f.split}", f.split)
    ),
    "coordinate": lambda f: (
        text("coordinate_columns", first=f.columns[0], last=f.columns[1])
        if f.columns
        else text("coordinate", f)
    ),
    "layout": _layout,
    "base": _base,
    "octaves": lambda f: text("octaves_of_pi" if f.pi else "octaves"),
    "steps": _steps,
    "listed": _positions,
    "scale": _scale,
    "padding": lambda f: text("padding", listed=_listed(f.rows)),
    "storage": _storage,
    "paper": lambda f: text("paper" if f.rows > 1 else "paper_row"),
    "compared": _compared,
    "differs": _differs,
    "list": lambda f: text(
        "list",
        f,
        spaced=_base_in_words(f.base, f.spacing),
        width=2 * f.count,
        changed="".join(f", {sentence(rule)}" for rule in f.rules),
    ),
    # Functions
    "position_offset": lambda f: text(
        "position_offset" if f.steps > 0 else "position_offset_back", steps=abs(f.steps)
    ),
    "positions_end": lambda f: text("positions_end", f, last=f.position - 1),
    "positions_turn_negative": lambda f: text("positions_turn_negative", f, other=-f.position),
    "positions_rounded": lambda f: text("positions_rounded", f) + text(f"rounded in {f.dtype}"),
    "other_list_in_long_texts": _in_long_texts,
    "dynamic": _in_long_texts,
    "dynamic_kept": _in_long_texts,
    "columns_apart": lambda f: text("columns_apart" if f.times else "columns_apart_only", f),
    "unturned_long_texts": _in_long_texts,
    "one_of": lambda f: _sentences(f.causes, text("one_of")),
    "yarn_scaling": lambda f: text("yarn_scaling" if f.truncate else "yarn_scaling_uncut", f),
    "list_of_whole_head": lambda f: text("list_of_whole_head", f, pairs=f.columns // 2),
    "list_of_whole_head_too": lambda f: text("list_of_whole_head_too", f, pairs=f.columns // 2),
    "pairs_off_list": _runs,
    "slowed_by_no_rule": _runs,
    "rope": _rope,
    "unknown_layout": lambda f: text("unknown_layout", pairs=[*map(tuple, f.pairs)]),
    "ends": _ends,
    "unexplained": lambda f: text("unexplained", f, layout=f.layout or text("shown_pairs")),
    "raised": _raised,
    "in_call": _in_call,
    "looked_at": _looked_at,
    "call_block": lambda f: text("call_block", f, end=f.begin + f.tokens - 1),
    "differ_for_unit": _two_numbers,
    "differ_in_call": _two_numbers,
    "one_gives_none": lambda f: text("one_gives_none", f, role=_role(f.role)),
    "report_of": lambda f: text(
        "report_of", role=_role(f.role), findings=_sentences(f.findings, " ")
    ),
    # Configs
    "columns": _columns,
    "ladder": _ladder,
    "factor": lambda f: text("factor" if f.factor == 1 else "factor_on_turning", f),
    "pairs unknown": lambda f: text(
        "pairs unknown", model_type=f.model_type or text("no_model_type")
    ),
}
