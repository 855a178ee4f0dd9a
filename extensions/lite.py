"""Sphinx extension: the chapters as notebooks that run in the reader's browser.

JupyterLite is built into the folder ``lite`` of the site, with the notebooks of the book, what
they read, and `posenc` and `posenc_course` of this commit as wheels. Python itself is Pyodide. It
comes from its publisher's address, or from the site where ``lite_pyodide`` names a folder with a
Pyodide distribution.

A notebook finds everything by its ``import`` lines, since the lock file of the site names the
wheels of the site beside those of Pyodide. The browser checks each wheel against its digest there.

The pages themselves run single cells (``extensions.code_cells``), in the same Python with less
beside it: a lock file of their own has what the checks of exercises import, and no figures.
"""

import hashlib
import importlib.metadata
import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from urllib.parse import quote, urlsplit

import nbformat
from jupyterlite_pyodide_kernel.constants import PYODIDE_CDN_URL, PYODIDE_VERSION
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from sphinx.errors import ExtensionError

from extensions import copies
from extensions.contents import ROOT

SETTINGS = Path(__file__).with_name("jupyterlite")
LOCK = SETTINGS / f"pyodide-{PYODIDE_VERSION}-lock.json"
KERNEL = "@jupyterlite/pyodide-kernel-extension"

# Pure Python that Pyodide lacks, or has in another version than the stored outputs were made with.
WHEELS = ("anywidget", "autograd", "comm", "ipywidgets", "mpmath", "psygnal", "typing-extensions")
# What the kernel brings along.
KERNEL_WHEELS = ("ipykernel", "piplite", "pyodide-kernel", "widgetsnbextension")
# Loaded while Python starts; anything else when a cell imports it.
FIRST = ("micropip", "piplite", "ipykernel", "comm", "pyodide-kernel", "jedi", "ipython")
FIRST += ("posenc", "posenc-course")
# What course asks for that a page of the book loads, to run one cell.
ON_A_PAGE = ("autograd", "numpy", "posenc")
# The projects of this repository: posenc, and course.
PROJECTS = (ROOT, ROOT / "posenc_course")
# The files of Pyodide that are no packages. Before version 314, asm.mjs was asm.js.
CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
CORE_BEFORE = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip")
# What Pyodide and the packages that start with it weigh, in megabytes: as they travel, packed by
# the publisher's server, and as they arrive. Measured; see CONTRIBUTING.md.
TRAVELS, ARRIVES = 25, 32
PAGE_TRAVELS, PAGE_ARRIVES = 9, 17
# What a browser's Python has not.
MISSING = {"torch": "PyTorch"}

# ---------------------------------------------------------------------------- wheels


