"""The notebooks of the book, as tests read them."""

from functools import cache

from extensions import contents


@cache
def read(path):
    """Return the notebook in a file; all tests of a process get the same one and leave it as it is.

    A dozen files of tests look through all notebooks, most of them as they are collected.
    """
    return contents.read(path)
