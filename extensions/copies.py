"""The chapters as notebooks for JupyterLab, the browser and others: copies in plain Markdown.

    python -m extensions.copies FOLDER

A page of the book reads roles and directives; a notebook's host shows them as they stand. In a
copy a reference is a link to the notebook that it names, or its words; a theorem, a note or an
exercise is a box or a heading; a proof and a hint are folded. A solution is folded too, as text:
*Run All* leaves what a reader wrote. What the page folds is folded, under the same name, and a
cell in sight says which names come from a folded one.

A copy that a reader has changed is never overwritten.
"""

import ast
import base64
import hashlib
import json
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import nbformat

from extensions.contents import FOLDED, ROOT, printed, read, widgets
from extensions.facts import CARD, HURRY, NEXT, PROOF, TIME, facts_of, times
from extensions.repository_links import repository_of
from posenc_course import views
from posenc_course.cells import statements_of
from posenc_course.words import N_

try:
    from extensions import stills
except ImportError:  # what Binder installs runs the notebooks, and draws no stills
    stills = None

BOOK = ROOT / "book"
AUTHORS_NAMED = 2  # more are the first "et al."
# In Markdown: a label, a role with its words and target or its target alone, the line that begins a
# box, an option of the box, the end of a labelled formula, and the marks round a solution.
LABEL = re.compile(r"^\(([\w:.-]+)\)=\n", re.MULTILINE)
ROLE = re.compile(r"\{([\w:-]+)\}`(?:([^`<]*?)\s*<([^`>]*)>|([^`]*))`")
BOX = re.compile(r"^(`{3,}|:{3,})\{([\w:-]+)\} ?(.*)$")
OPTION = re.compile(r":([\w-]+): (.*)")
EQUATION = re.compile(r"^\$\$ \(([\w-]+)\)$", re.MULTILINE)
SOLUTION = re.compile(r"^```\{solution-(start|end)\}.*\n(?::.*\n)*```\n*", re.MULTILINE)
# All that has a name: a label, a labelled formula, a box with its kind and label, a heading.
NAMED = re.compile(rf"{LABEL.pattern}|{EQUATION.pattern}|^```\{{(.+)\}}.*\n:label: (.+)$|^#+ (.+)$",
                   re.MULTILINE)  # fmt: skip
# In references.bib: an entry with its key, and a field of it.
ENTRY = re.compile(r"^@\w+\{(\S+),\n(.*?)^\}", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"^ +(\w+) += \{(.*)\},$", re.MULTILINE)
# What is numbered, as a page calls it: boxes, and formulas, which are numbers in brackets alone.
KINDS = {"exercise": N_("Exercise"), "prf:theorem": N_("Theorem"), "": ""}
CHECK = re.compile(r'^check\("(ex-[\w-]+)"', re.MULTILINE)


# ---------------------------------------------------------------------------- what a name names


class Here(NamedTuple):
    """The notebook that a copy is made of, by its name, and the language of the copy."""

    stem: str
    language: str = "en"

    def word(self, text: str) -> str:
        """Return an English word that the book puts around an author's words, in this language."""
        # Sphinx's own catalog has those words; other catalogs have the words of one page each.
        return translations(self.language, "sphinx").get(text, text)


class Target(NamedTuple):
    """What a label stands for."""

    page: str  # the name of its file, without ending
    heading: str  # the one above it, or its own
    words: str  # of a link to it: the heading of a section, "Exercise 6.2", or "(6.1)" of a formula


class Source(NamedTuple):
    """A source that a chapter cites."""

    authors: str
    year: str  # "n.d." for none
    address: str  # "" for none


# Binder has no Sphinx, and the archive of notebooks not the files imported below. Both make copies
# in English alone, so these files are imported only where another language is asked for.


def translations(language: str, name: str) -> Mapping[str, str]:
    """Return the translations of a catalog by their English messages; {} for English itself."""
    if language == "en":
        return {}
    from extensions.languages import words  # here alone: it needs Sphinx

    return words(language, name)


