"""Store the notebooks' outputs so that nothing in them depends on when or where they were made.

    python -m scripts.outputs [NOTEBOOK ...]           execute, normalise, store
    python -m scripts.outputs --check [NOTEBOOK ...]   execute nothing, refuse volatile content

Without arguments: every notebook in _toc.yml. Code cells are counted from 0, as nbval does.

A notebook that needs more than requirements.txt has says so by a tag on its first code cell, such
as "requires-torch". Where that module is absent the notebook is left as it is stored.
"""

import argparse
import asyncio
import base64
import copy
import hashlib
import importlib.util
import itertools
import json
import os
import re
import socket
import sys
import time
from pathlib import Path

import nbformat
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbval.kernel import CURRENT_ENV_KERNEL_NAME, NbvalKernelspecManager

from extensions.contents import FOLDED, ROOT, name, notebooks_in_toc, read

AT_A_TIME = 2

NOTEBOOK_METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
CELL_METADATA = {"tags", "mystnb"}  # what the book reads; editors store the rest
SOLUTION = re.compile(r"\{solution-(start|end)\}")  # its code is folded in an editor, too
REQUIRES = "requires-"
OPTIONAL = {"torch": "torch"}  # a module, and the group of pyproject.toml that holds it
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
ANSI_COLOUR = re.compile(r"\x1b\[[0-9;]*m")

