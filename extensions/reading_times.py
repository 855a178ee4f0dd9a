"""Sphinx extension: each chapter's minutes, as the chapter states them, for pages that list them.

A page writes ``{{ minutes_01 }}`` for the minutes of chapter 01, and ``{{ minutes_part_1 }}``
for the hours and minutes of all chapters of Part I together.
"""

import re
from pathlib import Path

import nbformat

BOOK = Path(__file__).resolve().parent.parent / "book"
STATED = re.compile(r"^\*\*Time\*\* (\d+) minutes", re.MULTILINE)
PART_1 = [f"{number:02}" for number in range(1, 8)]


def stated(path):
    """Return the minutes that a notebook's first cell states.

    Parameters
    ----------
    path : Path

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If the first cell states none.
    """
    found = STATED.search(nbformat.read(path, as_version=4).cells[0].source)
    if not found:
        raise ValueError(f"the first cell of {path.name} must state **Time** N minutes")
    return int(found[1])


def in_hours(minutes):
    """Return minutes in words.

    Parameters
    ----------
    minutes : int

    Returns
    -------
    str

    Examples
    --------
    >>> in_hours(165)
    '2 hours 45 minutes'
    """
    hours, rest = divmod(minutes, 60)
    parts = [(hours, "hour"), (rest, "minute")]
    return " ".join(f"{n} {unit}{'s' * (n > 1)}" for n, unit in parts if n) or "0 minutes"


def substitutions(folder=BOOK):
    """Return the names that pages may use, each with its text.

    Parameters
    ----------
    folder : Path, optional
        Where the notebooks are.

    Returns
    -------
    dict of str to str
    """
    numbered = {path.name[:2]: path for path in sorted(folder.glob("[0-9][0-9]_*.ipynb"))}
    minutes = {number: stated(path) for number, path in numbered.items()}
    total = sum(minutes[number] for number in PART_1)
    named = {f"minutes_{number}": str(count) for number, count in minutes.items()}
    return {**named, "minutes_part_1": in_hours(total)}


def _add(_app, config):
    config.myst_substitutions = {**config.myst_substitutions, **substitutions()}


def setup(app):
    """Register with Sphinx."""
    app.connect("config-inited", _add)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