def is_copied(stem: str, language: str) -> bool:
    """Tell whether a notebook is handed out in a language: all are in English, some in others."""
    if language == "en":
        return True
    from extensions.languages import TRANSLATED_WHOLE  # here alone: it needs Sphinx

    return f"book/{stem}" in TRANSLATED_WHOLE


@cache
def notebooks(language: str = "en") -> dict[str, nbformat.NotebookNode]:
    """Return each notebook by its name, with its Markdown and its widgets' words in a language."""
    by_name = {path.stem: read(path) for path in sorted(BOOK.glob("*.ipynb"))}
    if language != "en":
        for stem, notebook in by_name.items():
            translate(notebook, translations(language, f"book/{stem}"))
    return by_name


def translate(notebook: nbformat.NotebookNode, words: Mapping[str, str]) -> None:
    """Translate the Markdown and the widgets of a notebook; without a translation they stay."""
    # Here alone: these need Sphinx.
    from extensions.translatable import translated_html
    from extensions.translated_markdown import translated_markdown

    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = translated_markdown(cell.source, words)
        for output in cell.get("outputs", []):
            data = output.get("data", {})  # what is printed has none
            html = data.get("text/html", "")
            if widgets(html):
                data["text/html"] = translated_html(html, lambda text: words.get(text, text))


@cache
def targets(language: str = "en") -> dict[str, Target]:
    """Return what each label of the book stands for, by label, with words in a language."""
    by_label = {}
    texts = {path.stem: path.read_text(encoding="utf-8") for path in BOOK.glob("*.md")}
    for stem, notebook in notebooks(language).items():
        texts[stem] = "\n\n".join(c.source for c in notebook.cells if c.cell_type == "markdown")
    for stem, text in texts.items():
        chapter = re.match(r"0*(\d+|[A-Z]\d*)_", stem)  # 6 of 06_rotation, F7 of F7_codes
        counts: Counter[str] = Counter()  # of exercises, of theorems, of formulas so far
        heading = ""  # the last one
        labels_above: list[str] = []  # those above the next heading, which they name
        for label, equation, kind, box_label, title in NAMED.findall(text):
            if label:
                labels_above.append(label)
            elif title:
                heading = title
                by_label |= dict.fromkeys(labels_above, Target(stem, heading, heading))
                labels_above = []
            else:  # a box, or a formula, whose kind is ""
                counts[kind] += 1
                # As Sphinx numbers them; a page may be no chapter.
                number = f"{chapter[1]}.{counts[kind]}" if chapter else str(counts[kind])
                kind_in_words = Here(stem, language).word(KINDS[kind])
                words = f"{kind_in_words} {number}" if kind_in_words else f"({number})"
                by_label[equation or box_label] = Target(stem, heading, words)
    return by_label


@cache
def sources() -> dict[str, Source]:
    """Return each source that references.bib has, by its key."""
    by_key = {}
    for key, text in ENTRY.findall((BOOK / "references.bib").read_text(encoding="utf-8")):
        field = dict(FIELD.findall(text))
        # A family name comes first, before a comma; the name of an institution is in braces.
        names = [
            name.strip("{}") if name.startswith("{") else name.partition(",")[0]
            for name in field["author"].split(" and ")
        ]
        authors = f"{names[0]} *et al.*" if len(names) > AUTHORS_NAMED else " and ".join(names)
        # All eprints of the book are on arXiv. An address that the entry states comes first.
        arxiv = f"https://arxiv.org/abs/{field['eprint']}" if "eprint" in field else ""
        by_key[key] = Source(authors, field.get("year", "n.d."), field.get("url", arxiv))
    return by_key


# ---------------------------------------------------------------------------- Markdown


def link(words: str, address: str) -> str:
    """Return a link to an address, or its words alone where the address is empty."""
    return f"[{words}]({address})" if address else words


