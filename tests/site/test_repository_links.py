"""The links of a page follow the repository that the book is built from."""

import subprocess
from types import SimpleNamespace

import pytest

from extensions import repository_links as links


@pytest.mark.parametrize(
    ("remote", "address"),
    [
        ("https://github.com/ann/words.git", "https://github.com/ann/words"),
        ("https://github.com/ann/words", "https://github.com/ann/words"),
        ("https://github.com/ann/words/", "https://github.com/ann/words"),
        ("https://GitHub.com/ann/words.git\n", "https://github.com/ann/words"),
        ("https://ann:secret@github.com/ann/words.git", "https://github.com/ann/words"),
        ("git@github.com:ann/where.words.git", "https://github.com/ann/where.words"),
        ("ssh://git@github.com:22/ann/words.git", "https://github.com/ann/words"),
        ("git@gitlab.com:ann/words.git", "https://gitlab.com/ann/words"),
        ("https://gitlab.com/group/sub/words.git", "https://gitlab.com/group/sub/words"),
        ("https://oauth2:secret@gitlab.example.org/a/b.git", "https://gitlab.example.org/a/b"),
    ],
)
def test_remote_on_github_or_gitlab(remote, address):
    assert links.from_remote(remote) == address


@pytest.mark.parametrize(
    "remote",
    [
        "",
        "/srv/git/words.git",
        "../words",
        "file:///srv/git/words.git",
        "C:/words",
        "https://example.org/ann/words.git",
        "https://github.com.example.org/ann/words.git",
        "https://example.org/github.com/ann/words.git",
        "https://github.com/ann",
        "git@github.com:words.git",
        "https://[bad/ann/words.git",
    ],
)
def test_any_other_remote_gives_no_address(remote):
    assert links.from_remote(remote) is None


def test_workflow_environment():
    named = {"GITHUB_REPOSITORY": "ann/words"}
    assert links.from_environment(named) == "https://github.com/ann/words"
    named["GITHUB_SERVER_URL"] = "https://git.example.org/"
    assert links.from_environment(named) == "https://git.example.org/ann/words"


@pytest.mark.parametrize("name", ["", "words", "ann/words/more", "ann/wo rds"])
def test_environment_without_a_repository(name):
    assert links.from_environment({"GITHUB_REPOSITORY": name}) is None
    assert links.from_environment({"GITHUB_SERVER_URL": "https://github.com"}) is None


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """Yield a git repository without remotes, in an environment that names no repository."""
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "no-settings"))
    folder = tmp_path / "clone"
    subprocess.run(["git", "init", "--quiet", str(folder)], check=True)
    return folder


def found(folder):
    """Return the repository that a build in `folder` finds."""
    config = SimpleNamespace(repository="")
    links.find_repository(SimpleNamespace(srcdir=folder), config)
    return config.repository


def add_origin(folder, remote):
    subprocess.run(["git", "-C", str(folder), "remote", "add", "origin", remote], check=True)


def test_no_repository_is_found(clone, monkeypatch):
    assert found(clone) == ""
    add_origin(clone, "/srv/git/words.git")
    assert found(clone) == ""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(clone.parents[1]))
    assert found(clone.parent) == ""  # outside any clone


def test_environment_wins_over_origin(clone, monkeypatch):
    add_origin(clone, "git@gitlab.com:ann/words.git")
    assert found(clone) == "https://gitlab.com/ann/words"
    monkeypatch.setenv("GITHUB_REPOSITORY", "bob/fork")
    monkeypatch.delenv("GITHUB_SERVER_URL", raising=False)
    assert found(clone) == "https://github.com/bob/fork"
    monkeypatch.delenv("GITHUB_REPOSITORY")
    monkeypatch.setenv("PATH", "")  # a machine without git
    assert found(clone) == ""


def menu(repository, suffix=".ipynb"):
    """Return the menu of a page as a dict of addresses by text."""
    made = links.menu(repository, "book/06_rotation", suffix, "The rotation proof")
    return {link["text"]: link["url"] for link in made}


@pytest.mark.parametrize(
    ("here", "binder", "source", "issue"),
    [
        ("https://github.com/ann/words", "gh/ann/words", "", "title"),
        ("https://gitlab.com/ann/words", "gl/ann%2Fwords", "/-", "issue[title]"),
    ],
)
def test_a_repository_gives_all_links(here, binder, source, issue):
    assert menu(here) == {
        "Run in Binder": f"https://mybinder.org/v2/{binder}/main"
        "?urlpath=lab/tree/lab/06_rotation.ipynb",
        "Repository": here,
        "Source of this page": f"{here}{source}/blob/main/book/06_rotation.ipynb?plain=1",
        "Report a mistake": f"{here}{source}/issues/new?{issue}=The%20rotation%20proof",
    }


def test_no_repository_no_links():
    assert menu("") == {}


@pytest.mark.parametrize(
    ("repository", "suffix"),
    [
        ("https://gitlab.com/group/sub/words", ".ipynb"),
        ("https://gitlab.example.org/ann/words", ".ipynb"),
        ("https://github.com/ann/words", ".md"),
    ],
)
def test_no_launch_where_binder_has_nothing_to_open(repository, suffix):
    made = menu(repository, suffix)
    assert "Report a mistake" in made
    assert "Run in Binder" not in made


def test_a_page_without_a_source_has_only_the_repository():
    assert list(menu("https://github.com/ann/words", "")) == ["Repository", "Report a mistake"]
