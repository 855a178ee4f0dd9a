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
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

try:
    import resource
except ImportError:  # not on Windows, where the marker's own limit of time is the only one
    resource = None


class OutOfTime(BaseException):
    """What ends a cell or a call that takes too long; `except Exception` does not catch it."""


@contextmanager
def limit(seconds: float) -> Iterator[None]:
    """Raise `OutOfTime` below `with` after so many seconds, where the system has such an alarm.

    With 0 seconds there is no limit.
    """
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


def cells_of(path: Path) -> list[tuple[str, str]]:
    """Return (name in a report, code) of each cell of a notebook; a module is one cell."""
    source = path.read_text(encoding="utf-8-sig")  # which some editors begin with a mark
    if path.suffix.lower() != ".ipynb":
        return [(path.name, source)]
    cells = [cell for cell in json.loads(source)["cells"] if cell["cell_type"] == "code"]
    texts = ("".join(cell["source"]) for cell in cells)
    return [(f"code cell {number}", plain(text)) for number, text in enumerate(texts, start=1)]


def plain(text: str) -> str:
    """Return the code of a cell without what only Jupyter reads: %magics and !commands."""
    if text.lstrip().startswith("%%"):  # a magic for the whole cell
        return ""
    lines = []
    for line in text.split("\n"):
        indent = line[: len(line) - len(line.lstrip())]
        # `pass` keeps the lines' numbers, and the block in which it may stand alone.
        lines.append(f"{indent}pass" if is_magic(line) else line)
    return "\n".join(lines)


def is_magic(line: str) -> bool:
    """Tell whether a line is for Jupyter alone."""
    return line.lstrip().startswith(("%", "!"))


def described(error: BaseException, names: Collection[str]) -> str:
    """Return an error as text: the cell of `names` in which it arose, its line, Python's words."""
    if isinstance(error, SyntaxError) and error.filename in names:
        place, line = error.filename, error.lineno
    else:
        frames = [one for one in traceback.extract_tb(error.__traceback__) if one.filename in names]
        place, line = (frames[-1].filename, frames[-1].lineno) if frames else ("", 0)
    what = str(error) if isinstance(error, OutOfTime) else f"{type(error).__name__}: {error}"
    return f"{place}, line {line}: {what}" if place else what


def run(cells: list[tuple[str, str]], seconds: float) -> tuple[dict, dict[str, str], set[str]]:
    """Run all cells in order; return what they define, the errors by cell, and the cells' names."""
    space, errors = {"__name__": "submission"}, {}
    names = {name for name, _ in cells}
    for name, source in cells:
        try:
            with limit(seconds):
                exec(compile(source, name, "exec"), space)
        except (Exception, OutOfTime, SystemExit, KeyboardInterrupt) as error:
            errors[name] = described(error, names)
    return space, errors, names


def received(value: Any) -> Any:
    """Return an argument as it was before `mark.sent` made JSON of it: with its arrays again."""
    if isinstance(value, dict):
        if value.keys() == {"array", "type"}:
            return np.array(value["array"], value["type"])
        return {name: received(one) for name, one in value.items()}
    return value


def same(one: Any, other: Any) -> bool:
    """Tell whether an argument is as it was before the call."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    return callable(one) or np.array_equal(one, other)


def answer(
    call: Mapping[str, Any],
    space: Mapping[str, Any],
    names: Collection[str],
    seconds: float,
    ask: Callable,
) -> dict[str, Any]:
    """Return {"value": number} of a call of the submission's function, or {"error": sentence}.

    `space` has what the submission defines, `names` are those of its cells, and `ask` stands for
    an argument that is a function, which the marker holds.
    """
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


def main() -> None:
    """Run the submission that the command line names, and answer calls until the marker ends."""
    path, library, seconds, megabytes = sys.argv[1:]
    # The marker writes to stdin and reads stdout. Copies of both are kept for that, and what the
    # submission reads from them or prints to them is nothing.
    ours_out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    ours_in = os.fdopen(os.dup(0), encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in range(3):  # stdin, stdout, stderr
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
