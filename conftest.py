"""Loaded by every pytest run, of the unit tests and of the notebooks."""

pytest_plugins = ["tests.notebook_checks"]
