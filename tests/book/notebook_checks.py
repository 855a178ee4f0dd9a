"""What the notebooks must pass under `pytest --nbval`, beside nbval's own comparison.

nbval runs each code cell and compares text, HTML, SVG, stdout, stderr, and the name and message
of errors. It skips PNG and JPEG images, and accepts cells that were never run. Here:

- every stored PNG is compared with the one drawn now;
- a cell must produce the same outputs, in the same order, as are stored: none more, none fewer;
- every code cell must have been run, in order, and no cell may opt out;
- with --whole-book, every code cell of every notebook in _toc.yml must have run.

A notebook that needs a module beside requirements.txt, and says so (see scripts/outputs.py), is
skipped as a whole where that module is absent, with a line that says why.
"""

import base64
import io
import shutil

import numpy as np
import pytest
from nbval.plugin import IPyNbCell, IPyNbFile
from PIL import Image, ImageOps

from extensions.contents import ROOT, notebooks_in_toc, read
from scripts.outputs import code_cells, normalise_outputs, prepare_kernels, unmet

DIFFERENCES = ROOT / "build" / "figure-differences"

# How far a figure may be from the stored one, in grey levels of 255: the mean over the image, and
# the largest mean over squares of BLOCK by BLOCK pixels. Measured on figures in the book's style
# (992 x 544 pixels, Matplotlib 3.11.2), as mean / largest square:
#
#   passes   another patch release (3.11.0, 3.11.1)                     0      / 0
#            data that differ by 1e-12; rounded to float32              0      / 0 to 0.6
#            one plotted value moved by 0.001, the height of the axes 2 0.002  / 2.3
#            a base of 9 000 for 10 000 in a heat map of 3 positions    0.018  / 1.7
#            a base of 9 990 for 10 000                                 0.047  / 2.1
#            noise of 0.001 on every entry of a heat map                0.073  / 2.2
#   caught   one entry of 51 200 in a heat map with its sign changed    0.001  / 15
#            one letter of a title, i to l                              0.004  / 41
#            one digit of a number in a table                           0.008  / 48
#            one marker of 40 moved by a pixel                          0.029  / 79
#            lines 0.05 points wider                                    0.12   / 32
#            two neighbouring columns of 512 swapped                    0.30   / 107
#            a base of 9 900; of 9 000                                  0.49   / 8;  5 / 76
#            another colour map                                         12     / 33 or more
#            every column one to the right                              101    / 214
#
# The square may differ by one step of a colour map, up to 3 grey levels, because an entry at the
# edge of a step can fall to either side on another processor.
#
# A minor release of Matplotlib (3.9, 3.10) or other text hinting gives 0.3 to 50 / 44 or more, as
# does a real change: no tolerance tells them apart, so requirements.txt pins the version.
TOLERANCE = 0.1
BLOCK = 4
BLOCK_TOLERANCE = 6.0


# ---------------------------------------------------------------------------- figures


def figures(outputs):
    """The PNG images in a cell's outputs, in order, glued ones too."""
    return [
        data
        for output in outputs
        for mime, data in output.get("data", {}).items()
        if mime.endswith("image/png")
    ]


def pixels(png):
    """Decode a stored image to (height, width, 3) grey levels, as on a white page."""
    image = Image.open(io.BytesIO(base64.b64decode(png))).convert("RGBA")
    page = Image.new("RGBA", image.size, "white")
    return np.asarray(Image.alpha_composite(page, image).convert("RGB"), dtype=float)


