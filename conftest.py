"""Loaded by every pytest run, of the unit tests and of the notebooks."""

pytest_plugins = ["tests.book.notebook_checks"]
