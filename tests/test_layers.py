"""Which folders there are, and which may import which: the lower never the upper."""

import ast
import re
import subprocess

import pytest

from extensions.contents import ROOT

# What a folder may import of the others; "/" begins a folder of posenc_course.
BELOW = {
    "posenc": "",
    "posenc_course": "posenc /exercises",
    "posenc_course/figures": "posenc",
    "posenc_course/widget": "",
    "posenc_course/views": "posenc /widget /pasted",
    "posenc_course/questions": "posenc /widget /experiments",
    "posenc_course/exercises": "posenc /experiments",
    "posenc_course/experiments": "posenc",
    "posenc_course/exam": "posenc /experiments",
    # Sphinx imports the extensions; what people run may use them, and nothing uses what is run.
    "extensions": "posenc posenc_course /cells /figures /widget /views /questions /exam",
    "scripts": "posenc posenc_course /figures /views /experiments /exam extensions",
    "conformance": "posenc",
    "benchmarks": "posenc",
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


def folders_in_contributing():
    """The folders of the tree in CONTRIBUTING.md, as paths."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    tree = re.search(r"^## What is where\n\n```\n(.*?)^```", text, re.MULTILINE | re.DOTALL)[1]
    found, top = set(), ""
    for line in tree.splitlines():
        indent, name = re.match(r"( *)([\w-]+)/ ", line).groups()
        top = top if indent else name
        found.add(f"{top}/{name}" if indent else name)
    return found


def test_the_tree_in_contributing_names_every_folder_and_no_other():
    command = ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("no git, or no clone: which folders are the project's is not known")
    parents = {path.rpartition("/")[0] for path in listed.stdout.splitlines() if "/" in path}
    two = {"/".join(folder.split("/")[:depth]) for folder in parents for depth in (1, 2)}
    there = {folder for folder in two if not folder.startswith(".")}
    assert folders_in_contributing() == there
    assert sum("/" not in folder for folder in there) <= 9
