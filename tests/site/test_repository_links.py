"""The buttons of a page follow the repository that the book is built from."""

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


def options(folder):
    """Return the theme options that a build in `folder` ends up with."""
    config = SimpleNamespace(html_theme_options={"show_toc_level": 2})
    links.add_buttons(SimpleNamespace(srcdir=folder), config)
    assert config.html_theme_options.pop("show_toc_level") == 2, "other options stay"
    return config.html_theme_options


def add_origin(folder, remote):
    subprocess.run(["git", "-C", str(folder), "remote", "add", "origin", remote], check=True)


def test_no_repository_no_buttons(clone):
    assert options(clone) == {}
    add_origin(clone, "/srv/git/words.git")
    assert options(clone) == {}


def test_folder_outside_any_clone(tmp_path, monkeypatch):
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert options(tmp_path) == {}


def test_no_git_on_the_machine(clone, monkeypatch):
    add_origin(clone, "git@github.com:ann/words.git")
    monkeypatch.setenv("PATH", "")
    assert options(clone) == {}


def test_origin_gives_all_buttons(clone):
    add_origin(clone, "git@github.com:ann/words.git")
    found = options(clone)
    assert found["repository_url"] == "https://github.com/ann/words"
    assert found["repository_branch"] == "main"
    assert found["repository_provider"] == "github"
    assert found["use_issues_button"]
    assert found["use_source_button"]
    assert found["launch_buttons"]["notebook_interface"] == "jupyterlab"


def test_environment_wins_over_origin(clone, monkeypatch):
    add_origin(clone, "git@gitlab.com:ann/words.git")
    assert options(clone)["repository_provider"] == "gitlab"
    monkeypatch.setenv("GITHUB_REPOSITORY", "bob/fork")
    monkeypatch.delenv("GITHUB_SERVER_URL", raising=False)
    assert options(clone)["repository_url"] == "https://github.com/bob/fork"
    assert options(clone)["repository_provider"] == "github"


@pytest.mark.parametrize(
    "remote",
    ["https://gitlab.com/group/sub/words.git", "https://gitlab.example.org/ann/words.git"],
)
def test_no_launch_button_where_binder_cannot_open(clone, remote):
    add_origin(clone, remote)
    found = options(clone)
    assert found["use_issues_button"]
    assert "launch_buttons" not in found
