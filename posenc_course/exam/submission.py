"""Runs one submission in a process of its own, and answers what the marker asks of its functions.

`posenc_course.exam.mark` starts this file in an empty folder, with the packages of the course in
front of the path and without the repository on it. The marker writes a line of JSON for each call
of a function; the answer is a line of JSON too. What is right is never known here.
"""

import copy
import json
import os
import signal
import sys
import traceback
from contextlib import contextmanager
from pathlib import Path

try:
    import resource
except ImportError:  # not on Windows, where the marker's own limit of time is the only one
    resource = None


class OutOfTime(BaseException):
    """What ends a cell or a call that takes too long; `except Exception` does not catch it."""


@contextmanager
def limit(seconds):
    """End what runs below `with` after so many seconds, where the system has such an alarm."""
    if not seconds or not hasattr(signal, "setitimer"):
        yield
        return

    def ring(*_):
        raise OutOfTime(f"it took longer than {seconds:g} seconds")

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def cells_of(path):
    """Return the code of a notebook or a module, each cell with the name that a report gives it."""
    source = path.read_text(encoding="utf-8-sig")
    if path.suffix.lower() != ".ipynb":
        return [(path.name, source)]
    cells = [cell for cell in json.loads(source)["cells"] if cell["cell_type"] == "code"]
    texts = ("".join(cell["source"]) for cell in cells)
    return [(f"code cell {number}", plain(text)) for number, text in enumerate(texts, start=1)]


def plain(text):
    """Return the code of a cell without what only Jupyter reads: %magics and !commands."""
    if text.lstrip().startswith("%%"):
        return ""
    lines = (line[: len(line) - len(line.lstrip())] + "pass" if is_magic(line) else line
             for line in text.split("\n"))  # fmt: skip
    return "\n".join(lines)


def is_magic(line):
    """Return whether a line is for Jupyter alone."""
    return line.lstrip().startswith(("%", "!"))


def described(error, names):
    """Return an error as a sentence: the cell, its line, and what Python said."""
    if isinstance(error, SyntaxError) and error.filename in names:
        place, line = error.filename, error.lineno
    else:
        frames = [one for one in traceback.extract_tb(error.__traceback__) if one.filename in names]
        place, line = (frames[-1].filename, frames[-1].lineno) if frames else ("", 0)
    what = str(error) if isinstance(error, OutOfTime) else f"{type(error).__name__}: {error}"
    return f"{place}, line {line}: {what}" if place else what


def run(cells, seconds):
    """Run cells one after the other, whatever fails; return their names, and the errors."""
    space, errors = {"__name__": "submission"}, {}
    names = {name for name, _ in cells}
    for name, source in cells:
        try:
            with limit(seconds):
                exec(compile(source, name, "exec"), space)
        except (Exception, OutOfTime, SystemExit, KeyboardInterrupt) as error:
            errors[name] = described(error, names)
    return space, errors, names


def received(value):
    """Return what the marker sent: numbers, texts, and arrays, which are a dict of their own."""
    import numpy as np

    if isinstance(value, dict):
        if value.keys() == {"array", "type"}:
            return np.array(value["array"], value["type"])
        return {name: received(one) for name, one in value.items()}
    return value


def same(one, other):
    """Return whether an argument is as it was."""
    import numpy as np

    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    return callable(one) or np.array_equal(one, other)


def answer(call, space, names, seconds, ask):
    """Return what a function of the submission gives, or what is wrong with it."""
    function = space.get(call["function"])
    if not callable(function):
        return {"error": f"there is no function {call['function']}"}
    given = [ask if one == {"ask": True} else received(one) for one in call["given"]]
    kept = copy.deepcopy(given)
    try:
        with limit(seconds):
            found = function(*given)
            if found is None:
                return {"error": "it returns nothing yet"}
            if not all(map(same, kept, given)):
                return {"error": "it changes what it is given"}
            return {"value": float(found)}
    except (Exception, OutOfTime, SystemExit, KeyboardInterrupt) as error:
        return {"error": described(error, names)}


def main():
    """Run what the command line names, and answer until the marker has no more to ask."""
    path, library, seconds, megabytes = sys.argv[1:]
    # What a submission prints and reads is not what passes between it and the marker.
    ours_out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    ours_in = os.fdopen(os.dup(0), encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(nothing, number)
    sys.path[:] = [library, *(one for one in sys.path if not Path(one, "posenc_course").exists())]
    if resource:
        most = int(megabytes) * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (most, most))

    def say(what):
        ours_out.write(json.dumps(what) + "\n")
        ours_out.flush()

    def ask(text):
        say({"ask": [int(token) for token in text]})
        return json.loads(ours_in.readline())["answer"]

    cells, unread = [], {}
    try:
        cells = cells_of(Path(path))
    except (ValueError, LookupError, TypeError, AttributeError, OSError) as error:
        name = Path(path).name
        unread = {name: f"{name} cannot be read: {described(error, ())}"}
    space, errors, names = run(cells, float(seconds))
    say({"errors": unread | errors})
    for line in ours_in:
        say(answer(json.loads(line), space, names, float(seconds), ask))


if __name__ == "__main__":
    main()
