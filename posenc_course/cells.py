"""One cell of a chapter run by itself, with what it needs of the cells before it.

A page of the book runs an exercise or a shown cell where it stands. What the reader's lines read
and do not make themselves, they get from the chapter: of the statements before them those that
make it, and those that these need in turn. What draws, prints or checks is left out.
"""

import ast
import contextlib
import functools
import io
import linecache
import symtable
import sys
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

import numpy as np

from posenc_course.exercises import assess
from posenc_course.words import _

YOURS = "your code"  # the name of the reader's code, where Python names a file
# Lines that a message on an error has of the reader's code: two, "... more", and the last one.
MOST_LINES = 4


@dataclass(frozen=True)
class Statement:
    """A statement of a chapter: its lines, and the names that it makes, changes and reads.

    `late` are those that it reads only when it is called.
    """

    text: str
    makes: set[str]
    changes: set[str]
    reads: set[str]
    late: set[str]


def bring(code: str, cells: Sequence[str]) -> str:
    """Return the text of the statements of `cells` that make what `code` reads, in their order.

    The cells stand before the code, which may have mistakes, but no mistake of syntax.

    Examples
    --------
    >>> print(bring("print(c)", ["a = 1", "b = 2", "c = a + 1", "print(a)"]))
    a = 1
    c = a + 1
    """
    statements = [statement for cell in cells for statement in statements_of(cell)]
    brought: set[int] = set()  # the indices of statements
    another_round = True
    # Each round goes from the last statement to the first. A function that is brought late in a
    # round may read what is made after its place, which only the next round can bring.
    while another_round:
        another_round, needed = False, read_by(code)
        for index in reversed(range(len(statements))):
            statement = statements[index]
            # A function that is brought and stands before this statement may be called after it,
            # and then read what is made here.
            called = set().union(*(statements[before].late for before in brought if before < index))
            if (needed | called) & (statement.makes | statement.changes):
                # What is made here is needed no more from the statements before, unless a function
                # reads it when it is called: that call may also come before this statement.
                needed = (needed - (statement.makes - called)) | statement.reads | statement.late
                another_round |= index not in brought
                brought.add(index)
    return "\n".join(statements[index].text for index in sorted(brought))


class Outcome(TypedDict, total=False):  # any key may be missing
    """What came of a reader's code: an error, or a verdict on an answer, or nothing to say.

    ``error`` is alone, ``state`` and ``text`` are together, and code that answers no exercise and
    raises nothing has none of the three.
    """

    error: str  #: what the code raised, in words
    state: str  #: of the verdict, as "right" or "wrong"
    text: str  #: the verdict in words


def run(code: str, cells: Sequence[str], exercise: str = "", variable: str = "") -> Outcome:
    """Run a reader's code after what it needs; return its error, a verdict on its answer, or {}.

    `cells` is the code of the cells before it, `exercise` the label of the exercise it answers, ""
    if it answers none, and `variable` the name under which it makes the answer. What the code
    prints is printed, and whatever it raises is returned in words and not raised.
    """
    # Of a notebook, so that what stands below `if __name__ == "__main__"` runs.
    space = {"__name__": "__main__"}
    # So that a traceback can repeat the reader's lines, which stand in no file. None in place of a
    # file's time keeps Python from looking for one.
    linecache.cache[YOURS] = (len(code), None, code.splitlines(keepends=True), YOURS)
    try:
        # Read before the chapter runs, so that a mistake of syntax is told at once.
        tree = ast.parse(code, YOURS)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        yours = compile(tree, YOURS, "exec")
        with np.printoptions(), np.errstate():  # no cell changes NumPy for the next
            # What the chapter prints has been shown where it stands.
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(bring(code, cells), "the chapter", "exec"), space)
            exec(yours, space)
            if last:  # shown, as a notebook shows the value of its last line
                exec(compile(ast.Interactive([last]), YOURS, "single"), space)
    except BaseException as error:  # also of sys.exit() and of Ctrl+C
        return {"error": _in_words(error)}
    finally:
        sys.stdout.flush()  # a page shows whole lines, and a last one without an end only now
    if not exercise:
        return {}
    if variable not in space:
        return {"state": "wrong", "text": _("Not yet. Your lines make no `{}`.").format(variable)}
    verdict = assess(exercise, space[variable])
    return {"state": verdict.state, "text": verdict.text}


def read_by(code: str) -> set[str]:
    """Return the names that some code reads and does not make before it reads them."""
    wanted, late, made = set(), set(), set()  # late: what its functions read when they are called
    # From the last statement up, so that what one makes is made for those below it alone.
    for statement in reversed(statements_of(code)):
        wanted = (wanted - statement.makes) | statement.reads
        late |= statement.late
        made |= statement.makes
    return wanted | (late - made)  # a function may be called after all is made


