"""Sphinx extension: the code cells of a page, which are folded, or run where they stand.

A cell that prints, and one with an exercise, gets marks, and the page a file with the code of its
notebook; ``theme/static/python.js`` makes editors of them, and ``posenc_course.cells`` runs what is
in these. Every cell carries the statements that it needs of the cells before it, and is copied with
them.
"""

import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from sphinx.locale import _
from sphinx_exercise.nodes import exercise_enumerable_node, solution_node

from extensions.body import PageTransform, raw, within, wrap
from extensions.contents import read, widgets
from extensions.languages import site_of
from extensions.translator import element, exercise_code
from posenc_course import cells

# The modules that a page's Python can import. A page has no files to read, so that pathlib is not
# among them; the experiments that train take too long.
THERE = {"numpy", "posenc", "posenc_check", "posenc_course.exercises"}
THERE |= {"posenc_course.experiments.bug_zoo", *sys.stdlib_module_names} - {"pathlib"}

# Letters of a text that is about as tall as a figure, at the least: by eye. Below a figure of the
# book stand at most 502, or 700 and more.
BESIDE_A_FIGURE = 600
# Letters of a line of output; a longer one is a sentence. In the book rows of numbers have at most
# 81, and the longest line of each report has at least 90.
ROWS_OF_NUMBERS = 85
# What is read without the figure above it.
ENDS_TEXT = (nodes.section, nodes.Admonition, solution_node)

# The last line of an exercise's cell, its check: the label, and the name of the answer.
CHECK = re.compile(r'\n+check\("(ex-[\w-]+)", (\w+)\)\s*$')

ROW = """<div class="try needs-script">
<p class="try-row"><button type="button" class="try-run">{check}</button>
<button type="button" class="try-again">{again}</button>
<button type="button" class="try-solution">{solution}</button></p>
<p class="try-told" role="status"></p>
</div>"""

CHANGE = '<button type="button" class="change needs-script">{}</button>'


def imported(code: str) -> Iterator[str]:
    """Yield the full names of all that code imports, as ``numpy`` and ``posenc.sinusoidal``."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def stands_alone(code: str, before: list[str]) -> bool:
    """Tell whether a page's Python has every module that some code, or what it needs, imports.

    `before` is the code of the cells before it.
    """
    names = imported(f"{cells.bring(code, before)}\n{code}")
    # The points keep a module from standing for a longer name, as `re` for `requests`.
    return all(any(f"{name}.".startswith(f"{module}.") for module in THERE) for name in names)


def needs(code: str, before: list[str]) -> str:
    """Return, as code, the statements of the cells `before` that code without its check needs."""
    # Who copies an exercise does not get its check, and does not need the import of `check`.
    return cells.bring(CHECK.sub("", code), before)


# ---------------------------------------------------------------------------- the nodes of a cell


def cells_of(document: nodes.document) -> list[nodes.container]:
    """Return the code cells of a page, in reading order."""
    return [
        node for node in document.findall(nodes.container)
        if node.get("nb_element") == "cell_code"
    ]  # fmt: skip


def part_of(cell: nodes.Element, name: str) -> nodes.Element | None:
    """Return the ``source`` or the ``output`` of a cell; None where it shows none, or folds it."""
    mark = f"cell_code_{name}"  # as myst-nb marks it
    return next((part for part in cell.children if part.get("nb_element") == mark), None)


def prints(cell: nodes.container) -> bool:
    """Tell whether a cell shows its code, and has text as its only output."""
    output = part_of(cell, "output")
    return (
        part_of(cell, "source") is not None
        and output is not None
        and all(isinstance(part, nodes.literal_block) for part in output.children)
    )


def check_of(cell: nodes.container) -> re.Match | None:
    """Return the match of the line that checks an exercise (label, answer), None without one."""
    source = part_of(cell, "source")
    return None if source is None else CHECK.search(source.astext())


# ---------------------------------------------------------------------------- transforms


class Folds(PageTransform):
    """Fold the code of a cell that is tagged so, and say what it is for by its classes."""

    def run(self, **_options) -> None:
        """Move what a tag of a cell hides, its code or the whole cell, into a ``details``.

        Its classes say how a page shows it: ``made`` is the code of an output, which stands below
        the output and is opened by a sign; ``workings`` is code without an output, which the switch
        at the foot of the page shows; ``plumbing`` is what does not go on paper.
        """
        for cell in cells_of(self.document):
            # Taken off the node, since myst-nb would fold a cell with this attribute itself.
            mode = cell.attributes.pop("hide_mode", "")
            if not mode:
                continue
            whole_cell = mode == "all"  # by the tag "hide-cell"; "hide-input" hides the code alone
            hidden = list(cell.children) if whole_cell else [part_of(cell, "source")]
            below_output = not whole_cell and part_of(cell, "output") is not None
            # An author gives this tag to code that belongs to the text.
            to_be_read = "tag_to-be-read" in cell["classes"]
            classes = ["admonition", "hide"]
            if not to_be_read:
                classes.append("plumbing")
            if below_output:
                classes.append("made")
                summary = summary_with_sign(cell)
            else:
                if not to_be_read:
                    classes.append("workings")
                    self.document["workings"] = True  # the page needs the switch
                summary = summary_with_names(cell)
            for part in hidden:
                cell.remove(part)
            cell += element("details", summary, *hidden, classes=classes)


def summary_with_sign(cell: nodes.container) -> element:
    """Return the ``summary`` of a cell's code below its output: a sign, and a name to hear."""
    prompt = cell["prompt_show"]
    name = _(prompt)  # not `_(cell["prompt_show"])`: Babel would take "prompt_show" for a message
    brackets = element("span", nodes.Text("</>"), html={"aria-hidden": "true"})
    # A screen reader says the label; a mouse that points at the sign is shown the title.
    return element("summary", brackets, html={"aria-label": name, "title": name})


