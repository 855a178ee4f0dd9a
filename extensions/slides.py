"""Sphinx extension: decks of slides, made from the chapters.

A file of ``book/slides`` names the slides of a deck in their order, what the teacher says to them,
and the question that is asked; what a slide shows is a piece of a notebook (``Source``). The decks
are written below ``slides/`` of the built book, with reveal.js from the package sphinx-revealjs.
The page for teachers lists them where it has ``{slide-decks}``.
"""

import ast
import base64
import html
import importlib.util
import re
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
import yaml
from bs4 import BeautifulSoup
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer
from sphinx.application import Sphinx

from extensions import contents, widgets
from extensions.cards import card_of
from extensions.facts import facts_of
from extensions.figure_twins import kept_figures, store
from extensions.generated import directive
from extensions.katex_math import typeset
from extensions.languages import folder_of
from extensions.spaces import numbers_kept
from posenc_course import views

DECKS = contents.ROOT / "book" / "slides"
FOLDER = "slides"  # of the built book
REVEAL = ["dist/reveal.css", "dist/reveal.js", "plugin/notes/notes.js", "LICENSE"]
LINES = 16  # on a slide, of code and what it prints, where the code can be parted
FEWEST = 3  # lines of code on the first of two slides; fewer are not worth a slide

# In a chapter's Markdown: a role and its words, a box with its title and label, a table with its
# label, and a displayed formula, which may have a label.
ROLE = re.compile(r"\{[\w:-]+\}`([^`<]*?)(?:\s*<[^`>]*>)?`")
DIRECTIVE = re.compile(r"^(`{3,})\{[\w:-]+\} (?P<title>[^\n]+)\n:label: (?P<label>\S+)\n\n?"
                       r"(?P<text>.*?)^\1$", re.MULTILINE | re.DOTALL)  # fmt: skip
TABLE = re.compile(r"^\((?P<label>[\w-]+)\)=\n(?P<table>(?:\|.+\|\n?)+)", re.MULTILINE)
EQUATION = re.compile(r"\$\$\n(?P<tex>.*?)\n\$\$(?: \((?P<label>[\w-]+)\))?", re.DOTALL)
ASIDE = re.compile(r" \(([A-Z][^()]*(?:\([^()]*\)[^()]*)*\.)\)")  # sentences in brackets
# The beginning of a card: its label, its heading and its question in bold.
CARD_HEAD = re.compile(r"\A\([\w-]+\)=\n## [^\n]+\n+\*\*.+?\*\*\s*(?P<rest>.*)", re.DOTALL)


# ---------------------------------------------------------------------------- pieces as HTML


@cache
def markdown_parser() -> MarkdownIt:
    """Return the parser that makes HTML of a chapter's Markdown: tables, formulas, curly quotes."""
    # The rule "smartquotes" does nothing without the option "typographer".
    parser = MarkdownIt("commonmark", {"typographer": True}).enable(["table", "smartquotes"])
    # Of text, and not of code: there spaces stay as they are.
    parser.add_render_rule("text", numbers_kept_in_text)
    return parser.use(
        dollarmath_plugin,
        renderer=lambda tex, options: typeset(tex, display=options["display_mode"]),
    )


def numbers_kept_in_text(_renderer, tokens, index, _options, _env) -> str:
    """Return as HTML the text of ``tokens[index]``, in which no line ends within a number.

    The arguments are those that markdown-it gives to a rule of rendering.
    """
    return html.escape(numbers_kept(tokens[index].content), quote=False)  # in no attribute


def rendered(text: str) -> str:
    """Return a piece of a chapter's Markdown as HTML; of a role, as a reference, the words stay."""
    return markdown_parser().render(ROLE.sub(r"\1", text))


def inline(text: str) -> str:
    """Return a line of a chapter's Markdown as HTML, as `rendered` does, but without a ``p``."""
    return markdown_parser().renderInline(ROLE.sub(r"\1", text))


