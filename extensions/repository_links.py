"""Sphinx extension: what follows the repository of the book, which is the ``origin`` of the clone.

These are the links of a page's menu, and the line that ``{installation}`` stands for, which
installs what Part III imports. With an origin that is not on GitHub, or with none, the book has no
such links, and the line installs from the files. Nothing has to be edited in a fork.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from extensions.contents import ROOT
from posenc_course.words import N_

if TYPE_CHECKING:  # `copies` reads this file where Sphinx is not installed
    from sphinx.application import Sphinx
    from sphinx.config import Config

GITHUB = "https://github.com/"
BRANCH = "main"
# The folders of the packages beside `posenc`, which is that of the root.
BESIDE = ("posenc_check", "posenc_course")
# What each release of the book has attached, by what the menu of a page calls it.
RELEASED = {
    N_("The whole book as PDF"): "where-words-stand.pdf",
    N_("All notebooks"): "where-words-stand-notebooks.zip",
}
# https://github.com/owner/name.git, ssh://git@github.com/owner/name or git@github.com:owner/name
REMOTE = re.compile(r"(?:\w+://)?(?:[^@/\s]+@)?github\.com(?::\d+)?[:/]([\w.-]+/[\w.-]+)")


def git(folder: str | Path, *arguments: str) -> str:
    """Return what a git command prints in a folder, stripped; "" without git, or where it fails.

    `arguments` are the command without the word git: ``git(folder, "status")``.
    """
    if not shutil.which("git"):  # not installed: `run` would raise FileNotFoundError
        return ""
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def repository_of(folder: str | Path) -> str:
    """Return the web address of the GitHub repository that a folder is a clone of; "" for none.

    It begins with `GITHUB` and has no slash at its end.
    """
    remote = git(folder, "remote", "get-url", "origin")
    # A name may have dots, so that `REMOTE` would take ".git" for a part of it.
    found = REMOTE.fullmatch(remote.rstrip("/").removesuffix(".git"))
    return GITHUB + found[1] if found else ""


def installation(repository: str) -> str:
    """Return in Markdown what to type to install two packages, and the third, for Part III.

    They come from the repository, or from the reader's copy of the files where it is "".
    """
    if repository:
        where = "One line installs both:"
        places = f'"git+{repository}"', *(f'"git+{repository}#subdirectory={n}"' for n in BESIDE)
    else:
        where = (
            "One line installs both. Type it in the folder that has the files of the book, "
            "`_toc.yml` among them:"
        )
        places = ".", *(f"./{name}" for name in BESIDE)
    root, check, course = places
    return (
        f"{where}\n\n```sh\npip install {root} {check}\n```\n\n"
        "A block whose first line says that it needs `posenc_course` needs a third package, which "
        f"`pip install {course}` adds."
    )


def menu(repository: str, page: str, suffix: str, title: str) -> list[tuple[str, str]]:
    """Return the links [(text, url)] from a page's menu to its repository; [] without a repository.

    `page` and `suffix` are as ``book/06_rotation`` and ``.ipynb``; the suffix of a page without a
    source is "". `title` becomes the title of a report on a mistake. The addresses are those of
    GitHub; a repository elsewhere counts as none (`repository_of`). The texts are in English.
    """
    if not repository:
        return []
    links = []
    if suffix == ".ipynb":
        place = f"gh/{repository.removeprefix(GITHUB)}/{BRANCH}"
        notebook = f"{page.rpartition('/')[2]}{suffix}"
        # "lab/tree" opens a file in JupyterLab, from the folder "lab" that .binder/postBuild makes.
        address = f"https://mybinder.org/v2/{place}?urlpath=lab/tree/lab/{notebook}"
        # `N_` marks a text for the catalogs; the template translates it.
        links.append((N_("Run in Binder"), address))
    links.append((N_("Repository"), repository))
    for text, file in RELEASED.items():
        links.append((text, f"{repository}/releases/latest/download/{file}"))
    if suffix:
        # GitHub shows a notebook or Markdown as a page, unless "plain" asks for the source.
        source = f"{repository}/blob/{BRANCH}/{page}{suffix}?plain=1"
        links.append((N_("Source of this page"), source))
    links.append((N_("Report a mistake"), f"{repository}/issues/new?title={quote(title)}"))
    return links


def find_repository(app: Sphinx, config: Config) -> None:
    """Set ``repository`` of the configuration to the address on GitHub; "" where there is none."""
    config.repository = repository_of(app.srcdir)


def add_menu(app, pagename, templatename, context, doctree) -> None:  # noqa: ARG001
    """Set ``menu``, a list of (text, address), and ``download``, a (text, address), of a page."""
    suffix = context.get("page_source_suffix", "")  # "" for the search, and the like
    context["menu"] = menu(app.config.repository, pagename, suffix, context.get("title", ""))
    if suffix == ".ipynb":
        # The copy for readers, which JupyterLite runs too, in the language of the build
        # (`languages.share_files`): the notebook itself has roles and directives.
        copy = context["notebook"]
        address = f"{context['pathto']('lite/files', resource=True)}/{copy}{suffix}"
        context["download"] = N_("Download this notebook"), address
    elif suffix:
        address = f"{context['pathto']('_sources', resource=True)}/{context['sourcename']}"
        context["download"] = N_("Download this page"), address


def setup(app: Sphinx) -> None:
    """Find the repository before a build, and set what of each page follows it."""
    from extensions.generated import directive  # here alone: it needs docutils

    app.add_config_value("repository", "", "html", types=[str])
    app.add_directive("installation", directive(lambda: installation(repository_of(ROOT))))
    app.connect("config-inited", find_repository)
    app.connect("html-page-context", add_menu)
