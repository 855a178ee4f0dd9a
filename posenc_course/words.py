"""The words of the course in the reader's language: English, unless others are put to use.

`_` marks words, for whoever collects them into a catalog, and returns them in the language that is
in use. Whoever shows the course in another language calls `use` with the words of that catalog.
"""

import re
from collections.abc import Mapping

_in_use: dict[str, str] = {}


def use(words: Mapping[str, str]) -> None:
    """Have `_` translate by `words`, from English to another language; an empty one is English."""
    _in_use.clear()
    _in_use.update(words)


def N_(text: str) -> str:
    """Return a text as it is: the call marks words for a catalog, to be translated when shown."""
    return text


def joined(*sentences: str) -> str:
    """Return sentences as one text; no space stands after a full-width mark.

    Examples
    --------
    >>> joined("Right.", "It turns."), joined("对了。", "它在转动。")
    ('Right. It turns.', '对了。它在转动。')
    """
    full_width_mark = r"[\u3001-\u301f\uff01-\uff5e]"  # 、 to 〟, ！ to ～
    return re.sub(f"(?<={full_width_mark}) ", "", " ".join(sentences))


def _(text: str) -> str:
    """Return a text in the language that is in use, or as it is where that has no such text.

    Examples
    --------
    >>> use({"The answer": "答案"})
    >>> _("The answer"), _("none such")
    ('答案', 'none such')
    >>> use({})
    """
    return _in_use.get(text, text)
