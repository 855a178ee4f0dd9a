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
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import nbformat

from extensions.contents import FOLDED, ROOT, printed, widgets
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
# The boxes that are numbered, as a page calls them.
KINDS = {"exercise": N_("Exercise"), "theorem": N_("Theorem")}
CHECK = re.compile(r"""^check\("(ex-[\w-]+)\"""", re.MULTILINE)


# ---------------------------------------------------------------------------- what a name names


class Here(NamedTuple):
    """The notebook that a copy is made of, by its name, and the language of the copy."""

    stem: str
    language: str = "en"

    def word(self, text: str) -> str:
        """Return a word that stands around what an author writes, in this language."""
        return translations(self.language, "sphinx").get(text, text)


# Binder has no Sphinx, and the archive of notebooks not the files imported below. Both make copies
# in English alone, so these files are imported only where another language is asked for.


def translations(language: str, name: str) -> Mapping[str, str]:
    """Return the translations of a catalog by their English messages; none for English itself."""
    if language == "en":
        return {}
    from extensions.languages import words

    return words(language, name)


def is_copied(stem: str, language: str) -> bool:
    """Tell whether a notebook is handed out in a language: each in English, else the translated."""
    if language == "en":
        return True
    from extensions.languages import TRANSLATED_WHOLE

    return f"book/{stem}" in TRANSLATED_WHOLE


@cache
def notebooks(language: str = "en") -> dict[str, nbformat.NotebookNode]:
    """Return each notebook by its name, with its Markdown and its widgets' words in a language."""
    found = {path.stem: nbformat.read(path, as_version=4) for path in sorted(BOOK.glob("*.ipynb"))}
    if language != "en":
        from extensions.translatable import translated_html
        from extensions.translated_markdown import translated_markdown

        for stem, notebook in found.items():
            words = translations(language, f"book/{stem}")
            for cell in notebook.cells:
                if cell.cell_type == "markdown":
                    cell.source = translated_markdown(cell.source, words)
                for output in cell.get("outputs", []):
                    data = output.get("data", {})
                    if widgets(data.get("text/html", "")):
                        data["text/html"] = translated_html(
                            data["text/html"], lambda text, words=words: words.get(text, text)
                        )
    return found


@cache
def targets(language: str = "en") -> dict[str, tuple[str, str, str]]:
    """Return by label (page, heading above it, words of a link to it, as "Exercise 6.2").

    A link to a section has the words of its heading, and one to a formula "(6.1)".
    """
    found = {}
    texts = {path.stem: path.read_text(encoding="utf-8") for path in BOOK.glob("*.md")}
    for stem, notebook in notebooks(language).items():
        texts[stem] = "\n\n".join(c.source for c in notebook.cells if c.cell_type == "markdown")
    for stem, text in texts.items():
        chapter = re.match(r"0*(\d+|[A-Z]\d*[a-z]?)_", stem)  # 06_rotation, F7_codes
        # `waiting` are labels that belong to the next heading.
        counts, waiting, heading = {}, [], ""
        for label, equation, kind, boxed, title in NAMED.findall(text):
            if label:
                waiting.append(label)
            elif title:
                heading = title
                found |= dict.fromkeys(waiting, (stem, heading, heading))
                waiting = []
            else:
                kind = kind.rpartition(":")[2]  # of prf:theorem; a formula has none
                kind = Here(stem, language).word(KINDS.get(kind, kind.capitalize()))
                counts[kind] = counts.get(kind, 0) + 1
                number = f"{chapter[1]}.{counts[kind]}" if chapter else str(counts[kind])
                called = f"{kind} {number}" if kind else f"({number})"
                found[equation or boxed] = (stem, heading, called)
    return found


@cache
def sources() -> dict[str, tuple[str, str, str]]:
    """Return by key (authors, year, address) of each source; "" stands for no address."""
    found = {}
    for key, text in ENTRY.findall((BOOK / "references.bib").read_text(encoding="utf-8")):
        field = dict(FIELD.findall(text))
        # A family name comes first, before a comma; the name of an institution is in braces.
        names = [
            name.strip("{}") if name.startswith("{") else name.partition(",")[0]
            for name in field["author"].split(" and ")
        ]
        who = f"{names[0]} *et al.*" if len(names) > AUTHORS_NAMED else " and ".join(names)
        where = field.get("url", "")
        if not where and "eprint" in field:
            where = f"https://arxiv.org/abs/{field['eprint']}"
        elif not where and "doi" in field:
            where = f"https://doi.org/{field['doi']}"
        found[key] = (who, field.get("year", "n.d."), where)
    return found


