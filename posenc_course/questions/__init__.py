"""Questions that answer back: on a built page with no kernel, and in Jupyter alike.

There is one class for each kind: `Number`, `Choice`, `Blanks` (a table to fill in) and `Predict`
(commit to a guess, then see). The questions of a page stand in a module named after its label,
`posenc_course.questions.rotation`, each in a function named after its key: its words, its answer
and its typical wrong answers, computed from what the page teaches. A cell of a notebook asks one:
``ask("rotation-11")``.

All kinds take the text of the question, and by name

answer
    the right answer;
wrong
    typical wrong answers, each with a hint (what is chosen from has its hint beside it);
because
    the reason in one sentence, said after a right answer;
nudge
    what to think about, said after any other wrong answer.

`tests/course/test_replies.py` puts the right answer and each wrong one of every stored question to
the page's judge, and reads its words: it finds a wrong answer within the tolerance of the right
one, a slider with no step at the answer, or LaTeX in a text.

After a wrong answer the page says what is off and nudges; after two it offers to show the answer.
What the reader gives stays in the reader's browser.
"""

import importlib
import pkgutil
import re

from posenc._checks import shown
from posenc_course.questions.kinds import Blanks, Choice, Number, Predict

__all__ = ["Blanks", "Choice", "Number", "Predict", "ask"]


def ask(key, **measured):
    """Return a question of the book, to be the last value of a cell.

    Parameters
    ----------
    key : str
        The key of the question, such as ``"rotation-11"``.
    **measured : float
        What the question asks about and the notebook has measured, by name: few need it.

    Raises
    ------
    ValueError
        If no question has this key.

    Examples
    --------
    >>> ask("rotation-11")
    Number('rotation-11')
    """
    name = str(key).replace("-", "_")
    page = re.sub(r"(_ex)?_\d+$", "", name)
    pages = [module.name for module in pkgutil.iter_modules(__path__)]
    found = vars(importlib.import_module(f"{__name__}.{page}")) if page in pages else {}
    if name not in found:
        raise ValueError(f"key must be that of a question, such as 'rotation-11', got {shown(key)}")
    return found[name](**measured).named(key)
