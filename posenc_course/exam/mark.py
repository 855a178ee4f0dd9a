"""Marks a folder of submissions of the assignment: a table, and a report for each student.

    python -m posenc_course.exam.mark submissions --seed 2027

Every notebook and module of the folder, and of the folders in it, runs in a process of its own,
with a limit of time and, on Linux, of memory. The tests stay in this process, which asks the
functions of a submission and compares what they answer, so nothing that a submission does to its
own process makes an answer right. Two things are left to you: a submission may read the files of
this computer and use its network, so mark where you would run students' code; and a function that
calls the training's own `answer` passes, so read what a student hands in.
"""

import argparse
import contextlib
import csv
import importlib.util
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np

from posenc_course.exam.assignment import TESTS, Unanswered, problems

PACKAGES = ("posenc", "posenc_check", "posenc_course")
POINTS = 6  # for each of the two sets
TOTAL = 6  # limits of a cell: how long a submission may take in all, where nothing else is said


class Marks(NamedTuple):
    """What a submission gets: its name, the tests of both sets, and the cells that failed."""

    name: str
    first: dict
    second: dict
    errors: dict

    @property
    def points(self):
        """The points of the first set and of the second, in proportion to the tests that pass."""
        shares = (sum(not said for said in found.values()) / len(found) for found in self[1:3])
        return [round(POINTS * share, 1) for share in shares]