# ---------------------------------------------------------------------------- Markdown


def link(words: str, address: str) -> str:
    """Return a link to an address, or its words alone where the address is empty."""
    return f"[{words}]({address})" if address else words


def address(label: str, here: Here) -> str:
    """Return the address that the notebook `here` links to for a label, "" if none has it."""
    stem, heading, _ = targets(here.language).get(label, ("", "", ""))
    if stem not in notebooks():
        return ""  # a page in Markdown, which is not copied
    # A host names a heading by its letters; where it has a formula, each does so in its own way.
    part = "" if set("$`{") & set(heading) else "#" + quote(heading.replace(" ", "-"))
    # The copies of another language lie in a folder of their own, below the English ones.
    up = "" if is_copied(stem, here.language) else "../"
    return part if stem == here.stem else f"{up}{stem}.ipynb{part}"


def role(match: re.Match, here: Here) -> str:
    """Return the plain Markdown for a role that `ROLE` found: a link, or words alone."""
    kind, words, target, alone = match.groups()
    if kind in ("ref", "eq", "prf:ref"):
        label = target or alone
        return link(words or targets(here.language)[label][2], address(label, here))
    if kind.startswith("cite"):
        cited = [sources()[key.strip()] for key in alone.split(",")]
        if kind == "cite:t":  # the author is a word of the sentence
            return ", ".join(f"{who} ({link(year, where)})" for who, year, where in cited)
        return f"({'; '.join(link(f'{who}, {year}', where) for who, year, where in cited)})"
    if kind == "download":
        return link(words, target)
    return words or alone


def opened(kind: str, title: str, label: str | None, here: Here) -> tuple[list[str], list[str]]:
    """Return (first lines, last lines): the Markdown before and after the content of a box."""
    if kind == "exercise":
        return [f"### {targets(here.language)[label][2]}", ""], []
    if kind == "prf:proof":
        return [f"*{here.word(PROOF)}*"], []
    if kind == "dropdown":
        return ["<details>", f"<summary>{title}</summary>", ""], ["", "</details>"]
    if kind == "prf:theorem":
        title = f"{targets(here.language)[label][2]}: {title}"
    heading = [] if kind == "container" else [f"**{title}**", ""]
    return ["<blockquote>", "", *heading], ["", "</blockquote>"]


@cache
def stated(here: Here) -> dict[str, list[str]]:
    """Return the lines of Markdown that a page has for ``{head}`` and for ``{next}``."""
    facts, word = facts_of(BOOK / f"{here.stem}.ipynb"), here.word
    words = translations(here.language, f"book/{here.stem}")
    head = [f"**{words.get(facts.question, facts.question)}**"]
    if facts.minutes:
        card = f"{{ref}}`{word(CARD)} <{facts.card}>`"
        card = f" {word(HURRY)} {card}{word('.')}" if facts.card else ""
        head += ["", f"**{word(TIME)}** {times(facts, word)}{word('.')}{card}"]
    return {"head": head, "next": [f"**{word(NEXT)}** {words.get(facts.next, facts.next)}"]}


def plain(text: str, here: Here) -> str:
    """Return a piece of the chapter `here` in plain Markdown, without roles and directives."""
    lines = []
    ends = []  # of the boxes that are open: the fence that closes each, and the lines for it
    waiting = LABEL.sub("", text).split("\n")[::-1]  # the next line is the last one
    while waiting:
        line = waiting.pop()
        if ends and line == ends[-1][0]:
            lines += ends.pop()[1]
        elif found := BOX.match(line):
            fence, kind, title = found.groups()
            options = {}
            while option := OPTION.match(waiting[-1]):
                options[option[1]] = option[2]
                waiting.pop()
            while not waiting[-1]:  # empty lines
                waiting.pop()
            if kind in stated(here):
                begin, end = stated(here)[kind], []
            else:
                begin, end = opened(kind, title, options.get("label"), here)
            ends.append((fence, end))
            lines += begin
        else:
            lines.append(line)
    text = ROLE.sub(lambda match: role(match, here), "\n".join(lines))
    # A labelled formula gets its number, which is called "(6.1)", as a \tag{6.1}.
    return EQUATION.sub(
        lambda match: f"\\tag{{{targets(here.language)[match[1]][2].strip('()')}}}\n$$", text
    ).strip()


