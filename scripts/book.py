"""Build the book in all its languages, at the same time.

    python -m scripts.book [--all] [--quiet]        (make book, make test-book)

jupyter-book builds the English pages, and `extensions.languages` those of each other language. What
these say is shown after what the English build says. A warning fails.
"""

import subprocess
import sys
from pathlib import Path

from extensions.contents import ROOT
from extensions.languages import OTHERS

STRICT = ["-W", "-n", "--keep-going"]


def main(options: list[str]) -> int:
    """Build the book; return what a process returns, 0 where all went well."""
    others = {}
    for language in OTHERS:
        command = [sys.executable, "-m", "extensions.languages", language, *STRICT, *options]
        others[language] = subprocess.Popen(
            command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
    jupyter_book = Path(sys.executable).with_name("jupyter-book")
    failed = subprocess.call([jupyter_book, "build", ".", *STRICT, *options], cwd=ROOT)
    for language, process in others.items():
        said, _ = process.communicate()
        print(
            f"\nThe pages in {language}:\n{said}" if said else f"\nThe pages in {language}: built"
        )
        failed = failed or process.returncode
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
