"""The page's own scripts without a page: an ES module of the course, run in V8 (mini-racer)."""

from py_mini_racer import MiniRacer

from posenc_course.widget import joined


def engine(path):
    """Return an engine of its own, whose `call` knows the functions of an ES module by name."""
    made = MiniRacer()
    made.eval(f'"use strict";\n{joined(path)}\n0')
    return made