# ---------------------------------------------------------------------------- code


def addresses() -> str:
    """Return the arguments of pip that install the packages from the repository, "" without one."""
    repository = repository_of(ROOT)
    parts = ("", "#subdirectory=posenc_check", "#subdirectory=posenc_course")
    return " ".join(f"git+{repository}{part}" for part in parts) if repository else ""


def first_cell() -> str:
    """Return the code that imports posenc_course, with a comment that says how to install it."""
    if addresses():
        return (
            "# If posenc_course is missing, in Colab or in a folder of your own, run this first:\n"
            f"# %pip install {addresses()}\n"
            "import posenc_course"
        )
    folder = "where-words-stand-notebooks"
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
    """Return the code that imports posenc_course, and installs it where it is missing."""
    if not addresses():
        return first_cell()
    return (
        "try:\n"
        "    import posenc_course\n"
        "except ImportError:  # in Colab, or in a folder of your own\n"
        f"    %pip install --quiet {addresses()}"
    )


def listed(names: list[str]) -> str:
    """Return names in a row, as ``a, b and c``."""
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def names_of(source: str) -> tuple[set[str], set[str]]:
    """Return the names that a cell defines, and those that it takes from other cells."""
    made, reads, late = set(), set(), set()  # late: what its functions read when they are called
    for part in statements_of(source):
        names = (node for node in ast.walk(ast.parse(part.text)) if isinstance(node, ast.Name))
        stored = {name.id for name in names if isinstance(name.ctx, ast.Store)}
        # Names that a loop or condition gives a value, and which `changes` has among others.
        in_loop = part.changes & stored
        reads |= part.reads - made - in_loop
        late |= part.late
        made |= part.makes | in_loop
    return made, reads | (late - made)


def with_names(cells: list[nbformat.NotebookNode]) -> Iterator[str]:
    """Yield the source of each code cell; one in sight first names what it takes of folded ones."""
    shown = set()  # names that cells in sight define
    folded = {}  # names that folded cells define, each with the title of its cell
    for cell in cells:
        makes, reads = names_of(cell.source)
        if FOLDED & set(cell.metadata.get("tags", [])):
            # Only a cell that asks a question has no title: its page shows no code, nor a fold.
            title = cell.metadata.get("mystnb", {}).get("code_prompt_show", "Question")
            folded |= dict.fromkeys(makes, title)
            shown -= makes  # what a folded cell makes anew is no longer that of a cell in sight
            yield f"# {title}\n{cell.source}"  # the line that an editor shows of a folded cell
            continue
        needed = sorted((reads & set(folded)) - shown, key=str.lower)
        shown |= makes
        if not needed:
            yield cell.source
            continue
        titles = {folded[name] for name in needed}
        where = f"the folded cell “{titles.pop()}”" if len(titles) == 1 else "folded cells above"
        yield f"# {listed(needed)}: from {where}\n{cell.source}"


def solved(cell: nbformat.NotebookNode) -> str:
    """Return a code cell of a solution as text, with what it prints but for its check's verdict."""
    labels = CHECK.findall(cell.source)
    lines = printed(cell).rstrip().splitlines()
    output = "\n".join(line for line in lines if line.partition(":")[0] not in labels).rstrip()
    code = f"```python\n{cell.source}\n```\n\n"
    return f"{code}```none\n{output}\n```\n\n" if output else code


# ---------------------------------------------------------------------------- a notebook


def pieces(notebook: nbformat.NotebookNode, here: Here) -> list[str | nbformat.NotebookNode]:
    """Return the texts of a copy and the code cells between them; a solution is one text."""
    found, solving = [], False  # solving: between the start and the end of a solution
    for cell in notebook.cells:
        if cell.cell_type == "code":
            if solving:
                found[-1] += solved(cell)
            else:
                found.append(cell)
            continue
        # The mark before each text of the cell, and the text. Before the first text stands none,
        # which goes on with a solution, and else begins a new piece, as after an end.
        parts = ["" if solving else "end", *SOLUTION.split(cell.source)]
        for mark, text in zip(parts[::2], parts[1::2], strict=True):
            if mark == "end" and solving:
                found[-1] += "</details>"
            if mark == "start":
                found.append(f"<details>\n<summary>{here.word('Solution')}</summary>\n\n")
            elif mark == "end":
                found.append("")
            if mark:
                solving = mark == "start"
            if text.strip():
                found[-1] += f"{plain(text, here)}\n\n"
    return [piece.strip() if isinstance(piece, str) else piece for piece in found if piece]


