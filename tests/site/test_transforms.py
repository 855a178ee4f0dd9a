"""The transforms of a page, each on a tree of a few nodes: no page is built."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from bs4 import BeautifulSoup
from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.parsers.rst import Parser
from docutils.utils import new_document
from PIL import Image
from sphinx_exercise.nodes import exercise_enumerable_node, solution_node

from extensions import body, code_cells, widgets
from extensions.contents import widgets as widgets_of
from extensions.economy import OneDocument
from extensions.head import FirstWords
from extensions.spaces import NO_BREAK
from extensions.translator import element, exercise_code, opening
from posenc_course import questions, views

PAGE = "book/06_rotation"


def document(*children, **page):
    """A document of a page, as a builder of HTML holds it."""
    found = new_document("page", get_default_settings(Parser))
    builder = SimpleNamespace(
        name="html", format="html", get_target_uri=lambda name: f"{name}.html"
    )
    config = SimpleNamespace(language="en")
    page = {"question": "", "part": "", "number": "", "figures": "", "looks": (), **page}
    app = SimpleNamespace(builder=builder, book_pages={PAGE: page}, book_terms={}, config=config)
    found.settings.env = SimpleNamespace(app=app, _app=app, docname=PAGE, config=config)
    found.extend(children)
    return found


def apply(transform, tree):
    """Run a transform, and return the tree."""
    transform(tree).apply()
    return tree


def paragraph(*children, **attributes):
    return nodes.paragraph("", "", *(
        nodes.Text(child) if isinstance(child, str) else child for child in children
    ), **attributes)  # fmt: skip


def kinds(node):
    """The kinds of a node's children; an element of HTML is its tag."""
    return [child.get("tag") or child.tagname if isinstance(child, nodes.Element) else "#text"
            for child in node.children]  # fmt: skip


# ---------------------------------------------------------------------------- translations


def test_words_of_a_translated_message_belong_to_the_page():
    words = nodes.strong("", "turns")
    words.document = document()  # of the message
    page = apply(OneDocument, document(paragraph("A hand ", words)))
    assert all(node.document is page for node in page.findall())


# ---------------------------------------------------------------------------- header, figures


def test_the_header_holds_the_title_the_question_and_the_times():
    lines = [paragraph("Why?", classes=["question"]), paragraph("8 minutes", classes=["times"])]
    section = nodes.section("", nodes.title("", "Turns"), *lines, paragraph("Text."), ids=["turns"])
    tree = document(section, question="Why?", part="Part I", number="6")
    header = apply(body.Opening, tree)[0][0]
    assert isinstance(header, opening)
    assert header["ids"] == ["turns"]
    assert [part.astext() for part in header] == [
        "Part I · Chapter 6", "Turns", "Why?", "8 minutes",
    ]  # fmt: skip
    assert section[1].astext() == "Text."


def test_a_page_without_a_question_has_no_header():
    tree = document(nodes.section("", nodes.title("", "Notation"), ids=["notation"]))
    assert kinds(apply(body.Opening, tree)[0]) == ["title"]


def test_a_picture_becomes_its_two_twins(tmp_path):
    Image.fromarray(np.full((40, 60, 3), 255, np.uint8)).save(tmp_path / "drawn.png")
    tree = document(nodes.image(uri="drawn.png", alt="A plane."), nodes.image(uri="icon.svg"))
    tree.settings.env.app.srcdir, tree.settings.env.app.outdir = tmp_path, tmp_path / "html"
    (tmp_path / "html").mkdir()
    picture, icon = apply(body.Figures, tree).children
    assert picture.astext().count('src="../_images/') == 2
    assert picture.astext().count('alt="A plane."') == 2
    assert icon["uri"] == "icon.svg"


