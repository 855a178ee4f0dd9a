"""Sphinx extension: each chapter's minutes, as the chapter states them, for pages that list them.

A page writes ``{{ minutes_01 }}`` for the minutes of chapter 01, and ``{{ minutes_part_1 }}``
for the hours and minutes of all chapters of Part I together.
"""

from extensions.contents import chapters, minutes, read

PART_1 = [f"{number:02}" for number in range(1, 8)]


def in_hours(minutes):
    """Return minutes in words.

    >>> in_hours(165)
    '2 hours 45 minutes'
    """
    hours, rest = divmod(minutes, 60)
    parts = [(hours, "hour"), (rest, "minute")]
    return " ".join(f"{n} {unit}{'s' * (n > 1)}" for n, unit in parts if n) or "0 minutes"


def substitutions():
    """Return the names that pages may use, each with its text."""
    stated = {path.name[:2]: minutes(read(path)) for path in chapters()}
    named = {f"minutes_{number}": str(count) for number, count in stated.items()}
    return {**named, "minutes_part_1": in_hours(sum(stated[number] for number in PART_1))}


def _add(_app, config):
    config.myst_substitutions = {**config.myst_substitutions, **substitutions()}


def setup(app):
    """Register with Sphinx."""
    app.connect("config-inited", _add)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
