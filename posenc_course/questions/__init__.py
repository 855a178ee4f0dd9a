"""Questions that answer back: on a built page with no kernel, and in Jupyter alike.

The questions of a page stand in a module named after its label, `posenc_course.questions.rotation`,
under names that are their keys: their words, their answers and typical wrong answers, computed from
what the page teaches. A cell of a notebook asks one: ``ask("rotation-11")``. There are four kinds:
`number`, `choice`, `blanks` (a table to fill in) and `predict` (commit to a guess, then see).

`tests/course/test_questions.py` puts the right answer and each wrong one of every stored question
to the page's judge, and reads its words: it finds a wrong answer within the tolerance of the right
one, a slider with no step at the answer, or LaTeX in a text.

After a wrong answer the page says what is off and nudges; after two it offers to show the answer.
What the reader gives stays in the reader's browser.
"""

import importlib
import pkgutil
import re

from posenc._checks import shown
from posenc_course.questions.kinds import blanks, choice, number, predict
from posenc_course.questions.question import Question

__all__ = ["Question", "ask", "blanks", "choice", "number", "predict"]


def ask(key: str, **measured: float) -> Question:
    """Return the widget of the question with a key, which a cell shows if it is the last value.

    Parameters
    ----------
    key : str
        The key of the question, such as ``"rotation-11"``.
    **measured : float
        What the question asks about and the notebook has measured, by name. Few questions need
        it: those that are functions, whose parameters are these names.

    Raises
    ------
    ValueError
        If no question has this key.

    Examples
    --------
    >>> ask("rotation-11")
    Number('rotation-11')
    """
    name = str(key).replace("-", "_")  # what is no text is no key, and is repeated below
    page = re.sub(r"(_ex)?_\d+$", "", name)  # of rotation_11, or of an exercise, rotation_ex_1
    # Only a module of this folder is imported, whatever the key is.
    pages = [module.name for module in pkgutil.iter_modules(__path__)]
    found = vars(importlib.import_module(f"{__name__}.{page}")) if page in pages else {}
    if name not in found:
        raise ValueError(f"key must be that of a question, such as 'rotation-11', got {shown(key)}")
    asked = found[name]  # a dict, or where something is measured the function that returns it
    return Question(key, asked(**measured) if measured else asked)
