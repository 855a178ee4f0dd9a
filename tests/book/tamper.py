"""Does the book's safety net catch what it should?    python -m tests.book.tamper (make tamper)

Works on a copy of the repository. Falsifies one thing at a time, in a stored notebook or in posenc,
runs the notebooks as `make test` does, and expects a failure. Prints a table and exits with 1 if
anything went through. Some minutes; not part of `make test`, run each week.
"""

import asyncio
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from copy import deepcopy
from functools import partial
from pathlib import Path

from nbformat.v4 import new_output

from extensions.contents import ROOT, notebooks_in_toc, read
from scripts import outputs
from tests.book.notebook_checks import figures, pixels

PNG = "image/png"
STALE = "bring tests/book/tamper.py up to date"
COLOUR_STEP = 3  # grey levels: one of the 256 steps of a colour map, which nobody sees

FREQUENCIES, SINUSOIDS, TABLE = (
    f"posenc/{name}.py" for name in ("frequencies", "sinusoids", "_table")
)


def base_of(function):
    """(pattern, replacement) that makes 9 000 the base a function takes if it is given none."""
    return rf"(def {function}\(.*?\bbase\b[^=)]*= ?)10_000", r"\g<1>9_000"


# (what it does, file, pattern, replacement); the pattern must fit exactly one place of the file.
IN_POSENC = [
    ("base 9 000 in frequencies", FREQUENCIES, *base_of("frequencies")),
    ("base 9 000 in wavelengths", FREQUENCIES, *base_of("wavelengths")),
    ("base 9 000 in sinusoidal", SINUSOIDS, *base_of("sinusoidal")),
    ("base 9 000 in shift_matrix", SINUSOIDS, *base_of("shift_matrix")),
    (
        "sine and cosine swapped in the table",
        TABLE,
        r"numbers = pairs\.view\(",
        "numbers = (1j * pairs.conj()).view(",
    ),
    (
        "sine and cosine swapped in the table, halves",
        TABLE,
        r"swapaxes\(1, 2\)",
        "swapaxes(1, 2)[:, ::-1]",
    ),
    (
        "columns of sine and cosine swapped, interleaved",
        SINUSOIDS,
        r"slice\(0, width, 2\), slice\(1, width, 2\)",
        "slice(1, width, 2), slice(0, width, 2)",
    ),
    (
        "columns of sine and cosine swapped, halves",
        SINUSOIDS,
        r"slice\(0, width // 2\), slice\(width // 2, width\)",
        "slice(width // 2, width), slice(0, width // 2)",
    ),
    (
        "factor 2 dropped in the exponent",
        FREQUENCIES,
        r"= _ratio\(base, pairs, bits\)",
        "= _ratio(base, 2 * pairs, bits)",
    ),
    (
        "sign of the exponent",
        FREQUENCIES,
        r"exact\[-1\] \* ratio >> bits",
        "(exact[-1] << bits) // ratio",
    ),
    ("sign in shift_matrix", SINUSOIDS, r"= -pairs\.real", "= pairs.real"),
    ("shift_matrix transposed", SINUSOIDS, r"return matrix\b", "return matrix.T"),
]
# To draw false figures with: (file, pattern, replacement), wherever it fits.
OTHER_BASE = (SINUSOIDS, r"(\bbase\b[^=)]*= ?)10_000", r"\g<1>9_000")
OTHER_COLOURS = (
    "posenc_course/figures/style.py",
    r"_ANCHORS\.split\(\)\]",
    "_ANCHORS.split()][::-1]",
)


def substitute(file, pattern, replacement, *, everywhere=False):
    source = file.read_text(encoding="utf-8")
    changed, times = re.subn(pattern, replacement, source, flags=re.DOTALL)
    if times == 0 or (times > 1 and not everywhere):
        sys.exit(
            f"{file.name} holds {pattern!r} {times} times: bring tests/book/tamper.py up to date"
        )
    file.write_text(changed, encoding="utf-8")


# ---------------------------------------------------------------------------- stored notebooks
# Each changes a notebook and returns where, or returns None if the notebook offers no place.


