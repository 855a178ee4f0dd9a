"""The lock file that the notebooks in a reader's browser start from."""

import hashlib
import json
import tomllib
from importlib.metadata import version
from types import SimpleNamespace

import pytest
from sphinx.errors import ExtensionError

from extensions import lite
from scripts.outputs import ROOT

BASE = json.loads(lite.LOCK.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    lite.own_wheel(folder)
    (made,) = folder.glob("posenc-*.whl")
    return made


def test_the_wheel_is_described_as_it_is(wheel):
    about = lite.describe(wheel)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert (about["name"], about["version"]) == ("posenc", project["version"])
    assert about["imports"] == ["course", "posenc"]
    assert about["sha256"] == hashlib.sha256(wheel.read_bytes()).hexdigest()
    assert {"numpy", "matplotlib", "anywidget", "autograd"} <= set(about["depends"])


def test_numpy_in_the_browser_is_the_one_of_the_stored_outputs():
    assert BASE["packages"]["numpy"]["version"] == version("numpy")


def test_ours_come_from_the_site_and_theirs_from_the_address(wheel):
    alone = {"depends": [], "file_name": "alone.whl"}
    packages = dict.fromkeys(lite.FIRST, alone) | BASE["packages"]
    lock = lite.lock_with([wheel], {**BASE, "packages": packages}, "https://there.example/")
    assert lock["packages"]["posenc"]["file_name"] == wheel.name
    numpy = lock["packages"]["numpy"]["file_name"]
    assert numpy.startswith("https://there.example/numpy-")
    for package in lock["packages"].values():
        assert set(package["depends"]) <= set(lock["packages"])


def test_needed_follows_what_depends_on_what():
    packages = {"a": {"depends": ["b"]}, "b": {"depends": ["a", "c"]}, "c": {"depends": []}}
    packages["d"] = {"depends": []}
    assert list(lite.needed(packages, ["a"])) == ["a", "b", "c"]


def test_a_folder_without_pyodide_is_refused(tmp_path):
    app = SimpleNamespace(config=SimpleNamespace(lite_pyodide="empty"), srcdir=tmp_path)
    with pytest.raises(ExtensionError, match="lite_pyodide is 'empty'"):
        lite.distribution(app)
    app.config.lite_pyodide = ""
    assert lite.distribution(app) is None


def test_what_a_browser_has_not_is_found_by_its_import():
    assert lite.missing_in(ROOT / "book" / "A_pytorch.ipynb") == ["PyTorch"]
    assert lite.missing_in(ROOT / "book" / "06_rotation.ipynb") == []
