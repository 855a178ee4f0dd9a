"""Sphinx extension: the launch, source and issue buttons follow the repository of the book.

The repository is the one named by ``GITHUB_REPOSITORY`` (with ``GITHUB_SERVER_URL``), as in a
GitHub workflow, or else the ``origin`` remote of the clone when that is on GitHub or GitLab.
With neither, the book has no such buttons. Nothing has to be edited in a fork.
"""

import os
import re
import subprocess
from urllib.parse import urlsplit

BRANCH = "main"
BINDER = "https://mybinder.org"


def _is_gitlab(host):
    """Tell whether `host` is gitlab.com or a GitLab of one's own, as gitlab.example.org."""
    return host.startswith("gitlab.")


def from_environment(environment):
    """Return the repository that a GitHub workflow builds, or None.

    Parameters
    ----------
    environment : mapping of str to str
        As `os.environ`.
    """
    name = environment.get("GITHUB_REPOSITORY", "").strip("/")
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", name):
        return None
    server = environment.get("GITHUB_SERVER_URL") or "https://github.com"
    return f"{server.rstrip('/')}/{name}"


def from_remote(remote):
    """Return the web address of a GitHub or GitLab remote, or None for any other.

    Parameters
    ----------
    remote : str
        As ``git remote get-url`` prints it: ``https://host/owner/name.git``,
        ``ssh://git@host/owner/name.git`` or ``git@host:owner/name.git``. User names,
        passwords and ports are dropped.
    """
    remote = remote.strip()
    short = re.fullmatch(r"(?:[^@/\s]+@)?([\w.-]+):(?!/)(\S+)", remote)
    if short:
        host, path = short.groups()
    else:
        try:
            parts = urlsplit(remote)
        except ValueError:
            return None
        if parts.scheme not in {"https", "http", "ssh", "git", "git+ssh"}:
            return None
        host, path = parts.hostname or "", parts.path
    host = host.lower()
    path = path.strip("/").removesuffix(".git")
    # GitLab has groups inside groups; GitHub has one owner.
    if host == "github.com" and re.fullmatch(r"[\w.-]+/[\w.-]+", path):
        return f"https://github.com/{path}"
    if _is_gitlab(host) and re.fullmatch(r"[\w.-]+(/[\w.-]+)+", path):
        return f"https://{host}/{path}"
    return None


def origin(folder):
    """Return what git calls the ``origin`` of `folder`, or an empty string."""
    try:
        answer = subprocess.run(
            ["git", "-C", str(folder), "remote", "get-url", "origin"],
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:  # no git on this machine
        return ""
    return answer.stdout if answer.returncode == 0 else ""


def theme_options(repository):
    """Return the options of sphinx-book-theme that draw the buttons for `repository`.

    Binder opens a repository by owner and name on github.com and gitlab.com. For any other
    place (a server of one's own, a GitLab subgroup) the launch button is left out.
    """
    if repository is None:
        return {}
    server, _, _ = repository.rsplit("/", 2)
    options = {
        "repository_url": repository,
        "repository_branch": BRANCH,
        "path_to_docs": "",
        "repository_provider": "gitlab" if _is_gitlab(urlsplit(repository).netloc) else "github",
        "use_repository_button": True,
        "use_source_button": True,
        "use_issues_button": True,
    }
    if server in {"https://github.com", "https://gitlab.com"}:
        options["launch_buttons"] = {
            "binderhub_url": BINDER,
            "notebook_interface": "jupyterlab",
        }
    return options


def add_buttons(app, config):
    """Set the theme's options once the configuration is read."""
    repository = from_environment(os.environ) or from_remote(origin(app.srcdir))
    config.html_theme_options.update(theme_options(repository))


def drop_live_code(app, pagename, templatename, context, doctree):  # noqa: ARG001
    """Leave out the scripts of the live-code button.

    jupyter-book puts them on every page, button or not, and twice, which is an error in the
    browser's console.
    """
    scripts = context["script_files"]
    scripts[:] = [
        script
        for script in scripts
        if "thebe" not in str(script.filename) + script.attributes.get("body", "").lower()
    ]


def setup(app):
    """Register the extension with Sphinx."""
    app.connect("config-inited", add_buttons)
    app.connect("html-page-context", drop_live_code)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
