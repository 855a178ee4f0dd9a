"""The settings with which Sphinx alone builds the book, as a conf.py.

    python -m scripts.newest FOLDER        (make book-newest, which then builds with them)

jupyter-book 1 holds Sphinx at an old version, and is needed for no page: these are the settings
that it makes of _config.yml, without its own.
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jupyter_book.config import get_final_config

from extensions.contents import ROOT

# Extensions of jupyter-book, and the settings that only these two know.
LEFT_OUT = {"jupyter_book", "sphinx_comments"}
THEIRS = {"comments_config", "latex_engine", "use_jupyterbook_latex"}
# Settings that name files: Sphinx looks for them beside conf.py.
NAMES_FILES = {"bibtex_bibfiles", "html_static_path"}


def settings(config: Mapping[str, Any], root: Path) -> dict[str, Any]:
    """Return Sphinx's settings by name, without those of jupyter-book; files lie below `root`."""
    kept = {name: value for name, value in config.items() if name not in THEIRS}
    kept["extensions"] = [name for name in kept["extensions"] if name not in LEFT_OUT]
    for name in NAMES_FILES & set(kept):
        kept[name] = [str(root / path) for path in kept[name]]
    return kept


def main(folder: str) -> None:
    """Write conf.py into a folder."""
    config, _ = get_final_config(
        user_yaml=ROOT / "_config.yml",
        sourcedir=ROOT,
        cli_config={"latex_individualpages": False},
    )
    lines = [f"{name} = {value!r}" for name, value in sorted(settings(config, ROOT).items())]
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    (target / "conf.py").write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
