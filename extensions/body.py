"""Sphinx extension: the body of a page as the book has it, one small transform for each thing.

They run when a page is written, on its tree of nodes. The number of a transform says when: at 10
Sphinx resolves references, at 150 most of these run, and at 199 other packages make folds of HTML.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from sphinx.ext.autosummary import autosummary_table
from sphinx.locale import _
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.osutil import relative_uri

from extensions.figure_twins import figure_html, kept_figures, store
from extensions.katex_math import letters
from extensions.languages import site_of, way_up
from extensions.spaces import sums_kept
from extensions.translator import chapter_words, element, opening

# What closes a sentence or a bracket; the last two are quotation marks.
CLOSING = re.compile(r"[).,:;?!\]\u2019\u201d]+")
SHORT_FORMULA = 22  # letters of a formula that is not broken at all
LONG_TABLE = 15  # lines, by eye; a table of the book has at most 14, or 16 and more
CARD_COLUMNS = 3  # of a table whose rows are cards on a phone, at the least
SHORT_CODE = 16  # letters; code with fewer stays on one line
LONGEST_NAME = 15  # letters of a name that is never broken; a table's columns are narrow
LONG_NAME = re.compile(rf"[\w./]{{{LONGEST_NAME + 1},}}")
# Where a name may be broken.
WITHIN_NAME = re.compile(r"(?<=[a-z\d])(?=[A-Z])|(?<=[/_])(?=\w)")
AFTER_UNDERSCORE = re.compile(r"(?<=_)(?!$)")
WITHIN_ADDRESS = re.compile(r"(?<=[/_.-])(?=\w)")
# Nodes whose text is no prose.
NO_PROSE = (
    *(nodes.literal, nodes.literal_block, nodes.doctest_block),
    *(nodes.math, nodes.math_block, nodes.raw),
)


class PageTransform(SphinxPostTransform):
    """A transform of a page that is written as HTML."""

    default_priority = 150
    formats = ("html",)


def within(node: nodes.Node, *kinds: type) -> bool:
    """Tell whether a node stands, at any depth, in another one of one of the classes `kinds`."""
    while node := node.parent:
        if isinstance(node, kinds):
            return True
    return False


def replace(node: nodes.Node, *new: nodes.Node) -> None:
    """Put the nodes `new` in place of a node among the children of its parent."""
    parent = node.parent
    # `index` of docutils would find the first text that is equal, which may be another one.
    (at,) = (place for place, child in enumerate(parent.children) if child is node)
    parent[at : at + 1] = new  # docutils makes `parent` the parent of each new node


def wrap(node: nodes.Node, box: nodes.Element) -> None:
    """Put a box in place of a node, and the node into the box, below what is in it."""
    replace(node, box)
    box += node  # only now: from here on the box is its parent


def raw(html: str) -> nodes.raw:
    """Return a node with HTML, which the writer copies into the page as it stands."""
    return nodes.raw("", html, format="html")


# ---------------------------------------------------------------------------- header, figures


class Opening(PageTransform):
    """Put the title of a page, its question and its times into a header."""

    def run(self, **_options) -> None:
        """Move a page's title, question and times into an `opening` node, if it has a question.

        A line with the name of the page's part and the chapter's number is put before them.
        """
        page = self.app.book_pages[self.env.docname]
        if not page["question"]:
            return
        section = self.document.next_node(nodes.section)
        title = section.next_node(nodes.title)
        # The directive {head} (extensions/head.py) has made these two paragraphs.
        facts = [line for line in section.children if {"question", "times"} & {*line["classes"]}]
        chapter = chapter_words(page["number"]) if page["number"] else ""
        # The first page is in no part, and most pages beside the chapters have no number.
        place = " · ".join(filter(None, [page["part"], chapter]))
        for line in (title, *facts):
            section.remove(line)
        place_line = nodes.paragraph("", place, classes=["where"])
        # The writer makes a heading of a title in a section, with a link to the section's id.
        # `opening` is a section too, so it has these ids, but the writer gives its tag none.
        section.insert(0, opening("", place_line, title, *facts, ids=section["ids"]))


class Figures(PageTransform):
    """Show each picture by its two twins, light and dark."""

    def run(self, **_options) -> None:
        """Write the twins of each PNG, and put the HTML that shows them in place of its node."""
        site = site_of(self.app)
        # A translated page, in a folder of its language, shows the pictures of the English site.
        folder = site / "_images"
        folder.mkdir(parents=True, exist_ok=True)
        page_address = self.app.builder.get_target_uri(self.env.docname)
        folder_address = relative_uri(page_address, f"{way_up(self.app)}_images")
        for image in list(self.document.findall(nodes.image)):
            path = Path(self.app.srcdir, image["uri"])
            # Any other image, or one with an address on the web, is left to Sphinx.
            if path.suffix == ".png" and path.is_file():
                light, dark, size = store(path.read_bytes(), folder, kept_figures(site))
                sources = [f"{folder_address}/{light}", f"{folder_address}/{dark}"]
                # Without words a picture has an empty "alt": a screen reader passes it by.
                twins = raw(figure_html(sources, size, image.get("alt", "")))
                replace(image, twins)


class FigureNumbers(PageTransform):
    """Number the figures of a page, 6.1, 6.2, in the order of their captions, to link to."""

    def run(self, **_options) -> None:
        """Write "Figure 6.1" before each caption, as a link to itself, and give it that id."""
        # What the numbers begin with: the chapter's, or the letters of an appendix.
        # A page that is neither has none.
        number = self.app.book_pages[self.env.docname]["figures"]
        captions = [
            line for line in self.document.findall(nodes.paragraph)
            if "figure-caption" in line["classes"]
        ]  # fmt: skip
        for count, caption in enumerate(captions, 1):
            figure_number = f"{number}.{count}" if number else str(count)
            name = element("b", nodes.Text(_("Figure {}").format(figure_number)))
            anchor = nodes.make_id(f"figure-{figure_number}")  # figure-6-1
            caption["ids"].append(anchor)
            # Before the words of the caption. By the link a reader gets the figure's address.
            caption[:0] = [nodes.reference("", "", name, refid=anchor), nodes.Text(" ")]


# ---------------------------------------------------------------------------- folds


class Dropdowns(PageTransform):
    """Fold what has the class ``dropdown``, as a solution, without a script."""

    def run(self, **_options) -> None:
        """Make each admonition of the class ``dropdown`` a ``details``."""
        boxes = [
            box for box in self.document.findall(nodes.Admonition) if "dropdown" in box["classes"]
        ]
        for box in boxes:
            title, *content = box.children
            for link in list(title.findall(nodes.reference)):
                # A press on a summary opens the fold, so its links become their words.
                replace(link, *link.children)
            # "admonition-title" and "admonition" are the classes that Sphinx's writer would add;
            # by them the style sheet knows a box and its title.
            summary = element("summary", *title.children, classes=["admonition-title"])
            classes = ["admonition", *box["classes"]]
            replace(box, element("details", summary, *content, classes=classes, ids=box["ids"]))


class Markers(PageTransform):
    """Leave out the arrows of sphinx-design's folds: a browser has its own."""

    default_priority = 250  # sphinx-design makes its folds at 199

    def run(self, **_options) -> None:
        """Remove the arrow that sphinx-design puts into each fold."""
        for span in list(self.document.findall(nodes.inline)):
            if "sd-summary-state-marker" in span["classes"]:
                span.parent.remove(span)


