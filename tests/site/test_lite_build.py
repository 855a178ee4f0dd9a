"""The lock file that the notebooks in a reader's browser start from."""

import hashlib
import json
import tomllib
import zipfile
from importlib.metadata import version
from types import SimpleNamespace

import pytest
from sphinx.errors import ExtensionError

from extensions import lite
from extensions.contents import ROOT

BASE = json.loads(lite.LOCK.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    """Return the wheels of posenc and posenc_course, by what is imported from each."""
    made = lite.own_wheels(tmp_path_factory.mktemp("wheels"))
    assert len(made) == 2
    return {lite.describe(wheel)["imports"][0]: wheel for wheel in made}


def test_posenc_is_the_mathematics_alone(wheels):
    about = lite.describe(wheels["posenc"])
    assert about["imports"] == ["posenc"]
    assert about["depends"] == ["numpy"]
    assert wheels["posenc"].stat().st_size < 120_000


@pytest.mark.parametrize(("top", "folder"), [("posenc", "."), ("posenc_course", "posenc_course")])
def test_the_wheels_are_described_as_they_are(wheels, top, folder):
    about = lite.describe(wheels[top])
    project = tomllib.loads((ROOT / folder / "pyproject.toml").read_text("utf-8"))["project"]
    assert (about["name"], about["version"]) == (project["name"], project["version"])
    assert about["imports"] == [top]
    assert about["sha256"] == hashlib.sha256(wheels[top].read_bytes()).hexdigest()


def test_course_holds_what_its_folder_holds_and_asks_for_what_it_imports(wheels):
    with zipfile.ZipFile(wheels["posenc_course"]) as archive:
        packed = {name for name in archive.namelist() if name.startswith("posenc_course/")}
    there = (path for path in (ROOT / "posenc_course").rglob("*") if path.is_file())
    left_out = ("__pycache__", "pyproject.toml")
    named = {path.relative_to(ROOT).as_posix() for path in there if not {*path.parts} & {*left_out}}
    assert packed == named
    wanted = {"posenc", "numpy", "matplotlib", "anywidget", "autograd"}
    assert wanted <= set(lite.describe(wheels["posenc_course"])["depends"])


def test_numpy_in_the_browser_is_the_one_of_the_stored_outputs():
    assert BASE["packages"]["numpy"]["version"] == version("numpy")


def test_ours_come_from_the_site_and_theirs_from_the_address(wheels):
    alone = {"depends": [], "file_name": "alone.whl"}
    packages = dict.fromkeys(lite.FIRST, alone) | BASE["packages"]
    lock = lite.lock_with(wheels.values(), {**BASE, "packages": packages}, "https://there.example/")
    assert lock["packages"]["posenc"]["file_name"] == wheels["posenc"].name
    numpy = lock["packages"]["numpy"]["file_name"]
    assert numpy.startswith("https://there.example/numpy-")
    for package in lock["packages"].values():
        assert set(package["depends"]) <= set(lock["packages"])


def test_a_page_loads_what_checks_import_and_no_figures(wheels):
    alone = {"depends": [], "file_name": "alone.whl"}
    packages = dict.fromkeys((*lite.FIRST, "autograd"), alone) | BASE["packages"]
    lock = lite.lock_with(wheels.values(), {**BASE, "packages": packages}, "https://there.example/")
    assert list(lite.page_lock(lock)["packages"]) == [*lite.ON_A_PAGE, "posenc-course"]
    assert "matplotlib" in lock["packages"]["posenc-course"]["depends"]


def test_a_folder_without_pyodide_is_refused(tmp_path):
    app = SimpleNamespace(config=SimpleNamespace(lite_pyodide="empty"), srcdir=tmp_path)
    with pytest.raises(ExtensionError, match="lite_pyodide is 'empty'"):
        lite.distribution(app)
    app.config.lite_pyodide = ""
    assert lite.distribution(app) is None


def test_what_a_browser_has_not_is_found_by_its_import():
    assert lite.missing_in(ROOT / "book" / "A_pytorch.ipynb") == ["PyTorch"]
    assert lite.missing_in(ROOT / "book" / "06_rotation.ipynb") == []