def test_figures_are_numbered_as_their_captions_stand():
    tree = document(*(paragraph(words, classes=["figure-caption"]) for words in "ab"), figures="6")
    assert [line.astext() for line in apply(body.FigureNumbers, tree)] == [
        "Figure 6.1 a", "Figure 6.2 b",
    ]  # fmt: skip
    for line, anchor in zip(tree.children, ["figure-6-1", "figure-6-2"], strict=True):
        assert line["ids"] == [anchor] == [line.next_node(nodes.reference)["refid"]]
    alone = document(paragraph("a", classes=["figure-caption"]))
    assert apply(body.FigureNumbers, alone).astext() == "Figure 1 a"


# ---------------------------------------------------------------------------- folds, words


def test_a_solution_is_a_fold_whose_line_has_no_link():
    link = nodes.reference("", " Exercise 6.1", refuri="#ex")
    title = nodes.title("", "", nodes.Text("Solution to"), link)
    tree = document(
        solution_node("", title, paragraph("It is 3."), classes=["solution", "dropdown"])
    )
    (fold,) = apply(body.Dropdowns, tree).children
    assert (fold["tag"], fold["classes"]) == ("details", ["admonition", "solution", "dropdown"])
    assert kinds(fold) == ["summary", "paragraph"]
    assert fold[0].astext() == "Solution to Exercise 6.1"
    assert not list(fold.findall(nodes.reference))


def test_the_arrow_of_a_fold_is_left_out():
    arrow = nodes.inline("", ">", classes=["sd-summary-state-marker"])
    tree = document(paragraph(nodes.inline("", "Why", classes=["sd-summary-text"]), arrow))
    assert apply(body.Markers, tree).astext() == "Why"


def test_what_comes_next_and_a_proof_begin_with_a_word():
    tree = document(
        paragraph("RoPE.", classes=["next"]), paragraph("Add.", classes=["begins-proof"])
    )
    following, proof = apply(FirstWords, tree).children
    assert (kinds(following)[0], following.astext()) == ("strong", "Next: RoPE.")
    assert (kinds(proof)[0], proof.astext()) == ("emphasis", "Proof. Add.")


# ---------------------------------------------------------------------------- where lines end


def test_a_formula_keeps_the_mark_that_closes_it():
    first, second = nodes.math("", "x < 1"), nodes.math("", "y")
    tree = document(paragraph("if ", first, "), then", second, ")"))
    line = apply(body.Formulas, tree)[0]
    assert kinds(line) == ["#text", "inline", "#text", "inline", "#text"]
    assert [part.astext() for part in line] == ["if ", "x < 1),", " then", "y)", ""]


def test_a_long_formula_may_be_broken():
    short, long = (
        nodes.math("", "x < 1"),
        nodes.math("", "a + b + c + d + e + f + g + h + i + j + k + l = 8"),
    )
    apply(body.Formulas, document(paragraph(short, " and ", long, " hold")))
    assert (short["classes"], long["classes"]) == (["closed"], [])


def test_numbers_are_kept_in_prose_alone():
    tree = document(paragraph("10 000 and ", nodes.literal("", "10 000")), nodes.raw("", "10 000"))
    line, raw = apply(body.Numbers, tree).children
    assert line[0].astext() == f"10{NO_BREAK}000 and "
    assert line[1].astext() == raw.astext() == "10 000"


def test_a_long_name_in_a_table_may_be_broken_and_short_code_may_not():
    entry = nodes.entry("", paragraph(nodes.literal("", "rope_theta")))
    name = nodes.entry("", paragraph("transformers/modeling_rope"))
    code = nodes.literal("", "rope_theta")
    tree = apply(body.Names, document(entry, name, paragraph(code)))
    pieces = [[part.astext() for part in piece[0].children] for piece in (entry[0], name)]
    assert pieces == [["rope_", "<wbr>", "theta"],
                      ["transformers/", "<wbr>", "modeling_", "<wbr>", "rope"]]  # fmt: skip
    assert code["classes"] == ["short"]
    assert tree.astext().endswith("rope_theta")


# ---------------------------------------------------------------------------- tables, terms, ids


def table(heads, rows):
    """A table of words."""

    def row(cells):
        return nodes.row("", *(nodes.entry("", paragraph(cell)) for cell in cells))

    group = nodes.tgroup("", cols=len(heads))
    group += [nodes.thead("", row(heads)), nodes.tbody("", *map(row, rows))]
    return nodes.table("", group)


