"""The words of findings, which are made last: no code reads a sentence.

``sentences.toml`` has all words, and says at its top how a value is put in. What a sentence names
beside the values of its finding, such as the last of some positions, is computed in `VALUES`.
"""

import tomllib
from collections.abc import Callable, Iterable
from math import log, log10
from pathlib import Path
from string import Formatter
from typing import Any

from posenc_check.findings import Finding

CATALOG = tomllib.loads(Path(__file__).with_name("sentences.toml").read_text(encoding="utf-8"))
CURES: dict[str, list[str]] = CATALOG.pop("cures")
SENTENCES: dict[str, str] = {name: text for part in CATALOG.values() for name, text in part.items()}
# Kinds of findings that are parts of one sentence, with commas between them.
PHRASES = CATALOG["phrases"].keys()

Values = dict[str, Any]
MOST = 6  # entries of a list that are written out
FIELDS = Formatter()


def sentence(finding: Finding) -> str:
    """Return the sentence of a finding."""
    return _filled(SENTENCES[finding.kind], _values(finding))


def text(name: str, **values: Any) -> str:
    """Return a text of the catalog, filled in with values."""
    return _filled(SENTENCES[name], values)


def cures(findings: Iterable[Finding]) -> tuple[str, ...]:
    """Return what to do about the findings of a table to get the paper's, step by step."""
    steps = [
        _filled(template, _values(finding))
        for finding in findings
        for template in CURES.get(finding.kind, ())
    ]
    return tuple(filter(None, steps))


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


def _values(finding: Finding) -> Values:
    """Return the values of a finding, and those that are computed for its sentence."""
    own = vars(finding)
    return own | VALUES[finding.kind](finding) if finding.kind in VALUES else own


def _filled(template: str, values: Values) -> str:
    """Return a text of the catalog with values in the place of its fields."""
    words = ""
    for literal, name, form, conversion in FIELDS.parse(template):
        words += literal
        if name is not None:
            value, _ = FIELDS.get_field(name, (), values)
            words += _written(str(value) if conversion else value, form or "", values)
    return words


def _written(value: Any, form: str, values: Values) -> str:
    """Return a value in words, in one of the forms that the top of ``sentences.toml`` lists."""
    if form.startswith("?"):
        one, other = _alternatives(form[1:])
        return _filled(one if value else other, values)
    if form.startswith("@"):
        name = f"{form[1:]} {value}"
        return _filled(SENTENCES[name if name in SENTENCES else form[1:]], values)
    if form.startswith("&"):
        return form[1:].join(map(in_words, value))
    one, other = _alternatives(form)
    if other or form.endswith("|"):
        count = len(value) if isinstance(value, list | tuple) else value
        return _filled(one if count == 1 else other, values)
    return format(value, form) if form else in_words(value)


def _alternatives(form: str) -> tuple[str, str]:
    """Return what stands before and after the bar of a form, not counting bars of inner fields."""
    depth = 0
    for at, sign in enumerate(form):
        depth += (sign == "{") - (sign == "}")
        if sign == "|" and not depth:
            return form[:at], form[at + 1 :]
    return form, ""


def in_words(value: Any) -> str:
    """Return a number with its thousands set apart, a finding as its sentence, others by `str`.

    Of a list the first entries are written, with dots where there are more.
    """
    if isinstance(value, Finding):
        return sentence(value)
    if isinstance(value, list | tuple):
        return ", ".join([*map(in_words, value[:MOST]), *(["..."] if len(value) > MOST else ())])
    if isinstance(value, int | float) and not isinstance(value, bool):
        if value == round(value) and abs(value) < 1e15:
            return f"{int(value):,}".replace(",", " ")
        return f"{value:.6g}"
    return str(value)


# Values of findings on tables: `posenc_check.inspect_table`.


def _of_columns(finding: Finding) -> Values:
    """Return how many pairs a width has, and the number of the last of them."""
    pairs = (finding.width + 1) // 2
    return {"pairs": pairs, "last": pairs - 1}


