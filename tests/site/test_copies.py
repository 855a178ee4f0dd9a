"""The notebooks that readers open: plain Markdown, links that lead somewhere, cells that run."""

import ast
import base64
import contextlib
import io
import re
from functools import cache
from urllib.parse import unquote

import matplotlib as mpl
import nbformat
import pytest
from PIL import Image

from extensions import copies
from extensions.contents import chapters
from posenc_course.cells import bring

STEMS = sorted(copies.notebooks())
copied = cache(copies.copied)
NAMED = re.compile(r"# (.+): from (?:the folded cell “.+”|folded cells above)\n")
LINK = re.compile(r"\]\(((?!https?:)[^)]+)\)")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    there = tmp_path_factory.mktemp("lab")
    assert copies.write(there) == []
    return there


def texts(stem):
    cells = copied(stem).cells
    return [cell.source for cell in cells if cell.cell_type == "markdown"]


@cache
def headings(stem):
    return {title.replace(" ", "-") for text in texts(stem)
            for title in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}  # fmt: skip


@pytest.mark.parametrize("stem", STEMS)
def test_no_role_directive_or_label_is_left(stem):
    for text in texts(stem):
        assert not re.search(r"\{[\w:-]+\}`|^[`:]{3,}\{|^:{3,}$|^\([\w-]+\)=$", text, re.MULTILINE)


@pytest.mark.parametrize("stem", STEMS)
def test_every_link_leads_to_a_file_and_a_heading_that_are_there(stem, folder):
    for target in LINK.findall("\n".join(texts(stem))):
        name, _, heading = target.partition("#")
        path = folder / (name or f"{stem}.ipynb")
        assert path.is_file(), target
        assert not heading or unquote(heading) in headings(path.stem), target


@pytest.mark.parametrize("stem", STEMS)
def test_running_all_leaves_what_a_reader_wrote(stem):
    """No cell after an exercise makes the name that its check reads."""
    asked = set()
    for cell in copied(stem).cells:
        if cell.cell_type != "code":
            continue
        for node in ast.parse(cell.source).body:
            made = {getattr(node, "name", None)} | {
                one.id for one in ast.walk(node)
                if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
            }  # fmt: skip
            assert not made & asked, cell.source
        asked |= set(re.findall(r'^check\("ex-[\w-]+", (\w+)\)', cell.source, re.MULTILINE))


@pytest.mark.parametrize("stem", [path.stem for path in chapters()])
def test_a_cell_in_sight_runs_after_those_in_sight_and_what_it_names(stem):
    mpl.use("Agg")
    before, space = [], {}
    for cell in copied(stem).cells:
        if cell.cell_type != "code":
            continue
        if "jupyter" not in cell.metadata:
            named, folded = NAMED.match(cell.source), {}
            names = re.split(", | and ", named[1]) if named else ()
            with contextlib.redirect_stdout(io.StringIO()):
                exec(bring("\n".join(names), before), folded)
                space |= {name: folded[name] for name in names}
                exec(compile(cell.source, stem, "exec"), space)
        before.append(cell.source)


@pytest.mark.parametrize("stem", STEMS)
def test_pictures_have_their_width_and_figures_that_wait_a_picture(stem):
    for cell in copied(stem).cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if png := data.get("image/png"):
                picture = Image.open(io.BytesIO(base64.b64decode(png)))
                assert output.metadata["image/png"]["width"] == picture.width / 2
            if "data-view" in data.get("text/html", "") and "TableInspector" not in str(data):
                assert '<img src="data:image/svg+xml;base64,' in data["text/html"]


def test_what_shows_a_folded_cell_is_its_name():
    folded = [
        c for c in copied("07_binary").cells if "source_hidden" in c.metadata.get("jupyter", {})
    ]
    assert folded
    for cell in folded:
        assert re.match(r"# [A-Z][^@]*\n", cell.source)


def test_what_a_reader_wrote_is_kept(folder):
    for stem, code in [("06_rotation", "mine = 1"), ("07_binary", None)]:
        path = folder / f"{stem}.ipynb"
        notebook = nbformat.read(path, as_version=4)
        notebook.metadata.language_info.version = "3.13.0"  # as saving alone does
        if code:
            notebook.cells.append(nbformat.v4.new_code_cell(code))
        nbformat.write(notebook, path)
    assert copies.write(folder) == ["06_rotation.ipynb"]
    assert "mine = 1" in (folder / "06_rotation.ipynb").read_text(encoding="utf-8")


@pytest.mark.parametrize("address", ["", "https://github.com/someone/book"])
def test_the_first_cell_installs_what_is_there(address, monkeypatch):
    """Each folder that pip is given has a project, and is packed into the archive."""
    monkeypatch.setattr(copies, "repository_of", lambda _: address)
    cell = copies.first_cell()
    (command,) = re.findall(r"^# %pip install (.+)$", cell, re.MULTILINE)
    named = [
        re.sub(r"git\+https:[^ #]+(#subdirectory=)?", "./x/", part) for part in command.split()
    ]
    folders = [part.removeprefix("./").partition("/")[2] for part in named]
    assert folders == ["", "posenc_check", "posenc_course"]
    assert all((copies.ROOT / folder / "pyproject.toml").is_file() for folder in folders)
    if not address:
        makefile = (copies.ROOT / "Makefile").read_text(encoding="utf-8")
        packed = re.search(r"^TO_RUN := (.+?[^\\])$", makefile, re.MULTILINE | re.DOTALL)[1].split()
        assert {"Makefile", "pyproject.toml", *folders[1:]} <= set(packed)
        (archive,) = re.findall(r'ZipFile\("(.+)\.zip"\)', cell)
        assert all(part.startswith(f"./{archive}") for part in command.split())
        assert f"--prefix={archive}/ --output=build/{archive}.zip" in makefile
