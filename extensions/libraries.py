"""Sphinx extension: what the libraries do, as ``make conformance`` measured it.

The page writes ``{libraries} transformers, rotary`` where the rows of that library and kind are to
stand, ``{libraries-measured}`` for the date and the versions, ``{pairings}`` for the model folders
of Transformers, ``{configs-measured}`` for their configs, and ``{orders}`` for the steps of one
attention in order. All of it is read from
``book/_static/conformance.json``. ``{changes}`` has what changed between releases, of
``book/_static/changes.json``, and ``{moved-lists}`` what of it an upgrade of Transformers does to
the lists of frequencies.
"""

import json
import re
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx

from extensions.contents import ROOT
from extensions.generated import directive

RESULT = ROOT / "book" / "_static" / "conformance.json"
CHANGES = RESULT.with_name("changes.json")

ANGLES = {"angles": "Angles in"}
CAUSE = {"reason": "Where the difference comes from"}
# The cells of a row, and what stands above them in the tables of each kind.
HEADINGS = {
    "table": {
        "order": "Order",
        "base": "Base",
        "columns": "Width",
        "first": "First token at",
        "scaling": "Times",
        **ANGLES,
    },
    "rotary": {"order": "Pairs", "base": "Base", "columns": "Columns that turn", **ANGLES},
    "stretched": {"order": "Pairs", "base": "Base", "scaling": "Frequencies", **ANGLES},
    "axes": {"order": "Order", "base": "Base", "scaling": "Coordinates"},
    "bias": CAUSE,
    "attention": CAUSE,
    "conversion": CAUSE,
}
# What the page calls a way to pair columns, where the result has a shorter name.
ORDERS = {
    "neighbours": "neighbours (interleaved)",
    "both": "two functions, one for each pairing",
    "halves, the other way round": "halves, with the opposite turn",
}


def result() -> dict[str, Any]:
    """Return the content of conformance.json, which `make conformance` wrote, as a dict.

    Its keys that are read here: ``date``, ``versions``, ``rows``, ``layouts``, ``configs`` and
    ``orders``.
    """
    return json.loads(RESULT.read_text(encoding="utf-8"))


def changes() -> dict[str, Any]:
    """Return the content of changes.json, as a dict: ``date``, and ``changes`` between releases."""
    return json.loads(CHANGES.read_text(encoding="utf-8"))


def rows_of(measured: Mapping[str, Any], library: str, kind: str) -> list[dict[str, Any]]:
    """Return those of ``measured["rows"]`` with this library and this kind (of `HEADINGS`)."""
    return [row for row in measured["rows"] if (row["library"], row["kind"]) == (library, kind)]


def in_short(difference: float) -> str:
    """Return a difference as text with two digits at most, as 2e-5 or 1.3e-7; "0" for none."""
    if difference == 0:
        return "0"
    digits, _, power = f"{difference:.1e}".partition("e")
    return f"{digits.removesuffix('.0')}e{int(power)}"  # Python writes 2.0e-05


def table(rows: list[dict[str, Any]], kind: str) -> nodes.table:
    """Return a docutils table with two lines for each measured row of a kind.

    The first has the cells of the row, the second, across all columns, the same call in `posenc`.
    A column that no row fills is left out.
    """
    headings = {"code": "In the library", **HEADINGS[kind]}
    shown = {name: text for name, text in headings.items() if any(row.get(name) for row in rows)}
    columns = [*shown.values(), "Difference"]
    group = nodes.tgroup(cols=len(columns))
    group += [nodes.colspec(colwidth=1) for _ in columns]  # docutils wants one of each column
    group += nodes.thead("", _line([nodes.Text(text) for text in columns]))
    body = nodes.tbody()
    for row in rows:
        cells = [*(cell(row, name) for name in shown), in_short(row["difference"])]
        body += _line([nodes.Text(cell) for cell in cells])
        body += _line([nodes.literal("", row["posenc"])], across=len(columns))
    group += body
    return nodes.table("", group)


def cell(row: Mapping[str, Any], name: str) -> str:
    """Return the text of the cell `name` of a measured row: ``row[name]``, or "" without that key.

    A reason is put in other words where it explains no difference, or one of rounding.
    """
    if name == "reason" and row["difference"] == 0:
        return "there is none"  # no difference, whatever reason is stored
    if row.get(name) == "none":  # the reason that `conformance` has for a difference up to 1e-12
        return "rounding"
    return row.get(name, "")