def _of_base(finding: Finding) -> Values:
    """Return a base as it is written, what is to be said of it, and what else fits the numbers."""
    return _of_columns(finding) | {
        "written": _base(finding.base),
        "below_1": finding.base < 1,
        "squared": finding.base == 1e8 and finding.spacing == "paper",
        "floored": finding.spacing == "paper" and abs(log(finding.base) - finding.width) < 0.01,
        "usual": finding.base == 1e4,
        "others": [text("spaced", base=_base(base), spacing=each) for base, each in finding.also],
        "percent": max(1, round(100 * finding.within)) if finding.within > 5e-3 else 0,
    }


def _base(base: float) -> str:
    """Return a base in words, and a base below 1 as a fraction."""
    return in_words(base) if base >= 1 else f"1/{in_words(1 / base)}"


def _of_scale(finding: Finding) -> Values:
    """Return whether a factor is the root of the width (1) or its inverse (-1), and its doubt."""
    powers = (1, -1)
    root = [p for p in powers if abs(finding.factor / finding.width ** (p / 2) - 1) < 1e-6]
    percent = round(100 * finding.within) if finding.within > 0.01 else 0
    return {"root": root[0] if root else 0, "percent": percent}


def _of_differences(finding: Finding) -> Values:
    """Return whether numbers that differ are all in few columns, or in few rows."""
    of_columns = len(finding.columns) / finding.table_columns
    of_rows = len(finding.rows) / finding.table_rows
    if of_columns <= min(of_rows, 1 / 4):
        return {"gathered": "columns"}
    return {"gathered": "rows" if of_rows <= 1 / 4 else "nowhere"}


# Values of findings on functions: `posenc_check.check_rope` and `compare_rope`.


def _of_runs(finding: Finding) -> Values:
    """Return the first three runs of pairs, and whether there are more."""
    runs = [
        Finding("run", first=first, last=last, alone=first == last, least=least, most=most)
        for first, last, least, most in finding.runs[:3]
    ]
    return {"runs": runs, "more": len(finding.runs) > 3}


def _of_rope(finding: Finding) -> Values:
    """Return where in a head the columns lie that turn, and the last of them."""
    begin, end = finding.begin, finding.begin + finding.width
    place = "first" if begin == 0 else "between"
    if end == finding.head_dim:
        place = "last" if begin else "all"
    return {"place": place, "last": end - 1}


def _of_calls(finding: Finding) -> Values:
    """Return the uses of the calls, with the lengths of whole texts together at the end."""
    lengths = [use.tokens for use in finding.uses if use.kind == "call_length"]
    uses = [use for use in finding.uses if use.kind != "call_length"]
    if lengths:
        uses.append(Finding("call_lengths", lengths=lengths))
    return {"uses": uses, "near": finding.near - 1}


# Values of findings on configs: `posenc_check.config_report`.


def _of_ladder(finding: Finding) -> Values:
    """Return a rung for each pair, three dashes longer for ten times as many tokens a turn."""
    dashes = ["-" * round(3 * log10(tokens)) if tokens else "" for _, tokens in finding.pairs]
    rungs = zip(finding.pairs, dashes, strict=True)
    return {"rungs": [Finding("rung", pair=n, tokens=t, dashes=line) for (n, t), line in rungs]}


VALUES: dict[str, Callable[[Finding], Values]] = {
    "layout": _of_columns,
    "base": _of_base,
    "scale": _of_scale,
    "differs": _of_differences,
    "list": lambda f: {"written": _base(f.base), "width": 2 * f.count},
    "position_offset": lambda f: {"sign": "+" if f.steps > 0 else "-", "size": abs(f.steps)},
    "positions_end": lambda f: {"last": f.position - 1},
    "list_of_whole_head": lambda f: {"pairs": f.columns // 2},
    "list_of_whole_head_too": lambda f: {"pairs": f.columns // 2},
    "pairs_off_list": _of_runs,
    "slowed_by_no_rule": _of_runs,
    "run": lambda f: {"equal": f.least == f.most},
    "rope": _of_rope,
    "ends": lambda f: {"message": f.message.rstrip(".")},
    "raised": lambda f: {"stop": "" if f.message.endswith((".", "!", "?")) else "."},
    "looked_at": _of_calls,
    "ladder": _of_ladder,
    "program": lambda f: {"lines": f.code.splitlines()},
}
