"""Every check of the exercises: right answers, typical wrong ones, and whatever else there is."""

import itertools
import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from extensions.contents import notebooks_in_toc, read
from posenc import attention, shift_matrix
from posenc_course.exercises import Function, assess, check
from posenc_course.exercises.judging import exercises
from posenc_course.exercises.rotation import shift_of

EXERCISES = exercises()


def gray(width):
    k = np.arange(2**width)
    return (k ^ k >> 1)[:, np.newaxis] >> np.arange(width) & 1


def another_gray(width):
    """Reversed, slowest bit first, and begun at another code: a Gray code all the same."""
    return 1 - gray(width)[::-1, ::-1]


def look_back_by_scores(table, back):
    # Row k asks for what lies `back` after it: read by columns, that is `back` before.
    scores = 30 * (table @ shift_matrix(back, table.shape[1]).T @ table.T).T
    scores[np.triu_indices(len(table), k=1)] = -np.inf
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def head(volume, *, causal):
    def weights(table, back):
        queries = volume * table @ shift_matrix(-back, table.shape[1]).T
        return attention(queries, table, table, causal=causal)[1]

    return weights


def exchanged(tokens):
    return np.where(tokens < 2, 1 - tokens, tokens)


def in_place(tokens):
    tokens[:] = exchanged(tokens)
    return tokens


# Of exercises that more answers than one are right to. The chapters' solutions are judged where
# they are run.
RIGHT = {"ex-binary-gray": another_gray, "ex-similarity-back": look_back_by_scores}
WRONG = [
    ("ex-binary-gray", lambda width: gray(width).T, "transposed"),
    ("ex-binary-gray", lambda width: 2 * gray(width), "other than 0 and 1"),
    ("ex-binary-gray", lambda width: gray(width) * 0, "two rows are the same"),
    ("ex-binary-gray", lambda width: np.sort(gray(width), 0), "two rows are the same"),
    ("ex-binary-gray", lambda width: gray(width)[::-3], "Look at the shape"),
    ("ex-binary-gray", lambda width: gray(width)[np.argsort(np.arange(2**width) % 2)], "from row"),
    ("ex-model-twin", in_place, "Work on a copy"),
    ("ex-model-twin", lambda tokens: exchanged(tokens) * 1.0, "Keep them whole"),
    ("ex-similarity-back", head(50, causal=False), "Where is the mask"),
    ("ex-similarity-back", head(3, causal=False), "turn up the volume"),
    (
        "ex-rotation-turn",
        lambda shift, omegas: shift_of(abs(shift), omegas),
        "right for some inputs. Look at the input shift = -1.25",
    ),
    ("ex-rotation-turn", lambda: 1, "it raises TypeError"),
]


each_exercise = pytest.mark.parametrize("name", EXERCISES)


def test_a_check_has_the_label_of_its_exercise():
    """Each check in the book follows its exercise, each exercise is asked, and has a solution."""
    asked, solved = {}, set()
    for path in notebooks_in_toc():
        label = None
        for cell in read(path).cells:
            if cell.cell_type == "markdown":
                found = re.findall(r"\{exercise\}[^`]*?:label: ([\w-]+)", cell.source)
                label = found[-1] if found else label
            else:
                for name_ in re.findall(r"\bcheck\(\s*\"([^\"]*)\"", cell.source):
                    assert name_ == label, path.name
                    assert asked.setdefault(name_, path) == path
                said = "".join(output.get("text", "") for output in cell.outputs)
                solved |= set(re.findall(r"^([\w-]+): Right\.", said, re.MULTILINE))
    assert sorted(asked) == sorted(solved) == sorted(EXERCISES)


@each_exercise
def test_right_answers_of_any_style_are_right(name):
    exercise = EXERCISES[name]
    assert exercise.because
    for answer in (exercise.reference, RIGHT.get(name, exercise.reference)):
        assert assess(name, answer).text == f"Right. {exercise.because}"


@pytest.mark.parametrize(("name", "answer", "words"), WRONG)
def test_what_is_not_typical_is_told_too(name, answer, words):
    verdict = assess(name, answer)
    assert verdict.state == "wrong"
    assert words in verdict.text
    assert verdict.text.startswith("Not yet. ")


@each_exercise
def test_each_declared_wrong_answer_gets_its_own_hint(name):
    exercise = EXERCISES[name]
    hints = [hint for _, hint in exercise.wrong]
    assert len(set(hints)) == len(hints)
    for answer, hint in exercise.wrong:
        assert assess(name, answer).text == f"Not yet. {hint}"