def summary_with_names(cell: nodes.container) -> element:
    """Return the ``summary`` of a folded cell: its name when closed, and its name when open.

    The style sheet shows one of the two, by the classes ``collapsed`` and ``expanded``.
    """
    prompts = {"collapsed": cell["prompt_show"], "expanded": cell["prompt_hide"]}
    names = [
        element("p", nodes.Text(_(prompt)), classes=[state, "admonition-title"])
        for state, prompt in prompts.items()
    ]
    return element("summary", *names)


class Cells(PageTransform):
    """Mark the cells that run where they stand, and write the code of the page's notebook."""

    def run(self, **_options) -> None:
        """Give attributes and buttons to cells that a page can run; write the code of all as JSON.

        Nothing is written for a page that can run none. The file is ``_static/cells/NAME.json``,
        whose name the document notes for the template.
        """
        path = Path(self.env.doc2path(self.env.docname))
        if path.suffix != ".ipynb":
            return  # a page in Markdown has no cells
        all_cells = read(path).cells
        code_cells = [cell for cell in all_cells if cell.cell_type == "code"]
        sources = [cell.source for cell in code_cells]
        runs_any = False
        exercise = None  # the last one before a cell
        for node in self.document.findall(nodes.Element):
            if isinstance(node, exercise_enumerable_node):
                exercise = node
            if node.get("nb_element") != "cell_code" or not prints(node):
                continue
            # myst-nb counts all cells; the file has the code cells alone.
            place = code_cells.index(all_cells[node["cell_index"]])
            if not stands_alone(sources[place], sources[:place]):
                continue
            runs_any = True
            # python.js finds the code in the file by its place, and keeps what a reader typed under
            # the cell's id, which stays when cells are added before it.
            node["html"] = {"data-cell": str(place), "data-id": code_cells[place].id}
            # A solution has the same check, and nobody has to answer it.
            if check_of(node) and not within(node, solution_node):
                ask(node, self.number(exercise))
            else:
                part_of(node, "source").append(raw(CHANGE.format(_("Change and run"))))
        if runs_any:
            name = f"_static/cells/{path.stem}.json"
            target = site_of(self.app) / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(json.dumps(sources), encoding="utf-8")
            self.document["cells"] = name

    def number(self, exercise: nodes.Element) -> str:
        """Return how the page names an exercise, as ``Exercise 6.2``."""
        numbers = self.env.toc_fignumbers[self.env.docname]["exercise"][exercise["ids"][0]]
        return self.config.numfig_format["exercise"] % ".".join(map(str, numbers))


def ask(cell: nodes.container, name: str) -> None:
    """Add buttons to the cell of an exercise called `name`, and take its check out of the code.

    The check becomes an attribute of the code's node (``extensions/translator.py``).
    """
    label, answer = check_of(cell).groups()  # of check("ex-rotation-2", answer)
    # `Cells` has given it the attributes of a cell that runs.
    cell["html"] |= {"data-label": label, "data-answer": answer, "data-name": name}
    block = part_of(cell, "source").next_node(nodes.literal_block)
    code, check = block.astext().rstrip().rsplit("\n", 1)  # the check is the last line
    # Between the two stand empty lines, and the writer of `exercise_code` has its own.
    block.replace_self(exercise_code("", code.rstrip(), check=check, language=block["language"]))
    words = {"check": _("Check"), "again": _("Start again"), "solution": _("Solution")}
    cell += raw(ROW.format(**words))


