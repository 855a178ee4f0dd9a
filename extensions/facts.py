"""The facts of a page, which its author states beside the prose.

A notebook states them in its metadata, a page in Markdown in its front matter; both under the key
``course``:

    course:
      question: How does a position become a vector?
      minutes: {read: 10, pencil: 26}
      card: formula-card
      next: "{ref}`A worked example <worked-example>`: can the sums tell ...?"

Whoever needs a fact asks `facts_of`. Nothing looks for one in the text of a page.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from posenc_course.words import N_

KEY = "course"
# The words around what an author writes, in English; a page has them in its own language.
TIME, HURRY, CARD = N_("Time"), N_("In a hurry:"), N_("the card")
NEXT, PROOF = N_("Next:"), N_("Proof.")
# What a reader does in the minutes that a page states, and how a page says so.
ACTIVITIES = {
    "page": N_("{} minutes"),
    "read": N_("{} minutes to read"),
    "find": N_("{} minutes to find a row"),
    "check": N_("{} to check yourself"),
    "pencil": N_("{} with a pencil"),
}
# How a page looks where it does not look like a chapter; each is a class of the page's article.
LOOKS = ("asked-often", "board", "card-tables", "cards", "claims", "one-screen", "sheet")


class Facts(NamedTuple):
    """What an author states of a page; each field may be empty."""

    question: str = ""  # plain text, which the page answers
    minutes: Mapping[str, int] = {}  # for each of ACTIVITIES that the page names
    card: str = ""  # the label of the page's card
    next: str = ""  # Markdown: what comes after the card, and why
    looks: tuple[str, ...] = ()  # of LOOKS

    @property
    def total_minutes(self) -> int:
        """The minutes of the longest way through the page, as that with a pencil; 0 without any."""
        return max(self.minutes.values(), default=0)


def times(facts: Facts, translated: Callable[[str], str] = str) -> str:
    """Return the minutes of a page in words, as ``10 minutes to read, 26 with a pencil``, or "".

    `translated` puts each piece of the words into the language of the page.
    """
    # In the order of ACTIVITIES, whose later words are short for those before them. A comma is
    # translated, too: Chinese has another one.
    return translated(N_(", ")).join(
        translated(words).format(facts.minutes[activity])
        for activity, words in ACTIVITIES.items()
        if activity in facts.minutes
    )


def checked(stated: Any, where: object) -> Facts:
    """Return as `Facts` what a page states; raise a ValueError where a page may not state that.

    `stated` is what stands under `KEY`, and `where` names the page in the message.
    """
    if not isinstance(stated, Mapping):
        raise ValueError(f"{where}: {KEY} is {stated!r}, and must be a mapping")
    if unknown := set(stated) - set(Facts._fields):
        raise ValueError(f"{where}: {KEY} has {sorted(unknown)}, and may have {Facts._fields}")
    looks = tuple(stated.get("looks", ()))  # in YAML and JSON it is a list
    facts = Facts(**{**stated, "looks": looks})
    for name in ("question", "card", "next"):
        if not isinstance(getattr(facts, name), str):
            raise ValueError(f"{where}: {name} is {getattr(facts, name)!r}, and must be text")
    if not isinstance(facts.minutes, Mapping) or not all(
        activity in ACTIVITIES and type(count) is int and count > 0  # True is an int as well
        for activity, count in facts.minutes.items()
    ):
        raise ValueError(
            f"{where}: minutes is {facts.minutes!r}, and must map some of {list(ACTIVITIES)} to"
            " whole numbers above 0"
        )
    if unknown := set(facts.looks) - set(LOOKS):
        raise ValueError(f"{where}: looks has {sorted(unknown)}, and may have {LOOKS}")
    return facts


def front_matter(text: str) -> Mapping[str, Any]:
    """Return the YAML between the two lines ``---`` at the beginning of a page; {} without them."""
    if not text.startswith("---\n"):
        return {}
    yaml_text, _, _ = text.removeprefix("---\n").partition("\n---\n")
    return yaml.safe_load(yaml_text) or {}  # of comments alone YAML makes None


def facts_of(path: Path) -> Facts:
    """Return the facts of a page, a notebook or a file in Markdown; empty ones if it states none.

    Facts that a page may not state are a ValueError.
    """
    text = path.read_text(encoding="utf-8")
    metadata = json.loads(text)["metadata"] if path.suffix == ".ipynb" else front_matter(text)
    return checked(metadata.get(KEY, {}), path.name)