def test_a_table_scrolls_in_a_box_and_an_empty_head_is_no_heading():
    box = apply(body.Tables, document(table(["", "d"], [["a", "4"]])))[0]
    assert (box["tag"], box["classes"]) == ("div", ["wide"])
    assert kinds(box[0][0][0][0]) == ["td", "entry"]


def test_a_long_table_has_a_field_and_as_cards_each_cell_has_its_head():
    rows = [[f"claim {at}", "true", ""] for at in range(body.LONG_TABLE)]
    tree = document(table(["Claim", "Verdict", "Why"], rows), looks=("card-tables",))
    field, box = apply(body.Tables, tree).children
    assert f"<output>{body.LONG_TABLE}</output>" in field.astext()
    assert box["classes"] == ["wide", "cards", "long"]
    cells = [cell.get("html") for cell in body.cells_in(box, nodes.tbody)[:3]]
    assert cells == [None, {"data-head": "Verdict"}, None]


def test_a_row_of_two_lines_is_counted_once():
    rows = [[f"model {at // 2}", "halves"] for at in range(2 * body.LONG_TABLE)]
    tree = document(table(["Model", "Pairs"], rows))
    for line in list(tree.findall(nodes.row))[2::2]:
        line["classes"].append("below")
    field, _ = apply(body.Tables, tree).children
    assert f"<output>{body.LONG_TABLE}</output>" in field.astext()


def test_a_term_brings_its_meaning_once():
    links = [nodes.reference("", "pair", refuri="glossary.html#term-pair") for _ in "ab"]
    tree = document(paragraph(*links))
    tree.settings.env.app.book_terms = {"term-pair": ("pair", "Two columns.")}
    apply(body.Terms, tree)
    assert [link["html"] for link in links] == [{"data-term": "about-term-pair"}] * 2
    _, meaning = tree.children
    assert meaning.astext() == "pair: Two columns."
    assert meaning["ids"] == ["about-term-pair"]


def test_an_id_stands_once_and_not_inside_a_box():
    box = nodes.admonition("", nodes.section("", ids=["proof-content"]), ids=["thm"])
    tree = document(nodes.section("", box, paragraph("a", ids=["thm", "also"]), ids=["part"]))
    apply(body.Ids, tree)
    assert [node["ids"] for node in tree.findall(nodes.Element) if node["ids"]] == [
        ["part"], ["thm"], ["also"],
    ]  # fmt: skip


# ---------------------------------------------------------------------------- cells


def cell(code, *outputs, tags=(), **attributes):
    """A code cell, as myst-nb reads it."""
    source = nodes.container("", nodes.literal_block("", code, language="python"))
    source["nb_element"] = "cell_code_source"
    found = nodes.container("", source, nb_element="cell_code", classes=["cell"], **attributes)
    found["classes"] += [f"tag_{tag}" for tag in tags]
    if outputs:
        found += nodes.container("", *outputs, nb_element="cell_code_output")
    return found


def printed(words):
    return nodes.literal_block("", words, classes=["output", "stream"])


FOLDED = {"hide_mode": "input", "prompt_show": "The drawing", "prompt_hide": "Hide it"}


@pytest.mark.parametrize(
    ("outputs", "mode", "tags", "classes"),
    [
        (["a figure"], "input", [], ["plumbing", "made"]),
        (["a figure"], "input", ["to-be-read"], ["made"]),
        ([], "input", [], ["plumbing", "workings"]),
        (["a figure"], "all", [], ["plumbing", "workings"]),
        ([], "input", ["to-be-read"], []),
    ],
)
def test_code_is_folded_below_what_it_makes_or_behind_the_switch(outputs, mode, tags, classes):
    folded = cell("draw()", *map(printed, outputs), tags=tags, **{**FOLDED, "hide_mode": mode})
    tree = apply(code_cells.Folds, document(folded))
    fold = folded[-1]
    assert (fold["tag"], fold["classes"]) == ("details", ["admonition", "hide", *classes])
    assert tree.get("workings", False) is ("workings" in classes)
    assert (len(folded) == 2) is ("made" in classes)
    if "made" in classes:
        assert fold[0]["html"] == {"aria-label": "The drawing", "title": "The drawing"}
    else:
        assert [line.astext() for line in fold[0]] == ["The drawing", "Hide it"]


