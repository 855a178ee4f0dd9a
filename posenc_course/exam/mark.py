"""Marks the submissions of a class: a table, and a report for each submission.

    python -m posenc_course.exam.mark submissions --seed 2027
    python -m posenc_course.exam.mark "Course-Assignment 1.zip" --seed 2027

Every notebook and module of the folder or archive, and of the folders and archives in it, runs in
a process of its own, with a limit of time and, on Linux, of memory. The tests stay in this process,
which asks the functions of a submission and compares what they answer, so nothing that a submission
does to its own process makes an answer right. Two things are left to you: a submission may read the
files of this computer and use its network, so mark where you would run students' code; and a
function that calls the training's own `answer` passes, so read what a student hands in.
"""

import argparse
import contextlib
import csv
import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from pathlib import Path, PurePath
from typing import Any, NamedTuple

import numpy as np

from posenc_course.exam.assignment import TESTS, Unanswered, problems

PACKAGES = ("posenc", "posenc_check", "posenc_course")
POINTS = 6  # for each of the two sets of tests, as the page of the assignment says
# The limits of a submission are chosen with much room. Our solution trains for three seeds in 20
# seconds on one slow core; a student's own training, in one cell, may take six times as long.
SECONDS = 120  # of a cell, and of a test, by default
TOTAL = 6  # times these seconds for a submission in all: five endless cells, and still the tests
MEGABYTES = 2048  # of memory, by default; our solution needs 150, most of them for NumPy
KINDS = (".ipynb", ".py")  # of files that are marked
# Megabytes that an archive may have when it is unpacked, so that none fills the disk. It is room
# for a class of a hundred with two megabytes each, as our largest chapter has with its pictures.
LARGEST = 200
DEEPEST = 2  # archives that may stand in one another: the platform's, and a student's in it
# How Moodle names a student's folder, or file, in the archive of all submissions.
MOODLE = re.compile(r"(?P<student>.+)_(?P<number>\d+)_assignsubmission_(?:file|onlinetext)(?:_.*)?")
HEADS = ["student", "submission", "first set", "second set", "points", "of", "cells that failed",
         "note"]  # fmt: skip


class File(NamedTuple):
    """A file that was handed in: its name in the folder, where it is, and why it cannot be read."""

    name: PurePath
    path: Path
    fault: str = ""


class Entry(NamedTuple):
    """What is marked: a file of a student, None if there is none, and a note for the lecturer."""

    student: str
    name: str
    path: Path | None
    note: str = ""


class Marks(NamedTuple):
    """What a submission gets: the tests of both sets, and the cells that failed.

    A set has what is off with each test by its name, "" if nothing is; `errors` has the error of
    each cell by the cell's name.
    """

    student: str
    name: str
    first: dict[str, str]
    second: dict[str, str]
    errors: dict[str, str]
    note: str = ""

    @property
    def points(self) -> list[float]:
        """[first set, second set]: the share of tests that pass times `POINTS`, to one decimal."""
        points = []
        for problems_by_test in (self.first, self.second):
            passed = sum(not problem for problem in problems_by_test.values())
            tests = max(len(problems_by_test), 1)  # none where there was no file to mark
            points.append(round(POINTS * passed / tests, 1))
        return points

    @property
    def row(self) -> list:
        """The submission's row in the table of marks: a list with a cell for each of `HEADS`."""
        total = round(sum(self.points), 1)  # a sum of floats may have more decimals
        return [self.student, self.name, *self.points, total, 2 * POINTS, len(self.errors),
                self.note]  # fmt: skip


