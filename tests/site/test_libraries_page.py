"""The pages of libraries and ports show every row that was measured, once; their code runs."""

import re

import numpy as np
import pytest
from docutils import nodes

from conformance.changes import probe
from extensions import libraries
from extensions.contents import ROOT

PAGE = (ROOT / "book/17_libraries.md").read_text(encoding="utf-8")
PORT = (ROOT / "book/12_port.md").read_text(encoding="utf-8")  # which shows the conversions
MEASURED = libraries.result()
TABLES = [
    tuple(name.split(", "))
    for name in re.findall(r"^```\{libraries\} (.+)$", PAGE + PORT, re.MULTILINE)
]
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_every_row_is_on_the_page_once():
    shown = [row["code"] for name in TABLES for row in libraries.rows_of(MEASURED, *name)]
    assert len(TABLES) == len(set(TABLES))
    assert len(shown) == len(MEASURED["rows"])
    assert sorted(shown) == sorted(row["code"] for row in MEASURED["rows"])


@pytest.mark.parametrize("name", TABLES, ids=" ".join)
def test_cells_are_those_of_the_file(name):
    rows = libraries.rows_of(MEASURED, *name)
    table = libraries.table(rows, name[1])
    heading, *lines = [[cell.astext() for cell in row] for row in table.findall(nodes.row)]
    shown, below = lines[::2], lines[1::2]
    assert len(shown) == len(rows)
    assert below == [[row["posenc"]] for row in rows]
    for found, row in zip(shown, rows, strict=True):
        by_name = dict(zip(heading, found, strict=True))
        assert by_name["In the library"] == row["code"]
        assert float(by_name["Difference"]) == row["difference"]
        for key, text in libraries.HEADINGS[name[1]].items():
            stored = row.get(key, "")
            if key == "reason":  # "none" is stored for what only the last digits of a float64 tell
                stored = "rounding" if stored == "none" else stored
                stored = stored if row["difference"] else "there is none"
            assert by_name.get(text, "") == stored


def test_each_model_folder_is_named_once_for_text_and_once_for_images():
    groups = libraries.pairings(MEASURED).split("\n\n")
    for group, folders in zip(groups, sorted(MEASURED["layouts"].values(), key=len), strict=True):
        text, _, images = group.partition(" In their code for images, ")
        for part, of_part in (
            (text, [name for name in folders if "," not in name]),
            (images, [name.removesuffix(", images") for name in folders if "," in name]),
        ):
            assert re.findall(r"`(.+?)`", part) == of_part
            assert not of_part or f"{len(of_part)}: `" in part


NAMES = next(block for block in BLOCKS if "def bucket_of" in block)
OF_THE_FILE = {"converted", "state", "to_neighbours", "to_halves"}  # downloads/convert_qk.py


@pytest.mark.parametrize("row", MEASURED["rows"], ids=lambda row: row["code"])
def test_the_line_below_a_row_runs_after_the_block_of_names(row):
    code = compile(row["posenc"], "line", "eval")
    if row["kind"] == "conversion":
        assert set(code.co_names) <= OF_THE_FILE
        return
    columns = re.fullmatch(r"\d+ of (\d+)", row.get("columns", ""))
    width = columns[1] if columns else "64"
    names = {}
    exec(NAMES.replace("n, d = 24, 64", f"n, d = 24, {width}"), names)
    found = eval(code, names)
    for numbers in found if isinstance(found, tuple) else (found,):
        assert np.isfinite(numbers).all()


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_blocks_run_as_they_stand(number, capsys):
    exec(compile(BLOCKS[number], "block", "exec"), {})
    if "print(" in BLOCKS[number]:
        assert "first position 2" in capsys.readouterr().out


def test_blocks_for_whoever_ports_print_what_stands_under_them(capsys):
    blocks = re.findall(r"^```python\n([^`]*)^```\n\n```none\n([^`]*)^```$", PORT, re.MULTILINE)
    assert len(blocks) == PORT.count("```none") > 0
    names = {}
    for code, printed in blocks:
        exec(compile(code, "block", "exec"), names)
        assert " ".join(capsys.readouterr().out.split()) == " ".join(printed.split())


