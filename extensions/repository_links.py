"""Sphinx extension: the links of a page's menu follow the repository of the book.

The repository is the one named by ``GITHUB_REPOSITORY`` (with ``GITHUB_SERVER_URL``), as in a
GitHub workflow, or else the ``origin`` remote of the clone when that is on GitHub or GitLab.
With neither, the book has no such links. Nothing has to be edited in a fork.
"""

import os
import re
import shutil
import subprocess
from urllib.parse import quote

BRANCH = "main"
# How Binder names a repository of these servers.
BINDERS = {
    "https://github.com": "gh/{owner}/{name}",
    "https://gitlab.com": "gl/{owner}%2F{name}",
}


# https://host/owner/name.git, ssh://git@host/owner/name.git or git@host:owner/name.git
REMOTE = re.compile(
    r"(?:(?:https?|ssh|git|git\+ssh)://)?(?:[^@/\s]+@)?([\w.-]+)(?::\d+)?[:/]([\w.-]+(?:/[\w.-]+)+)"
)


def from_environment(environment):
    """Return the repository that a GitHub workflow builds, by its environment, or None."""
    name = environment.get("GITHUB_REPOSITORY", "")
    server = environment.get("GITHUB_SERVER_URL") or "https://github.com"
    return f"{server.rstrip('/')}/{name}" if name.count("/") == 1 else None


def from_remote(remote):
    """Return the web address of a GitHub or GitLab remote, or None for any other.

    User names, passwords and ports are dropped.
    """
    found = REMOTE.fullmatch(remote.strip().rstrip("/").removesuffix(".git"))
    if not found:
        return None
    host, path = found[1].lower(), found[2]
    # GitLab has groups inside groups, and servers of one's own; GitHub has one owner.
    if host.startswith("gitlab.") or (host == "github.com" and path.count("/") == 1):
        return f"https://{host}/{path}"
    return None


def origin(folder):
    """Return what git calls the ``origin`` of `folder`, or an empty string."""
    if not shutil.which("git"):
        return ""
    command = ["git", "-C", str(folder), "remote", "get-url", "origin"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def menu(repository, page, suffix, title):
    """Return what the menu of a page offers of its repository: dicts of a text and a url.

    `page` and `suffix` are as ``book/06_rotation`` and ``.ipynb``; a report starts with `title`.
    Binder opens a repository by owner and name on github.com and gitlab.com. For any other
    place (a server of one's own, a GitLab subgroup) its link is left out.
    """
    if not repository:
        return []
    server, owner, name = repository.rsplit("/", 2)
    gitlab = server.startswith("https://gitlab.")
    links = []
    if server in BINDERS and suffix == ".ipynb":
        place = BINDERS[server].format(owner=owner, name=name)
        name = page.rpartition("/")[2]
        lab = f"{place}/{BRANCH}?urlpath=lab/tree/lab/{name}{suffix}"
        links.append(("Run in Binder", f"https://mybinder.org/v2/{lab}"))
    links.append(("Repository", repository))
    inside = "/-" if gitlab else ""
    if suffix:
        source = f"{repository}{inside}/blob/{BRANCH}/{page}{suffix}?plain=1"
        links.append(("Source of this page", source))
    field = "issue[title]" if gitlab else "title"
    report = f"{repository}{inside}/issues/new?{field}={quote(title)}"
    links.append(("Report a mistake", report))
    return [{"text": text, "url": url} for text, url in links]


def find_repository(app, config):
    """Set what the pages link to, once the configuration is read."""
    found = from_environment(os.environ) or from_remote(origin(app.srcdir))
    config.repository = config.repository or found or ""


def add_menu(app, pagename, templatename, context, doctree):  # noqa: ARG001
    """Give the template of a page its menu: the repository, and the page to take along."""
    suffix = context.get("page_source_suffix", "") if doctree else ""
    found = menu(app.config.repository, pagename, suffix, context.get("title", ""))
    if suffix:
        what, url = "page", f"{context['pathto']('_sources', 1)}/{context['sourcename']}"
        if suffix == ".ipynb":
            what, url = "notebook", f"{context['pathto']('lite/files', 1)}/{pagename}{suffix}"
        found.append({"text": f"Download this {what}", "url": url, "download": True})
    context["menu"] = found


def setup(app):
    """Register the extension with Sphinx."""
    app.add_config_value("repository", "", "html", types=[str])
    app.connect("config-inited", find_repository)
    app.connect("html-page-context", add_menu)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