def test_a_moving_figure_is_in_one_box_with_the_text_below_it():
    def figure(**options):
        return cell("show()", nodes.raw("", views.TwoArrows().html(), format="html"), **options)

    long = "A figure is seen while its text is read. " * 20
    section = nodes.section(
        "",
        *(paragraph("Before."), figure(), paragraph("Look."), cell("2 + 2"), paragraph(long)),
        *(
            figure(),
            paragraph("A short text."),
            cell("draw()", nodes.image(uri="drawn.png")),
            paragraph("It stands still."),
        ),
        *(figure(tags=["wide"]), paragraph(long), figure(), nodes.admonition()),
    )
    tree = apply(code_cells.FiguresWithWords, document(section))
    (box,) = tree.findall(element)
    assert box["classes"] == ["figure-with-words"]
    assert kinds(box) == ["container", "paragraph", "container", "paragraph"]
    alone = ["container", "paragraph"] * 3
    assert kinds(section) == ["paragraph", "div", *alone, "container", "admonition"]


def test_a_picture_waits_for_the_question_before_it():
    asked = nodes.raw("", questions.ask("rotation-1").html(), format="html")
    waits = cell("draw()", printed("a figure"), tags=["tells-the-answer"], **FOLDED)
    tree = document(asked, waits)
    apply(code_cells.Folds, tree)
    (fold,) = apply(code_cells.Waiting, tree)[1].children
    assert (fold["classes"], fold["html"]) == (["told"], {"data-after": "rotation-1"})
    assert kinds(fold) == ["summary", "container", "details"]


CHECK = '\n\n\ncheck("ex-rotation-turn", turn)'


def test_cells_that_print_run_where_they_stand(tmp_path, monkeypatch):
    tree = document(
        cell("import numpy as np\nprint(1)", printed("1"), cell_index=1),
        exercise_enumerable_node("", ids=["ex-rotation-turn"]),
        cell(f"turn = ...{CHECK}", printed("not answered yet"), cell_index=2),
        cell("import matplotlib\nprint(2)", printed("2"), cell_index=3),
    )
    env = tree.settings.env
    env.doc2path = lambda _name: str(tmp_path / "06_rotation.ipynb")
    env.toc_fignumbers = {PAGE: {"exercise": {"ex-rotation-turn": (6, 2)}}}
    env.config.numfig_format = {"exercise": "Exercise %s"}
    env.app.outdir = tmp_path
    sources = [one[0].astext() for one in tree.children if isinstance(one, nodes.container)]
    cells = [SimpleNamespace(cell_type="markdown")]
    cells += [
        SimpleNamespace(cell_type="code", source=s, id=f"id{n}") for n, s in enumerate(sources)
    ]
    monkeypatch.setattr(code_cells, "read", lambda _path: SimpleNamespace(cells=cells))
    first, _, exercise, drawing = apply(code_cells.Cells, tree).children
    assert first["html"] == {"data-cell": "0", "data-id": "id0"}
    assert "Change and run" in first[0].astext()
    assert exercise["html"] == {
        "data-cell": "1", "data-id": "id1", "data-label": "ex-rotation-turn",
        "data-answer": "turn", "data-name": "Exercise 6.2",
    }  # fmt: skip
    code = exercise.next_node(exercise_code)
    assert (code.astext(), code["check"]) == ("turn = ...", CHECK.strip())
    assert "html" not in drawing
    assert tree["cells"] == "_static/cells/06_rotation.json"
    assert Path(tmp_path, tree["cells"]).read_text(encoding="utf-8").startswith('["import numpy')