def parted(source: str, printed_lines: int) -> list[str]:
    """Return [code] for one slide, or two parts of it, where it and its output are too long.

    It is parted at an empty line between statements. The second part has as much of the code as
    fits above the lines that it prints. Code without such a line is not parted.
    """
    source = re.sub(r"\n{3,}", "\n\n", source)  # one empty line is enough on a slide
    lines = source.splitlines()
    starts = [node.lineno - 1 for node in ast.parse(source).body]  # lines of statements, from 0
    places = [at for at in starts if at and not lines[at - 1]]  # after an empty line
    if len(lines) + printed_lines <= LINES or not places:
        return [source]

    def longer(at: int) -> int:
        """Return the lines of the longer of the two slides that a part at this line makes."""
        return max(at, len(lines) - at + printed_lines)

    def has_enough(at: int) -> bool:
        """Return whether the first of the two slides has code enough, not counting empty lines."""
        return sum(line != "" for line in lines[:at]) >= FEWEST

    fitting = [at for at in places if has_enough(at) and longer(at) <= LINES]
    # The first place leaves the most code beside the output. Where none fits, the longer slide is
    # as short as it can be.
    at = min(fitting) if fitting else min(places, key=longer)
    return ["\n".join(lines[:at]).rstrip(), "\n".join(lines[at:])]


