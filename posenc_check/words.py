"""The words of findings, which are made last: no code reads a sentence.

``sentences.toml`` has all words, and says at its top how a value is put in. What a sentence names
beside the values of its finding, such as the last of some positions, is computed in `VALUES`.
"""

import tomllib
from collections.abc import Callable, Iterable
from math import isclose, log, log10, pi
from pathlib import Path
from string import Formatter
from typing import Any

from posenc_check.findings import Finding
from posenc_check.formulas import PAPER_BASE

CATALOG = tomllib.loads(Path(__file__).with_name("sentences.toml").read_text(encoding="utf-8"))
# What to do about a kind of finding, in steps. The other parts of the catalog are sentences.
CURES: dict[str, list[str]] = CATALOG.pop("cures")
SENTENCES: dict[str, str] = {name: text for part in CATALOG.values() for name, text in part.items()}
# Kinds of findings that are parts of one sentence, with commas between them.
PHRASES = CATALOG["phrases"].keys()

Values = dict[str, Any]  # the values of a sentence's fields, by their names
# Limits of what one sentence names, chosen by eye: entries of a list, runs of pairs, and the part
# of all rows or columns that is worth a list.
MOST = 6
MOST_RUNS = 3
MOST_LISTED = 1 / 4
# Whole numbers from here on are written with an exponent, chosen by eye.
FIRST_WITH_EXPONENT = 1e15
FIELDS = Formatter()


def sentence(finding: Finding) -> str:
    """Return the sentence of a finding, filled in with its values."""
    return _filled(SENTENCES[finding.kind], _values(finding))


def cures(findings: Iterable[Finding]) -> tuple[str, ...]:
    """Return the steps, in words, that make the paper's table of one with these findings."""
    steps = [
        _filled(template, _values(finding))
        for finding in findings
        for template in CURES.get(finding.kind, ())
    ]
    return tuple(filter(None, steps))  # some findings of a kind need no step


def table_report(findings: Iterable[Finding]) -> str:
    """Return the findings of a table as text: phrases with commas between them, and sentences."""
    report, before = "", ""  # the text so far, and the kind of its last finding
    for finding in findings:
        words = sentence(finding)
        if not words:  # as of what need not be said, such as float64
            continue
        # No stop stands at the end of a phrase, nor of "coordinates", which goes on with each one.
        is_open = before in PHRASES or before == "coordinates"
        if is_open and finding.kind in PHRASES:
            report += ", "
        elif is_open and finding.kind == "coordinate":
            report += "; "
        elif is_open:
            report += ". "
        elif report:
            report += " "
        report += words
        before = finding.kind
    return report + "." if before in PHRASES else report


def _values(finding: Finding) -> Values:
    """Return the values of a finding by name, with those that are computed for its sentence."""
    stored = vars(finding)
    return stored | VALUES[finding.kind](finding) if finding.kind in VALUES else stored


def _filled(template: str, values: Values) -> str:
    """Return a text of the catalog with values in the place of its fields."""
    words = ""
    for literal, name, form, conversion in FIELDS.parse(template):
        words += literal
        if name is not None:  # the text after the last field has none
            value, _ = FIELDS.get_field(name, (), values)  # of a name as columns[0], too
            # The only conversion that the catalog has is "!s".
            words += _written(str(value) if conversion else value, form or "", values)
    return words


def _written(value: Any, form: str, values: Values) -> str:
    """Return a value in words, in one of the forms that the top of ``sentences.toml`` lists.

    What a form chooses may have fields of its own, which get their values from `values`.
    """
    if form.startswith("?"):  # one text where there is a value, another where there is none
        present, absent = _alternatives(form[1:])
        return _filled(present if value else absent, values)
    if form.startswith("@"):  # another line of the catalog, by the value
        line = form[1:]
        of_value = f"{line} {value}"
        return _filled(SENTENCES[of_value if of_value in SENTENCES else line], values)
    if form.startswith("&"):  # the entries of a list
        return form[1:].join(map(in_words, value))
    if "|" in form:  # the singular or the plural
        singular, plural = _alternatives(form)
        count = len(value) if isinstance(value, list | tuple) else value
        return _filled(singular if count == 1 else plural, values)
    return format(value, form) if form else in_words(value)


