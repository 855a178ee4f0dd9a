"""The sentences that claim something of a whole range: "all", "never", "at least".

    python -m scripts.quantifiers                    how many stand on each page
    python -m scripts.quantifiers book/glossary.md   the sentences of a page

A sentence of this kind is false as soon as one case is. Read the list, and for each ask which cell
looks at the whole range that it claims; if none does, narrow the sentence or name its condition.
Only the prose is read: what questions and figures say is in the code of the cells.
"""

import argparse
import re
from pathlib import Path

from extensions.contents import ROOT, name, pages_in_toc, read

QUANTIFIER = re.compile(r"\b(?:all|every|no|never|only|always|any|at least)\b", re.IGNORECASE)
NOT_PROSE = [
    re.compile(r"^([ \t]*)(`{3,})(?=\w)(?:.*\n)+?\1\2[ \t]*$", re.MULTILINE),  # code
    re.compile(r"<!--.*?-->", re.DOTALL),
    re.compile(r"^\([\w:.-]+\)=\s*$", re.MULTILINE),  # a label
    re.compile(r"^\s*:[\w-]+:.*$", re.MULTILINE),  # an option of a directive
    re.compile(r"^\s*(?:`{3,}|:{3,}).*$", re.MULTILINE),  # where a directive begins and ends
]
TARGET = re.compile(r" <[\w:.-]+>(?=`)")  # of a reference
DISPLAY = re.compile(
    r"\s*\$\$.*?(?P<stop>\.?)\s*(?:\\end\{\w+\*?\}\s*)?\$\$(?:[ \t]*\([\w-]+\))?\s*", re.DOTALL
)
ROW = re.compile(r"^[ \t]*\|.*$", re.MULTILINE)
# A blank line, an item of a list, a heading, an entry of the glossary.
BREAK = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*#]|\d+\.)\s)|\n(?=  \S)")
END = re.compile(r"(?<=[.!?])[\"”*)]*\s+(?=[\"“*(\[]*[A-Z]|[`{$→])")


def sentences(text):
    """The sentences of a page in Markdown, in order; a heading and a cell of a table count as one.

    >>> sentences("No cell. See $x$:\\n\\n| all | one |\\n")
    ['No cell.', 'See $x$:', 'all', 'one']
    """
    for pattern in NOT_PROSE:
        text = pattern.sub("\n", text)
    text = TARGET.sub("", text)
    text = DISPLAY.sub(lambda formula: f" …{formula['stop']} ", text)
    text = ROW.sub(lambda row: row[0].replace("|", "\n\n"), text)
    found = (" ".join(part.split()) for block in BREAK.split(text) for part in END.split(block))
    return [sentence for sentence in found if re.search(r"\w", sentence)]


def quantified(text):
    """Those that hold one of the words."""
    return [sentence for sentence in sentences(text) if QUANTIFIER.search(sentence)]


def prose(path):
    """The Markdown of a page, whether it is a notebook or not."""
    if path.suffix != ".ipynb":
        return path.read_text(encoding="utf-8")
    cells = read(path).cells
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pages", nargs="*", type=Path, help="list the sentences of these pages")
    chosen = [path.resolve() for path in parser.parse_args().pages]
    for path in chosen or [page for page in pages_in_toc(ROOT) if page.is_file()]:
        found = quantified(prose(path))
        print(f"{len(found):4}  {name(path)}")
        if chosen:
            print(*(f"      {sentence}" for sentence in found), sep="\n")


if __name__ == "__main__":
    main()
