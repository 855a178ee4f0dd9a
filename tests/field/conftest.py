"""What `make test-field` prints: how many tables are named, by recipe, storage and rows."""

import os
from collections import Counter

from tests.field.storages import ARRAYS, TEXTS

WIDTH = 9  # of a column of counts


def pytest_terminal_summary(terminalreporter):
    """Print the counts of all tables that were tried, where all were."""
    if os.environ.get("FIELD") != "all":
        return
    named, tried = Counter(), Counter()
    for outcome in ("passed", "failed"):
        for report in terminalreporter.stats.get(outcome, []):
            table = dict(report.user_properties).get("table") if report.when == "call" else None
            for name, storage in _cells(table):
                tried[name, storage] += 1
                named[name, storage] += outcome == "passed"
    for title, kinds in (("Tables as arrays", ARRAYS), ("Tables as text", TEXTS)):
        heads = [each for each in kinds if any(storage == each for _, storage in tried)]
        if heads:
            terminalreporter.section(f"{title}: named / all")
            terminalreporter.write_line("\n".join(_lines(named, tried, heads)))


def _cells(table):
    """Return the cells of the summary that a table counts in: its recipe, its rows, and all."""
    if table is None:
        return []
    name, storage, rows = table
    return [(name, storage), (f"rows: {rows}", storage), ("all", storage)]


def _lines(named, tried, heads):
    """Yield the lines of a summary: a row for each recipe, a column for each storage."""
    names = sorted({name for name, storage in tried if storage in heads})
    names.sort(key=lambda name: (name.startswith("rows: "), name == "all"))
    for number, head in enumerate(heads):
        yield f"{number + 1:>{WIDTH}}  {head}"
    yield " " * 34 + "".join(f"{number + 1:>{WIDTH}}" for number in range(len(heads)))
    for name in names:
        counts = (f"{named[name, head]}/{tried[name, head]}" for head in heads)
        yield f"{name:<34}" + "".join(f"{each:>{WIDTH}}" for each in counts)