class Submission:
    """A running submission, whose functions can be called until its time is over."""

    def __init__(self, path, library, room, *, seconds, total, megabytes):
        script = Path(library, "posenc_course", "exam", "submission.py")
        arguments = [str(path.resolve()), str(library), str(seconds), str(megabytes)]
        quiet = {"OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": "agg", "HOME": str(room)}
        self.process = subprocess.Popen(
            [sys.executable, "-I", str(script), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=room,
            env=os.environ | quiet,
            text=True,
            encoding="utf-8",
        )
        self.lines = queue.Queue()
        self.over = threading.Timer(total, self.process.kill)
        self.over.start()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put("")

    def hear(self, *expected):
        """Return what the submission says next, which has one of the names that are expected."""
        try:
            said = json.loads(self.lines.get())
        except ValueError:
            self.lines.put("")  # so does every later call
            raise Unanswered("it was ended: out of time or memory, or by itself") from None
        if not isinstance(said, dict) or not said.keys() & {*expected}:
            self.process.kill()
            raise Unanswered("it was ended: it wrote where the marker reads its answers")
        return said

    def say(self, what):
        """Send a line, which a submission that has ended does not read."""
        with contextlib.suppress(OSError):
            self.process.stdin.write(json.dumps(what) + "\n")
            self.process.stdin.flush()

    def call(self, name, given):
        """Return what a function of the submission gives."""
        ask = next((one for one in given if callable(one)), None)
        self.say({"function": name, "given": [sent(one) for one in given]})
        while "ask" in (said := self.hear("ask", "error", "value")):
            try:
                self.say({"answer": ask(said["ask"])})
            except (IndexError, TypeError, ValueError):  # it asked about what is no text
                self.say({"answer": None})
        if "error" in said:
            raise Unanswered(str(said["error"]))
        return said["value"]

    def end(self):
        """End the process."""
        self.over.cancel()
        self.process.kill()
        self.process.wait()
        self.reader.join()
        self.process.stdout.close()
        with contextlib.suppress(OSError):  # of a line that nobody reads
            self.process.stdin.close()


def sent(value):
    """Return an argument as JSON has it."""
    if callable(value):
        return {"ask": True}
    if isinstance(value, dict):
        return {name: sent(one) for name, one in value.items()}
    if isinstance(value, np.ndarray):
        return {"array": value.tolist(), "type": value.dtype.name}
    return value.item() if isinstance(value, np.generic) else value


def marked(path, name, library, seed, **limits):
    """Return the marks of one submission."""
    with tempfile.TemporaryDirectory() as room:
        submission = Submission(path, library, room, **limits)

        def asking(function):
            return lambda *given: submission.call(function, given)

        given = {function: asking(function) for function in TESTS}
        try:
            try:
                errors = dict(submission.hear("errors")["errors"])
            except Unanswered as error:
                errors = {path.name: str(error)}
            sets = [dict(problems(given, seed if second else 0, second=second))
                    for second in (False, True)]  # fmt: skip
        finally:
            submission.end()
    return Marks(name, *sets, errors)


def library_in(folder):
    """Copy what a submission may import into a folder, away from the repository."""
    for package in PACKAGES:
        (source,) = importlib.util.find_spec(package).submodule_search_locations
        shutil.copytree(source, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def submissions_in(folder):
    """Return the notebooks and modules of a folder and of the folders in it, by their names."""
    found = sorted(path for kind in ("*.ipynb", "*.py") for path in folder.rglob(kind))
    names = {path.relative_to(folder): path for path in found}
    return {
        str(name): path for name, path in names.items() if ".ipynb_checkpoints" not in name.parts
    }


def report(marks):
    """Return what a student is told, in Markdown."""
    first, second = marks.points
    lines = [f"# {marks.name}", f"{first + second:g} of {2 * POINTS} points for the tests."]
    if marks.errors:
        lines.append("These cells failed; the others ran:")
        lines.append("\n".join(f"- {error}" for error in marks.errors.values()))
    for title, points, found in (("First", first, marks.first), ("Second", second, marks.second)):
        lines.append(f"## {title} set: {points:g} of {POINTS} points")
        lines.append("\n".join(f"- {test}: {said or 'right'}" for test, said in found.items()))
    return "\n\n".join(lines) + "\n"


def mark(folder, seed, out, *, seconds=120, total=None, megabytes=2048, jobs=None):
    """Mark a folder; write `marks.csv` and the reports below `out`, and return the marks."""
    found = submissions_in(Path(folder))
    if not found:
        raise ValueError(f"folder must have submissions, *.ipynb or *.py, and {folder} has none")
    out.mkdir(parents=True, exist_ok=True)
    limits = {"seconds": seconds, "total": total or TOTAL * seconds, "megabytes": megabytes}
    with tempfile.TemporaryDirectory() as place, ThreadPoolExecutor(jobs or os.cpu_count()) as pool:
        library = library_in(Path(place))
        waiting = [
            pool.submit(marked, path, name, library, seed, **limits) for name, path in found.items()
        ]
        everyone = [one.result() for one in waiting]
    with (out / "marks.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(
            ["submission", "first set", "second set", "points", "of", "cells that failed"]
        )
        for marks in everyone:
            total = round(sum(marks.points), 1)
            table.writerow([marks.name, *marks.points, total, 2 * POINTS, len(marks.errors)])
            target = (out / marks.name).with_suffix(".md")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(report(marks), encoding="utf-8")
    return everyone


def main():
    """Mark what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, required=True, help="choose one when you mark")
    parser.add_argument("--out", type=Path, help="where marks and reports go: FOLDER-marks")
    parser.add_argument("--seconds", type=float, default=120, help="for a cell, and for a test")
    parser.add_argument("--megabytes", type=int, default=2048, help="of memory, on Linux")
    given = parser.parse_args()
    out = given.out or given.folder.resolve().with_name(f"{given.folder.resolve().name}-marks")
    limits = {"seconds": given.seconds, "megabytes": given.megabytes}
    try:
        everyone = mark(given.folder, given.seed, out, **limits)
    except ValueError as error:
        parser.error(str(error))
    for marks in everyone:
        print(f"{sum(marks.points):5.1f} of {2 * POINTS}  {marks.name}")
    print(f"{out / 'marks.csv'} has them all; a report for each student is beside it")


if __name__ == "__main__":
    main()