@functools.cache  # a chapter's cells are read again for each piece of code
def statements_of(cell: str) -> list[Statement]:
    """Return the statements of a cell, none inside another, as `Statement` describes them."""
    # In bytes, as Python counts columns. `ast.get_source_segment` would split the cell again for
    # each of its statements.
    lines = cell.encode().splitlines(keepends=True)
    found = []
    for node in ast.parse(cell).body:
        # A decorated statement begins above its `def`, which is where its node does.
        decorators = getattr(node, "decorator_list", [])
        first = decorators[0].lineno if decorators else node.lineno
        part = lines[first - 1 : node.end_lineno]
        part[-1] = part[-1][: node.end_col_offset]
        part[0] = part[0][node.col_offset :]
        found.append(_statement(node, b"".join(part).decode()))
    return found


def _statement(node: ast.stmt, text: str) -> Statement:
    """Return a statement with the names that it makes, changes and reads."""
    table = symtable.symtable(text, "a cell", "exec")
    makes = {
        symbol.get_name()
        for symbol in table.get_symbols()
        if symbol.is_assigned() or symbol.is_imported()
    }
    reads, inside = _reads(table)
    changes = {part.value.id for part in ast.walk(node) if _changes(part, node)}
    if isinstance(node, ast.FunctionDef):  # `reads` are those of its decorators and defaults
        return Statement(text, makes, changes, reads, late=inside)
    # Lambdas and comprehensions are functions, too; they may be called at once.
    if isinstance(node, ast.Import | ast.ImportFrom | ast.ClassDef | ast.Assign):
        return Statement(text, makes, changes, reads | inside, late=set())
    reads |= inside
    if isinstance(node, ast.For):
        # A line of a loop may read what the loop or an earlier line of it has made. One turn of
        # it, with an assignment in place of the `for`, shows what comes from before the loop.
        # `ast.unparse` asks for the line of an assignment, and does nothing with it.
        turn = [ast.Assign([node.target], node.iter, lineno=0), *node.body, *node.orelse]
        reads = read_by(ast.unparse(ast.Module(turn, [])))
    if isinstance(node, ast.Try):  # the name of `except ... as name` is made by the handler
        reads = reads - {handler.name for handler in node.handlers}
    # A loop or a condition may never give its names a value. Then an earlier statement must have
    # made them, so they count as changed and not as made.
    return Statement(text, set(), changes | makes, reads, late=set())


def _changes(part: ast.AST, node: ast.stmt) -> bool:
    """Return whether a part of a statement changes the value of a name without assigning it."""
    if not (isinstance(part, ast.Attribute | ast.Subscript) and isinstance(part.value, ast.Name)):
        return False
    stored = isinstance(part.ctx, ast.Store)  # X[0] = 3
    # A call alone on its line is there for what it changes: a.sort()
    called = isinstance(node, ast.Expr) and part is getattr(node.value, "func", None)
    # The name that chapters give a generator, whose next numbers are others after each call.
    drawn = part.value.id == "rng"
    return stored or called or drawn


def _reads(table: symtable.SymbolTable) -> tuple[set[str], set[str]]:
    """Return (global names that code itself reads, global names that its functions read).

    Built-in names are among them.
    """
    names = {
        symbol.get_name()
        for symbol in table.get_symbols()
        if symbol.is_referenced() and symbol.is_global()
    }
    return names, set().union(*(both for child in table.get_children() for both in _reads(child)))


def _in_words(error: BaseException) -> str:
    """Return an error in words: the reader's lines that led to it, and what Python says of it."""
    if isinstance(error, ModuleNotFoundError):
        words = _(
            "There is no {} in this page's Python. “Run it here”, at the top of the page, opens "
            "the chapter with all it uses."
        )
        return words.format(error.name)
    words = "".join(traceback.format_exception_only(error)).rstrip()
    # Its first line is a file and a line. A SyntaxError of an `eval` in the code has another file.
    if isinstance(error, SyntaxError) and error.filename == YOURS:
        _file_and_line, _newline, rest = words.partition("\n")
        return f"Line {error.lineno}:\n{rest}"
    frames = traceback.extract_tb(error.__traceback__)
    lines = [f"Line {one.lineno}: {one.line}" for one in frames if one.filename == YOURS]
    if len(lines) > MOST_LINES:  # of a function that calls itself, as a rule
        # The first two show how it began, and the last one where it failed: of all lines, 3.
        lines[2:-1] = [f"... {len(lines) - 3} more ..."]
    return "\n".join([*lines, words])
