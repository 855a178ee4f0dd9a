"""The exercises of the chapter "Beyond sinusoids"."""

__all__ = ["EXERCISES"]

EXERCISES = {}
