"""Sphinx extension: each chapter's minutes, as the chapter states them, for pages that list them.

A page writes ``{{ minutes_01 }}`` for the minutes of chapter 01, and ``{{ minutes_part_1 }}``
for the hours and minutes of all chapters of Part I together.
"""

from extensions.contents import chapters, minutes, read

PART_1 = [f"{number:02}" for number in range(1, 8)]


def in_hours(minutes):
    """Return minutes, of more than an hour, in words."""
    hours, rest = divmod(minutes, 60)
    return f"{hours} hours {rest} minutes"


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
