"""The lock file that the notebooks in a reader's browser start from."""

import json
import zipfile
from importlib.metadata import version

import pytest

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
    assert about["depends"] == ["numpy"]
    assert wheels["posenc"].stat().st_size < 120_000


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


def test_ours_come_from_the_site_theirs_from_the_address_and_a_page_takes_few(wheels):
    alone = {"depends": [], "file_name": "alone.whl"}
    packages = dict.fromkeys((*lite.FIRST, "autograd"), alone) | BASE["packages"]
    lock = lite.lock_with(wheels.values(), {**BASE, "packages": packages}, "https://there.example/")
    assert lock["packages"]["posenc"]["file_name"] == wheels["posenc"].name
    numpy = lock["packages"]["numpy"]["file_name"]
    assert numpy.startswith("https://there.example/numpy-")
    for package in lock["packages"].values():
        assert set(package["depends"]) <= set(lock["packages"])
    on_a_page = lite.page_lock(lock)["packages"]  # what checks import, and no figures
    assert list(on_a_page) == [*lite.ON_A_PAGE]
    assert "matplotlib" not in on_a_page["posenc-course"]["depends"]