# ---------------------------------------------------------------------------- where lines end


class Formulas(PageTransform):
    """Keep a formula on one line with the mark after it, and a short one without such a mark."""

    def run(self, **_options) -> None:
        """Give the class ``closed``, which allows no line break, to formulas.

        A formula with a mark after it, of any length, moves with the mark into one node of that
        class. Of the others the short ones have it.
        """
        for formula in list(self.document.findall(nodes.math)):
            following = formula.next_node(descend=False, siblings=True)
            mark = isinstance(following, nodes.Text) and CLOSING.match(following.astext())
            if mark:
                # The longest such formula of the book shows 32 letters, and fits a small phone.
                replace(following, nodes.Text(following.astext()[mark.end() :]))
                unbroken = nodes.inline("", "", classes=["closed"])
                wrap(formula, unbroken)
                unbroken += nodes.Text(mark[0])
            # A column of a table may be narrower than a formula that is short in a line of text.
            elif letters(formula.astext()) <= SHORT_FORMULA and not within(formula, nodes.table):
                formula["classes"].append("closed")


class Numbers(PageTransform):
    """Keep the parts of a number and of a short sum on one line."""

    default_priority = 260  # after all that writes words

    def run(self, **_options) -> None:
        """Put no-break spaces into the numbers and short sums of all prose."""
        for text in list(self.document.findall(nodes.Text)):
            kept = sums_kept(text.astext())
            # Few texts have numbers: the comparison spares the way up the tree for all others.
            if kept != text.astext() and not within(text, *NO_PROSE):
                replace(text, nodes.Text(kept))