def distance(stored, new):
    """How far apart two images of one size are, in grey levels of 255.

    Returns the mean absolute difference over the whole image, and the largest of its means over
    squares of BLOCK pixels: the first sees a faint change everywhere, the second a local one.
    """
    difference = np.abs(stored - new).mean(axis=2)
    height, width = difference.shape
    padded = np.pad(difference, ((0, -height % BLOCK), (0, -width % BLOCK)))
    blocks = padded.reshape(padded.shape[0] // BLOCK, BLOCK, -1, BLOCK).mean(axis=(1, 3))
    return difference.mean(), blocks.max()


def compare_figures(stored, new, notebook, cell):
    """What differs between a cell's stored and new figures, as lines; saves those that differ."""
    if len(stored) != len(new):
        return [f"{len(stored)} figures are stored, {len(new)} are drawn now"]
    lines = []
    for number, pair in enumerate(zip(stored, new, strict=True)):
        before, now = map(pixels, pair)
        if before.shape == now.shape:
            overall, local = distance(before, now)
            if overall <= TOLERANCE and local <= BLOCK_TOLERANCE:
                continue
            reason = (
                f"differs by {overall:.2f} grey levels of 255 overall (allowed: {TOLERANCE}) and "
                f"by {local:.1f} in one square of {BLOCK} pixels (allowed: {BLOCK_TOLERANCE})"
            )
        else:
            sizes = [f"{image.shape[1]} x {image.shape[0]}" for image in (before, now)]
            reason = f"was {sizes[0]} pixels and is {sizes[1]} now"
        name = f"cell-{cell}" if number == 0 else f"cell-{cell}-figure-{number + 1}"
        saved = save_difference(before, now, DIFFERENCES / notebook, name)
        lines.append(f"figure {number + 1} {reason}: see {saved}")
    return lines


def save_difference(before, now, folder, name):
    """Write the two images, and where they differ in black; returns the names of the files."""
    images = {"stored": before, "new": now}
    if before.shape == now.shape:
        difference = Image.fromarray(np.abs(before - now).max(axis=2).astype(np.uint8))
        images["difference"] = ImageOps.invert(ImageOps.autocontrast(difference))
    folder.mkdir(parents=True, exist_ok=True)
    for what, image in images.items():
        if isinstance(image, np.ndarray):
            image = Image.fromarray(image.astype(np.uint8))
        image.save(folder / f"{name}-{what}.png")
    return f"{(folder / name).relative_to(ROOT)}-{{{','.join(images)}}}.png"


# ---------------------------------------------------------------------------- cells


class Cell(IPyNbCell):
    """A code cell whose figures are compared too, and that must have been run in its turn."""

    def runtest(self):
        if self.options["skip"] or not self.options["check"]:
            self.raise_cell_error(
                "The cell opts out of the comparison: remove nbval's tag or comment"
            )
        super().runtest()
        expected = self.cell_num + 1
        if self.cell.execution_count is None:
            self.raise_cell_error("The stored cell was never run: run `make outputs`")
        if self.cell.execution_count != expected:
            self.raise_cell_error(
                f"The stored cell was run out of order, as In [{self.cell.execution_count}], "
                f"and is In [{expected}] from top to bottom: run `make outputs`"
            )

    def repr_failure(self, excinfo):
        # pytest's summary shows the first line, which nbval's own text wastes.
        details = getattr(excinfo.value, "inner_traceback", None) or ""
        first = details.strip().partition("\n")[0]
        return f"{excinfo.value}: {first}\n\n{super().repr_failure(excinfo)}"

    def compare_outputs(self, test, ref, skip_compare=None):
        new = normalise_outputs(test, self.cell.execution_count)
        stored = normalise_outputs(ref, self.cell.execution_count)
        differences = compare_kinds(stored, new) or compare_figures(
            figures(stored), figures(new), self.path.stem, self.cell_num
        )
        if differences:
            self.comparison_traceback = differences
            return False
        # Glued figures are compared above; nbval would ask for the same bytes.
        skip = (*self.parent.skip_compare, "application/papermill.record/image/png")
        return super().compare_outputs(new, stored, skip_compare or skip)


def kind(output):
    """What sort of output it is, without what it holds."""
    if output["output_type"] == "stream":
        return output["name"]
    if output["output_type"] == "error":
        return "an error"
    return " + ".join(sorted(output["data"]))


def compare_kinds(stored, new):
    """How a cell's outputs differ in number, order and kind, as lines."""
    before, now = [kind(output) for output in stored], [kind(output) for output in new]
    unchecked = [what for what in before + now if "image/jpeg" in what or "image/gif" in what]
    if unchecked:
        return [f"nothing compares {unchecked[0]}: draw the figure as PNG or SVG"]
    if before == now:
        # The metadata hold the names under which pages show glued values.
        names = [[output.get("metadata") for output in side] for side in (stored, new)]
        return [] if names[0] == names[1] else [f"metadata {names[0]} stored, {names[1]} now"]
    return [
        f"stored: {before or 'no output'}",
        f"now: {now or 'no output'}",
        *(output["text"] for output in new if output.get("name") == "stderr"),
        "mend the cell, or run `make outputs` and look at what changed",
    ]


class Notebook(IPyNbFile):
    """A notebook whose cells are checked as above."""

    def collect(self):
        # As a whole, before any cell counts: a run of this notebook alone then fails, as one that
        # tested nothing.
        if reason := unmet(read(self.path)):
            pytest.skip(f"{self.nodeid} {reason}")
        for cell in super().collect():
            yield Cell.from_parent(
                self, name=cell.name, cell_num=cell.cell_num, cell=cell.cell, options=cell.options
            )


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path, parent):
    collectors = yield
    return [
        Notebook.from_parent(parent, path=file_path) if isinstance(found, IPyNbFile) else found
        for found in collectors
    ]


# ---------------------------------------------------------------------------- the whole book


class WholeBook:
    """Fails a run in which a cell of the book did not run, or a notebook outside it did."""

    def __init__(self):
        self.ran = {}
        self.skipped = []
        self.complaints = []

    def pytest_runtest_logreport(self, report):
        # With xdist the reports of all workers arrive here.
        notebook, _, cell = report.nodeid.partition("::")
        if notebook.endswith(".ipynb") and report.when == "call" and not report.skipped:
            self.ran.setdefault(notebook, set()).add(cell)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session):
        book = {str(path.relative_to(ROOT)): path for path in notebooks_in_toc()}
        for notebook in sorted(self.ran.keys() - book.keys()):
            self.complaints.append(f"{notebook} ran, and is not in _toc.yml")
        for notebook, path in book.items():
            ran, total = len(self.ran.get(notebook, ())), len(code_cells(read(path)))
            if ran == 0 and unmet(read(path)):
                self.skipped.append(f"{notebook} {unmet(read(path))}")
            elif ran < total:
                self.complaints.append(f"{notebook} is in _toc.yml; {ran} of its {total} cells ran")
        if self.complaints and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter):
        terminalreporter.section("notebooks that ran")
        for notebook, cells in sorted(self.ran.items()):
            terminalreporter.line(f"{notebook}  {len(cells)} cells")
        for reason in self.skipped:
            terminalreporter.line(f"SKIPPED  {reason}", yellow=True)
        for complaint in self.complaints:
            terminalreporter.line(f"FAILED  {complaint}", red=True)


# ---------------------------------------------------------------------------- pytest


def pytest_addoption(parser):
    parser.addoption(
        "--whole-book",
        action="store_true",
        help="fail unless exactly the notebooks in _toc.yml ran, every code cell of them",
    )


def pytest_configure(config):
    if not config.option.nbval:
        return
    config.option.nbval_current_env = True  # this interpreter, whatever kernels are installed
    prepare_kernels()
    if not hasattr(config, "workerinput"):  # not an xdist worker
        shutil.rmtree(DIFFERENCES, ignore_errors=True)
        if config.option.whole_book:
            config.pluginmanager.register(WholeBook())
