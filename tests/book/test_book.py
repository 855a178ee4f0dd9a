"""What holds on every page of the book without running it."""

import ast
import builtins
import collections
import io
import operator
import re
import tokenize
from decimal import Decimal
from functools import cache, partial

import pytest

from extensions.cards import card_of
from extensions.contents import ROOT, name, notebooks_in_toc, pages_in_toc
from extensions.facts import facts_of
from extensions.views import TOUCH
from scripts.outputs import code_cells
from tests.pages import read

BOOK = ROOT / "book"
PAGES, NOTEBOOKS = pages_in_toc(), notebooks_in_toc()


def each(paths):
    return pytest.mark.parametrize("path", paths, ids=[path.stem for path in paths])


def markdown(path, but=None):
    """The Markdown cells of a notebook, but those with a tag, or the text of a Markdown page."""
    if path.suffix != ".ipynb":
        return [path.read_text(encoding="utf-8")]
    cells = [cell for cell in read(path).cells if cell.cell_type == "markdown"]
    return [cell.source for cell in cells if but not in cell.metadata.get("tags", [])]


def stated(path):
    """The sentences that a notebook states in its metadata; a page's text has its front matter."""
    facts = facts_of(path)
    return [facts.question, facts.next] if path.suffix == ".ipynb" else []


# ---------------------------------------------------------------------------- contents


def test_the_contents_name_every_page():
    """One that they name and that is not there is a warning of the build."""
    pages = {path for kind in ("*.md", "*.ipynb") for path in BOOK.glob(kind)}
    assert set(PAGES) == pages, "add it to _toc.yml, or remove it"


# ---------------------------------------------------------------------------- the chapter frame

CHAPTERS = [path for path in NOTEBOOKS if re.match(r"(?!00)\d\d_", path.name)]
FRAME = [
    r"\A\([\w-]+\)=\n# ",  # a label, then the title
    r"^```\{head\}\n```$",
    r"^## ",
    r"^\([\w-]+-card\)=\n## ",
    r"^```\{next\}\n```$",
    r"^## Going further$",
    r"^- \{ref\}`.+ <[\w-]+>` \(\d+ minutes?, .+\): ",
    r"^## Exercises$",
    r"^```\{exercise\}",
    r"^```\{solution-start\}",
]
# Displayed formulas, figures, lines of code that are shown, and questions on a line.
PART_1, LATER = (4, 2, 12, 2), (6, 4, 24, 4)
FOLDED_TEXT = re.compile(r"^(:{3,})\{dropdown\}.*?^\1$", re.MULTILINE | re.DOTALL)
DISPLAY = re.compile(r"\$\$.*?\$\$|\\begin\{align\*?\}.*?\\end\{align\*?\}", re.DOTALL)
NOT_SHOWN = {"hide-input", "hide-cell", "remove-input", "remove-cell"}
ON_A_LINE = [path for path in CHAPTERS if facts_of(path).card and path.suffix == ".ipynb"]


@each(ON_A_LINE)
def test_a_chapter_has_its_parts_in_order(path):
    text, place = "\n\n".join(markdown(path)), 0
    for part in FRAME:
        found = re.compile(part, re.MULTILINE).search(text, place)
        assert found, f"{name(path)}: no {part!r} where CONTRIBUTING.md asks for it"
        place = found.end()
    facts = facts_of(path)
    assert facts.question.endswith("?")
    assert set(facts.minutes) == {"read", "pencil"}
    assert f"({facts.card})=" in text
    assert any("assert" in cell.source for cell in code_cells(read(path)))


def cells_of_line(path):
    """The cells between the opening of a chapter and its card."""
    cells, card = read(path).cells, f"({facts_of(path).card})=\n"
    at = next(at for at, cell in enumerate(cells) if card in cell.source)
    return [*cells[1:at], {**cells[at], "source": cells[at].source.partition(card)[0]}]


