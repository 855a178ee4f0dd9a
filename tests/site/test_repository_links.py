"""The links of a page follow the repository that the book is built from."""

import subprocess
from types import SimpleNamespace

import pytest

from extensions import repository_links as links


@pytest.mark.parametrize(
    ("remote", "address"),
    [
        ("https://github.com/ann/words.git", "https://github.com/ann/words"),
        ("https://GitHub.com/ann/words/\n", "https://github.com/ann/words"),
        ("https://ann:secret@github.com/ann/words.git", "https://github.com/ann/words"),
        ("git@github.com:ann/where.words.git", "https://github.com/ann/where.words"),
        ("ssh://git@github.com:22/ann/words.git", "https://github.com/ann/words"),
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


def test_a_workflow_names_its_repository_and_wins_over_origin(tmp_path, monkeypatch):
    def found():
        config = SimpleNamespace(repository="")
        links.find_repository(SimpleNamespace(srcdir=tmp_path), config)
        return config.repository

    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
    monkeypatch.delenv("GITHUB_SERVER_URL", raising=False)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert found() == ""
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    assert found() == ""
    remote = ["remote", "add", "origin", "git@gitlab.com:ann/words.git"]
    subprocess.run(["git", "-C", str(tmp_path), *remote], check=True)
    assert found() == "https://gitlab.com/ann/words"
    monkeypatch.setenv("GITHUB_REPOSITORY", "bob/fork")
    assert found() == "https://github.com/bob/fork"
    monkeypatch.setenv("GITHUB_SERVER_URL", "https://git.example.org/")
    assert found() == "https://git.example.org/bob/fork"
    monkeypatch.delenv("GITHUB_REPOSITORY")
    monkeypatch.setenv("PATH", "")  # a machine without git
    assert found() == ""


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


@pytest.mark.parametrize(
    ("repository", "suffix", "launch"),
    [
        ("", ".ipynb", None),
        ("https://gitlab.com/group/sub/words", ".ipynb", False),
        ("https://gitlab.example.org/ann/words", ".ipynb", False),
        ("https://github.com/ann/words", ".md", False),
        ("https://github.com/ann/words", ".ipynb", True),
    ],
)
def test_binder_is_offered_where_it_has_something_to_open(repository, suffix, launch):
    made = menu(repository, suffix)
    assert ("Run in Binder" in made) == bool(launch)
    assert ("Report a mistake" in made) == (launch is not None)
