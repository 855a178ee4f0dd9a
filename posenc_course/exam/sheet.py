"""A sheet of questions and its key, as blocks of Markdown with TeX.

A seed chooses the questions and draws their numbers. The versions of an exam have the same
questions with different numbers.
"""

import difflib
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from posenc._checks import shown
from posenc_course.exam.question import QUESTIONS, Part, Wrong

# Minutes of the shortest sheet, by choice: as a point stands for a minute, and the largest question
# has 10 points, a sheet has two questions or more.
SHORTEST = 15
# Minutes from which a sheet has each of the three grades, by choice: those of a sheet by default.
# In shorter ones most orders of the questions leave a grade out.
EVERY_GRADE = 45
VERSIONS = "ABCDEF"
LETTERS = "BCDFGHJKLMNPQRSTVWXZ"  # of a code, which spells no word without vowels
HELP = (
    "A calculator, set to radians, is allowed. Positions and indices count from 0. Where no "
    "decimals are named, give two, or the exact value."
)
MARKING = (
    "Accept a rounded decimal that is off by up to two in its last digit, and an exact value in "
    "place of decimals; a whole number must be right. Give the points of a method whose numbers "
    "went wrong once, and all points to any other proof, reason or line of code that is right. A "
    "list of wrong answers is there to see what went wrong, not to take points off."
)


class Block(NamedTuple):
    """A piece of a sheet or a key: its kind, its Markdown, and the points of the answer below it.

    The kinds are "help", "title", "text", "part" and "proof" on a sheet, and on a key "help",
    "title", "part", "notes" and "solution".
    """

    kind: str
    text: str
    points: int = 0


def whole(name: str, value: Any) -> int:
    """Return a value as an int, if it is a whole number from 0 on; else raise a ValueError.

    The message has the `name` of the value.
    """
    # Python takes True for an int.
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 0:
        raise ValueError(f"{name} must be a whole number from 0, got {shown(value)}")
    return int(value)


def chosen(
    names: str = "",
    minutes: int = 45,
    seed: int = 1,
    chapters: Collection[str] | None = None,
    sections: str = "",
) -> list[str]:
    """Return the names of the questions on a sheet: those in `names`, or else as a seed draws them.

    Parameters
    ----------
    names : str, optional
        The questions, with spaces between, or "all". Without it the seed chooses them.
    minutes : int, optional
        For how many minutes it chooses: a point for each, or a little less where no questions
        have just as many.
    seed : int, optional
        What draws the questions, and later their numbers.
    chapters : collection of str, optional
        The labels of the chapters that may be asked about, by default of all.
    sections : str, optional
        The labels of sections after the cards that the class has read, with spaces between, or
        "all". Without it, what stands before the cards is asked about alone.

    Examples
    --------
    >>> from posenc_course.exam import chosen
    >>> chosen("twins wrong-sign")
    ['twins', 'wrong-sign']
    >>> chosen(minutes=15, seed=3, chapters={"formula", "rotation"})
    ['wrong-sign', 'one-matrix']
    """
    seed = whole("seed", seed)  # also where it chooses nothing, as it draws the numbers later
    if names:
        return [*QUESTIONS] if names == "all" else list(map(known, names.split()))
    minutes = whole("minutes", minutes)
    on_chapters = [
        name for name, one in QUESTIONS.items() if chapters is None or one.chapter in chapters
    ]
    read = {"", *read_sections(sections)}  # "" is of questions that need no such section
    pool = [name for name in on_chapters if QUESTIONS[name].section in read]
    most = sum(QUESTIONS[name].points for name in pool)
    with_all = sum(QUESTIONS[name].points for name in on_chapters)
    if with_all > most:
        more = f", and {with_all} with those on sections after the cards, which sections= names"
    else:
        more = ""
    if most < SHORTEST:
        raise ValueError(
            f"chapters must have questions of at least {SHORTEST} points, and these have "
            f"{most}{more}"
        )
    if not SHORTEST <= minutes <= most:
        raise ValueError(
            f"minutes must be from {SHORTEST} to {most}, got {minutes}: a point stands for a "
            f"minute, and the questions on these chapters have {most} points in all{more}"
        )
    # The seed alone draws numbers elsewhere, to which the choice is not to be tied.
    rng = np.random.default_rng([seed, crc32(b"the choice of questions")])
    grades = {QUESTIONS[name].grade for name in pool} if minutes >= EVERY_GRADE else set()
    # Of the sheets for 45 minutes up to half lack one of the grades, so a few orders are enough.
    # Chapters that are chosen may have no sheet with all grades: then the last order stands.
    for _ in range(1000):
        on_sheet = filling(by_turns(rng.permutation(pool)), minutes)
        if grades <= {QUESTIONS[name].grade for name in on_sheet}:
            break
    return sorted(on_sheet, key=pool.index)  # in the order of `questions.md`, that of the book