class Needs(PageTransform):
    """Give each cell the statements that it needs of the cells before it, to be copied with it."""

    def run(self, **_options) -> None:
        """Set ``data-needs`` of each cell with code in sight or in a fold to those statements."""
        path = Path(self.env.doc2path(self.env.docname))
        if path.suffix != ".ipynb":
            return  # a page in Markdown has no cells
        notebook_cells = read(path).cells
        for node in cells_of(self.document):
            parts = node.findall(nodes.container)  # at any depth, as in the fold of a cell
            if not any(part.get("nb_element") == "cell_code_source" for part in parts):
                continue  # what stands on the page without its code
            up_to_this_one = notebook_cells[: node["cell_index"] + 1]
            *before, code = (cell.source for cell in up_to_this_one if cell.cell_type == "code")
            if within(node, solution_node):
                # A solution is copied with the line that checks it, and needs its import.
                statements = cells.bring(code, before)
            else:
                statements = needs(code, before)
            if statements:
                # As JSON: an attribute is written without line breaks. `Cells` may have set others.
                node["html"] = {**node.get("html", {}), "data-needs": json.dumps(statements)}


class Verdicts(PageTransform):
    """Tell sentences from other output, by a class."""

    def run(self, **_options) -> None:
        """Add the class ``verdict`` or ``unanswered`` to blocks of output that are sentences.

        ``verdict`` has a sentence on a solution, a table or a function, which is broken into lines.
        ``unanswered`` has the line on an exercise as it is stored, which does not go on paper.
        """
        for cell in cells_of(self.document):
            output = part_of(cell, "output")
            if output is None:
                continue
            has_check = check_of(cell) is not None
            for block in output.findall(nodes.literal_block):
                lines = block.astext().splitlines()
                if has_check and not within(cell, solution_node):
                    block["classes"].append("unanswered")
                # Rows of numbers keep their columns and scroll: they are no longer than that.
                elif has_check or any(len(line) > ROWS_OF_NUMBERS for line in lines):
                    block["classes"].append("verdict")


class FiguresWithWords(PageTransform):
    """Put a moving figure into one box with the text below it, beside which it stays in sight."""

    def run(self, **_options) -> None:
        """Put each moving figure and the text below it into a box ``figure-with-words``.

        The text ends before another figure, an exercise or a section. A figure that is wider than
        the text stands alone, and so does one whose text is much shorter than it is tall.
        """
        figures = [cell for cell in cells_of(self.document) if shows_figure(cell)]
        for cell in figures:
            # A figure in a fold or a box, and one that is wide, has no text beside it.
            if not moves(cell) or "tag_wide" in cell["classes"] or within(cell, nodes.Admonition):
                continue
            text = []
            for node in cell.parent.children[cell.parent.index(cell) + 1 :]:
                if node in figures or isinstance(node, ENDS_TEXT):
                    break
                text.append(node)
            if sum(map(letters_in, text)) < BESIDE_A_FIGURE:
                continue
            for node in text:
                cell.parent.remove(node)
            box = element("div", classes=["figure-with-words"])
            wrap(cell, box)
            box += text


def letters_in(node: nodes.Node) -> int:
    """Return how many letters of text a node shows; a node with HTML counts as none."""
    return sum(len(text) for text in node.findall(nodes.Text) if not within(text, nodes.raw))


def moves(cell: nodes.container) -> bool:
    """Tell whether a cell has a moving figure; of its output alone it may be asked as well."""
    html = "".join(part.astext() for part in cell.findall(nodes.raw))
    return any(widget.view for widget in widgets(html))


def shows_figure(cell: nodes.container) -> bool:
    """Tell whether a cell shows a picture or a moving figure."""
    output = part_of(cell, "output")
    return output is not None and (moves(output) or output.next_node(nodes.image) is not None)


class Waiting(PageTransform):
    """Fold a picture that would tell the answer until the question before it is answered."""

    def run(self, **_options) -> None:
        """Move the output of a cell with the tag ``tells-the-answer`` into a fold.

        The fold names the question, and a script opens it.
        """
        question = ""  # the key of the last one before a cell
        for node in list(self.document.findall()):
            if isinstance(node, nodes.raw):
                for widget in widgets(node.astext()):
                    question = widget.question or question  # "" for a moving figure
            if isinstance(node, nodes.container) and "tag_tells-the-answer" in node["classes"]:
                output = part_of(node, "output")
                # `Folds` put the picture's code below the picture. It tells the answer as well.
                code_folds = node.children[node.index(output) + 1 :]
                summary = element("summary", nodes.Text(_("The picture, once you have answered")))
                fold = element("details", summary, classes=["told"], html={"data-after": question})
                wrap(output, fold)
                for code_fold in code_folds:
                    node.remove(code_fold)
                fold += code_folds


def setup(app):
    # They run in this order: `Cells` leaves alone what `Folds` has folded, and takes out the checks
    # by which `Verdicts` knows an exercise; `Needs` adds to the attributes that `Cells` sets; and
    # `Waiting` takes the fold of a picture's code along. _config.yml names this extension before
    # `body`, which makes HTML of the pictures that `FiguresWithWords` looks for.
    for transform in (Folds, Verdicts, Cells, Needs, FiguresWithWords, Waiting):
        app.add_post_transform(transform)