class Submission:
    """A running submission, whose functions can be called until its time is over."""

    def __init__(
        self,
        path: Path,
        library: Path,
        room: str,
        *,
        seconds: float,
        megabytes: float,
    ):
        """Start `submission.py` on a notebook or module, in the folder `room`.

        `library` is the folder with the packages that it may import. A cell and a call may take
        `seconds`, all of them together `TOTAL` times as long.
        """
        script = Path(library, "posenc_course", "exam", "submission.py")
        # The whole path, as the process runs in another folder.
        arguments = [str(path.resolve()), str(library), str(seconds), str(megabytes)]
        # NumPy takes one thread, as submissions run side by side; Matplotlib opens no window; and
        # what a program would read or write at home is in the room.
        quiet = {"OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": "agg", "HOME": room}
        self.process = subprocess.Popen(
            # -I keeps the caller's folders and PYTHON... variables off the path of imports.
            [sys.executable, "-I", str(script), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # what is printed before `submission.main` silences it
            cwd=room,
            env=os.environ | quiet,
            text=True,
            encoding="utf-8",
            errors="replace",  # of what a submission writes there itself
            start_new_session=True,  # so that `kill` also ends the processes that it starts
        )
        self.deadline = threading.Timer(TOTAL * seconds, self.kill)
        self.deadline.start()

    def hear(self, *expected: str) -> dict[str, Any]:
        """Return the next message, a dict with one of the `expected` keys, or raise `Unanswered`.

        It is raised where the process has ended, or wrote something else.
        """
        line = self.process.stdout.readline()  # which waits until there is one
        if not line:  # a pipe that has ended
            raise Unanswered("it was ended: out of time or memory, or by itself")
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):  # no JSON, or brackets within brackets without end
            message = None
        if not isinstance(message, dict) or not message.keys() & {*expected}:
            self.kill()
            raise Unanswered("it was ended: it wrote where the marker reads its answers")
        return message

    def say(self, message: dict[str, Any]) -> None:
        """Send a message, as a line of JSON; nothing happens if the submission has ended."""
        with contextlib.suppress(OSError):  # of a pipe that nobody reads any more
            self.process.stdin.write(json.dumps(message) + "\n")
            self.process.stdin.flush()

    def call(self, name: str, *arguments: Any) -> float:
        """Return what a function of the submission returns, or raise `Unanswered` with the reason.

        A function among the arguments stays in this process: the submission asks what it returns,
        as often as it calls the function, before it sends its own answer.
        """
        # No test has two functions among its arguments.
        ours = next((argument for argument in arguments if callable(argument)), None)
        self.say({"function": name, "arguments": [sent(argument) for argument in arguments]})
        message = self.hear("ask", "error", "value")
        while "ask" in message:
            try:
                answer = ours(message["ask"])
            except (IndexError, TypeError, ValueError):  # of no text, or of no function to ask
                answer = None
            self.say({"answer": answer})
            message = self.hear("ask", "error", "value")
        if "error" in message:
            raise Unanswered(str(message["error"]))
        return message["value"]

    def kill(self) -> None:
        """End the process, and on Linux and macOS those that it started."""
        if hasattr(os, "killpg"):
            with contextlib.suppress(OSError):  # of processes that have ended
                # As a new session began with it, its number is also that of the group.
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()  # where there are no groups

    def end(self) -> None:
        """End the process, wait for its end, and close what it was read and written through."""
        self.deadline.cancel()
        self.kill()
        self.process.wait()
        self.process.stdout.close()
        with contextlib.suppress(OSError):  # of a line that was not sent before the end
            self.process.stdin.close()


def sent(value: Any) -> Any:
    """Return an argument as what JSON can hold; `submission.received` makes the argument of that.

    A function becomes {"ask": True}, an array {"array": its entries, "type": their type}.
    """
    if callable(value):
        return {"ask": True}
    if isinstance(value, dict):
        return {name: sent(one) for name, one in value.items()}
    if isinstance(value, np.ndarray):
        return {"array": value.tolist(), "type": value.dtype.name}
    return value.item() if isinstance(value, np.generic) else value


def marked(entry: Entry, library: Path, seed: int, **limits: float) -> Marks:
    """Run one submission and return its marks; without a file to run, its sets have no tests."""
    if entry.path is None:
        return Marks(entry.student, entry.name, {}, {}, {}, entry.note)
    # What a process that was just ended still holds open cannot be deleted on Windows.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as room:
        submission = Submission(entry.path, library, room, **limits)
        functions = {name: partial(submission.call, name) for name in TESTS}
        try:
            try:
                errors = dict(submission.hear("errors")["errors"])
            except (Unanswered, TypeError, ValueError) as error:  # the last two: of what is no dict
                errors = {entry.path.name: str(error)}
            first = dict(problems(functions))  # the numbers that students see too
            second = dict(problems(functions, seed, second_set=True))
        finally:
            submission.end()
    return Marks(entry.student, entry.name, first, second, errors, entry.note)