class Source:
    """A notebook, and the pieces of it that a slide shows.

    A piece is found by its label, key, kind or function, never by its place or its words. Each
    method that `KINDS` names returns a list with the HTML of one slide or more; it raises a
    `LookupError`, which names the pieces there are, where the chapter does not have the one asked.
    """

    def __init__(self, path: Path):
        """Read the notebook in a file, with its label, its title, its cells and its words."""
        self.path, self.name = path, path.stem
        self.notebook = contents.read(path)
        self.label, self.title = contents.title(self.notebook)
        self.cells = self.notebook.cells
        self.text = "\n\n".join(c.source for c in self.cells if c.cell_type == "markdown")

    def piece(self, what: str, name: str, all_of: dict[str, Any]) -> Any:
        """Return ``all_of[name]``, or raise a LookupError that lists the names there are.

        `what` says in the message what sort of piece it is, as "table".
        """
        if name not in all_of:
            there = ", ".join(map(str, all_of))
            raise LookupError(f"{self.name} has no {what} {name!r}; it has {there or 'none'}")
        return all_of[name]

    @staticmethod
    def ask(words: str) -> list[str]:
        """Return [HTML] of a slide with what the teacher asks aloud, in large letters."""
        return [f'<h2 class="big">{inline(words)}</h2>']

    @staticmethod
    def points(lines: list[str]) -> list[str]:
        """Return [HTML] of a slide with lines of Markdown below one another, as a numbered list."""
        return [f'<ol class="points">{"".join(f"<li>{inline(one)}</li>" for one in lines)}</ol>']

    def card(self, part: str) -> list[str]:
        """Return the HTML of the slides with a part of the chapter's card, one or for code two.

        A part is "answer", "answer alone" (without its conditions), "picture", "formula" or "code".
        """
        cells = card_of(self.notebook)
        words = [cell.source for cell in cells if cell.cell_type == "markdown"]
        head = CARD_HEAD.match(words[0])  # label, title, and the question in bold
        take_home = next(c for c in cells if "take-home" in c.metadata.tags)  # the card's code
        # A card has two cells of code; the other one draws its picture.
        picture = next(c for c in cells if c.cell_type == "code" and c is not take_home)
        answer = head["rest"].partition("\n\n")[0]  # the first paragraph below the question
        # The card states its conditions in brackets; a slide sets them smaller, below the answer.
        asides = "".join(f'<p class="aside">{inline(one)}</p>' for one in ASIDE.findall(answer))
        alone = ASIDE.sub("", answer)
        if alone.endswith(":"):  # what a colon announces is on a slide of its own
            alone = alone[:-1] + "."
        alone = f'<p class="answer">{inline(alone)}</p>'
        parts = {
            "answer": [alone + asides],
            "answer alone": [alone],
            "picture": [self.picture(picture)],
            "formula": [self.displayed(EQUATION.search("\n\n".join(words))["tex"])],
            "code": self.listing(take_home),
        }
        return self.piece("part of a card", part, parts)

    @staticmethod
    def displayed(tex: str) -> str:
        """Return the HTML of a formula on a line of its own, from its TeX."""
        return f'<div class="formula">{typeset(tex, display=True)}</div>'

    @staticmethod
    def picture(cell: nbformat.NotebookNode) -> str:
        """Return the ``img`` of a cell's picture; `write_deck` makes a file of its ``data-png``."""
        alt = html.escape(cell.metadata["mystnb"]["image"]["alt"])
        return f'<img class="figure" data-png="{contents.picture(cell)}" alt="{alt}">'

    @staticmethod
    def listing(cell: nbformat.NotebookNode) -> list[str]:
        """Return the HTML of one slide or two: a cell's code, and below it what the cell prints."""
        output = contents.printed(cell).rstrip()
        parts = parted(cell.source, len(output.splitlines()))
        coloured = (highlight(part, PythonLexer(), HtmlFormatter()) for part in parts)
        slides = [f'<div class="code">{part}</div>' for part in coloured]
        # With a tabindex an output that is wider than the slide can be scrolled by the keyboard.
        slides[-1] += f'<pre class="printed" tabindex="0">{html.escape(output)}</pre>'
        return slides

    def figure(self, name: str) -> list[str]:
        """Return [HTML] of a slide with the first figure that a function, called `name`, draws.

        Raise LookupError if no figure of the chapter is drawn by it.
        """
        cells = {}  # by the functions that a cell with a picture calls, at the beginning of a line
        for cell in self.cells:
            if contents.picture(cell):
                for function in re.findall(r"^(\w+)\(", cell.source, re.MULTILINE):
                    cells.setdefault(function, cell)
        return [self.picture(self.piece("figure by", name, cells))]

    @property
    def moving(self) -> dict[str, dict[str, Any]]:
        """{class: settings} of the chapter's moving figures, each as it first stands there."""
        figures = {}
        for widget in contents.stored_widgets(self.notebook):
            if widget.view:  # and no question
                # The arguments of the class, which makes the suggestion itself.
                settings = {key: each for key, each in widget.state.items() if key != "_suggestion"}
                figures.setdefault(widget.view, settings)
        return figures

    def view(self, name: str) -> list[str]:
        """Return [HTML] of a slide with the moving figure of a class, as it first stands there."""
        return [getattr(views, name)(**self.piece("moving figure", name, self.moving)).html()]

    def table(self, label: str) -> list[str]:
        """Return [HTML] of a slide with the table that has a label."""
        tables = {match["label"]: match["table"] for match in TABLE.finditer(self.text)}
        return [rendered(self.piece("table", label, tables))]

    def equation(self, label: str) -> list[str]:
        """Return [HTML] of a slide with the displayed formula that has a label."""
        # Under None is the last of those without one, which nobody asks for.
        equations = {match["label"]: match["tex"] for match in EQUATION.finditer(self.text)}
        return [self.displayed(self.piece("equation", label, equations))]

    def theorem(self, label: str) -> list[str]:
        """Return [HTML] of a slide with a theorem: its title, and its first displayed formula."""
        theorems = {match["label"]: match for match in DIRECTIVE.finditer(self.text)}
        theorem = self.piece("theorem", label, theorems)
        if not (formula := EQUATION.search(theorem["text"])):
            raise LookupError(f"the theorem {label} has no displayed formula")
        tex = formula["tex"]
        return [f"<h2>{inline(theorem['title'])}</h2>{self.displayed(tex)}"]

    def code(self, function: str) -> list[str]:
        """Return the HTML of one slide or two: code in sight with a name, and what it prints.

        It is the first cell that begins a line with the name, which it defines, sets or calls.
        """
        cells = {}
        for cell in self.cells:
            folded = contents.FOLDED & set(cell.metadata.get("tags", []))
            if cell.cell_type == "code" and not folded:
                for name in re.findall(r"^(?:def )?(\w+)(?: =|\()", cell.source, re.MULTILINE):
                    cells.setdefault(name, cell)
        return self.listing(self.piece("shown code with", function, cells))

    def question(self, key: str) -> list[str]:
        """Return the HTML of two slides: a question as it is asked, and its answer with the reason.

        `key` is that of the question, as "rotation-3".
        """
        states = {state["key"]: state for state in contents.questions(self.notebook)}
        state = self.piece("question", key, states)
        words = f'<p class="asked">{inline(state["text"])}</p>'
        if state["kind"] == "choice":
            options = [f"<li>{inline(option)}</li>" for option in state["options"]]
            words += f'<ol class="options">{"".join(options)}</ol>'
            # The answer is a list of places among the options, as more than one may be right.
            shown = " · ".join(state["options"][at] for at in state["answer"])
        else:
            shown = state["shown"]
            if not isinstance(shown, str):  # the rows of a table to fill in
                shown = "; ".join(", ".join(row) for row in shown)
        answer = (
            f'<p class="where">The answer</p><p class="shown">{inline(shown)}</p>'
            f'<p class="because">{inline(state["because"])}</p>'
        )
        return [words, answer]