def _line(cells: list[nodes.Node], across: int = 1) -> nodes.row:
    """Return a line of a table from the nodes of its cells, each of which spans `across` columns.

    A line that spans several columns belongs to the line above it, and has the class ``below``.
    """
    row = nodes.row(classes=["below"] if across > 1 else [])
    for cell in cells:
        entry = nodes.entry("", nodes.paragraph("", "", cell))
        if across > 1:
            entry["morecols"] = across - 1  # docutils counts the columns beside the first
        row += entry
    return row


def measured_text(measured: Mapping[str, Any]) -> str:
    """Return a line of Markdown: the day of the measurement, the number of rows, the versions."""
    day = date.fromisoformat(measured["date"])
    versions = ", ".join(f"{name} {number}" for name, number in measured["versions"].items())
    count = len(measured["rows"])
    return f"**Measured on {day.day} {day:%B %Y}**, {count} rows: {versions}."


def pairings(measured: Mapping[str, Any]) -> str:
    """Return in Markdown a paragraph on each way to pair columns: the models that pair them so.

    A model is named by its folder in Transformers. The way of the fewest folders comes first.
    """
    lines = []
    for name, entries in sorted(measured["layouts"].items(), key=lambda item: len(item[1])):
        # An entry is the name of a folder, with ", images" behind it for its code for images.
        of_images = [entry.partition(", ")[0] for entry in entries if entry.endswith(", images")]
        of_text = [entry for entry in entries if not entry.endswith(", images")]
        line = f"**{ORDERS.get(name, name).capitalize()}**, {len(of_text)}: {in_code(of_text)}."
        if of_images:
            line += f" In their code for images, {len(of_images)}: {in_code(of_images)}."
        lines += [line, ""]
    return "\n".join(lines)


def in_code(names: Iterable[str]) -> str:
    """Return names in Markdown, each as code, with commas between; "" for no names."""
    return ", ".join(f"`{name}`" for name in names)


def configs_text(measured: Mapping[str, Any]) -> str:
    """Return in Markdown how many default and published configs agree, and which are refused.

    The published ones stand in a table.
    """
    # That no other list differs, that six digits agree, and that published models agree as well:
    # `conformance.transformers.configs` breaks off where one of these is not so.
    configs = measured["configs"]
    lists = ", ".join(f"`{kind}` {count}" for kind, count in configs["matched"].items())
    # `seen` names the place, a repository or a thread, where settings were read again; "" for none.
    read_again = sum(bool(each["seen"]) for each in configs["published"])
    reasons: dict[str, dict[str, None]] = {}  # the configs of each reason, each once, in order
    for each in configs["refused"]:
        reasons.setdefault(each["reason"], {})[f"`{each['config']}`"] = None
    lines = [
        f"**{configs['tried']} config classes** of Transformers "
        f"{measured['versions']['transformers']} have rotary settings. Their own modules, built "
        f"from the defaults, have {sum(configs['matched'].values())} lists that `rotary_settings` "
        f"and `scaled_frequencies` give too, to six digits, with the same factor ({lists}). "
        f"{len(configs['refused'])} are refused, in these words, and no other list differs:",
        "",
        *(f"- {', '.join(names)}: *{reason}*." for reason, names in reasons.items()),
        "",
        f"{len(configs['without_module'])} have no rotary module to build: "
        + ", ".join(f"`{name}`" for name in configs["without_module"])
        + ".",
        "",
        f"The settings of {len(configs['published'])} published models agree as well (ramps stand "
        f"in for the lists of LongRoPE). {read_again} "
        "were read again in a public repository or thread, named here with its commit or number. "
        "LongChat's are as they were published, and not seen again: its factor is the 32K of its "
        "README over the 4 096 tokens of Llama 2:",
        "",
        "| Model | Published | `rope_type` | What acts elsewhere | Read in |",
        "|---|---|---|---|---|",
        *(
            f"| {each['model']} | {each['date']} | `{each['type']}` | "
            + ", ".join(f"`{name}`" for name in each["elsewhere"])
            + f" | {each['seen'] or 'not seen again'} |"
            for each in configs["published"]
        ),
    ]
    return "\n".join(lines)