def address(label: str, here: Here) -> str:
    """Return the address at which the copy of `here` finds a label; "" if no copy has it."""
    stem, heading, _ = targets(here.language)[label]
    if stem not in notebooks():
        return ""  # a page in Markdown, which is not copied
    # Hosts, as JupyterLab, make the anchor of a heading from its letters. Those of a heading with a
    # formula, with code or with a role differ from host to host: the link leads to the notebook.
    anchor = "" if set("$`{") & set(heading) else "#" + quote(heading.replace(" ", "-"))
    if stem == here.stem:
        return anchor
    # The copies of another language lie in a folder of their own, below the English ones. What is
    # not translated is there in English alone.
    folder = "" if is_copied(stem, here.language) else "../"
    return f"{folder}{stem}.ipynb{anchor}"


def role(match: re.Match, here: Here) -> str:
    """Return the plain Markdown for a role that `ROLE` found: a link, or words alone."""
    # `text` stands where a role has no target in angle brackets: {ref}`label`, {term}`position`.
    kind, words, target, text = match.groups()
    if kind in ("ref", "eq", "prf:ref"):
        label = target or text
        return link(words or targets(here.language)[label].words, address(label, here))
    if kind.startswith("cite"):
        cited = [sources()[key.strip()] for key in text.split(",")]
        if kind == "cite:t":  # the author is a word of the sentence
            return ", ".join(f"{one.authors} ({link(one.year, one.address)})" for one in cited)
        return f"({'; '.join(link(f'{one.authors}, {one.year}', one.address) for one in cited)})"
    if kind == "download":
        # `write` puts the files beside the copies, below the same path, so the target stays. It is
        # the address of a link, and the book always gives the link words.
        return link(words, target)
    # A term, or words that set a figure: the copy has neither a glossary nor that script.
    return words or text


def opened(kind: str, title: str, label: str | None, here: Here) -> tuple[list[str], list[str]]:
    """Return (first lines, last lines): the Markdown before and after the content of a box.

    Below a tag an empty line is needed: without it, Markdown would be taken for HTML.
    """
    if kind == "exercise":  # a heading, which JupyterLab lists among the contents
        return [f"### {targets(here.language)[label].words}", ""], []
    if kind == "prf:proof":
        return [f"*{here.word(PROOF)}*"], []  # the first line of the paragraph that follows
    if kind == "dropdown":
        return ["<details>", f"<summary>{title}</summary>", ""], ["", "</details>"]
    if kind == "prf:theorem":
        title = f"{targets(here.language)[label].words}: {title}"
    # What a container has in place of a title is its class for the style sheet.
    heading = [] if kind == "container" else [f"**{title}**", ""]
    return ["<blockquote>", "", *heading], ["", "</blockquote>"]


@cache
def stated(here: Here) -> dict[str, list[str]]:
    """Return {"head": lines, "next": lines}: the Markdown that stands for those directives."""
    facts, word = facts_of(BOOK / f"{here.stem}.ipynb"), here.word
    words = translations(here.language, f"book/{here.stem}")
    head = [f"**{words.get(facts.question, facts.question)}**"]
    if facts.minutes:
        to_card = f"{{ref}}`{word(CARD)} <{facts.card}>`"  # a link in what `plain` returns
        # The full stop is a word of the catalog: Chinese has another one.
        card = f" {word(HURRY)} {to_card}{word('.')}" if facts.card else ""
        head += ["", f"**{word(TIME)}** {times(facts, word)}{word('.')}{card}"]
    return {"head": head, "next": [f"**{word(NEXT)}** {words.get(facts.next, facts.next)}"]}