def _alternatives(form: str) -> tuple[str, str]:
    """Return (what stands before the bar of a form, what after it); without a bar, (form, "").

    A bar of a field within the form does not count.
    """
    depth = 0
    for at, sign in enumerate(form):
        if sign == "{":
            depth += 1
        elif sign == "}":
            depth -= 1
        elif sign == "|" and depth == 0:
            return form[:at], form[at + 1 :]
    return form, ""


def in_words(value: Any) -> str:
    """Return a value as a text: a number, a finding's sentence, the entries of a list, or `str`.

    A number has its thousands set apart. Of a list the first entries are written, with dots where
    there are more.
    """
    if isinstance(value, Finding):
        return sentence(value)
    if isinstance(value, list | tuple):
        entries = [in_words(entry) for entry in value[:MOST]]
        return ", ".join([*entries, "..."] if len(value) > MOST else entries)
    if isinstance(value, int | float) and not isinstance(value, bool):  # which is an int, too
        if value == round(value) and abs(value) < FIRST_WITH_EXPONENT:
            return f"{int(value):,}".replace(",", " ")
        return f"{value:.6g}"
    return str(value)


# Values of findings on tables: `posenc_check.inspect_table`.


def _of_columns(finding: Finding) -> Values:
    """Return as `pairs` how many a width has, and as `last` the last one's number, from 0 on."""
    pairs = (finding.width + 1) // 2  # an odd width ends with a sine alone, which counts as one
    return {"pairs": pairs, "last": pairs - 1}


def _of_base(finding: Finding) -> Values:
    """Return a base in words, mistakes that it shows, other bases that fit, and percent of doubt.

    The values of `_of_columns` are added.
    """
    in_paper_spacing = finding.spacing == "paper"  # in which the two mistakes below were made
    # 2*i in the exponent, of an i that counts 0, 2, 4, ..., squares the base.
    exponent_doubled = finding.base == PAPER_BASE**2
    # In LoFTR the exponent's factor, -ln(10 000) / d // 2, is floored to -1. exp(-2i) is
    # base^(-2i/width) where the base is e^width, which may be off by 1 %.
    exponent_floored = abs(log(finding.base) - finding.width) < 0.01
    return _of_columns(finding) | {
        "written": _base(finding.base),
        "below_1": finding.base < 1,
        "exponent_doubled": exponent_doubled and in_paper_spacing,
        "exponent_floored": exponent_floored and in_paper_spacing,
        "usual": finding.base == PAPER_BASE,
        "others": [
            Finding("spaced", base=_base(base), spacing=each) for base, each in finding.also
        ],
        "percent": round(100 * finding.within),
    }


def _base(base: float) -> str:
    """Return a base in words; one below 1 as 1/n."""
    return in_words(base) if base >= 1 else f"1/{in_words(1 / base)}"


def _of_list(finding: Finding) -> Values:
    """Return as `written` the base of a list in words, and as `width` that of its table.

    Of timescales, whose base is below 1, `inverse` is that of the frequencies.
    """
    # A base that was divided twice is off by a last place.
    inverse = float(f"{1 / finding.base:.12g}") if 0 < finding.base < 1 else None
    return {"written": in_words(finding.base), "width": 2 * finding.count, "inverse": inverse}


def _of_step(finding: Finding) -> Values:
    """Return as `pi` whether a step is π, and as `degrees` whether it is a radian in degrees."""
    return {
        "pi": isclose(finding.step, pi, rel_tol=1e-6),
        "degrees": isclose(finding.step, 180 / pi, rel_tol=1e-6),
    }


def _of_scale(finding: Finding) -> Values:
    """Return as `root` which power of √width a factor is, 1, -1 or 0 for none, and its `percent`.

    Those are of doubt.
    """
    roots = {1: finding.width**0.5, -1: finding.width**-0.5}
    # A root that was taken in float32 is a little off.
    powers = [power for power, root in roots.items() if isclose(finding.factor, root, rel_tol=1e-6)]
    return {"root": powers[0] if powers else 0, "percent": round(100 * finding.within)}