class Names(PageTransform):
    """Mark where a line may break long names and addresses; short code stays in one piece."""

    default_priority = 270  # after `Numbers`: a text that is cut has no whole numbers and sums

    def run(self, **_options) -> None:
        """Put ``<wbr>`` into long names of tables and addresses of sources.

        Short code gets the class ``short``, by which book.css breaks it nowhere.
        """
        for text in list(self.document.findall(nodes.Text)):
            if breaks := breaks_in(text):
                replace(text, *broken(text.astext(), breaks))
        for code in self.document.findall(nodes.literal):
            # In a table short code breaks as well: `breaks_in` says where.
            if len(code.astext()) < SHORT_CODE and not within(code, nodes.entry):
                code["classes"].append("short")


def breaks_in(text: nodes.Text) -> set[int]:
    """Return the places in a text at which a line may end within a name or an address."""
    words = text.astext()
    if within(text, nodes.math, nodes.math_block, nodes.raw):
        return set()  # TeX or HTML, which a <wbr> would spoil
    if within(text, nodes.entry):  # a column of a table is narrow
        breaks = set()
        for name in LONG_NAME.finditer(words):
            breaks |= places(WITHIN_NAME, words, *name.span())
        if within(text, nodes.literal):  # code is set wider, so short names break too
            breaks |= places(AFTER_UNDERSCORE, words)
        return breaks
    if within(text, nodes.citation) and words.startswith("http"):
        return places(WITHIN_ADDRESS, words)
    return set()


def places(pattern: re.Pattern, text: str, *span: int) -> set[int]:
    """Return the places in a text at which a pattern matches; of `span` (start, end) alone."""
    return {match.start() for match in pattern.finditer(text, *span)}


def broken(text: str, breaks: set[int]) -> Iterator[nodes.Node]:
    """Yield the pieces of a text cut at the places `breaks`, with ``<wbr>`` between them."""
    ends = sorted(breaks)
    for start, end in zip([0, *ends], [*ends, len(text)], strict=True):
        if start:  # no break before the first piece
            yield raw("<wbr>")
        yield nodes.Text(text[start:end])


# ---------------------------------------------------------------------------- tables


class Tables(PageTransform):
    """Let a wide table scroll in a box, search a long one, and give cards their heads."""

    def run(self, **_options) -> None:
        """Put each table into a box whose classes say how it looks.

        A long table has a field before its box, in which a reader filters its rows by a word.
        """
        looks = self.app.book_pages[self.env.docname]["looks"]
        for table in list(self.document.findall(nodes.table)):
            box = element("div", classes=["wide"])
            # On one line: a head becomes an attribute of cells.
            heads = [" ".join(head.astext().split()) for head in cells_in(table, nodes.thead)]
            # A screen reader would read a head without words. From here on it is none of
            # `cells_in`, so that the heads are read before.
            empty_heads_to_cells(table)
            # Lines say how tall a table is: a row may have two (`rows_of`).
            lines = sum(len(body) for body in table.findall(nodes.tbody))
            # On a phone book.css shows each row of these as a card, heads beside their cells.
            # A table of fewer columns is narrow enough for a phone.
            if "card-tables" in looks and len(heads) >= CARD_COLUMNS:
                box["classes"].append("cards")
                give_heads(table, heads)
            # The writer of autosummary's node takes the first child of that node for the table, so
            # in the reference the box stands around that node, not between the two.
            whole = table.parent if isinstance(table.parent, autosummary_table) else table
            wrap(whole, box)
            if lines >= LONG_TABLE:
                box["classes"].append("long")  # on a wide screen book.css keeps its heads in sight
                field = raw(filter_field(len(rows_of(table))))
                box.parent.insert(box.parent.index(box), field)


