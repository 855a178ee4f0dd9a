"""The pages of another language, rule by rule, on catalogs and pages of a few words."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.parsers.rst import Parser
from docutils.utils import new_document

from extensions import languages
from extensions.translatable import Formulas, Translated, formula_has_words
from posenc_course import words as course_words

CATALOG = """\
msgid ""
msgstr "Content-Type: text/plain; charset=utf-8\\nPlural-Forms: nplurals=1; plural=0;\\n"

msgid "Turn"
msgstr "转动"

msgid "Hand"
msgstr ""

#, fuzzy
msgid "Row"
msgstr "行"

msgctxt "figure"
msgid "Turn"
msgstr "转"

msgid "{count} row"
msgid_plural "{count} rows"
msgstr[0] "{count} 行"
"""


@pytest.fixture
def locale(tmp_path, monkeypatch):
    """A folder of catalogs, of which three have words."""
    folder = tmp_path / "zh_CN" / "LC_MESSAGES"
    (folder / "book").mkdir(parents=True)
    for name in ("sphinx", "exercises", "book/06_rotation"):
        (folder / f"{name}.po").write_text(CATALOG, encoding="utf-8")
    monkeypatch.setattr(languages, "LOCALE", tmp_path)
    languages.words.cache_clear()
    yield tmp_path
    languages.words.cache_clear()
    course_words.use({})


def build(language, out="html", builder="html"):
    """What a build in a language has for an extension."""
    return SimpleNamespace(
        config=SimpleNamespace(language=language),
        builder=SimpleNamespace(name=builder),
        outdir=str(out),
        page_words="words.js",
        exercise_words="exercises.json",
    )


@pytest.mark.usefixtures("locale")
def test_catalogs_have_the_names_of_their_pages():
    assert list(languages.catalogs("zh_CN")) == ["book/06_rotation", "exercises", "sphinx"]


@pytest.mark.usefixtures("locale")
def test_words_are_those_that_are_translated_and_as_their_english_is_now():
    assert languages.words("zh_CN", "sphinx") == {"Turn": "转动", "{count} row": "{count} 行"}
    assert languages.words("zh_CN", "sphinx", "figure") == {"Turn": "转"}
    assert languages.words("zh_CN", "none-such") == {}


@pytest.mark.parametrize(
    ("language", "folder", "site", "up"),
    [("en", "", "html", ""), ("zh_CN", "zh", "html", "../")],
)
def test_where_the_pages_of_a_language_are(language, folder, site, up):
    app = build(language, Path("html", folder))
    assert languages.folder_of(app) == folder
    assert languages.site_of(app) == Path(site)
    assert languages.way_up(app) == up


@pytest.mark.parametrize(
    ("language", "page", "notebook"),
    [
        ("en", "book/06_rotation", "book/06_rotation"),
        ("zh_CN", "book/06_rotation", "book/zh/06_rotation"),
        ("zh_CN", "book/12_port", "book/12_port"),
    ],
)
def test_a_page_that_is_translated_hands_out_its_own_notebook(language, page, notebook):
    assert languages.notebook_of(build(language), page) == notebook


def test_files_are_those_of_the_site_and_pages_those_of_the_language():
    context = {"pathto": lambda uri, resource=False: f"../{uri}{'!' if resource else ''}"}
    languages.share_files(build("zh_CN"), "book/12_port", "", context, None)
    assert context["pathto"]("_static/book.css", resource=True) == "../../_static/book.css!"
    assert context["pathto"]("book/index") == "../book/index"
    assert context["notebook"] == "book/12_port"


def test_a_page_knows_its_address_in_each_language():
    context = {"content_root": "../"}
    languages.offer_languages(build("zh_CN"), "book/12_port", "", context, None)
    assert context["language_tag"] == "zh-CN"
    assert context["folder"] == "zh/"
    assert context["site_root"] == "../../"
    assert context["alternates"] == [
        ("en", "book/12_port.html"), ("zh-CN", "zh/book/12_port.html")
    ]  # fmt: skip
    assert context["other_languages"] == [("en", "English", "../../book/12_port.html")]
    assert context["page_words"] == "words.js"

    languages.offer_languages(build("en"), "book/12_port", "", context, None)
    assert context["folder"] == ""
    assert context["other_languages"] == [("zh-CN", "中文", "../zh/book/12_port.html")]


@pytest.mark.usefixtures("locale")
def test_scripts_find_their_words_in_files_that_are_named_by_what_they_hold(tmp_path):
    app = build("zh_CN", tmp_path / "html" / "zh")
    languages.use_words(app)
    assert course_words._("Turn") == "转动"
    text = (tmp_path / "html" / app.page_words).read_text(encoding="utf-8")
    found = json.loads(text.removeprefix("window.bookWords=").rstrip(";\n"))
    assert found == {"Turn": "转动", "{count} row": "{count} 行"}
    assert app.page_words.startswith("_static/zh/words_")
    assert json.loads((tmp_path / "html" / app.exercise_words).read_text("utf-8")) == found
    assert languages.stored(tmp_path / "html", "_static/zh/words.js", text) == app.page_words
    assert languages.stored(tmp_path / "html", "_static/zh/words.js", text + " ") != app.page_words

    languages.use_words(app := build("en", tmp_path / "html"))
    assert course_words._("Turn") == "Turn"
    assert (app.page_words, app.exercise_words) == ("", "")


def test_a_language_leaves_to_the_site_what_all_languages_share(tmp_path):
    for folder, kept in (("html", True), ("html/zh", False)):
        out = tmp_path / folder
        (out / "_static").mkdir(parents=True)
        app = build("en" if kept else "zh_CN", out)
        languages.tidy(app, "an error")
        assert (out / "_static").exists()
        languages.tidy(app, None)
        assert (out / "_static").exists() is kept


# ---------------------------------------------------------------------------- what is in English


def document(*children, page="book/06_rotation", language="zh_CN"):
    """A page that Sphinx has translated, as far as it could."""
    found = new_document("page", get_default_settings(Parser))
    app = build(language)
    found.settings.env = SimpleNamespace(
        app=app, _app=app, docname=page, config=app.config, _builder=app.builder
    )
    found.append(nodes.section("", nodes.title("Turns", "Turns"), *children, ids=["turns"]))
    return found


def part(shown, translated):
    """A paragraph, which Sphinx has translated or left in English."""
    return nodes.paragraph("A hand" if translated else shown, shown, translated=translated)


def marks(tree):
    """The language of each part of a page that is marked, with its classes."""
    return [(node.astext(), node["html"]["lang"], node["classes"])
            for node in tree.findall(nodes.TextElement) if node.get("html")]  # fmt: skip


def test_a_paragraph_without_a_translation_is_marked_as_english():
    tree = document(part("有", True), part("A hand", False), part("1 + 1", False))
    languages.InEnglish(tree).apply()
    assert marks(tree) == [("A hand", "en", ["in-english"])]


@pytest.mark.parametrize(
    ("page", "parts"),
    [
        ("book/12_port", [part("问", True), part("A hand", False)]),
        ("book/06_rotation", [part("有", True), *(part("A hand", False) for _ in range(3))]),
    ],
)
def test_a_page_that_is_in_english_says_so_once(page, parts):
    tree = document(*parts, page=page)
    languages.InEnglish(tree).apply()
    assert {(language, *classes) for _, language, classes in marks(tree)} == {("en",)}
    assert tree[0][1]["classes"] == ["page-in-english"]


def test_an_english_page_has_no_marks():
    tree = document(part("A hand", False), language="en")
    languages.InEnglish(tree).apply()
    assert marks(tree) == []


# ---------------------------------------------------------------------------- formulas


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        (r"\text{new } x", True),
        (r"\frac{\sin k}{2}", False),
        (r"n = \text{rope\_theta}", False),
        (r"\text{L} + 1", False),
    ],
)
def test_a_formula_has_words(formula, words):
    assert formula_has_words(formula) is words


def test_a_formula_with_words_is_a_message_and_the_others_are_none():
    new, plain = r"\text{new } x", r"\frac{1}{2}"
    tree = document(
        nodes.math_block("", f"\n{new}\n", label="new"),
        nodes.math_block("", plain),
        part("有", True),
    )
    Formulas(tree).apply()
    formula, other = tree[0].children[1:3]
    assert formula.extract_original_messages() == [new]
    assert other["translatable"] is False
    formula.preserve_original_messages()
    formula.apply_translated_message(new, r"\text{新的 } x")
    Translated(tree).apply()
    languages.InEnglish(tree).apply()
    shown = tree[0].children[1]
    assert type(shown) is nodes.math_block
    assert shown.astext() == r"\text{新的 } x"
    assert shown["label"] == "new"
    assert marks(tree) == []


def test_a_formula_without_a_translation_keeps_its_words_and_is_marked():
    tree = document(part("有", True), nodes.math_block("", r"\text{new } x"))
    Formulas(tree).apply()
    formula = tree[0].children[2]
    formula.preserve_original_messages()
    formula["translated"] = False  # as Sphinx does
    Translated(tree).apply()
    languages.InEnglish(tree).apply()
    assert marks(tree) == [(r"\text{new } x", "en", ["in-english"])]
