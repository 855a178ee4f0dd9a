"""A release has one version everywhere, and a section of the changelog that says what it brings."""

import re
import tomllib

import yaml

import posenc
import posenc_check
from extensions.contents import ROOT


def test_one_version_everywhere():
    folders = [ROOT, ROOT / "posenc_check", ROOT / "posenc_course"]
    projects = [tomllib.loads((folder / "pyproject.toml").read_text()) for folder in folders]
    versions = {project["project"]["version"] for project in projects}
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    changes = (ROOT / "CHANGELOG.md").read_text()
    newest = re.search(r"^## (\d\S+) \((\S+)\)$", changes, re.MULTILINE)
    assert versions == {posenc.__version__}
    assert posenc_check.__version__ == citation["version"] == newest[1] == posenc.__version__
    assert str(citation["date-released"]) == newest[2]
