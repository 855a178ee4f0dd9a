"""Which folders there are, and which may import which: the lower never the upper."""

import ast
import re

import pytest

from extensions.contents import ROOT

# What a folder may import of the others; "/" begins a folder of posenc_course.
BELOW = {
    "posenc": "",
    "posenc_check": "posenc",
    "posenc_course": "posenc /exercises /words",
    "posenc_course/figures": "posenc",
    "posenc_course/words": "",
    "posenc_course/widget": "",
    "posenc_course/views": "posenc posenc_check /widget",
    "posenc_course/questions": "posenc posenc_check /widget /words /experiments",
    "posenc_course/exercises": "posenc /words /experiments",
    "posenc_course/experiments": "posenc",
    "posenc_course/exam": "posenc /experiments",
    # Sphinx imports the extensions; what people run may use them, and nothing uses what is run.
    "extensions": "posenc posenc_course /cells /figures /widget /words /views /questions /exam",
    "scripts": "posenc posenc_course /figures /widget /views /experiments /exam extensions",
    "conformance": "posenc posenc_check",
    "benchmarks": "posenc posenc_check",
}
FOLDERS = {folder.split("/")[0] for folder in BELOW} | {"tests"}


def folder_of(parts):
    return "/".join(parts[:2]) if parts[0] == "posenc_course" and len(parts) > 2 else parts[0]


def imported(path):
    """The folders of ours that a file imports from, at its top or inside a function."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] in FOLDERS:
                yield folder_of([*parts, ""] if parts[0] == "posenc_course" else parts)


FILES = {}
for top in FOLDERS - {"tests"}:
    for path in (ROOT / top).rglob("*.py"):
        FILES.setdefault(folder_of(path.relative_to(ROOT).parts), []).append(path)


@pytest.mark.parametrize("folder", sorted(FILES))
def test_a_folder_imports_only_what_is_below_it(folder):
    allowed = {folder, *BELOW[folder].replace(" /", " posenc_course/").split()}
    taken = {(path.name, name) for path in FILES[folder] for name in imported(path)}
    assert {(file, name) for file, name in taken if name not in allowed} == set()


def test_contributing_names_every_folder_with_code():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for folder in FILES:
        assert re.search(rf"^ *{folder.rpartition('/')[2]}/ ", text, re.MULTILINE), folder