ONE_LIST = {"rope_parameters": {"rope_theta": 1e4}, "head_dim": 128}
USUAL_KINDS = {"layer_types": ["sliding_attention", "full_attention"]}


@pytest.mark.parametrize(
    ("model_type", "entries", "kinds"),
    [
        ("cohere2", ONE_LIST | USUAL_KINDS, ["None"]),
        (
            "qwen3_5_text",
            ONE_LIST | {"layer_types": ["linear_attention", "full_attention"]},
            ["None"],
        ),
        ("muse_glimmer_text", ONE_LIST | USUAL_KINDS | {"layer_rope_theta": [1e4, 0]}, ["None"]),
        (
            "lfm3",
            {"rope_parameters": {name: {"rope_theta": 1e4} for name in USUAL_KINDS["layer_types"]}}
            | {"head_dim": 128, "layer_types": ["conv", "full_attention", "sliding_attention"]},
            ["sliding_attention", "full_attention"],
        ),
        (
            "deepseek_v4",
            {"rope_parameters": {"main": {"rope_theta": 1e4}, "compress": {"rope_theta": 1.6e5}}}
            | {"qk_rope_head_dim": 64, "layer_types": ["heavily_compressed_attention"]},
            ["main", "compress"],
        ),
    ],
)
def test_the_loop_over_layers_runs_where_some_do_not_turn(model_type, entries, kinds, capsys):
    """Each has the entries of its class's defaults in transformers 5.24.0 that say which turn."""
    (code,) = (block for block in re.findall(r"^```python\n([^`]*)^```$", PORT, re.MULTILINE)
               if "in kinds_of_layers(" in block)  # fmt: skip
    loop = re.sub(r"^config = \{.*?^\}", "", code, flags=re.MULTILINE | re.DOTALL)
    exec(loop, {"config": entries | {"model_type": model_type}})
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines] == kinds
    assert ("full_attention" in lines[0]) == (model_type == "cohere2")


def test_all_that_changed_between_releases_is_on_the_page():
    text = libraries.changes_text(libraries.changes())
    rows = libraries.changes()["changes"]
    assert {row["library"] for row in rows} >= {"transformers", "diffusers", "timm"}
    for row in rows:
        for part in (row["functions"], row["lists"]):
            names = (*part["new"], *part["gone"], *part["changed"])
            assert all(f"`{name}`" in text for name in names)
    assert "without `output_type='np'`, with `output_type='pt'`" in text  # of Diffusers' tables
    assert "`models.naflexvit.NaFlexRopeIterator`: its arguments in another order" in text
    assert not re.search(r"`: [;.]", text)


def test_what_an_upgrade_moves_is_told_of_all_lists():
    moved = {}
    for row in libraries.changes()["changes"]:
        moved |= row["lists"]["changed"]
    text = libraries.moved_lists_text(libraries.changes())
    assert all(f"`{name}` (5." in text for name in moved)
    assert not any(name.startswith("llama") for name in moved)  # the sentence says so


def test_a_class_that_gets_its_arguments_from_another_is_not_gone(tmp_path):
    """In timm 1.0.31 RotaryEmbeddingCat has no __init__ of its own, but that of its base."""
    package = tmp_path / "timm"
    package.mkdir()
    (package / "base.py").write_text("class Base:\n    def __init__(self, dim, max_res=224): ...\n")
    (package / "rope.py").write_text(
        "class RotaryCat(base.Base): ...\n"
        "class RotaryMixed(RotaryCat): ...\n"
        "class RotaryOutside(nn.Module): ...\n"
        "def apply_rope(x, half=False): ...\n"
    )
    assert probe("timm", tmp_path)["functions"] == {
        "rope.RotaryCat": "dim, max_res=224",
        "rope.RotaryMixed": "dim, max_res=224",
        "rope.RotaryOutside": "...",
        "rope.apply_rope": "x, half=False",
    }