def run(*command, cwd=ROOT):
    """Run a command; where it fails, say what it said."""
    done = subprocess.run(
        [sys.executable, "-m", *map(str, command)], cwd=cwd, capture_output=True, text=True
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")


def own_wheels(folder):
    """Build the wheels of posenc and posenc_course; return their paths."""
    for project in PROJECTS:
        run("hatchling", "build", "--target", "wheel", "--directory", folder, cwd=project)
    return sorted(folder.glob("*.whl"))


def fetch_wheels(room):
    """Fetch the wheels of ``WHEELS`` in the versions installed here, where they are not there."""
    wanted = [f"{name}=={importlib.metadata.version(name)}" for name in WHEELS]
    folder = room / hashlib.sha256(" ".join(wanted).encode()).hexdigest()[:12]
    if len(list(folder.glob("*.whl"))) < len(wanted):
        anywhere = ["--platform=any", "--implementation=py", "--abi=none", "--python-version=3.14"]
        options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:"]
        run("pip", "download", *options, *anywhere, f"--dest={folder}", *wanted)
    return sorted(folder.glob("*.whl"))


def describe(wheel):
    """Return what a lock file says of a wheel."""
    (about,) = importlib.metadata.distributions(path=[str(wheel)])
    in_browser = {"extra": "", "sys_platform": "emscripten", "platform_system": "Emscripten"}
    depends = {
        canonicalize_name(need.name)
        for need in map(Requirement, about.requires or [])
        if need.marker is None or need.marker.evaluate(in_browser)
    }
    tops = {file.parts[0].removesuffix(".py") for file in about.files}
    return {
        "name": canonicalize_name(about.name),
        "version": about.version,
        "file_name": Path(wheel).name,
        "install_dir": "site",
        "sha256": hashlib.sha256(Path(wheel).read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": sorted(top for top in tops if not top.endswith((".dist-info", ".data"))),
        "depends": sorted(depends),
        "unvendored_tests": False,
    }


# ---------------------------------------------------------------------------- the lock file


def needed(packages, names):
    """Return the packages of `names` and all that they depend on."""
    found, waiting = {}, list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = packages[name]
            waiting += packages[name]["depends"]
    return dict(sorted(found.items()))


def lock_with(wheels, base, address):
    """Return the lock file of the site.

    `base` is the lock file of Pyodide, `address` where its packages are; an empty one stands for
    the folder of the lock file itself.
    """
    theirs = {
        canonicalize_name(name): {**package, "file_name": address + package["file_name"]}
        for name, package in base["packages"].items()
    }
    ours = {package["name"]: package for package in map(describe, wheels)}
    packages = theirs | ours
    for package in packages.values():
        depends = map(canonicalize_name, package["depends"])
        package["depends"] = [name for name in depends if name in packages]
    return {"info": base["info"], "packages": needed(packages, [*FIRST, *ours])}


# ---------------------------------------------------------------------------- the site


def lay_out(folder):
    """Put what JupyterLite builds from into a new folder."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(SETTINGS, folder, ignore=shutil.ignore_patterns("*-lock.json", "*.js"))
    book = folder / "contents" / "book"
    copies.write(book)
    for notebook in book.glob("*.ipynb"):
        # With each text in one piece: JupyterLite does not join the lines of a printed output.
        content = json.dumps(nbformat.read(notebook, as_version=4), ensure_ascii=False)
        notebook.write_text(content, encoding="utf-8")


def page_lock(lock):
    """Return the lock file of a page: course, with those of its needs that are ``ON_A_PAGE``."""
    course = lock["packages"]["posenc-course"]
    depends = [name for name in course["depends"] if name in ON_A_PAGE]
    packages = lock["packages"] | {course["name"]: {**course, "depends": depends}}
    return {"info": lock["info"], "packages": needed(packages, [course["name"]])}


def start(place, packages, pyodide, arrives):
    """Return the addresses that Python starts from, and the bytes that arrive from there."""
    at_hand = (place / "pyodide.asm.js").is_file()
    core = CORE_BEFORE if at_hand else CORE
    there = f"{PYODIDE_CDN_URL}/" if pyodide is None else ""
    files = [
        *(there + name for name in core),
        *(package["file_name"] for package in packages.values()),
    ]
    if pyodide is None:
        return {"files": files, "bytes": arrives * 10**6}
    return {"files": files, "bytes": sum((place / name).stat().st_size for name in files)}


def add_python(output, wheels, pyodide=None):
    """Put wheels, their lock file and the settings of the kernel into a JupyterLite.

    Parameters
    ----------
    output : Path
        The folder of a JupyterLite.
    wheels : iterable of Path
        What the site offers beside the packages of Pyodide, or in place of them.
    pyodide : Path, optional
        A folder with a Pyodide distribution, which becomes part of the site. Without one, Pyodide
        comes from its publisher's address.
    """
    place = output / "static" / "pyodide"
    place.mkdir(parents=True)
    for wheel in wheels:
        shutil.copy(wheel, place)
    if pyodide is None:
        if not LOCK.is_file():
            raise ExtensionError(f"{LOCK} is missing; CONTRIBUTING.md says how to make it")
        lock = lock_with(wheels, json.loads(LOCK.read_text("utf-8")), f"{PYODIDE_CDN_URL}/")
        url = f"{PYODIDE_CDN_URL}/pyodide.mjs"
    else:
        lock = lock_with(wheels, json.loads((pyodide / "pyodide-lock.json").read_text("utf-8")), "")
        theirs = {package["file_name"] for package in lock["packages"].values()}
        for name in {*CORE, *CORE_BEFORE, *theirs}:
            if (pyodide / name).is_file() and not (place / name).exists():
                shutil.copy(pyodide / name, place)
        url = "./static/pyodide/pyodide.mjs"
    on_a_page = page_lock(lock)
    for name, content in {
        "pyodide-lock": lock,
        "page-lock": on_a_page,
        "start": start(place, needed(lock["packages"], FIRST), pyodide, ARRIVES),
        "page": start(place, on_a_page["packages"], pyodide, PAGE_ARRIVES),
    }.items():
        (place / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")

    config = output / "jupyter-lite.json"
    whole = json.loads(config.read_text("utf-8"))
    plugins = whole["jupyter-config-data"].setdefault("litePluginSettings", {})
    plugins.setdefault(f"{KERNEL}:kernel", {}).update(
        pyodideUrl=url,
        loadPyodideOptions={
            "lockFileURL": "./static/pyodide/pyodide-lock.json",
            "packages": list(FIRST),
        },
    )
    config.write_text(json.dumps(whole, indent=2), encoding="utf-8")


def build(output, room, pyodide=None):
    """Build JupyterLite into the folder `output`, from what is put together in `room`.

    `pyodide` is as for `add_python`.
    """
    source = room / "source"
    lay_out(source)
    wheels = [*own_wheels(source / "own"), *fetch_wheels(room / "wheels")]

    shutil.rmtree(output, ignore_errors=True)
    run("jupyter", "lite", "build", "--lite-dir", source, "--output-dir", output, cwd=source)
    kernel = output / "extensions" / KERNEL / "static" / "pypi"
    wheels += [
        max(kernel.glob(f"{name.replace('-', '_')}-*.whl"))  # widgetsnbextension has two
        for name in KERNEL_WHEELS
    ]
    add_python(output, wheels, pyodide)

    page = output / "notebooks" / "index.html"
    html = page.read_text("utf-8")
    head = '<head>\n    <script src="../beside.js"></script>'
    page.write_text(html.replace("<head>", head, 1), encoding="utf-8")
    shutil.copy(SETTINGS / "beside.js", output)


def digest(pyodide):
    """Return a digest of what the site is made of."""
    sources = [
        *(ROOT / "posenc").rglob("*.*"),
        *(ROOT / "posenc_course").rglob("*.*"),
        *(ROOT / "book").glob("*.*"),
        *(ROOT / "book" / "downloads").iterdir(),
        *SETTINGS.iterdir(),
        *(ROOT / name for name in ("pyproject.toml", "README.md")),
        *(Path(__file__), Path(copies.__file__)),
    ]
    made = hashlib.sha256(f"{pyodide} {copies.first_cell()}".encode())
    for path in sorted(path for path in sources if path.is_file() and path.suffix != ".pyc"):
        made.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    for name in ("jupyterlite-core", "jupyterlite-pyodide-kernel", *WHEELS):
        made.update(importlib.metadata.version(name).encode())
    return made.hexdigest()


# ---------------------------------------------------------------------------- Sphinx


def distribution(app):
    """Return the folder of Pyodide that the configuration names, or None."""
    named = app.config.lite_pyodide
    if not named:
        return None
    folder = Path(app.srcdir, named).resolve()
    if not (folder / "pyodide-lock.json").is_file():
        raise ExtensionError(
            f"lite_pyodide is {named!r}, where no pyodide-lock.json is; it must name a folder "
            "with an unpacked Pyodide distribution"
        )
    return folder


def missing_in(notebook):
    """Return the names of what a notebook imports and a browser's Python has not."""
    cells = nbformat.read(notebook, as_version=4).cells
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    imported = set(re.findall(r"^\s*(?:import|from) (\w+)", code, re.MULTILINE))
    return [name for module, name in MISSING.items() if module in imported]


def offer(app, pagename, templatename, context, doctree):  # noqa: ARG001
    """Tell the template of a page which notebook to run, and from where Python comes."""
    chapters = app.env.toctree_includes.get(app.config.root_doc, [])
    first = next((name for name in chapters if app.env.toc_secnumbers.get(name)), None)
    name = first if pagename == app.config.root_doc else pagename
    notebook = Path(app.srcdir) / f"{name}.ipynb"
    if not name or not notebook.is_file():
        return
    app_page = context["pathto"]("lite/notebooks/index.html", 1)
    context["run"] = {
        "what": "this chapter" if name == pagename else "chapter 1",
        "notebook": f"{name}.ipynb",
        "url": f"{app_page}?path={quote(name)}.ipynb",
        "host": "" if app.config.lite_pyodide else urlsplit(PYODIDE_CDN_URL).netloc,
        "megabytes": TRAVELS,
        "page_megabytes": PAGE_TRAVELS,
        "missing": missing_in(notebook),
    }


def build_site(app, error):
    """Build JupyterLite beside the pages, unless it is there already."""
    if error or app.builder.name != "html":
        return
    output, room = Path(app.outdir) / "lite", Path(app.outdir).parent / "lite"
    pyodide = distribution(app)
    stamp, made = output / "made_of", digest(pyodide)
    if not stamp.is_file() or stamp.read_text("utf-8") != made:
        build(output, room, pyodide)
        stamp.write_text(made, encoding="utf-8")


def setup(app):
    """Register the extension with Sphinx."""
    app.add_config_value("lite_pyodide", "", "html", types=[str])
    app.connect("html-page-context", offer)
    app.connect("build-finished", build_site)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


# ---------------------------------------------------------------------------- a new Pyodide


def trim(source):
    """Keep what the notebooks need of the lock file of a Pyodide distribution."""
    base = json.loads(Path(source).read_text("utf-8"))
    packages = {canonicalize_name(name): package for name, package in base["packages"].items()}
    for package in packages.values():
        depends = map(canonicalize_name, package["depends"])
        package["depends"] = [name for name in depends if name in packages]
    course = tomllib.loads((ROOT / "posenc_course" / "pyproject.toml").read_text("utf-8"))[
        "project"
    ]
    asked = [canonicalize_name(Requirement(line).name) for line in course["dependencies"]]
    names = [name for name in (*FIRST, *asked, "traitlets") if name in packages]
    base["packages"] = needed(packages, names)
    LOCK.write_text(json.dumps(base, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    trim(sys.argv[1])