# ---------------------------------------------------------------------------- a deck

KINDS = ("ask", "points", "card", "figure", "view", "table", "equation", "theorem", "code",
         "question")  # fmt: skip


class Deck:
    """The slides of one file of book/slides, each as the HTML of a ``section``."""

    def __init__(self, path: Path):
        """Read a file of slides, and make them from the notebook of its name, or of ``from``."""
        self.name = path.stem
        self.data = yaml.safe_load(path.read_text(encoding="utf-8"))
        name = self.data.get("from", self.name)
        self.source = Source(contents.ROOT / "book" / f"{name}.ipynb")
        self.title = self.data.get("title", self.source.title)
        self.question = facts_of(self.source.path).question
        self.slides = [self.opening()]
        for entry in self.data["slides"]:
            self.slides += self.slides_of(entry)

    def opening(self) -> str:
        """Return the HTML of the first slide: the chapter, its title and its question."""
        number = re.match(r"\d\d(?=_)", self.source.name)  # the page on attention has none
        where = f"Chapter {int(number[0])}" if number else "Before chapter 1"
        words = (
            f'<p class="where">{where}</p><h1>{inline(self.title)}</h1>'
            f'<p class="big">{inline(self.question)}</p>'
        )
        return self.section("first", words, self.data.get("note", ""))

    def slides_of(self, entry: dict[str, Any]) -> list[str]:
        """Return the HTML of the slides of an entry of the file, as many as its piece needs.

        An entry has one of `KINDS`, and may have ``note``, ``answer``, ``title``, ``width`` and
        ``look``.
        """
        (kind,) = set(entry) & set(KINDS)  # the name of a method of `Source`
        value, note = entry[kind], entry.get("note", "")
        pieces = getattr(self.source, kind)(value)
        if kind == "view":  # a slide does not show what there is to try: the teacher says it
            note = f"{note}\n\n*{getattr(views, value)().suggestion()}*"
        title = f"<h2>{inline(entry['title'])}</h2>" if "title" in entry else ""
        # slides.css has this variable for the width of a moving figure.
        style = f' style="--stage: {entry["width"]}px"' if "width" in entry else ""
        classes = f"card {value}" if kind == "card" else kind
        classes = f"{classes} {entry.get('look', '')}".strip()
        # The first slide has the note. A slide that follows has the note on the answer to a
        # question, or where there is none the same note.
        notes = [note] + [entry.get("answer", note)] * (len(pieces) - 1)
        return [
            self.section(classes, title + piece, text, style)
            for piece, text in zip(pieces, notes, strict=True)
        ]

    def section(self, classes: str, words: str, note: str, style: str = "") -> str:
        """Return the HTML of a slide with its words, its foot and its note for the teacher.

        `words` is HTML, `note` Markdown; `style` is the attribute of that name, or "".
        """
        foot = f"Where Words Stand · {inline(self.title)} · CC BY 4.0"
        return (
            f'<section><div class="slide {classes}"{style}><div class="body">{words}</div>'
            f'<p class="source">{foot}</p></div>'
            f'<aside class="notes">{rendered(note)}</aside></section>'
        )