def _of_differences(finding: Finding) -> Values:
    """Return as `gathered` where numbers differ: "columns" or "rows" if in few, else "nowhere"."""
    # Where they are in few columns and in few rows, the smaller part counts.
    part_of_columns = len(finding.columns) / finding.table_columns
    part_of_rows = len(finding.rows) / finding.table_rows
    if part_of_columns <= min(part_of_rows, MOST_LISTED):
        return {"gathered": "columns"}
    return {"gathered": "rows" if part_of_rows <= MOST_LISTED else "nowhere"}


# Values of findings on functions: `posenc_check.check_rope` and `compare_rope`.


def _of_runs(finding: Finding) -> Values:
    """Return as `runs` a finding on each of the first runs of pairs, and if there are `more`."""
    runs = [
        Finding("run", first=first, last=last, alone=first == last, least=least, most=most)
        for first, last, least, most in finding.runs[:MOST_RUNS]
    ]
    return {"runs": runs, "more": len(finding.runs) > MOST_RUNS}


def _of_some_pairs(finding: Finding) -> Values:
    """Return the `first` and the `last` of some pairs, and as `run` whether it is all between."""
    first, last = finding.pairs[0], finding.pairs[-1]
    return {"first": first, "last": last, "run": len(finding.pairs) == last - first + 1}


def _of_rope(finding: Finding) -> Values:
    """Return as `place` a word on where the turning columns lie, and as `last` the last of them.

    As `times` the factor is added, with the digits that tell it from 1.
    """
    end = finding.begin + finding.width
    from_first, to_last = finding.begin == 0, end == finding.head_dim
    place = "between"
    if from_first and to_last:
        place = "all"
    elif finding.layout is None:  # columns that need not stand side by side
        place = "some"
    elif from_first:
        place = "first"
    elif to_last:
        place = "last"
    times = f"{finding.factor:.{6 if abs(finding.factor - 1) > 1e-5 else 9}g}"
    return {"place": place, "last": end - 1, "times": times}


def _of_calls(finding: Finding) -> Values:
    """Return as `uses` what calls were for, and as `last_near` the last of the near positions.

    Calls for lengths of texts are one use, which comes last.
    """
    lengths = [use.tokens for use in finding.uses if use.kind == "call_length"]
    uses = [use for use in finding.uses if use.kind != "call_length"]
    if lengths:
        uses.append(Finding("call_lengths", lengths=lengths))
    # Positions count from 0.
    return {"uses": uses, "last_near": finding.near - 1}


# Values of findings on configs: `posenc_check.config_report`.


def _of_ladder(finding: Finding) -> Values:
    """Return as `rungs` a finding on each pair: its number, its tokens a turn, and some dashes.

    These are 3 more for 10 times as many tokens. A pair that does not turn has none.
    """
    dashes = ["-" * round(3 * log10(tokens)) if tokens else "" for _, tokens in finding.pairs]
    rungs = zip(finding.pairs, dashes, strict=True)
    return {"rungs": [Finding("rung", pair=n, tokens=t, dashes=line) for (n, t), line in rungs]}


VALUES: dict[str, Callable[[Finding], Values]] = {
    "layout": _of_columns,
    "base": _of_base,
    "steps": _of_step,
    "starting_over": _of_step,
    "each_repeated": _of_step,
    "scale": _of_scale,
    "differs": _of_differences,
    "list": _of_list,
    "like_list": _of_list,
    "position_offset": lambda f: {"sign": "+" if f.steps > 0 else "-", "size": abs(f.steps)},
    "positions_end": lambda f: {"last": f.position - 1},
    "list_of_whole_head": lambda f: {"pairs": f.columns // 2},
    "list_of_whole_head_too": lambda f: {"pairs": f.columns // 2},
    "pairs_off_list": _of_runs,
    "slowed_by_no_rule": _of_runs,
    "some_pairs_still": _of_some_pairs,
    # A single pair may be a slip.
    "pair_faster": lambda f: {"unfilled": f.backwards > 1},
    "run": lambda f: {"equal": f.least == f.most},
    "rope": _of_rope,
    # A message may end with a full stop or without, and a sentence ends with one.
    "ends": lambda f: {"message": f.message.rstrip(".")},
    "raised": lambda f: {"stop": "" if f.message.endswith((".", "!", "?")) else "."},
    "looked_at": _of_calls,
    "ladder": _of_ladder,
    "program": lambda f: {"lines": f.code.splitlines()},
}