def read_sections(labels: str) -> set[str]:
    """Return the set of labels in a text, with spaces between; for "all", of those with questions.

    A label that no question needs is refused by a ValueError with one like it.
    """
    needed = {one.section for one in QUESTIONS.values() if one.section}
    if labels == "all":
        return needed
    for label in labels.split():
        if label not in needed:
            raise ValueError(
                f'sections must be "all" or labels, such as {like(label, needed)!r}, got {label!r}'
            )
    return set(labels.split())


def like(name: str, names: Iterable[str]) -> str:
    """Return the one of the names that is spelled most like a name."""
    # The cutoff 0 gives a name however unlike it is, so that a message always has an example.
    return difflib.get_close_matches(name, names, n=1, cutoff=0)[0]


def known(name: str) -> str:
    """Return `name` if a question has it; else raise a ValueError that suggests a name like it."""
    if name in QUESTIONS:
        return name
    close = difflib.get_close_matches(name, QUESTIONS, n=1)
    # Where no name is at least 60 % like it, a suggestion would help nobody.
    hint = f"did you mean {close[0]!r}?" if close else "the page of exam questions lists all"
    raise ValueError(f"no question is named {name!r}; {hint}")


def by_turns(names: Iterable[str]) -> list[str]:
    """Return names in an order that asks about every chapter before it asks about one again."""
    turn: dict[str, int] = {}  # of each name: 1 for the first question of its chapter, 2, ...
    asked: dict[str, int] = {}  # of each chapter: how many of its questions came so far
    for name in names:
        chapter = QUESTIONS[name].chapter
        asked[chapter] = asked.get(chapter, 0) + 1
        turn[name] = asked[chapter]
    # The sort keeps the order within a turn. NumPy's permutation gives no plain str.
    return sorted(map(str, names), key=turn.get)


def filling(names: Sequence[str], minutes: int) -> list[str]:
    """Return names, the earlier the sooner, whose points add up to the minutes, or almost to them.

    That is the largest sum up to the minutes which some of the names have.
    """
    # The last set has the sums that some of all names can have, the one before it those of all
    # names but the first, and so on down to {0}, of no name.
    sums = [{0}]
    for name in reversed(names):
        with_it = {points + QUESTIONS[name].points for points in sums[-1]}
        sums.append(sums[-1] | with_it)
    to_fill = max(points for points in sums.pop() if points <= minutes)
    on_sheet = []
    for name in names:
        left = to_fill - QUESTIONS[name].points
        if left in sums.pop():  # then some of the later names fill what is left, or nothing is
            on_sheet.append(name)
            to_fill = left
    return on_sheet


def count(points: int) -> str:
    """Return a number of points in words: "1 point", "2 points"."""
    return f"{points} point{'' if points == 1 else 's'}"