def plain(text: str, here: Here) -> str:
    """Return a text of the notebook `here` in plain Markdown: no labels, roles or directives."""
    lines = []
    open_boxes = []  # around a line, the inmost last: the fence that closes each, its last lines
    unread = LABEL.sub("", text).split("\n")
    unread.reverse()  # so that `pop` takes the next line
    while unread:
        line = unread.pop()
        if open_boxes and line == open_boxes[-1][0]:
            _, last_lines = open_boxes.pop()
            lines += last_lines
        elif box := BOX.match(line):
            fence, kind, title = box.groups()
            options = {}
            # The next two loops end at the fence that closes the box, if at no line before it.
            while option := OPTION.match(unread[-1]):
                options[option[1]] = option[2]
                unread.pop()
            while not unread[-1]:  # `opened` has the empty lines that are needed
                unread.pop()
            if kind in stated(here):  # {head} and {next}, which are empty in the source
                first_lines, last_lines = stated(here)[kind], []
            else:
                first_lines, last_lines = opened(kind, title, options.get("label"), here)
            open_boxes.append((fence, last_lines))
            lines += first_lines
        else:
            lines.append(line)
    text = ROLE.sub(lambda match: role(match, here), "\n".join(lines))
    # A labelled formula gets its number, which is called "(6.1)", as a \tag{6.1}.
    return EQUATION.sub(
        lambda match: f"\\tag{{{targets(here.language)[match[1]].words.strip('()')}}}\n$$", text
    ).strip()


# ---------------------------------------------------------------------------- code


def pip_arguments() -> str:
    """Return the arguments of pip that install the packages from the repository, "" without one."""
    repository = repository_of(ROOT)
    # The three distributions; posenc is that of the root.
    parts = ("", "#subdirectory=posenc_check", "#subdirectory=posenc_course")
    return " ".join(f"git+{repository}{part}" for part in parts) if repository else ""


def first_cell() -> str:
    """Return the code that imports posenc_course, with a comment that says how to install it."""
    if pip_arguments():
        return (
            "# If posenc_course is missing, in Colab or in a folder of your own, run this first:\n"
            f"# %pip install {pip_arguments()}\n"
            "import posenc_course"
        )
    folder = "where-words-stand-notebooks"  # the archive that `make zip` packs
    packages = " ".join(f"./{folder}{part}" for part in ("", "/posenc_check", "/posenc_course"))
    return (
        f"# If posenc_course is missing, put {folder}.zip, a file of the book's release,\n"
        "# beside this notebook (in Colab, upload it under Files), and run these two lines first:\n"
        f'# import zipfile; zipfile.ZipFile("{folder}.zip").extractall()\n'
        f"# %pip install {packages}\n"
        "# Where that file is unpacked already, make lab in its folder opens all notebooks.\n"
        "import posenc_course"
    )


def installing_cell() -> str:
    """Return the code of a cell that installs posenc_course where it cannot be imported.

    Without a repository to install from, a comment says how.
    """
    if not pip_arguments():
        return first_cell()
    return (
        "try:\n"
        "    import posenc_course\n"
        "except ImportError:  # in Colab, or in a folder of your own\n"
        f"    %pip install --quiet {pip_arguments()}"
    )


def listed(names: list[str]) -> str:
    """Return names in a row, as ``a, b and c``; there is at least one."""
    # Before the last name stand the others; a name by itself needs no "and".
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def names_of(source: str) -> tuple[set[str], set[str]]:
    """Return (names that a cell defines, names that it takes from other cells or from Python)."""
    made, reads, late = set(), set(), set()  # late: what its functions read when they are called
    for statement in statements_of(source):
        assigned = {
            node.id for node in ast.walk(ast.parse(statement.text))
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }  # fmt: skip
        # The names that a loop or a condition assigns are among `changes`, since it may assign none
        # of them. Here they count as made, also for what the loop itself reads.
        made_in_block = statement.changes & assigned
        reads |= statement.reads - made - made_in_block
        late |= statement.late
        made |= statement.makes | made_in_block
    # A function reads these when it is called, which may be below the line that makes them.
    return made, reads | (late - made)