def copied(stem: str, language: str = "en") -> nbformat.NotebookNode:
    """Return a notebook of the book as a reader gets it, with its Markdown in a language."""
    found = pieces(notebooks(language)[stem], Here(stem, language))
    sources = with_names([piece for piece in found if not isinstance(piece, str)])
    cells = []
    for piece in found:
        if isinstance(piece, str):
            # An id that is the same at every run, and no other cell's.
            name = hashlib.sha256(f"{len(cells)} {piece}".encode()).hexdigest()[:12]
            cells.append(nbformat.v4.new_markdown_cell(piece, id=name))
            continue
        cell = nbformat.v4.new_code_cell(**piece)
        cell.source = next(sources)
        cell.outputs = [with_pictures(output) for output in cell.outputs]
        tags = cell.metadata.get("tags", [])
        cell.metadata = nbformat.from_dict({"tags": tags} if tags else {})
        if FOLDED & set(tags):
            cell.metadata.cellView = "form"  # the fold of Colab
            cell.metadata.jupyter = {"source_hidden": True}
            if "hide-cell" in tags and cell.outputs:
                cell.metadata.jupyter["outputs_hidden"] = True
        cells.append(cell)
    cells.insert(1, nbformat.v4.new_code_cell(first_cell(), id="first"))  # below the title
    return nbformat.v4.new_notebook(cells=cells, metadata=notebooks()[stem].metadata)


def with_pictures(output: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Return an output with a width for its figure, and with a still for a moving one.

    A figure has two dots for each pixel, and an editor would show it as wide as its cell. The still
    stands where the figure moves once the cell is run.
    """
    output = nbformat.from_dict(output)  # a copy: `notebooks` keeps the output as it is stored
    data = output.get("data", {})
    if "image/png" in data:
        png = base64.b64decode(data["image/png"])
        width = int.from_bytes(png[16:20], "big")  # where a PNG has it
        output.metadata["image/png"] = {"width": width // 2}
    for widget in widgets(data.get("text/html", "")):
        if not (stills and widget.view):
            continue
        if still := stills.still(getattr(views, widget.view), widget.state):
            (width, _), svg, words = still
            picture = base64.b64encode(svg.encode()).decode()
            # Before the line of `Widget.stored` that says to run the cell.
            data["text/html"] = data["text/html"].replace(
                '<p class="posenc-run">',
                f'<img src="data:image/svg+xml;base64,{picture}" width="{width}" '
                f'alt="{escape(words)}">\n<p class="posenc-run">',
            )
    return output


def digest(notebook: nbformat.NotebookNode) -> str:
    """Return a digest of the cells' sources, which tells whether a reader has changed one."""
    words = json.dumps([cell.source for cell in notebook.cells])
    return hashlib.sha256(words.encode()).hexdigest()


def write(folder: Path, language: str = "en") -> list[str]:
    """Write the copies into a folder; return the names of those that a reader has changed."""
    shutil.copytree(BOOK / "downloads", folder / "downloads", dirs_exist_ok=True)
    # A notebook of these is opened alone, as in Colab, and so installs what it imports.
    for path in (folder / "downloads").glob("*.ipynb"):
        notebook = nbformat.read(path, as_version=4)
        notebook.cells.insert(1, nbformat.v4.new_code_cell(installing_cell(), id="first"))
        nbformat.write(notebook, path)
    shutil.copy(BOOK / "LICENSE-CONTENT", folder)
    kept = []
    for stem in filter(lambda stem: is_copied(stem, language), notebooks()):
        path, copy = folder / f"{stem}.ipynb", copied(stem, language)
        copy.metadata.copied = digest(copy)
        if path.exists():
            there = nbformat.read(path, as_version=4)
            if there.metadata.get("copied") != digest(there):
                kept.append(path.name)
                continue
        nbformat.write(copy, path)
    return kept


if __name__ == "__main__":
    if kept := write(Path(sys.argv[1])):
        print(f"You changed {listed(kept)}: kept as they are. Delete one to get the book's again.")