def library_in(folder: Path) -> Path:
    """Copy the packages that a submission may import into a folder; return the folder."""
    for package in PACKAGES:
        # A package may lie in several folders; each of these lies in one.
        (source,) = importlib.util.find_spec(package).submodule_search_locations
        shutil.copytree(source, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


# ---------------------------------------------------------------------------- what was handed in


def unpacked(archive: Path, room: Path) -> Path:
    """Unpack an archive into a new folder of `room`; return the folder, or raise a ValueError."""
    folder = Path(tempfile.mkdtemp(dir=room))
    try:
        with zipfile.ZipFile(archive) as packed:
            if sum(file.file_size for file in packed.infolist()) > LARGEST * 2**20:
                raise ValueError(f"it has more than {LARGEST} MB")
            packed.extractall(folder)
    # It is no archive, is damaged, has a password or a packing that Python does not know, or has
    # names that no file can have.
    except (zipfile.BadZipFile, zlib.error, RuntimeError, OSError) as error:
        raise ValueError(str(error)) from None
    return folder


def paths_in(folder: Path) -> list[Path]:
    """Return the files and folders in a folder that somebody handed in, sorted by name.

    What Jupyter, macOS or git leave behind is none of them.
    """
    return [
        path
        for path in sorted(folder.iterdir())  # the same order on every system
        if not path.name.startswith(".") and path.name != "__MACOSX"
    ]


def files_in(folder: Path, room: Path, name: PurePath, depth: int = 1) -> Iterator[File]:
    """Yield a `File` for each file in a folder and in its archives, which are unpacked into `room`.

    `name` is what the files' names begin with. An archive that cannot be unpacked is itself a file,
    and so is one in too many others: `depth` is how deep the next would lie.
    """
    for path in paths_in(folder):
        if path.is_dir():
            yield from files_in(path, room, name / path.name, depth)
        elif path.suffix.lower() != ".zip" or depth > DEEPEST:
            yield File(name / path.name, path)
        else:
            try:
                inside = unpacked(path, room)
            except ValueError as error:
                yield File(name / path.name, path, f"cannot be unpacked: {error}")
            else:
                yield from files_in(inside, room, name / path.name, depth + 1)


def class_folder(folder: Path) -> Path:
    """Return the folder that has a folder or file for each student: this one, or one within it.

    An archive may hold the folder of the class and nothing else.
    """
    while True:
        paths = paths_in(folder)
        if len(paths) != 1:
            return folder
        (alone,) = paths
        # A single file is that of the only student, and so is a single folder that Moodle named.
        if not alone.is_dir() or MOODLE.fullmatch(alone.name):
            return folder
        # So is a single folder with nothing but files, unless Moodle named these after students.
        if not any(path.is_dir() or MOODLE.fullmatch(path.name) for path in paths_in(alone)):
            return folder
        folder = alone


def student_of(name: PurePath) -> tuple[str, ...]:
    """Return whose a file is: Moodle's (student, number), or else (first folder or file name,).

    Of a file that is marked or unpacked the ending is left out, and of a folder nothing: "J. Smith"
    has no ending.
    """
    for part in name.parts:
        if by_moodle := MOODLE.fullmatch(part):
            return by_moodle.group("student", "number")
    first = PurePath(name.parts[0])
    return (first.stem if first.suffix.lower() in (*KINDS, ".zip") else first.name,)


def entries_of(files: Iterable[File]) -> list[Entry]:
    """Return an entry for each notebook and module, and one with a note for who has neither."""
    students: dict[tuple[str, ...], list[File]] = {}
    for file in files:
        students.setdefault(student_of(file.name), []).append(file)
    entries = []
    for (student, *_), handed_in in students.items():  # without Moodle's number
        readable = [file for file in handed_in if file.path.suffix.lower() in KINDS]
        note = f"one of {len(readable)} files" if len(readable) > 1 else ""
        entries += [Entry(student, str(file.name), file.path, note) for file in readable]
        if not readable:
            # Most have no fault, and then no space is to follow the name.
            faults = [f"{file.name.name} {file.fault}".strip() for file in handed_in]
            note = f"no notebook and no module: {', '.join(faults)}"
            entries.append(Entry(student, handed_in[0].name.parts[0], None, note))
    return entries


def submissions_in(source: Path, room: Path) -> list[Entry]:
    """Return an entry for each file of a folder or an archive to mark, sorted by students.

    A student is a folder or a file of the source, or what one Moodle number belongs to. Who handed
    in nothing that can be marked, as an empty folder or archive, has an entry without a path.
    """
    if not source.exists():
        raise ValueError(f"folder must be a folder or a .zip, and {source} does not exist")
    folder = class_folder(source if source.is_dir() else unpacked(source, room))
    files = [*files_in(folder, room, PurePath())]
    with_files = {file.name.parts[0] for file in files}
    empty = [
        Entry(student_of(PurePath(path.name))[0], path.name, None, "nothing was handed in")
        for path in paths_in(folder)
        if path.name not in with_files
    ]
    return sorted(entries_of(files) + empty)


# ---------------------------------------------------------------------------- what is written


def report(marks: Marks) -> str:
    """Return the text of a student's report in Markdown: points, failed cells, and each test."""
    first, second = marks.points
    lines = [f"# {marks.student}", f"{marks.name}: {first + second:g} of {2 * POINTS} points for "
             "the tests."]  # fmt: skip
    if marks.note:
        lines.append(f"Note: {marks.note}.")
    if marks.errors:
        lines.append("This failed; every other cell ran:")
        lines.append("\n".join(f"- {error}" for error in marks.errors.values()))
    sets = (("First", first, marks.first), ("Second", second, marks.second))
    for title, points, problem_of in sets:
        lines.append(f"## {title} set: {points:g} of {POINTS} points")
        tests = [f"- {test}: {problem or 'right'}" for test, problem in problem_of.items()]
        lines.append("\n".join(tests))
    # Where nothing was run, the list of tests is an empty text.
    return "\n\n".join(filter(None, lines)) + "\n"


def write(everyone: list[Marks], out: Path) -> None:
    """Write `marks.csv`, a row for each of `everyone`, and the report on the last of them alone.

    The others have got their reports before.
    """
    last = everyone[-1]
    target = out / f"{last.name}.md"
    target.parent.mkdir(parents=True, exist_ok=True)  # the name may have folders
    target.write_text(report(last), encoding="utf-8")
    # "utf-8-sig" begins the file with a mark by which Excel reads names as they are written, and
    # newline="" lets the csv module end its lines itself.
    with (out / "marks.csv").open("w", newline="", encoding="utf-8-sig") as file:
        csv.writer(file).writerows([HEADS, *sorted(marks.row for marks in everyone)])


def mark(
    source: Path,
    seed: int,
    out: Path,
    *,
    seconds: float = SECONDS,
    megabytes: float = MEGABYTES,
    tell: Callable[[Marks, int, int], None],
) -> list[Marks]:
    """Mark a folder or an archive: write `marks.csv` and reports into `out`, return all marks.

    Both are written after each submission, and `tell` is called with its marks, how many are done
    and how many there are. The marks are in the order of the table. As many submissions run at a
    time as there are cores.
    """
    limits = {"seconds": seconds, "megabytes": megabytes}
    # A process that was ended may still hold open a file here, which Windows does not delete.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        library, room = Path(place, "library"), Path(place, "room")
        room.mkdir()
        entries = submissions_in(source, room)
        if not any(entry.path for entry in entries):
            raise ValueError(
                f"folder must have submissions, *.ipynb or *.py, and {source} has none"
            )
        out.mkdir(parents=True, exist_ok=True)
        library_in(library)
        everyone = []
        # Threads do, although Python runs one at a time: each waits for a submission's process.
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            waiting = [pool.submit(marked, entry, library, seed, **limits) for entry in entries]
            try:
                for one in as_completed(waiting):
                    everyone.append(one.result())
                    write(everyone, out)
                    tell(everyone[-1], len(everyone), len(entries))
            finally:  # after an error or Ctrl-C, those that wait are not begun
                pool.shutdown(cancel_futures=True)
    return sorted(everyone)


def tell(marks: Marks, done: int, of: int) -> None:
    """Print a line after a submission is marked: how many are done, its points, its name."""
    note = f"  ({marks.note})" if marks.note else ""
    points = f"{sum(marks.points):5.1f} of {2 * POINTS}"
    print(f"{done:4} of {of}: {points}  {marks.name}{note}", flush=True)


def main() -> None:
    """Mark the folder that the command line names, and print where the table of marks is."""
    # The first line of the module says what the program does.
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="or an archive, as a learning platform packs it")
    parser.add_argument("--seed", type=int, required=True, help="choose one when you mark")
    parser.add_argument("--out", type=Path, help="where marks and reports go: FOLDER-marks")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for a cell, and for a test")
    parser.add_argument("--megabytes", type=int, default=MEGABYTES, help="of memory, on Linux")
    given = parser.parse_args()
    source = given.folder.resolve()  # "." has no name to make a folder's of
    name = source.stem if source.is_file() else source.name
    out = given.out or source.with_name(f"{name}-marks")
    limits = {"seconds": given.seconds, "megabytes": given.megabytes}
    try:  # with the folder's name as it was typed, which a message of an error repeats
        everyone = mark(given.folder, given.seed, out, **limits, tell=tell)
    except ValueError as error:
        parser.error(str(error))
    unmarked = sum(not marks.first for marks in everyone)  # without a test
    print(
        f"{out / 'marks.csv'}: {len(everyone) - unmarked} marked, {unmarked} without a file to mark"
    )


if __name__ == "__main__":
    main()