@each(ON_A_LINE)
def test_a_line_is_one_idea_long_and_no_folded_cell_prints(path):
    formulas = figures = code = questions = moving = 0
    for cell in cells_of_line(path):
        if cell["cell_type"] == "markdown":
            formulas += len(DISPLAY.findall(FOLDED_TEXT.sub(" ", cell["source"])))
            continue
        tags = set(cell["metadata"].get("tags", []))
        if not NOT_SHOWN & tags:
            lines = [line for line in cell["source"].splitlines() if line.strip()]
            code += len(lines) - lines[0].startswith("# needs ")  # which no one has to follow
        if {"hide-input", "remove-input"} & tags:
            printed = [out for out in cell["outputs"] if out["output_type"] == "stream"]
            assert not printed, f"{name(path)}: this number has no rule in sight: {printed}"
        shown = [output.get("data", {}) for output in cell["outputs"]]
        figures += sum("image/png" in data for data in shown)
        html = "".join(data.get("text/html", "") for data in shown)
        moving += html.count(" data-view=")
        questions += html.count(" data-question=")
    limits = PART_1 if path.name < "10" else LATER
    if path.stem == "02_sine_recap":  # school's circle beside the clock, once for all
        limits = (4, 3, 12, 2)
    counts = (formulas, figures + moving, code, questions)
    assert all(map(operator.le, counts, limits)), f"{counts} where {limits} are allowed"
    assert moving or limits is LATER, "one figure of the line moves"


@each(ON_A_LINE)
def test_beside_the_line_are_at_most_four_sections(path):
    text = "\n\n".join(markdown(path))
    beside = text[text.index("\n## Going further") : text.index("\n## Exercises")]
    listed = re.findall(r"^- \{ref\}`.+? <([\w-]+)>` \(", beside, re.MULTILINE)
    sections = re.findall(r"^\(([\w-]+)\)=\n### ", beside, re.MULTILINE)
    assert 1 <= len(listed) <= 4
    assert set(sections) <= set(listed)


@each(ON_A_LINE)
def test_a_card_is_one_screen_that_runs_alone(path):
    cells = card_of(read(path))
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    shown = [cell for cell in cells if "take-home" in cell.metadata.get("tags", [])]
    pictures = [cell for cell in cells if cell.cell_type == "code" and cell not in shown]
    assert re.search(r"^\*\*.+\?\*\*", text, re.MULTILINE), "a card asks its question in bold"
    assert text.count("$$") == 2, "a card has one formula"
    assert not re.search(r"\$\$ *\(", text), "a formula on a card has no label: it is on two pages"
    assert len(shown) == 1
    assert 6 <= sum(bool(line.strip()) for line in shown[0].source.splitlines()) <= 12
    assert shown[0].outputs, "a card prints what it computes"
    assert any("image/png" in out.get("data", {}) for cell in pictures for out in cell.outputs)


@each(NOTEBOOKS)
def test_a_fold_says_what_is_in_it(path):
    for cell in code_cells(read(path)):
        if {"hide-input", "hide-cell"} & set(cell.metadata.get("tags", [])):
            assert cell.metadata.get("mystnb", {}).get("code_prompt_show"), cell.source


# ---------------------------------------------------------------------------- code to take home
#
# A cell tagged `take-home` runs when it is pasted into an empty notebook with NumPy, in Part III
# also with posenc and posenc_check; so does a block of PyTorch in a fold of its own, where PyTorch
# is installed, and each block of Python in the words of Part III. A block that needs what only its
# reader has, such as a model, says so in its first line: "# needs `model`: ...".
# (What is copied of all other cells of Part III: tests/site/test_copied_cells.py.)