def with_names(cells: list[nbformat.NotebookNode]) -> Iterator[str]:
    """Yield the source of each of these code cells, below a comment.

    Of a folded cell the comment is its title. Of a cell in sight it names what the cell takes of
    folded ones; a cell that takes nothing has no comment.
    """
    shown = set()  # names that cells in sight define
    folded = {}  # names that folded cells define, each with the title of its cell
    for cell in cells:
        makes, reads = names_of(cell.source)
        if FOLDED & set(cell.metadata.get("tags", [])):
            # Only a cell that asks a question has no title: its page shows no code, nor a fold.
            title = cell.metadata.get("mystnb", {}).get("code_prompt_show", "Question")
            folded |= dict.fromkeys(makes, title)  # the last cell that makes a name counts
            shown -= makes  # what a folded cell makes anew is no longer that of a cell in sight
            yield f"# {title}\n{cell.source}"  # the line that an editor shows of a folded cell
            continue
        from_folded = sorted((reads & set(folded)) - shown, key=str.lower)  # as in an index
        shown |= makes
        if not from_folded:
            yield cell.source
            continue
        titles = {folded[name] for name in from_folded}
        where = f"the folded cell “{titles.pop()}”" if len(titles) == 1 else "folded cells above"
        yield f"# {listed(from_folded)}: from {where}\n{cell.source}"


def solved(cell: nbformat.NotebookNode) -> str:
    """Return a code cell of a solution as Markdown, with its output but for its check's verdict."""
    labels = CHECK.findall(cell.source)
    # A verdict is a line that begins with the label of its exercise and a colon. It would only say
    # that the solution is right.
    lines = printed(cell).splitlines()
    output = "\n".join(line for line in lines if line.partition(":")[0] not in labels).rstrip()
    code = f"```python\n{cell.source}\n```\n\n"
    return f"{code}```none\n{output}\n```\n\n" if output else code


# ---------------------------------------------------------------------------- a notebook


def pieces(notebook: nbformat.NotebookNode, here: Here) -> list[str | nbformat.NotebookNode]:
    """Return the texts of a copy and the code cells between them, in order.

    A solution is one text, with its code in it. The cells are those of `notebook` itself.
    """
    found: list[str | nbformat.NotebookNode] = []
    in_solution = False
    for cell in notebook.cells:
        if cell.cell_type == "code":
            if in_solution:
                found[-1] += solved(cell)
            else:
                found.append(cell)
            continue
        if not in_solution:
            found.append("")
        # A text, and then a mark and a text in turn. A mark is "start" or "end".
        for part in SOLUTION.split(cell.source):
            if part == "start":
                in_solution = True
                found.append(f"<details>\n<summary>{here.word('Solution')}</summary>\n\n")
            elif part == "end":
                in_solution = False
                found[-1] += "</details>"
                found.append("")  # what follows is no part of the solution
            elif part.strip():
                found[-1] += f"{plain(part, here)}\n\n"
    # A text is empty where nothing stood before a solution or between two.
    return [piece.strip() if isinstance(piece, str) else piece for piece in found if piece]