def decks() -> list[Deck]:
    """Return the decks of all files of `DECKS`, in the order of their names."""
    return [Deck(path) for path in sorted(DECKS.glob("*.yml"))]


PAGE = """<!DOCTYPE html>
<html lang="en" data-theme="light">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}: slides · Where Words Stand</title>
<meta name="description" content="{question}">
<link rel="icon" href="../_static/favicon.svg" type="image/svg+xml">
{styles}
</head>
<body>
<main><div class="reveal"><div class="slides">
{slides}
</div></div></main>
{scripts}
</body>
</html>
"""


def write_deck(deck: Deck, out: Path) -> None:
    """Write a deck as a page ``slides/NAME.html`` of the built book, which lies in `out`.

    Its pictures, and what its moving figures need, are written where those of pages are.
    """
    folder = out / FOLDER
    soup = BeautifulSoup("\n".join(deck.slides), "html.parser")
    for image in soup.select("img[data-png]"):
        png = base64.b64decode(image.attrs.pop("data-png"))
        # The slides are light in every theme (see `PAGE`): the dark twin is not shown.
        light, _dark, size = store(png, out / "_images", kept_figures(out))
        image["src"] = f"../_images/{light}"
        image["width"], image["height"] = map(str, size)
    # A deck runs on scripts, so what stands for a moving figure without one is never seen.
    for words in soup.select(".posenc > *"):
        words.decompose()
    sheets, scripts = widgets.files(widgets.widgets_in(soup), out)
    # The last sheet overrules those before it, and the last script starts what these define.
    sheets = [f"{FOLDER}/reveal.css", "_static/katex/katex.min.css", "_static/book.css", *sheets]
    sheets.append("_static/slides.css")
    scripts = [f"{FOLDER}/reveal.js", f"{FOLDER}/notes.js", *scripts, "_static/slides.js"]
    page = PAGE.format(
        title=html.escape(deck.title),
        question=html.escape(deck.question),
        slides=str(soup),
        styles="\n".join(f'<link rel="stylesheet" href="../{sheet}">' for sheet in sheets),
        scripts="\n".join(f'<script src="../{script}"></script>' for script in scripts),
    )
    (folder / f"{deck.name}.html").write_text(page, encoding="utf-8")


def write_all(out: Path) -> None:
    """Write all decks, and the files of reveal.js that they load, into the book built in `out`."""
    (out / FOLDER).mkdir(exist_ok=True)
    # The package has reveal.js among its files. It is not imported: no code of it runs here.
    package = importlib.util.find_spec("sphinx_revealjs").submodule_search_locations[0]
    for name in REVEAL:
        shutil.copyfile(Path(package, "_static", "revealjs", name), out / FOLDER / Path(name).name)
    for deck in decks():
        write_deck(deck, out)


def write(app: Sphinx, exception: Exception | None) -> None:
    """Write the decks once the pages are built as HTML in English; decks are not translated."""
    if not exception and app.builder.name == "html" and not folder_of(app):
        write_all(Path(app.outdir))


def deck_table() -> str:
    """Return a table in Markdown, a line for each deck: title, question, number of slides, links.

    The second link leads to the slides as reveal.js prints them.
    """
    lines = ["| Deck | It asks | Slides | On paper |", "|---|---|---|---|"]
    for deck in decks():
        address = f"../{FOLDER}/{deck.name}.html"
        cells = [f'<a href="{address}">{deck.title}</a>', deck.question, str(len(deck.slides))]
        cells.append(f'<a href="{address}?print-pdf">to print</a>')
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def setup(app: Sphinx) -> None:
    """Add the directive ``{slide-decks}``, and have the decks written after the pages."""
    # The page that lists the decks is read again where one of their files has changed.
    files = sorted(DECKS.glob("*.yml"))
    app.add_directive("slide-decks", directive(deck_table, sources=files))
    app.connect("build-finished", write)