def changes_text(found: Mapping[str, Any]) -> str:
    """Return a line on the day in Markdown, and a table with a row for each two releases.

    The row has what is gone, what has another default, and what is new: functions, and the lists
    of frequencies that a ``model_type`` has.
    """
    day = date.fromisoformat(found["date"])
    lines = [f"Made on {day.day} {day:%B %Y}.", ""]
    lines += ["| Releases | What changed |", "|---|---|"]
    for row in found["changes"]:
        functions, lists = row["functions"], row["lists"]
        gone = [f"`{name}`" for name in [*functions["gone"], *lists["gone"]]]
        changed = [
            f"`{name}`: {_difference(old, now)}"
            for name, (old, now) in [*functions["changed"].items(), *lists["changed"].items()]
        ]
        new = [f"`{name}`" for name in [*functions["new"], *lists["new"]]]
        titled = {"Gone": gone, "Another default": changed, "New": new}
        cell = [f"**{title}:** {'; '.join(items)}." for title, items in titled.items() if items]
        releases = f"{row['library']} {row['from']} → {row['to']}"
        lines.append(f"| {releases} | {' '.join(cell) or 'Nothing.'} |")
    return "\n".join(lines)


def moved_lists_text(found: Mapping[str, Any]) -> str:
    """Return in Markdown which default configs of Transformers got another list of frequencies."""
    rows = [row for row in found["changes"] if row["library"] == "transformers"]
    moved = [
        f"`{name}` ({row['from']} → {row['to']})"
        for row in rows
        for name in row["lists"]["changed"]
    ]
    gone = [name for row in rows for name in row["lists"]["gone"]]
    return (
        f"From transformers {rows[0]['from']} to {rows[-1]['to']}, the lists of frequencies "
        f"changed for these default configs: {', '.join(moved) or 'none'}. Renamed, parted by "
        f"layers or removed were: {in_code(gone) or 'none'}. All others that were there before, "
        "`llama` among them, have as many pairs as they had, the same last frequency and the same "
        "factor."
    )


def _difference(old: list | str, now: list | str) -> str:
    """Return in words, in Markdown, how a list of frequencies or a function's arguments changed.

    A list is [number of pairs, last frequency, factor]; the arguments are a text, as "dim, n=2".
    """
    if isinstance(old, list):
        texts = []
        for pairs, last, factor in (old, now):
            text = f"{pairs} pairs down to {last:g}"
            if old[2] != now[2]:  # a factor that has not changed says nothing of the change
                text += f" and the factor {factor:g}"
            texts.append(text)
        return " → ".join(texts)
    # At the commas between arguments, before a name, not at those within a default, as (0, 0).
    before, after = (re.split(r", (?=[a-z_]+(?:=|,|$))", each) for each in (old, now))
    gone = [f"without `{each}`" for each in before if each not in after]
    come = [f"with `{each}`" for each in after if each not in before]
    return ", ".join([*gone, *come]) or "its arguments in another order"


def orders_text(measured: Mapping[str, Any]) -> str:
    """Return a table in Markdown, a line for each model: the steps of its attention, in order.

    Then come the columns that turn, the way they are paired, and the scale of scores.
    """
    lines = ["| `model_type` | In this order | Columns that turn | Pairs | Scale |"]
    lines += ["|---|---|---|---|---|"]
    for row in measured["orders"]:
        # Models differ most in whether and where they normalise: these steps are bold.
        steps = (f"**{step}**" if step.startswith("norm") else step for step in row["steps"])
        scale = row["scale"].replace("/", "/\N{WORD JOINER}")  # 1/√256 on one line
        cells = (row["columns"], row["pairs"], scale)
        lines.append(f"| `{row['model']}` | {', '.join(steps)} | {' | '.join(cells)} |")
    return "\n".join(lines)


class Libraries(Directive):
    """``{libraries} library, kind``: a table."""

    required_arguments = 2

    def run(self) -> list[nodes.Node]:
        """Return the table, the one node, of the library and the kind that are named."""
        self.state.document.settings.env.note_dependency(str(RESULT))
        # docutils parts the arguments at the first space, and leaves the comma with the library.
        library, kind = (name.strip(", ") for name in self.arguments)
        return [table(rows_of(result(), library, kind), kind)]


def setup(app: Sphinx) -> None:
    """Add the directives that the docstring of this module names."""
    app.add_directive("libraries", Libraries)
    for name, text in {
        "libraries-measured": measured_text,
        "pairings": pairings,
        "orders": orders_text,
        "configs-measured": configs_text,
    }.items():
        # With `text` as a default: the lambda is called after the loop, for which it is the last.
        app.add_directive(name, directive(lambda text=text: text(result()), sources=[RESULT]))
    for name, text in {"changes": changes_text, "moved-lists": moved_lists_text}.items():
        app.add_directive(name, directive(lambda text=text: text(changes()), sources=[CHANGES]))
