"""The stored comparison with other libraries: complete, explained, and of the versions it names."""

import json
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
RESULT = json.loads((ROOT / "book/_static/conformance.json").read_text(encoding="utf-8"))


def test_every_difference_has_a_reason():
    assert len(RESULT["rows"]) >= 80
    assert [row["code"] for row in RESULT["rows"] if not row["reason"]] == []
    # A wrong layout, base or position costs a thousandth at the very least.
    near = [row for row in RESULT["rows"] if "position 13" not in row["code"]]
    assert max(row["difference"] for row in near) < 4e-3


def test_versions_are_those_that_are_pinned():
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]
    pins = [*groups["torch"], *groups["conformance"][1:], *groups["conformance-alone"]]
    pinned = dict(pin.split("==") for pin in pins)
    for name, version in RESULT["versions"].items():
        assert pinned[name] == version, name


def test_every_table_and_function_that_was_named_is_named_rightly():
    for row in RESULT["rows"]:
        if "named" in row:
            assert row["named"].startswith(("Sinusoidal", "RoPE: ")), row
            assert ("halves" in row["named"]) == ("halves" in row["posenc"] + row["code"]), row