def test_a_cell_is_copied_with_what_it_needs_of_the_cells_before_it(tmp_path, monkeypatch):
    sources = ["import math\nprint(math.pi)", "d = 4", f"turn = d{CHECK}", "print(math.e)"]
    tree = document(*(cell(source, cell_index=at + 1) for at, source in enumerate(sources)))
    tree.settings.env.doc2path = lambda _name: str(tmp_path / "06_rotation.ipynb")
    stored = [SimpleNamespace(cell_type="markdown", source="Words.")]
    stored += [SimpleNamespace(cell_type="code", source=source) for source in sources]
    monkeypatch.setattr(code_cells, "read", lambda _path: SimpleNamespace(cells=stored))
    found = [one.get("html") for one in apply(code_cells.Needs, tree).children]
    assert found == [None, None, {"data-needs": '"d = 4"'}, {"data-needs": '"import math"'}]


def test_a_solution_is_copied_with_the_import_of_its_check(tmp_path, monkeypatch):
    sources = ["from posenc_course.exercises import check", f"turn = 4{CHECK}"]
    exercise, answer = (cell(sources[1], cell_index=1) for _ in range(2))
    tree = document(exercise, solution_node("", answer))
    tree.settings.env.doc2path = lambda _name: str(tmp_path / "06_rotation.ipynb")
    stored = [SimpleNamespace(cell_type="code", source=source) for source in sources]
    monkeypatch.setattr(code_cells, "read", lambda _path: SimpleNamespace(cells=stored))
    apply(code_cells.Needs, tree)
    assert "html" not in exercise  # its check is no part of what is copied
    assert answer["html"] == {"data-needs": f'"{sources[0]}"'}


def test_sentences_are_told_from_other_output():
    sentences = f"RoPE: halves.\n{'It turns by the number of the head. ' * 3}"
    right, waits, free, long = map(
        printed, ("ex-rotation-turn: Right.", "not answered yet", "Right.", sentences)
    )
    solution = solution_node("", cell(f"turn = 3{CHECK}", right))
    exercise = cell(f"turn = ...{CHECK}", waits)
    others = cell("print('Right.')", free), cell("print(report)", long)
    apply(code_cells.Verdicts, document(exercise, solution, *others))
    assert right["classes"][2:] == ["verdict"]
    assert waits["classes"][2:] == ["unanswered"]
    assert free["classes"][2:] == []
    assert long["classes"][2:] == ["verdict"]


# ---------------------------------------------------------------------------- widgets


def test_widgets_have_their_files_and_a_moving_figure_its_still(tmp_path):
    shown = [views.TwoArrows().html(), questions.ask("rotation-1").html()]
    tree = document(*(nodes.raw("", html, format="html") for html in shown))
    tree.settings.env.app.outdir = tmp_path
    apply(widgets.Widgets, tree)
    names = [Path(name).name.partition("_")[0] for name in tree["scripts"]]
    assert {"question"} < set(names)
    assert all(Path(tmp_path, name).is_file() for name in tree["scripts"] + tree["styles"])
    assert "<noscript>" in tree[0].astext()
    assert 'src="../_static/views/two_arrows' in tree[0].astext()
    assert "posenc-run" not in tree[0].astext() + tree[1].astext()
    assert [(one.view, one.question) for node in tree for one in widgets_of(node.astext())] == [
        ("TwoArrows", ""), ("", "rotation-1"),
    ]  # fmt: skip


def test_numbers_are_kept_in_the_texts_of_a_question_alone():
    data = {"text": "10 000 rows", "hints": [["10 000", 3]], "key": 1}
    assert widgets.numbers_kept_in(data) == {
        "text": f"10{NO_BREAK}000 rows", "hints": [[f"10{NO_BREAK}000", 3]], "key": 1,
    }  # fmt: skip


def test_a_table_of_a_question_scrolls_in_a_box():
    soup = BeautifulSoup("<table><tr><th></th><th>d</th></tr></table>", "html.parser")
    widgets.tables_in_boxes(soup)
    assert str(soup) == ('<div class="wide"><table><tr><td></td><th>d</th></tr></table></div>')