def copied(stem: str, language: str = "en") -> nbformat.NotebookNode:
    """Return a notebook of the book as a reader gets it, with its Markdown in a language."""
    notebook = notebooks(language)[stem]
    texts_and_cells = pieces(notebook, Here(stem, language))
    # Of the code cells, in their order: the loop takes one source for each.
    sources = with_names([piece for piece in texts_and_cells if not isinstance(piece, str)])
    cells = []
    for piece in texts_and_cells:
        if isinstance(piece, str):
            # An id that is the same at every run. Its number keeps two equal texts apart. The 64
            # letters of a digest would be allowed; 12 of them do not meet by chance in a notebook.
            cell_id = hashlib.sha256(f"{len(cells)} {piece}".encode()).hexdigest()[:12]
            cells.append(nbformat.v4.new_markdown_cell(piece, id=cell_id))
            continue
        cell = nbformat.from_dict(piece)  # a copy: `notebooks` keeps each cell as it is stored
        cell.source = next(sources)
        for output in cell.outputs:
            add_pictures(output)
        # All else in the metadata is for the page.
        tags = cell.metadata.get("tags", [])
        cell.metadata = nbformat.from_dict({"tags": tags} if tags else {})
        if FOLDED & set(tags):
            cell.metadata.cellView = "form"  # the fold of Colab
            cell.metadata.jupyter = {"source_hidden": True}  # that of JupyterLab
            if "hide-cell" in tags and cell.outputs:  # the tag folds an output as well
                cell.metadata.jupyter["outputs_hidden"] = True
        cells.append(cell)
    # Below the title stands what installs the packages where they are not there.
    cells.insert(1, nbformat.v4.new_code_cell(first_cell(), id="first"))
    return nbformat.v4.new_notebook(cells=cells, metadata=notebook.metadata)


def add_pictures(output: nbformat.NotebookNode) -> None:
    """Add to an output the width of its figure, and to its moving figures a still of each.

    A figure has two dots for each pixel, and an editor would show it as wide as its cell. The still
    stands where the figure moves once the cell is run.
    """
    data = output.get("data", {})
    if "image/png" in data:
        png = base64.b64decode(data["image/png"])
        pixels = int.from_bytes(png[16:20], "big")  # where a PNG has its width
        output.metadata["image/png"] = {"width": pixels // 2}
    for widget in widgets(data.get("text/html", "")):
        if not (stills and widget.view):
            continue  # Binder draws no stills, and a question needs none
        # `TableInspector` has none: it waits for a reader's table.
        if still := stills.still(getattr(views, widget.view), widget.state):
            (width, _), svg, words = still
            picture = base64.b64encode(svg.encode()).decode()
            # Before the line of `Widget.stored` that says to run the cell.
            data["text/html"] = data["text/html"].replace(
                '<p class="posenc-run">',
                f'<img src="data:image/svg+xml;base64,{picture}" width="{width}" '
                f'alt="{escape(words)}">\n<p class="posenc-run">',
            )


def digest(notebook: nbformat.NotebookNode) -> str:
    """Return a digest of the cells' sources in order, to tell whether a reader has changed them.

    Outputs and metadata do not count: a host changes them when a notebook is run or saved.
    """
    words = json.dumps([cell.source for cell in notebook.cells])
    return hashlib.sha256(words.encode()).hexdigest()


def write(folder: Path, language: str = "en") -> list[str]:
    """Write the copies into a folder; return the files in it that stay, as a reader changed them.

    The files that pages offer to download and the licence are written as well.
    """
    shutil.copytree(BOOK / "downloads", folder / "downloads", dirs_exist_ok=True)
    # A notebook of these is opened alone, as in Colab, and so installs what it imports.
    for path in (folder / "downloads").glob("*.ipynb"):
        notebook = nbformat.read(path, as_version=4)
        # Below the title.
        notebook.cells.insert(1, nbformat.v4.new_code_cell(installing_cell(), id="first"))
        nbformat.write(notebook, path)
    shutil.copy(BOOK / "LICENSE-CONTENT", folder)
    kept = []
    for stem in notebooks():
        if not is_copied(stem, language):
            continue
        path, copy = folder / f"{stem}.ipynb", copied(stem, language)
        copy.metadata.copied = digest(copy)
        if path.exists():
            there = nbformat.read(path, as_version=4)
            # The digest of the copy as it was written. A file without one is a reader's own.
            if there.metadata.get("copied") != digest(there):
                kept.append(path.name)
                continue
        nbformat.write(copy, path)
    return kept


if __name__ == "__main__":
    if kept := write(Path(sys.argv[1])):
        print(f"You changed {listed(kept)}: kept as they are. Delete one to get the book's again.")