def change_a_digit(notebook, kind):
    for number, cell in enumerate(outputs.code_cells(notebook)):
        for output in cell.outputs:
            holder, key = {
                "stream": (output, "text"),
                "error": (output, "evalue"),
            }.get(output.output_type, (output.get("data"), kind))
            if kind not in (output.output_type, key) or key not in holder:
                continue
            # Not the size that a figure's text names.
            changed = re.sub(
                r"\d(?!.*\d)", lambda m: str((int(m[0]) + 1) % 10), holder[key], count=1
            )
            if changed != holder[key] and "Figure size" not in changed:
                holder[key] = changed
                return number
    return None


def drawn(notebook):
    """(cell number, its figure's output) for every cell with a figure."""
    for number, cell in enumerate(outputs.code_cells(notebook)):
        for output in cell.outputs:
            if PNG in output.get("data", {}):
                yield number, output


def use_another_figure(notebook):
    found = list(drawn(notebook))
    if len(found) < 2:
        return None
    (number, first), (_, second) = found[:2]
    first.data[PNG] = second.data[PNG]
    return number


def use_false_figure(notebook, copy, falsehood):
    """Replace the first figure that a falsified posenc draws visibly otherwise.

    A figure may hold too little to show the falsehood: a base of 9 000 moves three positions drawn
    as a heat map by two grey levels of 255. Such a figure is named, and the next one taken.
    """
    file, pattern, replacement = falsehood
    substitute(copy / file, pattern, replacement, everywhere=True)
    false = deepcopy(notebook)
    asyncio.run(outputs.run_cells(false, copy / "book", allow_errors=True))
    shutil.copy(ROOT / file, copy / file)
    for number, (before, now) in enumerate(
        zip(outputs.code_cells(notebook), outputs.code_cells(false), strict=True)
    ):
        for stored, drawn_now in zip(before.outputs, now.outputs, strict=False):
            image = drawn_now.get("data", {}).get(PNG)
            if PNG not in stored.get("data", {}) or not image:
                continue
            before_pixels, now_pixels = pixels(stored.data[PNG]), pixels(image)
            if before_pixels.shape == now_pixels.shape:
                most = abs(before_pixels - now_pixels).max()
                if 0 < most <= COLOUR_STEP:
                    title = re.search(r"^# (.+)", notebook.cells[0].source, re.MULTILINE)[1]
                    print(f"  passed over: {title}, Cell {number}: {most:.0f} grey levels apart")
                if most <= COLOUR_STEP:
                    continue
            stored.data[PNG] = image
            return number
    return None


def delete_text(notebook):
    for number, cell in enumerate(outputs.code_cells(notebook)):
        if cell.outputs and not figures(cell.outputs):
            cell.outputs = []
            return number
    return None


def delete_figure(notebook):
    for number, cell in enumerate(outputs.code_cells(notebook)):
        if figures(cell.outputs):
            cell.outputs = []
            return number
    return None


def add_text(notebook):
    for number, cell in enumerate(outputs.code_cells(notebook)):
        if not cell.outputs:
            cell.outputs = [new_output("stream", name="stdout", text="42\n")]
            return number
    return None


def add_figure(notebook):
    for number, output in drawn(notebook):
        outputs.code_cells(notebook)[number].outputs.append(output)
        return number
    return None


def reorder(notebook):
    places = [place for place, cell in enumerate(notebook.cells) if cell.cell_type == "code"]
    if len(places) < 3:
        return None
    one, other = places[-2:]  # nothing that follows depends on them
    notebook.cells[one], notebook.cells[other] = notebook.cells[other], notebook.cells[one]
    return len(places) - 2


def forget_a_run(notebook):
    cell = next(cell for cell in outputs.code_cells(notebook) if not cell.outputs)
    cell.execution_count = None
    return outputs.code_cells(notebook).index(cell)


# ---------------------------------------------------------------------------- running