def rows_of(table: nodes.table) -> list[nodes.row]:
    """Return the rows of a table's body, without the second lines of rows that have two."""
    rows = [row for body in table.findall(nodes.tbody) for row in body.findall(nodes.row)]
    return [row for row in rows if "below" not in row["classes"]]


def cells_in(table: nodes.table, part: type) -> list[nodes.entry]:
    """Return the cells of a part of a table, `nodes.thead` or `nodes.tbody`, row by row."""
    return [entry for rows in table.findall(part) for entry in rows.findall(nodes.entry)]


def empty_heads_to_cells(table: nodes.table) -> None:
    """Make ordinary cells of the heads without words, which a screen reader would read as heads."""
    for head in cells_in(table, nodes.thead):
        if not head.astext().strip():
            # The classes say how the column is aligned.
            replace(head, element("td", *head.children, classes=head["classes"]))


def give_heads(table: nodes.table, heads: list[str]) -> None:
    """Give cells the head of their column as ``data-head``: all but empty ones and titles.

    On a card the style sheet writes it before the cell. The first cell of a row is the title.
    """
    for body in table.findall(nodes.tbody):
        for row in body.children:
            # Not strict: a row with one cell for all columns, as its second line, has fewer cells.
            for head, cell in zip(heads[1:], row.children[1:], strict=False):
                if head and cell.astext().strip():
                    cell["html"] = {"data-head": head}


def filter_field(count: int) -> str:
    """Return the HTML of a field that filters `count` rows by a word; reader.js does the rest."""
    words = _("Show rows with")
    field = f"<label>{words} <input type=search></label> <output>{count}</output>"
    return f'<p class="rows-with needs-script">{field}</p>'


# ---------------------------------------------------------------------------- terms, ids


class Terms(PageTransform):
    """Put what a linked term means on the page, to be shown where the term stands."""

    default_priority = 300  # after all that change words: a meaning is shown as `page.py` noted it

    def run(self, **_options) -> None:
        """Mark each link to a term, and add a box with what the term means to the end of the page.

        A script shows the box beside the link.
        """
        if self.env.docname.endswith("/glossary"):
            return  # that page has the meanings themselves
        addresses = {}  # of the terms that the page links to, each once
        for link in self.document.findall(nodes.reference):
            address = link.get("refuri", "")
            term_id = address.partition("#")[2]  # of the term on the page of the glossary
            if term_id not in self.app.book_terms:
                continue
            link["html"] = {"data-term": f"about-{term_id}"}
            addresses[term_id] = address
        for term_id, address in addresses.items():
            word, meaning = self.app.book_terms[term_id]
            to_glossary = element("a", nodes.Text(word), html={"href": address})
            # A browser hides what has the attribute "popover" until the script shows it.
            self.document += element(
                "div", to_glossary, nodes.Text(f": {meaning}"),
                classes=["term"], ids=[f"about-{term_id}"], html={"popover": "", "role": "note"},
            )  # fmt: skip


class Ids(PageTransform):
    """Leave each id to the first node that has it, and none to the inside of a box."""

    default_priority = 310  # after `Terms`, which adds ids

    def run(self, **_options) -> None:
        """Take from each node the ids that a node before it has, and all of a section in a box."""
        earlier_ids = set()
        for node in self.document.findall(nodes.Element):
            if isinstance(node, opening):  # has the ids of its section, which writes them
                continue
            # sphinx-proof and sphinx-exercise put a section into each box, all with one id.
            in_box = isinstance(node, nodes.section) and not isinstance(
                node.parent, (nodes.section, nodes.document)
            )
            node["ids"] = [] if in_box else [id_ for id_ in node["ids"] if id_ not in earlier_ids]
            earlier_ids.update(node["ids"])


def setup(app):
    for transform in (Opening, Figures, FigureNumbers, Dropdowns, Markers, Formulas, Numbers):
        app.add_post_transform(transform)
    for transform in (Names, Tables, Terms, Ids):
        app.add_post_transform(transform)
