"""What the book's questions say to slips: right cells mixed with wrong ones, and usual errors.

    python -m tests.course.replies          writes the table of answers and replies

The questions are those of the stored notebooks; what judges is the page's own script, in V8.
"""

import ast
import html
import itertools
import json
import math
import random
import re
from pathlib import Path

from extensions.contents import ROOT, notebooks_in_toc, read
from posenc_course import questions
from posenc_course.questions.question import Question, close
from tests.course.v8 import Module

TABLE = ROOT / "build" / "replies.md"
ASKED = re.compile(
    r'<div class="posenc posenc-question" data-question="[^"]*" data-state="([^"]*)"'
)
MOST = 2**10  # mixes of one wrong table; of more, as many are drawn

# What becomes of a right number by a usual error.
SLIPS = {
    "the other sign": lambda x: -x,
    "the inverse": lambda x: 1 / x if x else math.nan,
    "in degrees": math.degrees,
    "in radians": math.radians,
    "twice": lambda x: 2 * x,
    "half": lambda x: x / 2,
    "one more": lambda x: x + 1,
    "one less": lambda x: x - 1,
    "without 2π": lambda x: x / (2 * math.pi),
    "with 2π": lambda x: x * 2 * math.pi,
    "ten times": lambda x: 10 * x,
    "a hundredth": lambda x: x / 100,
    "squared": lambda x: x * x,
    "3 % less": lambda x: 0.97 * x,
}


def stored():
    """(notebook, what is asked) of each stored question, in reading order."""
    for path in notebooks_in_toc():
        for cell in read(path).cells:
            for output in cell.get("outputs", []):
                for state in ASKED.findall(output.get("data", {}).get("text/html", "")):
                    yield path, json.loads(html.unescape(state))


def written():
    """By its key, the function of each question as it is written, parsed."""
    return {
        node.name.replace("_", "-"): node
        for page in sorted(Path(questions.__file__).parent.glob("*.py"))
        for node in ast.parse(page.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and re.search(r"_\d+$", node.name)
    }


def dicts_written(question):
    """(name, how many keys) of each dict that the call that makes a question lists."""
    for node in ast.walk(question):
        listed = node.value if isinstance(node, ast.keyword) else None
        if isinstance(listed, ast.Dict) and None not in listed.keys:  # None unpacks another dict
            yield node.arg, len(listed.keys)


def mixes(ask):
    """(cells, which of them are from the wrong table) of right cells mixed with wrong ones."""
    right = [*itertools.chain(*ask["answer"])]
    for table, _ in ask["wrong"]:
        wrong = [*itertools.chain(*table)]
        differs = [
            at
            for at, pair in enumerate(zip(right, wrong, strict=True))
            if not close(*pair[::-1], ask["tolerance"])
        ]
        if 2 ** len(differs) <= MOST:
            groups = itertools.product((False, True), repeat=len(differs))
        else:
            draw = random.Random(7)
            groups = [[draw.random() < 0.5 for _ in differs] for _ in range(MOST)]
            groups += [[one == at for at in differs] for one in differs]
            groups += [[one != at for at in differs] for one in differs] + [[True] * len(differs)]
        for group in groups:
            taken = {at for at, take in zip(differs, group, strict=True) if take}
            if taken:
                yield [wrong[at] if at in taken else right[at] for at in range(len(right))], taken


def slips(ask):
    """(what went wrong, the number) of each usual error that gives a number."""
    for what, slip in SLIPS.items():
        value = slip(ask["answer"])
        if math.isfinite(value) and value != ask["answer"]:
            yield what, value


class Judge:
    """The page's judge."""

    def __init__(self):
        self.module = Module(Question._module)

    def verdicts(self, ask, given):
        """Return what the page says to each answer."""
        call = f"(given) => judge({json.dumps(ask)}, given)"
        return self.module.each(call, list(given))


def words(verdict):
    """The reply as one text."""
    if verdict.get("right"):
        return "Yes."
    return next(verdict[key] for key in ("wrong", "seen", "partly", "unread") if key in verdict)


def rows():
    """(question, answer, reply) of every slip, and of a few mixes of each wrong table."""
    judge = Judge()
    for _, ask in stored():
        right = ask.get("answer")
        if ask["kind"] == "number":
            found = list(slips(ask))
            found += [("a typical answer", value) for value, _ in ask["wrong"]]
            replies = judge.verdicts(ask, [repr(value) for _, value in found])
            for (what, value), verdict in zip(found, replies, strict=True):
                yield ask["key"], f"{value:.6g} for {right:.6g} ({what})", words(verdict)
        elif ask["kind"] == "blanks":
            found = list(mixes(ask))
            most = max((len(taken) for _, taken in found), default=0)
            told = [cells for cells, taken in found if len(taken) in (1, most)]
            replies = judge.verdicts(ask, [[repr(cell) for cell in cells] for cells in told])
            for cells, verdict in zip(told, replies, strict=True):
                yield ask["key"], " ".join(f"{cell:.4g}" for cell in cells), words(verdict)


def main():
    """Write the table."""
    TABLE.parent.mkdir(exist_ok=True)
    lines = ["| question | answer | reply |", "| --- | --- | --- |"]
    lines += ["| " + " | ".join(row).replace("\n", " ") + " |" for row in rows()]
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{TABLE.relative_to(ROOT)}: {len(lines) - 2} answers")


if __name__ == "__main__":
    main()
