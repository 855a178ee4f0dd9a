"""The links of a page follow the repository that the book is built from."""

import re
import subprocess

import pytest

from extensions.contents import ROOT
from extensions.repository_links import installation, menu, repository_of


@pytest.mark.parametrize(
    ("remote", "address"),
    [
        ("https://github.com/ann/words.git", "https://github.com/ann/words"),
        ("https://github.com/ann/words/", "https://github.com/ann/words"),
        ("https://ann:secret@github.com/ann/words.git", "https://github.com/ann/words"),
        ("git@github.com:ann/where.words.git", "https://github.com/ann/where.words"),
        ("ssh://git@github.com:22/ann/words.git", "https://github.com/ann/words"),
        ("/srv/git/words.git", ""),
        ("https://gitlab.com/ann/words.git", ""),
        ("https://github.com.example.org/ann/words.git", ""),
        ("https://example.org/github.com/ann/words.git", ""),
    ],
)
def test_the_repository_is_the_origin_where_that_is_on_github(remote, address, tmp_path):
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    assert repository_of(tmp_path) == ""
    subprocess.run(["git", "-C", str(tmp_path), "remote", "add", "origin", remote], check=True)
    assert repository_of(tmp_path) == address


def test_a_machine_without_git_has_no_links(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert menu(repository_of(tmp_path), "book/06_rotation", ".ipynb", "The rotation proof") == []


@pytest.mark.parametrize("address", ["", "https://github.com/ann/words"])
def test_what_installs_the_packages_names_folders_that_have_them(address):
    text = installation(address)
    places = re.findall(r'(?:"git\+|\s\.)([^\s"`]*)', text)
    root, *packages = (place.removeprefix(address) for place in places)
    assert not root
    assert all(place.startswith(address) for place in places)
    folders = [re.sub(r"^(#subdirectory=|/)", "", place) for place in packages]
    assert folders == ["posenc_check", "posenc_course"]
    assert all((ROOT / folder / "pyproject.toml").is_file() for folder in folders)


def test_a_repository_gives_all_links():
    here = "https://github.com/ann/words"
    chapter = dict(menu(here, "book/06_rotation", ".ipynb", "The rotation proof"))
    assert chapter == {
        "Run in Binder": "https://mybinder.org/v2/gh/ann/words/main"
        "?urlpath=lab/tree/lab/06_rotation.ipynb",
        "Repository": here,
        "The whole book as PDF": f"{here}/releases/latest/download/where-words-stand.pdf",
        "All notebooks": f"{here}/releases/latest/download/where-words-stand-notebooks.zip",
        "Source of this page": f"{here}/blob/main/book/06_rotation.ipynb?plain=1",
        "Report a mistake": f"{here}/issues/new?title=The%20rotation%20proof",
    }
    page = dict(menu(here, "book/index", ".md", "About this book"))
    assert "Run in Binder" not in page
    assert list(page) == [name for name in chapter if name in page]