# ---------------------------------------------------------------------------- anything at all


def leave(*_arguments):
    raise SystemExit(3)


def recurse(*arguments):
    return recurse(*arguments)


def endless(*_arguments):
    yield from itertools.count()


class NoArray:
    def __array__(self, *_arguments, **_options):
        raise KeyboardInterrupt


VALUES = {
    "no array": NoArray(),
    "an endless iterator": itertools.count(),
    "a ragged list": [[1, 2], [3]],
    "a huge int": 10**400,
    "exits": leave,
    "recurses": recurse,
    "yields without end": endless,
}
MALFORMED = VALUES | {
    f"returns {kind}": lambda *_arguments, value=value: value for kind, value in VALUES.items()
}


@pytest.mark.parametrize("kind", MALFORMED)
def test_nothing_makes_a_check_raise(kind, capsys):
    name = "ex-rotation-turn"
    verdict = assess(name, MALFORMED[kind])
    assert verdict.state == "wrong"
    assert len(verdict.text) < 400
    assert "0x" not in verdict.text
    check(name, MALFORMED[kind])
    assert capsys.readouterr().out == f"{name}: {verdict.text}\n"


@each_exercise
def test_an_untouched_cell_is_not_answered_yet(name, capsys):
    def to_fill_in(*_arguments): ...

    def dots(*_arguments):
        return ...

    for value in (None, ..., to_fill_in, dots):
        assert assess(name, value).state == "open"
        check(name, value)
        assert capsys.readouterr().out == f"{name}: not answered yet\n"


@each_exercise
def test_a_function_that_only_prints_is_told_that_it_returns_nothing(name):
    exercise = EXERCISES[name]

    def prints(*arguments):
        print(*arguments)

    def forgets(*arguments):
        _result = exercise.reference(*arguments)

    for answer in (prints, forgets):
        verdict = assess(name, answer)
        assert verdict.state == "wrong"
        assert "It returns nothing (None)" in verdict.text
        assert "`return`" in verdict.text


@pytest.mark.parametrize("name", ["ex-rotation-spin", "rotation-3", "os", "", 3, [], None])
def test_an_unknown_name_is_repeated(name):
    with pytest.raises(ValueError, match=re.escape(f"got {name!r}")):
        check(name, 1)


# ---------------------------------------------------------------------------- judging itself


def judged(right, given):
    return Function(lambda _: right, [(0,)], "So.").judge(lambda _: given)


TABLE = np.array([[0.0, 1.0, 0.5, 2.0], [3.0, 4.0, -1.0, 0.25], [7.0, 6.0, 0.1, 9.0]])


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (-TABLE, "Look at the signs"),
        (TABLE.T, "transposed"),
        (TABLE[:, [1, 0, 3, 2]], "which one is the sine"),
        (TABLE[:, [0, 2, 1, 3]], "in halves"),
        (np.vstack([TABLE[1:], [[1, 2, 3, 4]]]), "count from 1"),
        (np.roll(TABLE, 1, 0), "shifted by one place"),
        (TABLE[::-1], "reversed"),
        (np.rad2deg(TABLE), "like degrees"),
        (np.deg2rad(TABLE), "like radians"),
        (TABLE.ravel(), "The numbers fit, but not the shape: it is (12,) and should be (3, 4)."),
        (TABLE[:2], "Look at the shape: it is (2, 4) and should be (3, 4)."),
        (TABLE.astype(np.float16), "short float"),
        (TABLE.round(1) + 0.0, ", entry [1, 3]"),
        (TABLE + 3e-8, "Very close"),
        (TABLE * np.nan, "NaN or infinite"),
        (TABLE + 1j, "Real numbers are asked for"),
        (TABLE.astype(str), "Real numbers are asked for"),
    ],
)
def test_what_is_off_is_named(given, words):
    assert words in judged(TABLE, given).text


def test_lists_integers_and_float32_are_numbers_too():
    assert judged([1, 2, 3], (1.0, 2, 3)).state == "right"
    assert judged(3, np.float32(3)).state == "right"
    assert judged(0.5, Fraction(1, 2)).state == "right"
    assert judged([0.5, 0.25], (Decimal("0.5"), 0.25)).state == "right"
    assert judged(True, np.True_).state == "right"
    assert judged(True, 1).state == "right"
