"""Sphinx extension: the chapters as notebooks that run in the reader's browser.

JupyterLite is built into the folder ``lite`` of the site, with the notebooks of the book, what
they read, and `posenc`, `posenc_check` and `posenc_course` of this commit as wheels. Python itself
is Pyodide. It comes from its publisher's address, or from the site where ``lite_pyodide`` names a
folder with a Pyodide distribution.

A notebook finds everything by its ``import`` lines, since the lock file of the site names the
wheels of the site beside those of Pyodide. The browser checks each wheel against its digest there.

The pages themselves run single cells (``extensions.code_cells``), in the same Python with less
beside it: a lock file of their own has what the checks of exercises import, and no figures.
"""

import hashlib
import importlib.metadata
import json
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import nbformat
from jupyterlite_pyodide_kernel.constants import PYODIDE_CDN_URL, PYODIDE_VERSION
from jupyterlite_pyodide_kernel.utils import patch_json_path
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from sphinx.application import Sphinx
from sphinx.locale import _

from extensions import copies
from extensions.contents import ROOT
from extensions.languages import FOLDERS, OTHERS, folder_of, notebook_of

SETTINGS = Path(__file__).with_name("jupyterlite")
LOCK = SETTINGS / f"pyodide-{PYODIDE_VERSION}-lock.json"
KERNEL = "@jupyterlite/pyodide-kernel-extension"

# Pure Python that Pyodide lacks, or has in another version than the stored outputs were made with.
WHEELS = ("anywidget", "autograd", "comm", "ipywidgets", "mpmath", "psygnal", "typing-extensions")
# What these wheels need of Pyodide: the lock file of Pyodide does not know what depends on it.
FOR_WHEELS = ("traitlets",)
# What the kernel brings along.
KERNEL_WHEELS = ("ipykernel", "piplite", "pyodide-kernel", "widgetsnbextension")
# Loaded while Python starts; anything else when a cell imports it.
FIRST = ("micropip", "piplite", "ipykernel", "comm", "pyodide-kernel", "jedi", "ipython")
FIRST += ("posenc", "posenc-check", "posenc-course")
# What a page of the book loads, to run one cell: no figures.
ON_A_PAGE = ("autograd", "numpy", "posenc", "posenc-check", "posenc-course")
# The distributions of this repository.
PROJECTS = (ROOT, ROOT / "posenc_check", ROOT / "posenc_course")
# The files of Pyodide that are no packages. Before version 314, asm.mjs was asm.js.
CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
CORE_BEFORE = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip")
# What Pyodide and the packages that start with it weigh, in megabytes: as they travel, packed by
# the publisher's server, and as they arrive. Measured; see CONTRIBUTING.md.
TRAVELS, ARRIVES = 25, 32
PAGE_TRAVELS, PAGE_ARRIVES = 9, 17

# ---------------------------------------------------------------------------- wheels


