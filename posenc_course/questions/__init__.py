"""Questions that answer back: on a built page with no kernel, and in Jupyter alike.

There is one class for each kind: `Number`, `Choice`, `Blanks` (a table to fill in) and `Predict`
(commit to a guess, then see). A question is the last value of a cell tagged ``hide-input``. Its
answer and its typical wrong answers are computed there, from the functions the chapter teaches.

All kinds take a key (``<chapter label>-<n>``), the text of the question, and by name

answer
    the right answer;
wrong
    typical wrong answers, each with a hint;
because
    the reason in one sentence, said after a right answer;
nudge
    what to think about, said after any other wrong answer.

After a wrong answer the page says what is off and nudges; after two it offers to show the answer.
What the reader gives stays in the reader's browser.
"""

from posenc_course.questions.kinds import Blanks, Choice, Number, Predict

__all__ = ["Blanks", "Choice", "Number", "Predict"]
