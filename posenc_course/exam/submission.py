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
    """Return a context manager whose block raises `OutOfTime` after so many seconds.

    Windows has no such alarm, and there the block is not limited.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return

    def ring(*_):
        """Raise `OutOfTime`, which the block then does; `_` is what every alarm is called with."""
        raise OutOfTime(f"it took longer than {seconds:g} seconds")

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)  # no alarm is to ring after the block


def cells_of(path: Path) -> list[tuple[str, str]]:
    """Return (name in a report, code) for each code cell of a notebook; a module is one cell."""
    source = path.read_text(encoding="utf-8-sig")  # without the mark that some editors begin with
    if path.suffix.lower() != ".ipynb":
        return [(path.name, source)]
    cells = [cell for cell in json.loads(source)["cells"] if cell["cell_type"] == "code"]
    texts = ("".join(cell["source"]) for cell in cells)  # a list of lines, or one text
    return [(f"code cell {number}", plain(text)) for number, text in enumerate(texts, start=1)]


def plain(text: str) -> str:
    """Return a cell's code with `pass` for each %magic and !command; "" for a %%magic of it all."""
    if text.lstrip().startswith("%%"):
        return ""
    lines = []
    for line in text.split("\n"):
        indent = line[: len(line) - len(line.lstrip())]
        # A `pass` keeps the lines' numbers, which reports name, and fills a block that would else
        # be empty.
        lines.append(f"{indent}pass" if is_magic(line) else line)
    return "\n".join(lines)


def is_magic(line: str) -> bool:
    """Tell whether a line is a %magic or a !command, which Jupyter alone can run."""
    return line.lstrip().startswith(("%", "!"))


def described(error: BaseException, names: Collection[str]) -> str:
    """Return an error as "CELL, line 2: NameError: ...", without a place if no cell raised it.

    `names` are those of the cells, which Python takes for their file names.
    """
    if isinstance(error, SyntaxError) and error.filename in names:
        # The cell did not run, so no frame of the traceback is in it.
        place, line = error.filename, error.lineno
    else:
        frames = [one for one in traceback.extract_tb(error.__traceback__) if one.filename in names]
        # The last of the student's own lines: after it came those of a library, if any.
        place, line = (frames[-1].filename, frames[-1].lineno) if frames else ("", 0)
    # The message of `OutOfTime` is a sentence, and the name of its class is ours.
    what = str(error) if isinstance(error, OutOfTime) else f"{type(error).__name__}: {error}"
    return f"{place}, line {line}: {what}" if place else what


def run(cells: list[tuple[str, str]], seconds: float) -> tuple[dict, dict[str, str], set[str]]:
    """Run all cells; return (what they define by name, errors as texts by cell, names of cells)."""
    # What stands below `if __name__ == "__main__"` is not asked for.
    space, errors = {"__name__": "submission"}, {}
    names = {name for name, _ in cells}
    for name, source in cells:
        try:
            with limit(seconds):
                exec(compile(source, name, "exec"), space)
        except (Exception, OutOfTime, SystemExit, KeyboardInterrupt) as error:
            errors[name] = described(error, names)  # and what other cells define counts
    return space, errors, names


def received(value: Any) -> Any:
    """Return an argument as it was before `mark.sent` made JSON of it: with its arrays again."""
    if isinstance(value, dict):
        if value.keys() == {"array", "type"}:  # which stands for an array
            return np.array(value["array"], value["type"])
        return {name: received(one) for name, one in value.items()}
    return value


def same(before: Any, after: Any) -> bool:
    """Tell whether an argument is the same after a call as before; a function always is."""
    if isinstance(before, dict):
        return before.keys() == after.keys() and all(
            same(before[name], after[name]) for name in before
        )
    return callable(before) or np.array_equal(before, after)


def answer(
    call: Mapping[str, Any],
    space: Mapping[str, Any],
    names: Collection[str],
    seconds: float,
    ask: Callable,
) -> dict[str, Any]:
    """Call a function of the submission: return {"value": number}, or else {"error": sentence}.

    `call` has its name and its arguments, `space` what the submission defines, `names` are those of
    its cells, and `ask` stands for an argument that is a function, which the marker holds.
    """
    function = space.get(call["function"])
    if not callable(function):
        return {"error": f"there is no function {call['function']}"}
    # {"ask": True} is what `mark.sent` makes of a function.
    arguments = [ask if one == {"ask": True} else received(one) for one in call["arguments"]]
    before = copy.deepcopy(arguments)
    try:
        # All of it in the limit of time: a returned object may have an endless `__float__`.
        with limit(seconds):
            value = function(*arguments)
            if value is None:
                return {"error": "it returns nothing yet"}
            if not all(map(same, before, arguments)):
                return {"error": "it changes what it is given"}
            return {"value": float(value)}  # JSON has no numbers of NumPy
    except (Exception, OutOfTime, SystemExit, KeyboardInterrupt) as error:
        return {"error": described(error, names)}


def main() -> None:
    """Run the submission that the command line names, and answer calls until the marker ends."""
    path, library, seconds, megabytes = sys.argv[1:]
    # The marker writes to stdin and reads stdout. Only this function keeps copies of both. For the
    # submission itself, what it prints disappears, and what it reads is empty.
    ours_out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    ours_in = os.fdopen(os.dup(0), encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in range(3):  # stdin, stdout, stderr
        os.dup2(nothing, number)
    # The course is imported from `library` alone, so a repository, with its solution, is left out.
    sys.path[:] = [library, *(one for one in sys.path if not Path(one, "posenc_course").exists())]
    if resource:
        most = int(megabytes) * 2**20  # in bytes
        resource.setrlimit(resource.RLIMIT_AS, (most, most))

    def say(message):
        """Send a message to the marker, as a line of JSON."""
        ours_out.write(json.dumps(message) + "\n")
        ours_out.flush()  # the marker waits for it

    def ask(text):
        """Return what the marker's function returns for the tokens of a text, None if it raises."""
        say({"ask": [int(token) for token in text]})  # JSON has no numbers of NumPy
        return json.loads(ours_in.readline())["answer"]

    cells, unread = [], {}
    try:
        cells = cells_of(Path(path))
    # A file that is no text (ValueError), no JSON (ValueError), or no notebook: without cells
    # (LookupError), or with something else in their place (TypeError, AttributeError).
    except (ValueError, LookupError, TypeError, AttributeError, OSError) as error:
        name = Path(path).name
        unread = {name: f"{name} cannot be read: {described(error, ())}"}
    space, errors, names = run(cells, float(seconds))
    say({"errors": unread | errors})  # the marker hears this once, before any answer
    for line in ours_in:
        say(answer(json.loads(line), space, names, float(seconds), ask))


if __name__ == "__main__":
    main()
