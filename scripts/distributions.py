"""Build the three distributions, and run their examples where nothing else is installed.

    python -m scripts.distributions        (make dist)

Each is installed twice in an empty environment, as a wheel and as an sdist, with those that it
needs; then the examples of its docstrings run there.
"""

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from extensions.contents import ROOT

# Its folder, its package, and the distributions that it needs of this repository.
DISTRIBUTIONS = {
    "posenc": (ROOT, []),
    "posenc_check": (ROOT / "posenc_check", ["posenc"]),
    "posenc_course": (ROOT / "posenc_course", ["posenc", "posenc_check"]),
}
BUILT = ROOT / "dist"


def run(*command: str | Path, folder: Path = ROOT) -> None:
    """Run a command in a folder; one that fails ends this script with its exit status."""
    finished = subprocess.run([str(part) for part in command], cwd=folder, check=False)
    if finished.returncode:
        raise SystemExit(finished.returncode)


def build() -> None:
    """Write the wheel and the sdist of each distribution into ``dist``."""
    for old in BUILT.glob("posenc*"):
        old.unlink()
    for folder, _ in DISTRIBUTIONS.values():
        run(sys.executable, "-m", "hatchling", "build", "-d", BUILT, folder=folder)


def try_out(name: str, ending: str, place: Path) -> None:
    """Install a distribution in an empty environment, from its wheel or sdist; run its examples."""
    venv.create(place, with_pip=True)
    python = place / "bin" / "python"
    files = [next(BUILT.glob(f"{one}-*{ending}")) for one in [*DISTRIBUTIONS[name][1], name]]
    run(python, "-m", "pip", "install", "--quiet", *files, "pytest")
    print(f"{name}, from {files[-1].name}")
    options = ["-q", "--doctest-modules", "-o", "doctest_optionflags=NORMALIZE_WHITESPACE NUMBER"]
    run(python, "-m", "pytest", *options, "--pyargs", name, folder=place)


if __name__ == "__main__":
    build()
    for each in DISTRIBUTIONS:
        for kind in (".whl", ".tar.gz"):
            # Away from the sources, so that what was installed is imported.
            with tempfile.TemporaryDirectory() as elsewhere:
                try_out(each, kind, Path(elsewhere))