# What an output must not hold: (what it is, how it looks, what to do about it).
_OTHER_MACHINES = r"(?<![\w.:/-])/(?:home|root|tmp|Users|var/folders)/|[A-Z]:\\Users\\"
_THIS_MACHINE = [str(ROOT), str(Path.home()), sys.prefix]
_HOSTNAME = socket.gethostname()
VOLATILE = [
    ("a timestamp", r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\b\d\d:\d\d:\d\d\b", "do not print the time"),
    ("a measured time", r"per loop\b|\bWall time:|\bCPU times:", "print a ratio's bound instead"),
    ("a memory address", r"\bat 0x[0-9a-fA-F]{4,}|\b0x[0-9a-fA-F]{9,}", "define a __repr__"),
    (
        "a random id",
        r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b|\b[0-9a-f]{32}\b",
        "derive ids from the content",
    ),
    (
        "a path of one machine",
        "|".join(
            [_OTHER_MACHINES, r"site-packages", r"\.venv\b"]
            # A home or prefix of "/" or "/usr" would match everything.
            + [re.escape(path) + r"\b" for path in _THIS_MACHINE if path.count("/") > 1]
        ),
        "print no path, or one relative to the book",
    ),
]
if len(_HOSTNAME) > 3 and _HOSTNAME != "localhost":
    VOLATILE.append(
        ("this machine's name", rf"\b{re.escape(_HOSTNAME)}\b", "do not print the machine's name")
    )
ID = re.compile(r"[0-9a-f]{12}")  # editors and nbformat make others, new at each writing
BASE64 = re.compile(r"base64,[A-Za-z0-9+/=\s]+")


def prepare_kernels(root=ROOT):
    """Make every kernel started from here draw and print the same, on any machine."""
    # The posenc beside the book, not an older one that may be installed.
    paths = [str(root), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    os.environ["PYTHONPATH"] = os.pathsep.join(dict.fromkeys(paths))
    # No personal IPython profile or matplotlibrc, and the inline backend.
    profile = root / "build" / "ipython"
    profile.mkdir(parents=True, exist_ok=True)
    os.environ["IPYTHONDIR"] = str(profile)
    os.environ["MATPLOTLIBRC"] = os.devnull
    os.environ.pop("MPLBACKEND", None)
    # The first import in a fresh environment builds a font cache, and says so on stderr if that
    # is slow: let it happen here rather than in a cell.
    import matplotlib.font_manager  # noqa: F401


# ---------------------------------------------------------------------------- normalising


def normalise_outputs(outputs, execution_count):
    """The outputs without widget views and file paths, consecutive prints joined."""
    result = []
    for output in copy.deepcopy(outputs):
        last = result[-1] if result else {}
        if output["output_type"] == "stream":
            if last.get("output_type") == "stream" and last["name"] == output["name"]:
                last["text"] += output["text"]
                continue
        elif output["output_type"] == "error":
            # Frames inside a file name its path; the cell's own frame and the message stay.
            output["traceback"] = [
                frame
                for frame in output["traceback"]
                if not ANSI_COLOUR.sub("", frame).startswith("File ")
            ]
        else:
            output["data"].pop(WIDGET_VIEW, None)
            if not output["data"]:
                continue
            if output["output_type"] == "execute_result":
                output["execution_count"] = execution_count
        result.append(output)
    return result


def steady_id(cell, taken):
    """The cell's own id, for a changed word changes no id; a new one follows from what it holds."""
    own = cell.get("id", "")
    if ID.fullmatch(own) and own not in taken:
        return own
    content = f"{cell.cell_type}\n{cell.source}"
    made = (hashlib.sha256(f"{content}\n{n}".encode()).hexdigest()[:12] for n in itertools.count())
    return next(id_ for id_ in made if id_ not in taken)


def normalise(notebook):
    """A copy of a notebook, run from top to bottom, that holds only what its cells determine."""
    notebook = copy.deepcopy(notebook)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    notebook.metadata = nbformat.from_dict(NOTEBOOK_METADATA)
    taken, code_cells, solution = set(), 0, False
    for cell in notebook.cells:
        cell.id = steady_id(cell, taken)
        taken.add(cell.id)
        cell.metadata = nbformat.from_dict(
            {key: value for key, value in cell.metadata.items() if key in CELL_METADATA}
        )
        if cell.cell_type == "code":
            if solution or FOLDED & set(cell.metadata.get("tags", [])):
                cell.metadata.jupyter = nbformat.from_dict({"source_hidden": True})
            code_cells += 1
            cell.execution_count = code_cells
            cell.outputs = normalise_outputs(cell.outputs, code_cells)
        elif marks := SOLUTION.findall(cell.source):
            solution = marks[-1] == "start"
    return notebook


def as_text(notebook):
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True)


def as_stored(notebook):
    """The bytes of the notebook's file."""
    return (nbformat.writes(notebook, version=nbformat.NO_CONVERT) + "\n").encode()


# ---------------------------------------------------------------------------- pictures

# The figure of a cell tagged `picture-NAME` is kept as a file too, for the README.
PICTURE_TAG = "picture-"
PICTURES = ROOT / "book" / "_static"


def pictures(notebook):
    """(file, its bytes) of each figure that is kept as a file."""
    for cell in code_cells(notebook):
        for tag in cell.metadata.get("tags", []):
            if tag.startswith(PICTURE_TAG):
                (png,) = (out.data["image/png"] for out in cell.outputs if "data" in out)
                yield PICTURES / f"{tag.removeprefix(PICTURE_TAG)}.png", base64.b64decode(png)


# ---------------------------------------------------------------------------- executing


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def unmet(notebook):
    """Why a notebook cannot run here, or "" if it can: a module that its first cell asks for."""
    tags = [tag for cell in code_cells(notebook)[:1] for tag in cell.metadata.get("tags", [])]
    for module in (tag.removeprefix(REQUIRES) for tag in tags if tag.startswith(REQUIRES)):
        if importlib.util.find_spec(module) is None:
            return f"needs {module}, which is not installed: pip install --group {OPTIONAL[module]}"
    return ""


async def run_cells(notebook, folder, **options):
    """Run a notebook in place, in the kernel that nbval starts too: this interpreter's."""
    kernel = AsyncKernelManager(
        kernel_name=CURRENT_ENV_KERNEL_NAME, kernel_spec_manager=NbvalKernelspecManager()
    )
    client = NotebookClient(
        notebook,
        km=kernel,
        timeout=600,
        resources={"metadata": {"path": str(folder)}},
        store_widget_state=False,
        record_timing=False,
        extra_arguments=["--log-level=ERROR"],  # the kernel's own remarks are not the notebook's
        **options,
    )
    await client.async_execute()


async def execute(path):
    """Run one notebook and store it; returns the line to print. A failing one is not stored."""
    started = time.perf_counter()
    notebook = nbformat.read(path, as_version=4)
    if reason := unmet(notebook):
        return f"{name(path)}  left as stored: it {reason}"
    await run_cells(notebook, path.parent)
    for number, cell in enumerate(code_cells(notebook)):
        for output in cell.outputs:
            if output.output_type == "stream" and output.name == "stderr":
                raise RuntimeError(f"Cell {number} writes to stderr:\n{output.text}")
    notebook = normalise(notebook)
    nbformat.validate(notebook)
    new = as_stored(notebook)
    changed = new != path.read_bytes()
    if changed:
        path.write_bytes(new)
    for picture, png in pictures(notebook):
        picture.write_bytes(png)
    seconds = time.perf_counter() - started
    return f"{name(path)}  {seconds:.1f} s  {'changed' if changed else 'unchanged'}"


async def execute_all(paths):
    """Run the notebooks, a few at a time; returns whether all ran."""
    turn = asyncio.Semaphore(AT_A_TIME)

    async def one(path):
        async with turn:
            try:
                print(await execute(path), flush=True)
                return True
            except CellExecutionError as error:
                print(f"{name(path)}  FAILED, not stored\n{error}", file=sys.stderr)
            except (RuntimeError, TimeoutError) as error:
                print(f"{name(path)}  FAILED, not stored: {error}", file=sys.stderr)
            return False

    return all(await asyncio.gather(*map(one, paths)))


# ---------------------------------------------------------------------------- checking


def strings(value):
    """Every string in an output, however deep, without embedded files."""
    if isinstance(value, str):
        yield BASE64.sub("", value)
    elif isinstance(value, dict):
        for key, child in value.items():
            if not key.endswith(("image/png", "image/jpeg")):
                yield from strings(child)
    elif isinstance(value, list):
        for child in value:
            yield from strings(child)


def problems(path):
    """What keeps a stored notebook from being reproducible, a line each."""
    stored = read(path)
    normal = normalise(stored)
    rerun = f"run `make outputs` (or python -m scripts.outputs {name(path)})"
    found = []
    if "widgets" in stored.metadata:
        found.append(f"{name(path)}: holds widget state; {rerun}")
    elif as_text(stored.metadata) != as_text(normal.metadata):
        found.append(f"{name(path)}: the notebook's metadata are not normalised; {rerun}")

    number = -1
    for before, after in zip(stored.cells, normal.cells, strict=True):
        number += before.cell_type == "code"
        if before.cell_type == "code":
            where = f"{name(path)}: Cell {number}"
        else:
            where = f"{name(path)}: {before.cell_type} after Cell {number}"
        for key in after:
            if before.get(key) != after[key]:
                note = f" ({before.get(key)!r}, not {after[key]!r})" if "count" in key else ""
                found.append(f"{where}: {key} not normalised{note}; {rerun}")
        for output in before.get("outputs", []):
            text = ANSI_COLOUR.sub("", "\n".join(strings(output)))
            for what, pattern, advice in VOLATILE:
                if match := re.search(pattern, text):
                    found.append(f"{where}: {what} in an output, {match[0]!r}: {advice}")
            if output.output_type == "stream" and output.name == "stderr":
                found.append(f"{where}: writes to stderr: mend what it warns of")

    for picture, png in pictures(stored):
        if not picture.is_file() or picture.read_bytes() != png:
            found.append(f"{name(path)}: {name(picture)} is not the stored figure; {rerun}")
    if not found and as_stored(normal) != path.read_bytes():
        found.append(f"{name(path)}: the file is not laid out as Jupyter writes it; {rerun}")
    return found


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="only refuse volatile content")
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: all in _toc.yml")
    options = parser.parse_args(arguments)
    paths = [path.resolve() for path in options.notebooks] or notebooks_in_toc()

    if options.check:
        found = [line for path in paths for line in problems(path)]
        print("\n".join(found) or f"{len(paths)} notebooks hold nothing volatile")
        return 1 if found else 0
    prepare_kernels()
    return 0 if asyncio.run(execute_all(paths)) else 1


if __name__ == "__main__":
    sys.exit(main())
