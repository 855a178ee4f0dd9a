"""Which folder may import which: the lower never the upper."""

import ast

import pytest

from scripts.outputs import ROOT

# What a folder may import of the others.
BELOW = {
    "posenc": set(),
    "course": {"posenc"},
    "course/figures": {"posenc", "course/figures"},
    "course/widget": set(),
    "course/views": {"posenc", "course/widget", "course/views"},
    "course/questions": {"posenc", "course/widget", "course/questions"},
    "course/exercises": {"posenc", "course/exercises", "course/experiments"},
    "course/experiments": {"posenc", "course/experiments"},
}


def folder_of(parts):
    return "/".join(parts[:2]) if parts[0] == "course" and len(parts) > 2 else parts[0]


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
            if parts[0] in {"posenc", "course", "extensions", "scripts", "tests", "conformance"}:
                yield folder_of([*parts, ""] if parts[0] == "course" else parts)


@pytest.mark.parametrize(
    "path",
    sorted(path for top in ("posenc", "course") for path in (ROOT / top).rglob("*.py")),
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_a_folder_imports_only_what_is_below_it(path):
    own = folder_of(path.relative_to(ROOT).parts)
    allowed = BELOW[own] | {own}
    assert set(imported(path)) <= allowed
