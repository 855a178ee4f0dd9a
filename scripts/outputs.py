"""Store the notebooks' outputs so that nothing in them depends on when or where they were made.

    python -m scripts.outputs [NOTEBOOK ...]           execute, normalise, store
    python -m scripts.outputs --check [NOTEBOOK ...]   execute nothing, show what differs

Without arguments: every notebook in _toc.yml. Code cells are counted from 0, as nbval does.

A notebook that needs more than requirements.txt has says so by a tag on its first code cell, such
as "requires-torch". Where that module is absent the notebook is left as it is stored.
"""

import argparse
import base64
import copy
import difflib
import importlib.util
import os
import re
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from extensions import facts
from extensions.contents import FOLDED, ROOT, name, notebooks_in_toc, read

AT_A_TIME = 2

NOTEBOOK_METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
# What the book reads of a notebook's own metadata and of a cell's; editors store the rest.
KEPT_METADATA = (facts.KEY,)
CELL_METADATA = {"tags", "mystnb"}
SOLUTION = re.compile(r"\{solution-(start|end)\}")  # its code is folded in an editor, too
REQUIRES = "requires-"  # and a module, for which a group of pyproject.toml is named
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def prepare_kernels(root: Path = ROOT) -> None:
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


def normalise(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Return a copy of a run notebook that holds only what its author and its cells determine."""
    notebook = copy.deepcopy(notebook)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    kept = {key: notebook.metadata[key] for key in KEPT_METADATA if key in notebook.metadata}
    notebook.metadata = nbformat.from_dict({**kept, **NOTEBOOK_METADATA})
    code_cells, solution = 0, False
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict(
            {key: value for key, value in cell.metadata.items() if key in CELL_METADATA}
        )
        if cell.cell_type == "code":
            if solution or FOLDED & set(cell.metadata.get("tags", [])):
                cell.metadata.jupyter = nbformat.from_dict({"source_hidden": True})
            code_cells += 1
            cell.execution_count = code_cells
            for output in cell.outputs:
                output.get("data", {}).pop(WIDGET_VIEW, None)
                output.get("metadata", {}).pop("image/png", None)  # copies.py writes the width
                if output.output_type == "execute_result":
                    output.execution_count = code_cells
        elif marks := SOLUTION.findall(cell.source):
            solution = marks[-1] == "start"
    return notebook


def as_stored(notebook: nbformat.NotebookNode) -> bytes:
    """Return the bytes of the file in which a notebook is stored."""
    return (nbformat.writes(notebook, version=nbformat.NO_CONVERT) + "\n").encode()


# ---------------------------------------------------------------------------- pictures

# The figure of a cell tagged `picture-NAME` is kept as a file too, for the README.
PICTURE_TAG = "picture-"
PICTURES = ROOT / "book" / "_static"


def pictures(notebook: nbformat.NotebookNode) -> Iterator[tuple[Path, bytes]]:
    """Yield the path and the bytes of each figure that is kept as a file."""
    for cell in code_cells(notebook):
        for tag in cell.metadata.get("tags", []):
            if tag.startswith(PICTURE_TAG):
                (png,) = (out.data["image/png"] for out in cell.outputs if "data" in out)
                yield PICTURES / f"{tag.removeprefix(PICTURE_TAG)}.png", base64.b64decode(png)


# ---------------------------------------------------------------------------- executing


def code_cells(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    """Return the code cells of a notebook, in order."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def unmet(notebook: nbformat.NotebookNode) -> str:
    """Return why a notebook cannot run here, a module that its first cell needs; "" if it can."""
    tags = [tag for cell in code_cells(notebook)[:1] for tag in cell.metadata.get("tags", [])]
    for module in (tag.removeprefix(REQUIRES) for tag in tags if tag.startswith(REQUIRES)):
        if importlib.util.find_spec(module) is None:
            return f"needs {module}, which is not installed: pip install --group {module}"
    return ""


def execute(path: Path) -> str:
    """Run one notebook and store it, unless it fails; return the line to print."""
    started = time.perf_counter()
    notebook = nbformat.read(path, as_version=4)
    if reason := unmet(notebook):
        return f"{name(path)}  left as stored: it {reason}"
    NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=600,  # seconds for a cell: a chapter takes ten, and this ends one that hangs
        resources={"metadata": {"path": str(path.parent)}},
        store_widget_state=False,
        record_timing=False,
        coalesce_streams=True,
        extra_arguments=["--log-level=ERROR"],  # the kernel's own remarks are not the notebook's
    ).execute()
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


def ran(path: Path) -> bool:
    """Run one notebook, print the result, and return whether it ran."""
    try:
        print(execute(path), flush=True)
    except (CellExecutionError, RuntimeError, TimeoutError) as error:
        print(f"{name(path)}  FAILED, not stored\n{error}", file=sys.stderr)
        return False
    return True


# ---------------------------------------------------------------------------- checking


def problems(path: Path) -> list[str]:
    """Return how a file differs from what is stored after a run, as lines; no cell runs."""
    stored = read(path)
    texts = path.read_bytes(), as_stored(normalise(stored))
    lines = [text.decode().splitlines(keepends=True) for text in texts]
    called = name(path), f"as `make outputs NOTEBOOKS={name(path)}` stores it"
    # Only the beginning of a line is shown: a stored picture is one of a hundred thousand letters.
    found = [line.rstrip()[:120] for line in difflib.unified_diff(*lines, *called, n=0)]
    for picture, png in pictures(stored):
        if not picture.is_file() or picture.read_bytes() != png:
            found.append(f"{name(path)}: {name(picture)} is not the stored figure")
    return found


def main(arguments: list[str] | None = None) -> int:
    """Run notebooks, or with --check tell whether they are as stored; return 0 if all are well."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--check", action="store_true", help="only ask whether each is as it is stored"
    )
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: all in _toc.yml")
    options = parser.parse_args(arguments)
    paths = [path.resolve() for path in options.notebooks] or notebooks_in_toc()

    if options.check:
        found = [line for path in paths for line in problems(path)]
        print("\n".join(found) or f"{len(paths)} notebooks are as they are stored")
        return 1 if found else 0
    prepare_kernels()
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        return 0 if all(list(pool.map(ran, paths))) else 1


if __name__ == "__main__":
    sys.exit(main())
