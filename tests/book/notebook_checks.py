"""What the notebooks must pass under `pytest --nbval`, beside nbval's own comparison.

nbval runs each code cell and compares text, HTML, SVG, stdout, stderr, and the name and message
of errors. It skips pictures: here every stored PNG is compared with the one drawn now.

A notebook that needs a module beside requirements.txt, and says so (see scripts/outputs.py), is
skipped as a whole where that module is absent, with a line that says why.
"""

import base64
import io
import shutil

import numpy as np
import pytest
from nbval.plugin import IPyNbCell, IPyNbFile
from PIL import Image, ImageChops, ImageOps, ImageStat

from extensions.contents import ROOT
from scripts.outputs import prepare_kernels, unmet
from tests.pages import read

DIFFERENCES = ROOT / "build" / "figure-differences"

# How far a figure may be from the stored one, in grey levels of 255: the mean over the image, and
# the largest mean over squares of BLOCK by BLOCK pixels. Measured on figures in the book's style
# (992 x 544 pixels, Matplotlib 3.11.2), as mean / largest square:
#
#   passes   data rounded to float32                                    0      / 0.6
#            one plotted value moved by 0.001, the height of the axes 2 0.002  / 2.3
#            noise of 0.001 on every entry of a heat map                0.073  / 2.2
#   caught   one entry of 51 200 in a heat map with its sign changed    0.001  / 15
#            one letter of a title, i to l                              0.004  / 41
#            lines 0.05 points wider                                    0.12   / 32
#            a base of 9 900 for 10 000                                 0.49   / 8
#
# The square may differ by one step of a colour map, up to 3 grey levels, because an entry at the
# edge of a step can fall to either side on another processor.
#
# A minor release of Matplotlib (3.9, 3.10) or other text hinting gives 0.3 to 50 / 44 or more, as
# does a real change: no tolerance tells them apart, so requirements.txt pins the version.
TOLERANCE = 0.1
BLOCK = 4
BLOCK_TOLERANCE = 6.0


def pictures(outputs):
    """The PNG images in a cell's outputs, in order."""
    found = filter(None, (output.get("data", {}).get("image/png") for output in outputs))
    return [Image.open(io.BytesIO(base64.b64decode(png))).convert("RGB") for png in found]


def compare(stored, new, notebook, cell):
    """What differs between a cell's stored and new figures, as lines; saves those that differ."""
    if len(stored) != len(new):
        return [f"{len(stored)} figures are stored, {len(new)} are drawn now"]
    lines = []
    for number, (before, now) in enumerate(zip(stored, new, strict=True), start=1):
        difference = ImageChops.difference(before, now)
        if before.size == now.size:
            # The first sees a faint change everywhere, the second a local one.
            overall = np.mean(ImageStat.Stat(difference).mean)
            local = np.asarray(difference.reduce(BLOCK)).mean(axis=2).max()
            if overall <= TOLERANCE and local <= BLOCK_TOLERANCE:
                continue
            reason = (
                f"differs by {overall:.2f} grey levels of 255 overall (allowed: {TOLERANCE}) and "
                f"by {local:.1f} in one square of {BLOCK} pixels (allowed: {BLOCK_TOLERANCE})"
            )
        else:
            reason = f"was {before.size} pixels and is {now.size} now"
        folder = DIFFERENCES / notebook / f"cell-{cell}-figure-{number}"
        folder.mkdir(parents=True, exist_ok=True)
        shown = ImageOps.autocontrast(difference.convert("L"))
        images = {"stored": before, "new": now, "difference": shown}
        for what, image in images.items():
            image.save(folder / f"{what}.png")
        lines.append(f"figure {number} {reason}: see {folder.relative_to(ROOT)}")
    return lines


# What a notebook leaves behind in its kernel: names, and how NumPy prints.
CLEAR = "%reset -f\n__import__('numpy').set_printoptions(precision=8, suppress=False)"


class Cell(IPyNbCell):
    """A code cell whose figures are compared too."""

    def compare_outputs(self, test, ref, skip_compare=None):
        differences = compare(pictures(ref), pictures(test), self.path.stem, self.cell_num)
        if differences:
            self.comparison_traceback = differences
            return False
        return super().compare_outputs(test, ref, skip_compare)


class Notebook(IPyNbFile):
    """A notebook whose cells are checked as above.

    All notebooks of a worker run in one kernel, which is cleared before each: to start one and to
    import what most of them need takes two seconds. `make outputs` gives each its own.
    """

    shared = None

    def setup(self):
        if Notebook.shared is None or not Notebook.shared.is_alive():
            super().setup()
            Notebook.shared = self.kernel
        self.kernel = Notebook.shared
        cleared = self.kernel.execute_cell_input(CLEAR, allow_stdin=False)
        self.kernel.await_idle(cleared, timeout=60)

    def teardown(self):
        """Keep the kernel for the notebook after."""

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


def pytest_configure(config):
    if not config.option.nbval:
        return
    config.option.nbval_current_env = True  # this interpreter, whatever kernels are installed
    prepare_kernels()
    if not hasattr(config, "workerinput"):  # not an xdist worker
        shutil.rmtree(DIFFERENCES, ignore_errors=True)


def pytest_sessionfinish():
    if Notebook.shared is not None and Notebook.shared.is_alive():
        Notebook.shared.stop()