TAKE_HOME = [
    pytest.param(path, cell.source, id=f"{path.stem}-{number}")
    for path in NOTEBOOKS
    for number, cell in enumerate(code_cells(read(path)))
    if "take-home" in cell.metadata.get("tags", [])
]
PYTORCH = re.compile(
    r"^:{3,}\{dropdown\} The same in PyTorch$.*?^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
IN_PYTORCH = [
    pytest.param(code, id=f"{path.stem}-{number}")
    for path in NOTEBOOKS
    for number, code in enumerate(PYTORCH.findall("\n\n".join(markdown(path))))
]


BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
IN_PART_3 = [
    pytest.param(code, id=f"{path.stem}-{number}")
    for path in PAGES
    if "12" <= path.name[:2] <= "20"
    for number, code in enumerate(BLOCK.findall("\n\n".join(markdown(path))))
]


def modules_of(code):
    return set(re.findall(r"^(?:import|from) (\w+)", code, re.MULTILINE))


def unbound_names(code):
    """The names that a program reads and neither binds nor finds among Python's own."""
    nodes = list(ast.walk(ast.parse(code)))
    names = [node for node in nodes if isinstance(node, ast.Name)]
    bound = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            bound.add(node.name)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.alias):
            bound.add((node.asname or node.name).partition(".")[0])
    return {node.id for node in names} - bound - set(dir(builtins))


@pytest.mark.parametrize(("path", "code"), TAKE_HOME)
def test_code_to_take_home_runs_alone(path, code):
    ours = {"posenc", "posenc_check"} if "12" <= path.name[:2] <= "20" else set()
    assert modules_of(code) <= {"math", "numpy"} | ours
    exec(compile(code, "take-home", "exec"), {"__name__": "__main__"})


@pytest.mark.parametrize("code", IN_PART_3)
def test_a_block_of_part_3_runs_alone_or_says_what_it_needs(code):
    first = code.partition("\n")[0]
    needed = set(re.findall(r"`(\w+)`", first)) if first.startswith("# needs ") else set()
    assert unbound_names(code) <= needed
    if not needed:
        assert modules_of(code) <= {"inspect", "math", "numpy", "posenc", "posenc_check"}
        exec(compile(code, "block", "exec"), {"__name__": "__main__"})


@pytest.mark.parametrize("code", IN_PYTORCH)
def test_the_same_in_pytorch_runs_alone(code):
    pytest.importorskip("torch")
    exec(compile(code, "take-home", "exec"), {"__name__": "__main__"})


# ---------------------------------------------------------------------------- figures


def alt_texts(path):
    """(code cell, alt text) of each cell with a stored figure; None where there is no text."""
    for number, cell in enumerate(code_cells(read(path))):
        if any(
            mime.startswith("image/") for output in cell.outputs for mime in output.get("data", {})
        ):
            yield number, cell.metadata.get("mystnb", {}).get("image", {}).get("alt")


@each(NOTEBOOKS)
def test_every_figure_has_an_alt_text(path):
    for number, text in alt_texts(path):
        where = f"{name(path)}: Cell {number}"
        advice = 'in the cell\'s metadata: {"mystnb": {"image": {"alt": "What the figure shows."}}}'
        assert text, f"{where} draws a figure and has no alt text; put it {advice}"
        sentence = len(text.split()) >= 5 and text[0].isupper() and text.endswith(".")
        assert sentence, f"{where}: the alt text is no sentence: {text!r}"


def test_no_alt_text_is_repeated():
    texts = [text for path in NOTEBOOKS for _, text in alt_texts(path)]
    repeated = [text for text, times in collections.Counter(texts).items() if text and times > 1]
    assert not repeated, f"the same alt text on more than one figure: {repeated}"


# ---------------------------------------------------------------------------- numbers in prose
#
# A number that a sentence takes from a computation goes stale when the computation changes. So
# every decimal number, and every integer of three digits or more, in a chapter's prose and in its
# figures' alt texts must occur in the code of the same notebook (an assertion beside the sentence)
# or in its text outputs. On a page that has no cells, it must occur in one of the notebooks.
#
# Exempt: years from 1940 to 2039 but 2000, written without a separator; code; addresses,
# citations, references, labels and versions of Python; and the cells of Markdown that carry the
# tag `quoted-numbers`, for what others measured and no cell can compute.