def code(names: list[str], seed: int) -> str:
    """Return four letters that name an exam, so that a key is not laid beside another one's sheet.

    They are made from the words of version A, so that all versions have them in common, and do not
    tell the seed to anybody who does not hold that sheet.
    """
    number = crc32(sheet(names, seed).encode())
    # The number's last four digits, written with the letters as digits: 160 000 codes.
    return "".join(LETTERS[number // len(LETTERS) ** place % len(LETTERS)] for place in range(4))


def sheet_blocks(names: list[str], seed: int, version: int = 0) -> list[Block]:
    """Return the sheet that students get as blocks, with the numbers of a seed and of a version.

    Version 0 is A. Every block of a question's part has the part's points.
    """
    asked = [QUESTIONS[name].ask(seed, version) for name in names]
    blocks = [Block("help", f"{HELP} {count(sum(one.points for one in asked))} in all.")]
    for number, one in enumerate(asked, start=1):
        blocks.append(Block("title", f"**{number}. {one.title}** ({count(one.points)})"))
        blocks.append(Block("text", one.text))
        for part in one.parts:
            # A backslash before the end of a line breaks the line.
            options = [f"\\\n{part.lettered(option)}: {option}" for option in part.options]
            text = f"({part.letter}) {part.asks} *({part.points})*{''.join(options)}"
            blocks.append(Block("proof" if part.steps else "part", text, part.points))
    return blocks


def key_blocks(names: list[str], seed: int, version: int = 0) -> list[Block]:
    """Return the key to a sheet as blocks: answers, points, reasons, and typical wrong answers."""
    blocks = [Block("help", MARKING)]
    for number, name in enumerate(names, start=1):
        one = QUESTIONS[name].ask(seed, version)
        section = QUESTIONS[name].section
        needed = f"; section: {section}" if section else ""
        about = f"({count(one.points)}; grade: {one.grade}{needed})"
        blocks.append(Block("title", f"**{number}. {one.title}** {about}"))
        for part in one.parts:
            blocks.append(Block("part", f"({part.letter}) {answered(part)}*({part.points})*"))
            blocks.append(Block("notes", noted(part)))
        blocks.append(Block("solution", one.solution))
    return blocks


def noted(part: Part) -> str:
    """Return the notes on a part as a list in Markdown: steps of a proof, then wrong answers."""
    steps = [f"- {count(step.points)}: {step.text}" for step in part.steps]
    wrong = [f"- Wrong: {named(part, wrong)}: {wrong.shows}" for wrong in part.wrong]
    return "\n".join([*steps, *wrong])


def answered(part: Part) -> str:
    """Return a part's answer in bold and a space, with its letter if an option; "" for a proof."""
    if part.options:
        return f"**{part.lettered(part.key)}**, {part.answer} "
    return f"**{part.answer}**{exact(part.key, part.digits)} " if part.answer else ""


def named(part: Part, wrong: Wrong) -> str:
    """Return the words of a wrong answer, after "B, " or another letter where it is an option."""
    is_option = wrong.text in part.options
    return f"{part.lettered(wrong.text)}, {wrong.text}" if is_option else wrong.text


def markdown(blocks: Iterable[Block]) -> str:
    """Return blocks as one text in Markdown, with an empty line between two of them."""
    return "\n\n".join(block.text for block in blocks) + "\n"


def sheet(names: list[str], seed: int, version: int = 0) -> str:
    """Return `sheet_blocks`, the sheet that students get, as one text in Markdown."""
    return markdown(sheet_blocks(names, seed, version))


def key(names: list[str], seed: int, version: int = 0) -> str:
    """Return `key_blocks`, the answers with points and reasons, as one text in Markdown."""
    return markdown(key_blocks(names, seed, version))


def exact(value: Any, digits: int) -> str:
    """Return ", exactly $(...)$" for fractions that need more decimals than `digits`, else ""."""
    # The fractions of all keys stand in rows; a number, a matrix and an option have none.
    row = value if np.ndim(value) == 1 else []
    # A float has no denominator, and is written with its decimals alone.
    denominators = {getattr(entry, "denominator", 1) for entry in row}
    # A fraction has no more decimals than `digits` if its denominator divides 10**digits.
    if not any(10**digits % denominator for denominator in denominators):
        return ""
    return ", exactly $(" + r",\ ".join(map(str, row)) + ")$"
