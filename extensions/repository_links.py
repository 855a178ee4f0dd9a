"""Sphinx extension: the links of a page's menu follow the repository of the book.

That is the ``origin`` of the clone, where it is on GitHub. With another or none, the book has no
such links. Nothing has to be edited in a fork.
"""

import re
import shutil
import subprocess
from urllib.parse import quote

from posenc_course.words import N_

GITHUB = "https://github.com/"
BRANCH = "main"
# What each release of the book has attached, by what the menu of a page calls it.
RELEASED = {
    N_("The whole book as PDF"): "where-words-stand.pdf",
    N_("All notebooks"): "where-words-stand-notebooks.zip",
}
# https://github.com/owner/name.git, ssh://git@github.com/owner/name or git@github.com:owner/name
REMOTE = re.compile(r"(?:\w+://)?(?:[^@/\s]+@)?github\.com(?::\d+)?[:/]([\w.-]+/[\w.-]+)")


def git(folder, *asked):
    """Return what git says of a folder; "" where there is no git, or no history."""
    if not shutil.which("git"):
        return ""
    command = ["git", "-C", str(folder), *asked]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def repository_of(folder):
    """Return the web address of the GitHub repository that a folder is a clone of, or ""."""
    remote = git(folder, "remote", "get-url", "origin")
    found = REMOTE.fullmatch(remote.rstrip("/").removesuffix(".git"))
    return GITHUB + found[1] if found else ""


def menu(repository, page, suffix, title):
    """Return what the menu of a page offers of its repository, as (text, url).

    `page` and `suffix` are as ``book/06_rotation`` and ``.ipynb``; a report starts with `title`.
    """
    if not repository:
        return []
    links = []
    if suffix == ".ipynb":
        place = f"gh/{repository.removeprefix(GITHUB)}/{BRANCH}"
        notebook = f"{page.rpartition('/')[2]}{suffix}"
        address = f"https://mybinder.org/v2/{place}?urlpath=lab/tree/lab/{notebook}"
        links.append((N_("Run in Binder"), address))
    links.append((N_("Repository"), repository))
    for text, file in RELEASED.items():
        links.append((text, f"{repository}/releases/latest/download/{file}"))
    if suffix:
        source = f"{repository}/blob/{BRANCH}/{page}{suffix}?plain=1"
        links.append((N_("Source of this page"), source))
    links.append((N_("Report a mistake"), f"{repository}/issues/new?title={quote(title)}"))
    return links


def find_repository(app, config):
    """Set what the pages link to, once the configuration is read."""
    config.repository = repository_of(app.srcdir)


def add_menu(app, pagename, templatename, context, doctree):  # noqa: ARG001
    """Give the template of a page its menu: the repository, and the page to take along."""
    suffix = context.get("page_source_suffix", "") if doctree else ""
    context["menu"] = menu(app.config.repository, pagename, suffix, context.get("title", ""))
    if suffix == ".ipynb":
        copy = context.get("notebook", pagename)
        address = f"{context['pathto']('lite/files', 1)}/{copy}{suffix}"
        context["download"] = N_("Download this notebook"), address
    elif suffix:
        address = f"{context['pathto']('_sources', 1)}/{context['sourcename']}"
        context["download"] = N_("Download this page"), address


def setup(app):
    app.add_config_value("repository", "", "html", types=[str])
    app.connect("config-inited", find_repository)
    app.connect("html-page-context", add_menu)