QUOTED = "quoted-numbers"
FENCED_CODE = re.compile(r"^([ \t]*)(`{3,}|~{3,})(?=\w)(?:.*\n)+?\1\2[ \t]*$", re.MULTILINE)
INLINE_CODE = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
ROLE = re.compile(r"\{[\w:.-]+\}`[^`]*`")
YEAR = re.compile(r"(?<![\w.,])(?:19[4-9]\d|20(?!00)[0-3]\d)(?![\w]|[.,]\d)")
NOT_PROSE = [
    FENCED_CODE,
    ROLE,  # before inline code, which would leave the role's name
    INLINE_CODE,
    re.compile(r"<!--.*?-->", re.DOTALL),
    re.compile(r"^\([\w:.-]+\)=\s*$", re.MULTILINE),  # a label
    re.compile(r"^\s*:[\w-]+:.*$", re.MULTILINE),  # an option of a directive
    re.compile(r"^\s*(?:`{3,}|:{3,})\{[\w:-]+\}\s*\S*$", re.MULTILINE),  # a directive's first line
    re.compile(r"\]\([^)]*\)|https?://\S+|<[^>\n]*>|\]\[[^\]]*\]"),
    re.compile(r"\bPython [\d.]+(?: (?:to|or) [\d.]+)?"),
    re.compile(r"\\(?:label|eqref|ref|tag|begin|end)\{[^}]*\}"),
]
# 10,000  10 000 (with any of the usual spaces)  10\,000  10{,}000  10_000
SEPARATOR = r"(?:,|\{,\}|\\[,; :]|\{\\,\}|~|_|[ \u00a0\u2009\u202f])"
GROUPED = re.compile(rf"(?<![\d.])\d{{1,3}}(?:{SEPARATOR}\d{{3}})+(?!\d)")
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?")
PROGRAM = re.compile(r"<(script|style)\b.*?</\1>", re.DOTALL)


def ungroup(text):
    return GROUPED.sub(lambda match: re.sub(r"\D", "", match[0]), text)


def prose_numbers(text):
    """(number as found, the text around it) for all that the rule above asks about."""
    text = TOUCH.sub(r"\1", text)  # whose words are prose like any other
    for pattern in (*NOT_PROSE, YEAR):
        text = pattern.sub(" ", text)
    text = ungroup(text)
    for match in NUMBER.finditer(text):
        if "." in match[0] or len(match[0]) >= 3:
            around = text[max(0, match.start() - 50) : match.end() + 30]
            yield match[0], " ".join(around.split())


def without_comments(source):
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return " ".join(token.string for token in tokens if token.type != tokenize.COMMENT)


@cache
def computed_numbers(path, asked=False):
    """Every number in a notebook's code and text outputs, read with and without grouping.

    Those in the words of a question count where they are asked for: they are prose themselves.
    """
    texts = []
    for cell in code_cells(read(path)):
        texts.append(without_comments(cell.source))
        for output in cell.outputs:
            texts.append(output.get("text", "") + output.get("evalue", ""))
            if asked or "ask(" not in cell.source:
                texts += [data for mime, data in output.get("data", {}).items() if "text/" in mime]
    return {
        Decimal(number)  # 0.50 is 0.5, and 10000.0 is 10000
        for text in map(partial(PROGRAM.sub, ""), texts)
        for number in NUMBER.findall(text) + NUMBER.findall(ungroup(text))
    }


@each(PAGES)
def test_numbers_in_prose_come_from_a_cell(path):
    computed = set().union(*map(computed_numbers, [path] if path in NOTEBOOKS else NOTEBOOKS))
    alts = [text for _, text in alt_texts(path) if text] if path in NOTEBOOKS else []
    strays = [
        f"  {number}  in: … {around} …"
        for text in markdown(path, but=QUOTED) + stated(path) + alts
        for number, around in prose_numbers(text)
        if Decimal(number) not in computed
    ]
    if strays:
        message = (
            f"{name(path)}: no code cell and no text output holds these numbers of the prose. "
            "Assert them in a cell beside the sentence:"
        )
        pytest.fail("\n".join([message, *strays]), pytrace=False)


def test_what_counts_as_a_number_in_prose():
    text = (
        "row {touch}`127 <position=128>`, 60 611 and 62{,}832, 0.50, 12, in 2017, {eq}`f123`, `123`"
    )
    assert [number for number, _ in prose_numbers(text)] == ["127", "60611", "62832", "0.50"]