def run_notebooks(copy, notebooks=(), *, whole=False):
    """Run the checks of `make test` in the copy, on some notebooks or on all.

    Returns (passed, the failures it lists). It stops at the first failure, unless the `whole` book
    is to run: then what did not run is a failure too.
    """
    command = [sys.executable, "-m", "pytest", "--nbval", "-n", "2", "--dist", "loadfile", "-q"]
    command += ["--whole-book"] if whole else ["--maxfail=1"]
    command += [str(path) for path in notebooks] or ["book"]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    failures = re.findall(
        r"^FAILED +(book/\S+?\.ipynb)(?:::(Cell \d+))?", done.stdout, re.MULTILINE
    )
    if done.returncode not in (0, 1) and not failures:  # 2: it stopped at a failure
        sys.exit(f"pytest itself failed in the copy:\n{done.stdout}{done.stderr}")
    return done.returncode == 0, failures


def in_a_notebook(copy, tampering):
    """Apply it to the first notebook that offers a place; returns (path, cell)."""
    for path in notebooks_in_toc(copy):
        notebook = read(path)
        cell = tampering(notebook)
        if cell is not None:
            path.write_bytes(outputs.as_stored(notebook))
            return path, cell
    return None


def in_stored_notebooks(copy):
    """(what it does, the function that does it)."""

    def false_figure(falsehood):
        return partial(use_false_figure, copy=copy, falsehood=falsehood)

    return [
        ("a digit of printed text", partial(change_a_digit, kind="stream")),
        ("a digit of a cell's value", partial(change_a_digit, kind="text/plain")),
        ("a digit of HTML", partial(change_a_digit, kind="text/html")),
        ("a digit of an error's message", partial(change_a_digit, kind="error")),
        ("a figure: another one", use_another_figure),
        ("a figure: base 9 000", false_figure(OTHER_BASE)),
        ("a figure: another colour map", false_figure(OTHER_COLOURS)),
        ("text output deleted", delete_text),
        ("figure deleted", delete_figure),
        ("text output added", add_text),
        ("figure added", add_figure),
        ("two cells reordered", reorder),
        ("a cell never run", forget_a_run),
    ]


# Not every book holds such an output; all the others must find a place.
OPTIONAL = {"a digit of a cell's value", "a digit of HTML", "a digit of an error's message"}


def by_which(failures):
    cells = [f"{Path(notebook).stem} {cell}".strip() for notebook, cell in failures]
    return cells[0] + (f" and {len(cells) - 1} more" if len(cells) > 1 else "") if cells else ""


def main():
    started = time.perf_counter()
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "book"
        left_out = shutil.ignore_patterns(".git", ".venv", "_build", "build", "__pycache__")
        shutil.copytree(ROOT, copy, ignore=left_out)
        os.environ.pop("PYTHONPATH", None)
        outputs.prepare_kernels(copy)
        passed, failures = run_notebooks(copy, whole=True)
        if not passed:
            sys.exit(f"the notebooks fail untampered: {by_which(failures)}")

        def report(what, where, passed, failures):
            verdict = "NOT CAUGHT" if passed else "caught"
            print(f"{what:<40} {where:<34} {verdict:<11} {by_which(failures)}", flush=True)
            return passed

        print(f"{'tampering':<40} {'where':<34} {'verdict':<11} by")
        for what, tampering in in_stored_notebooks(copy):
            place = in_a_notebook(copy, tampering)
            if place is None:
                if what in OPTIONAL:
                    print(f"{what:<40} {'no such output in the book'}")
                    continue
                sys.exit(
                    f"{what}: no notebook offers a place: bring tests/book/tamper.py up to date"
                )
            path, cell = place
            where = f"{path.stem} Cell {cell}"
            missed += report(what, where, *run_notebooks(copy, [path]))
            shutil.copy(ROOT / path.relative_to(copy), path)
        for what, file, pattern, replacement in IN_POSENC:
            substitute(copy / file, pattern, replacement)
            missed += report(what, file, *run_notebooks(copy))
            shutil.copy(ROOT / file, copy / file)
    print(f"{missed} not caught, {time.perf_counter() - started:.0f} s")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
