"""What the search knows of a page, from trees of a few nodes."""

from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.parsers.rst import Parser
from docutils.utils import new_document
from sphinx import addnodes

from extensions import page as pages
from extensions import search_index
from extensions.contents import ROOT


def document(*children):
    found = new_document("page", get_default_settings(Parser))
    found.extend(children)
    return found


def section(title, *children, name=""):
    return nodes.section("", nodes.title("", title), *children, ids=[name])


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"\omega_i = n^{-2i/d}", "ω_i = n^(−2i/d)"),
        (r"\tfrac{1}{2} \pi", "1/2 π"),
        (r"\begin{pmatrix} 1 & 0 \\[2pt] 0 & 1 \end{pmatrix}", "1 0 0 1"),
        (r"\mathrm{softmax}(QK^\top)", "softmax(QK^⊤)"),
        (r"\sin a\cos b - P_{k,\,2i+1} \\[1ex]", "sin a cos b − P_(k, 2i+1)"),
        (r"\cos(2\pi\,k)\!\left(x\right)", "cos(2πk)(x)"),
        (r"\sin\theta\cos\theta", "sin θ cos θ"),
        (r"n^{2i/d_{\text{model}}}", "n^(2i/d_(model))"),
    ],
)
def test_a_formula_in_text(tex, text):
    assert search_index.formula_in_text(tex) == text


def test_a_description_ends_with_a_sentence_or_a_word():
    assert search_index.shortened("One. Two.") == "One. Two."
    assert search_index.shortened("A sentence of some length. " * 9, 60) == (
        "A sentence of some length. A sentence of some length."
    )
    cut = search_index.shortened("word " * 60, 50)
    assert len(cut) <= 50
    assert cut.endswith("word…")


def test_a_page_is_described_by_its_question_and_its_first_lines():
    lines = [("Why?", ["question"]), ("8 minutes", ["times"]), ("Because.", [])]
    page = document(*(nodes.paragraph("", words, classes=kinds) for words, kinds in lines))
    assert search_index.described(page) == ("Why?", "Why? Because.")


def test_what_a_reader_does_not_see_is_no_word_of_a_page():
    link = addnodes.pending_xref("", nodes.inline("", "thm-shift"), reftarget="thm-shift")
    source = addnodes.pending_xref("", nodes.inline("", "vaswani"), refdomain="cite")
    page = nodes.paragraph(
        "", "", nodes.Text("By "), link, nodes.Text(" ("), source, nodes.Text("), "),
        nodes.math("", r"\omega"), nodes.raw("", "<b>", format="html"), nodes.Text(" turns."),
    )  # fmt: skip
    assert search_index.words_of(page) == "By the theorem, ω turns."


@pytest.mark.parametrize(
    ("tags", "words"), [([], "Code with np_like, posenc.rope."), (["tag_hide-input"], "")]
)
def test_code_in_sight_gives_its_names(tags, words):
    code = nodes.literal_block("", "np_like = posenc.rope(np.ones(4))")
    cell = nodes.container("", nodes.container("", code), classes=["cell", *tags])
    assert search_index.words_of(cell).strip() == words


def test_each_row_of_a_table_is_a_sentence():
    def row(*cells):
        return nodes.row("", *(nodes.entry("", nodes.paragraph("", cell)) for cell in cells))

    table = nodes.tbody("", row("Model", "Base"), row("Llama", "It is 10 000."))
    assert " ".join(search_index.words_of(table).split()) == "Model Base. Llama It is 10 000."


def test_the_search_lists_sections_terms_and_questions():
    term = nodes.definition_list_item(
        "", nodes.term("", "pair", ids=["term-pair"]),
        nodes.definition("", nodes.paragraph("", "Two columns.")),
    )  # fmt: skip
    asked = nodes.paragraph("", "", nodes.strong("", "Why add?"), nodes.Text(" It is short."))
    asked["ids"], asked["classes"] = ["why-add"], ["asked-often"]
    glossary = nodes.definition_list("", term, classes=["glossary"])
    page = section("Page", nodes.paragraph("", "Text."), section("Part", glossary, asked, name="b"))
    assert list(search_index.search_entries(document(page))) == [
        ["", "Page", "Text.", ""],
        ["b", "Part", "", ""],
        ["term-pair", "pair", "Two columns.", "term"],
        ["why-add", "Why add?", "It is short.", "question"],
    ]


def test_a_question_has_an_address_even_after_an_empty_text():
    asked = nodes.paragraph("", nodes.Text(""), nodes.strong("", "Why add?"), nodes.Text(" So."))
    other = nodes.paragraph(
        "", "Some words, and ", nodes.strong("", "strong"), nodes.Text(" ones.")
    )
    path = str(ROOT / "book" / "questions.md")
    app = SimpleNamespace(env=SimpleNamespace(docname="", doc2path=lambda _: path))
    pages.mark_questions(app, document(section("Page", asked, other)))
    assert (asked["ids"], asked["classes"]) == (["why-add"], ["asked-often"])
    assert (other["ids"], other["classes"]) == ([], [])
