"""What a reader takes along beside the PDF: the site with its slides, the notebooks with what they
import, and the moving figures for paper.

    python -m scripts.zips            (make zip, which makes all three first)

Each archive unpacks into one folder. The same files make the same bytes.
"""

from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from extensions.contents import ROOT
from scripts.figures import TARGET as FIGURES

PAGES = ROOT / "_build" / "html"
NAME = "where-words-stand"

# The notebooks run after `make lab` in their folder, as in a clone of the repository.
TO_RUN = ["Makefile", "README.md", "LICENSE"]
TO_RUN += ["pyproject.toml", "requirements.txt"]
COPIED_BY = ("__init__", "contents", "copies", "repository_links")
TO_RUN += [f"extensions/{name}.py" for name in COPIED_BY]
MADE = {"__pycache__", ".ipynb_checkpoints", ".buildinfo"}


def files_in(folder):
    """The files below a folder, without what running and building leave behind."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return [path for path in paths if not MADE & set(path.relative_to(folder).parts)]


def pack(target, root, files):
    """Write files into an archive, in a folder that is named as the archive is."""
    target.parent.mkdir(exist_ok=True)
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        for path in files:
            entry = ZipInfo(f"{target.stem}/{path.relative_to(root).as_posix()}")
            entry.compress_type = ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, path.read_bytes())
    return target


def make(build=ROOT / "build"):
    """Pack the site, the notebooks and the figures that have been made; return the paths."""
    notebooks = [
        path for name in ("book", "posenc", "posenc_course") for path in files_in(ROOT / name)
    ]
    notebooks += [ROOT / name for name in TO_RUN]
    return [
        pack(build / f"{NAME}.zip", PAGES, files_in(PAGES)),
        pack(build / f"{NAME}-notebooks.zip", ROOT, notebooks),
        pack(build / f"{NAME}-figures.zip", FIGURES, files_in(FIGURES)),
    ]


if __name__ == "__main__":
    for made in make():
        print(f"{made.relative_to(ROOT)}: {made.stat().st_size / 1e6:.1f} MB")