def run(*command: object, cwd: Path = ROOT) -> None:
    """Run ``python -m`` with a module and its arguments; raise RuntimeError where it fails.

    What the module prints is shown by that error alone.
    """
    done = subprocess.run(
        [sys.executable, "-m", *map(str, command)], cwd=cwd, capture_output=True, text=True
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")


def own_wheels(folder: Path) -> list[Path]:
    """Build the wheels of `PROJECTS` into an empty folder; return their paths, sorted."""
    for project in PROJECTS:
        run("hatchling", "build", "--target", "wheel", "--directory", folder, cwd=project)
    return sorted(folder.glob("*.whl"))


def fetch_wheels(room: Path) -> list[Path]:
    """Return the paths of the wheels of `WHEELS`, sorted; download into `room` what is not there.

    Their versions are those installed here.
    """
    wanted = [f"{name}=={importlib.metadata.version(name)}" for name in WHEELS]
    # Named after the versions, by 12 of the 64 digits of a digest: others have another folder.
    folder = room / hashlib.sha256(" ".join(wanted).encode()).hexdigest()[:12]
    if len(list(folder.glob("*.whl"))) < len(wanted):  # none yet, or a download that broke off
        # Pure Python, for the version of Python that this Pyodide has.
        anywhere = ["--platform=any", "--implementation=py", "--abi=none", "--python-version=3.14"]
        # For another platform pip wants wheels alone. `WHEELS` names what they depend on as well.
        options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:"]
        run("pip", "download", *options, *anywhere, f"--dest={folder}", *wanted)
    return sorted(folder.glob("*.whl"))


def describe(wheel: Path) -> dict[str, Any]:
    """Return the entry of a wheel in a lock file of Pyodide: its name, digest, imports, needs."""
    (distribution,) = importlib.metadata.distributions(path=[str(wheel)])  # a wheel has one
    # Where the conditions of what it needs are looked up; no extra is asked for.
    in_browser = {"extra": "", "sys_platform": "emscripten", "platform_system": "Emscripten"}
    depends = {
        canonicalize_name(need.name)
        for need in map(Requirement, distribution.requires or [])  # None: it needs nothing
        if need.marker is None or need.marker.evaluate(in_browser)
    }
    # What can be imported: folders, and single files, as typing_extensions.py.
    tops = {file.parts[0].removesuffix(".py") for file in distribution.files}
    # The keys of each entry in Pyodide's own file.
    return {
        "name": canonicalize_name(distribution.name),
        "version": distribution.version,
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "package_type": "package",
        # These two folders of a wheel are no modules.
        "imports": sorted(top for top in tops if not top.endswith((".dist-info", ".data"))),
        "depends": sorted(depends),
        "unvendored_tests": False,
    }


# ---------------------------------------------------------------------------- the lock file


def needed(packages: Mapping[str, dict], names: Iterable[str]) -> dict[str, dict]:
    """Return {name: entry} of the packages `names` and of all that they depend on, sorted by name.

    `packages` are the entries of a lock file by name. A dependency that is not among them is left
    out, also from the returned entries; each of `names` must be there.
    """
    entries, to_follow = {}, list(names)
    while to_follow:
        name = to_follow.pop()
        if name not in entries:
            depends = map(canonicalize_name, packages[name]["depends"])
            depends = [dependency for dependency in depends if dependency in packages]
            entries[name] = {**packages[name], "depends": depends}
            to_follow += depends
    return dict(sorted(entries.items()))


def lock_with(wheels: Iterable[Path], base: Mapping[str, Any], address: str) -> dict[str, Any]:
    """Return the site's lock file as a dict: our wheels, and what they and `FIRST` need of Pyodide.

    `base` is the lock file of Pyodide, `address` where its packages are; "" stands for the folder
    of the lock file itself.
    """
    theirs = {
        canonicalize_name(name): {**package, "file_name": address + package["file_name"]}
        for name, package in base["packages"].items()
    }
    ours = {package["name"]: package for package in map(describe, wheels)}
    # Where both have a package, `|` takes ours.
    return {"info": base["info"], "packages": needed(theirs | ours, [*FIRST, *ours])}


# ---------------------------------------------------------------------------- the site


def lay_out(folder: Path) -> None:
    """Delete a folder, and make it anew with what JupyterLite builds from: settings and notebooks.

    The notebooks are the copies that ``extensions.copies`` makes.
    """
    shutil.rmtree(folder, ignore_errors=True)  # or there is none yet
    # `add_python` and `build` write the lock file and the script of that folder where they belong.
    shutil.copytree(SETTINGS, folder, ignore=shutil.ignore_patterns("*-lock.json", "*.js"))
    book = folder / "contents" / "book"
    copies.write(book)
    for language in OTHERS:
        copies.write(book / FOLDERS[language], language)
    for notebook in book.rglob("*.ipynb"):
        # With each text in one piece: JupyterLite does not join the lines of a printed output.
        content = json.dumps(nbformat.read(notebook, as_version=4), ensure_ascii=False)
        notebook.write_text(content, encoding="utf-8")


def start(
    place: Path, packages: Mapping[str, dict], address: str, megabytes: int
) -> dict[str, Any]:
    """Return {"files": the addresses that Python starts from, "bytes": their size in all}.

    A page shows by them how far the start is. `packages` are entries of a lock file, `address`
    where the core of Pyodide is. `megabytes` is the size as it was measured, unpacked. `place` is
    the folder that has the files of Pyodide, if the site has them.
    """
    # Before version 314, a file of the core had another name. The core comes first, and in it
    # pyodide.mjs, from which a page starts Python.
    core = CORE_BEFORE if (place / "pyodide.asm.js").is_file() else CORE
    files = [address + name for name in core]
    files += [package["file_name"] for package in packages.values()]
    return {"files": files, "bytes": megabytes * 10**6}


def add_python(output: Path, wheels: Iterable[Path], pyodide: Path | None = None) -> None:
    """Write wheels, two lock files, two lists of what a start loads, and the kernel's settings.

    They become part of the JupyterLite that is built in the folder `output`. `pyodide` is a folder
    with a Pyodide distribution, which becomes part of the site. Without one, Pyodide comes from its
    publisher's address.
    """
    place = output / "static" / "pyodide"
    place.mkdir(parents=True)
    for wheel in wheels:
        shutil.copy(wheel, place)
    address = "" if pyodide else f"{PYODIDE_CDN_URL}/"  # "" is the folder `place`
    base = pyodide / "pyodide-lock.json" if pyodide else LOCK
    lock = lock_with(wheels, json.loads(base.read_text("utf-8")), address)
    if pyodide:
        packages = {package["file_name"] for package in lock["packages"].values()}
        for name in {*CORE, *CORE_BEFORE, *packages}:
            # The distribution has the core files of one version. Where it has a wheel that is ours
            # too, ours stays, as the lock file has its digest.
            if (pyodide / name).is_file() and not (place / name).exists():
                shutil.copy(pyodide / name, place)
    # Out of the entries of these packages `needed` takes all else that they depend on, as what
    # draws figures, which a page does not load.
    only_these = {name: lock["packages"][name] for name in ON_A_PAGE}
    on_a_page = needed(only_these, only_these)
    for name, content in {
        "pyodide-lock": lock,
        "page-lock": {"info": lock["info"], "packages": on_a_page},
        "start": start(place, needed(lock["packages"], FIRST), address, ARRIVES),
        "page": start(place, on_a_page, address, PAGE_ARRIVES),
    }.items():
        (place / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")

    # What the kernel passes on to Pyodide: `packages` are loaded while Python starts.
    options = {"lockFileURL": "./static/pyodide/pyodide-lock.json", "packages": list(FIRST)}
    url = f"{address or './static/pyodide/'}pyodide.mjs"
    kernel = {f"{KERNEL}:kernel": {"pyodideUrl": url, "loadPyodideOptions": options}}
    settings = {"jupyter-config-data": {"litePluginSettings": kernel}}
    patch_json_path(output / "jupyter-lite.json", settings)


def build(output: Path, room: Path, pyodide: Path | None = None) -> None:
    """Build JupyterLite into the folder `output`, anew; sources and wheels are kept in `room`.

    `pyodide` is a folder with a Pyodide distribution, or None, as for `add_python`.
    """
    source = room / "source"
    lay_out(source)
    # Below the folder that has just been emptied, since `own_wheels` wants an empty one.
    wheels = [*own_wheels(source / "own"), *fetch_wheels(room / "wheels")]

    shutil.rmtree(output, ignore_errors=True)  # or there is none yet
    run("jupyter", "lite", "build", "--lite-dir", source, "--output-dir", output, cwd=source)
    kernel = output / "extensions" / KERNEL / "static" / "pypi"
    wheels += [
        # The kernel has two of widgetsnbextension, 3 and 4, and ipywidgets 8 needs the newer.
        max(kernel.glob(f"{name.replace('-', '_')}-*.whl"))
        for name in KERNEL_WHEELS
    ]
    add_python(output, wheels, pyodide)

    # A script of ours runs in the page of a notebook, before those of JupyterLite.
    page = output / "notebooks" / "index.html"
    html = page.read_text("utf-8")
    head = '<head>\n    <script src="../beside.js"></script>'
    page.write_text(html.replace("<head>", head, 1), encoding="utf-8")
    shutil.copy(SETTINGS / "beside.js", output)


# ---------------------------------------------------------------------------- Sphinx


def offer(app, pagename, templatename, context, doctree) -> None:  # noqa: ARG001
    """Set ``run`` of a page's template: which notebook it runs, and where Python comes from.

    The first page of the book runs that of chapter 1; another page without a notebook gets no
    ``run``.
    """
    first = pagename == app.config.root_doc
    name = "book/01_why_order_matters" if first else pagename
    notebook = ROOT / f"{name}.ipynb"
    if not notebook.is_file():
        return
    name = notebook_of(app, name)
    app_page = context["pathto"]("lite/notebooks/index.html", resource=True)
    context["run"] = {
        "what": _("chapter 1") if first else _("this chapter"),
        "notebook": f"{name}.ipynb",
        "url": f"{app_page}?path={quote(name)}.ipynb",
        # Of a publisher whom the reader's browser will ask; the page names it.
        "host": "" if app.config.lite_pyodide else urlsplit(PYODIDE_CDN_URL).netloc,
        "megabytes": TRAVELS,
        "page_megabytes": PAGE_TRAVELS,
        # The tag of cells that import PyTorch, which Pyodide lacks: the page warns of them.
        "torch": "requires-torch" in notebook.read_text(encoding="utf-8"),
    }


def build_site(app: Sphinx, error: Exception | None) -> None:
    """Build JupyterLite into ``lite`` beside the English pages, once they are built as HTML.

    The pages of other languages use it too.
    """
    if not error and app.builder.name == "html" and not folder_of(app):
        named, built = app.config.lite_pyodide, Path(app.outdir)
        build(built / "lite", built.parent / "lite", Path(app.srcdir, named) if named else None)


def setup(app: Sphinx) -> None:
    """Add the setting ``lite_pyodide``; have JupyterLite built, and offered on each page."""
    # The way from the sources to a folder with Pyodide, unpacked; "" for its publisher's address.
    app.add_config_value("lite_pyodide", "", "html", types=[str])
    app.connect("html-page-context", offer)
    app.connect("build-finished", build_site)


# ---------------------------------------------------------------------------- a new Pyodide


def trim(lock_file: str) -> None:
    """Write into the file `LOCK` those entries of a Pyodide's lock file that the notebooks need."""
    base = json.loads(Path(lock_file).read_text("utf-8"))
    packages = {canonicalize_name(name): package for name, package in base["packages"].items()}
    course = tomllib.loads((ROOT / "posenc_course" / "pyproject.toml").read_text("utf-8"))
    # The notebooks import what the course depends on.
    imported = [Requirement(line).name for line in course["project"]["dependencies"]]
    names = map(canonicalize_name, (*FIRST, *imported, *FOR_WHEELS))
    # Pyodide lacks the others, which come as wheels.
    base["packages"] = needed(packages, [name for name in names if name in packages])
    LOCK.write_text(json.dumps(base, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    trim(sys.argv[1])
