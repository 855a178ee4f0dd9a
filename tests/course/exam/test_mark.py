"""A class of thirty made-up submissions is marked in one call."""

import csv
import inspect
import zipfile

import nbformat
import pytest

from extensions.lite import own_wheels
from posenc_course.exam.mark import mark, submissions_in
from posenc_course.exam.submission import plain
from scripts import assignment_solution as solution

OURS = inspect.getsource(solution).partition("def experiment")[0]
FAILS = "undefined_name"
SYNTAX = "def z_of(theta:"
ENDLESS = "while True:\n    pass"
STUBBORN = "while True:\n    try:\n        while True: pass\n    except BaseException: pass"


def changed(old, new):
    assert old in OURS
    return [OURS.replace(old, new)]


# Each: the cells of a submission, and the points of both sets where they are known.
RIGHT = {
    "right": [OURS],
    "right-after-an-experiment-that-fails": [OURS, f"x = 1\n{FAILS}"],
    "right-after-a-syntax-error": ["def (", OURS],
    "right-with-magics": ["%pip install posenc\n!ls\nx = 1", "%%bash\nls", OURS],
    "right-and-loud": [OURS, "print('12 of 12')", "import sys; sys.stdout.write('{}')"],
    "right-before-an-endless-cell": [OURS, ENDLESS],
    "right-and-leaves": [OURS, "raise SystemExit"],
    "right-and-reads": [OURS, "answer = input('how many points? ')"],
    "right-in-lists": changed("float((says", "bool(1) * float((says"),
    "right-and-warns": [OURS, "import warnings; warnings.warn('look')"],
}
WRONG = {
    "forgets-first": (changed("places = first + np.arange", "places = np.arange"), (6, None)),
    "no-root": (changed("attention(queries, keys", "attention(4 * queries, keys"), (None, None)),
    "never-notices": (changed("return not np.isclose", "return np.isclose"), (4, 4)),
    "counts-all": (changed(" == (np.arange(len(texts)) < len(texts) / 2)", ""), (None, None)),
    "swaps-in-place": (changed("swapped = text.copy()", "swapped = text"), (4, 4)),
    "turns-no-keys": (changed("rope(keys, places)", "keys"), (None, None)),
    "takes-b-for-a": (changed("A = 0", "A = 1"), (None, None)),
    "always-right": ([OURS, "def right(*_): return 1.0"], (4, 4)),
    "untouched": (["def z_of(*_): ...\ndef right(*_): ...\ndef swap_test(*_): ..."], (0, 0)),
}
BROKEN = {
    "no-z": ([OURS + "\ndel z_of"], (2, 2)),
    "one-function": ([OURS, "def right(theta, texts, kind, first=0):\n    return 1 / 0"], (4, 4)),
    "empty": ([""], (0, 0)),
    "no-code": ([SYNTAX], (0, 0)),
    "a-word": ([OURS, "def swap_test(*_): return 'yes'"], (4, 4)),
}
ENDLESS_ONES = {
    "endless-stubborn": ([STUBBORN], (0, 0)),
    # They sleep, so as not to keep two cores busy; the two others do not.
    "endless-twins": (["import os, time\nos.fork()\nwhile True: time.sleep(60)"], (0, 0)),
    "too-large": (["import numpy as np\nx = np.ones(10**10)"], (0, 0)),
}
CHEATS = {
    "imports-the-solution": (["from posenc_course.exam.solution import *"], (0, 0)),
    "imports-it-from-scripts": (["from scripts.assignment_solution import *"], (0, 0)),
    "changes-the-tests": (
        ["from posenc_course.exam import assignment\nassignment.TESTS.clear()",
         "import numpy\nnumpy.isclose = lambda *_, **__: True"],
        (0, 0),
    ),
    "writes-the-answer": (
        ["import os\nfor n in range(3, 30):\n    try: os.write(n, b'{\"value\": 1}\\n' * 99)\n"
         "    except OSError: pass"],
        (None, None),
    ),
    "writes-no-text": (
        ["import os\nfor n in range(3, 30):\n    try: os.write(n, b'\\xff\\n')\n"
         "    except OSError: pass", OURS],
        (0, 0),
    ),
    "writes-a-number-of-errors": (
        ["import os\nfor n in range(3, 30):\n    try: os.write(n, b'{\"errors\": 5}\\n')\n"
         "    except OSError: pass", OURS],
        (None, None),
    ),
}  # fmt: skip
FILES = {
    "Ada/assignment.py": OURS,
    "Ada/assignment.ipynb": nbformat.writes(nbformat.v4.new_notebook()),
    "Bea/a page.pdf": "words",
    "Cem/assignment.ipynb": "this is no notebook",
}
OTHERS = WRONG | BROKEN | ENDLESS_ONES | CHEATS


@pytest.fixture(scope="module")
def everyone(tmp_path_factory):
    folder = tmp_path_factory.mktemp("class") / "submissions"
    folder.mkdir()
    for name, cells in (RIGHT | {name: cells for name, (cells, _) in OTHERS.items()}).items():
        book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        nbformat.write(book, folder / f"{name}.ipynb")
    # Two kinds of file in a folder, and what cannot be marked.
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "Nobody").mkdir()
    out = folder.parent / "marks"
    told = []

    def tell(_, done, of):
        with (out / "marks.csv").open(encoding="utf-8-sig") as file:
            told.append((done, of, len([*csv.DictReader(file)])))

    found = mark(folder, 2027, out, seconds=8, tell=tell)
    assert told == [(done, len(found), done) for done in range(1, len(found) + 1)]
    return out, {marks.name.removesuffix(".ipynb"): marks for marks in found}


def test_there_are_thirty_and_each_has_a_row_and_a_report(everyone):
    out, found = everyone
    assert len(found) >= 30
    with (out / "marks.csv").open(encoding="utf-8-sig") as file:
        rows = {row["submission"]: row for row in csv.DictReader(file)}
    assert len(rows) == len(found)
    assert float(rows["right.ipynb"]["points"]) == 12
    assert all((out / f"{name}.md").read_text("utf-8") for name in rows)


def test_who_hands_in_a_notebook_and_a_module_has_a_row_and_a_report_for_each(everyone):
    out, found = everyone
    for name, right in (("Ada/assignment.py", 24), ("Ada/assignment.ipynb", 0)):
        assert (out / f"{name}.md").read_text("utf-8").count(": right") == right
        assert found[name.removesuffix(".ipynb")].note == "one of 2 files"
        assert found[name.removesuffix(".ipynb")].student == "Ada"


def test_who_has_nothing_to_mark_is_listed_and_told_why(everyone):
    out, found = everyone
    notes = {"Bea": "no notebook and no module: a page.pdf", "Nobody": "nothing was handed in"}
    for name, note in notes.items():
        assert found[name].note == note
        assert found[name].points == [0, 0]
        assert note in (out / f"{name}.md").read_text("utf-8")


def test_an_unreadable_notebook_is_said_to_be_one(everyone):
    said = everyone[1]["Cem/assignment"].errors["assignment.ipynb"]
    assert said.startswith("assignment.ipynb cannot be read: JSONDecodeError")
    assert "no function z_of" in str(everyone[1]["Cem/assignment"].first)


# An archive of a class as Moodle packs it, with a folder for each student or without.
MOODLE = {
    "Ada Byron_1815_assignsubmission_file_/assignment.ipynb": "Ada Byron",
    "Ada Byron_1816_assignsubmission_file/work/assignment.py": "Ada Byron",
    "Çağla Öz_77_assignsubmission_file_assignment.ipynb": "Çağla Öz",
    "Jo_Ann_5_assignsubmission_file_/mine.zip/task/assignment.ipynb": "Jo_Ann",
    "Jo_Ann_5_assignsubmission_file_/mine.zip/__MACOSX/task/._assignment.ipynb": None,
    "Kim Li_6_assignsubmission_onlinetext_/onlinetext.html": "Kim Li",
    "Lea Ott_8_assignsubmission_file_/broken.zip": "Lea Ott",
}


def packed(path, names):
    with zipfile.ZipFile(path, "w") as archive:
        inner = {name.partition(".zip/")[0] for name in names if ".zip/" in name}
        for name in names:
            if ".zip/" not in name:
                archive.writestr(name, "{}")
        for outer in inner:
            parts = [name.partition(".zip/")[2] for name in names if name.startswith(outer)]
            packed(path.with_name("inner.zip"), parts)
            archive.write(path.with_name("inner.zip"), f"{outer}.zip")
    return path


@pytest.mark.parametrize("way", ["archive", "folder", "archive of a folder"])
def test_an_archive_as_moodle_packs_it_is_read_by_students(tmp_path, way):
    names = [f"class/{name}" for name in MOODLE] if way == "archive of a folder" else MOODLE
    source = packed(tmp_path / "Course-Assignment-99.zip", list(names))
    if way == "folder":
        source = tmp_path / "unpacked"
        zipfile.ZipFile(tmp_path / "Course-Assignment-99.zip").extractall(source)
    (tmp_path / "room").mkdir()
    found = submissions_in(source, tmp_path / "room")
    assert [one.student for one in found] == sorted(filter(None, MOODLE.values()))
    assert sum(one.path is not None for one in found) == 4
    notes = [one.note for one in found if one.path is None]
    assert notes == [
        "no notebook and no module: onlinetext.html",
        "no notebook and no module: broken.zip cannot be unpacked: File is not a zip file",
    ]


def test_folders_by_students_names_are_students(tmp_path):
    for name in ("J. Smith/a.ipynb", "J. Smith/b/c.py", "Mo.zip", "Nina.ipynb"):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text("{}")
    packed(tmp_path / "Mo.zip", ["x.ipynb"])
    packed(tmp_path / "Nobody.zip", [])
    (tmp_path / "room").mkdir()
    (tmp_path / "inner.zip").unlink(missing_ok=True)
    found = submissions_in(tmp_path, tmp_path / "room")
    students = ["J. Smith", "J. Smith", "Mo", "Nina", "Nobody", "room"]
    assert [one.student for one in found] == students


def test_the_only_folder_is_a_student_s_beside_what_jupyter_left_in_it(tmp_path):
    for name in ("Ada/a.ipynb", "Ada/.ipynb_checkpoints/a.ipynb"):
        (tmp_path / "class" / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / "class" / name).write_text("{}")
    (tmp_path / "room").mkdir()
    assert [one.student for one in submissions_in(tmp_path / "class", tmp_path / "room")] == ["Ada"]


def test_what_is_no_folder_is_said(tmp_path):
    with pytest.raises(ValueError, match="must be a folder"):
        mark(tmp_path / "there-is-none", 1, tmp_path / "marks", tell=print)
    (tmp_path / "text.txt").write_text("words")
    with pytest.raises(ValueError, match="not a zip"):
        mark(tmp_path / "text.txt", 1, tmp_path / "marks", tell=print)


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_has_all_points_whatever_another_cell_does(everyone, name):
    assert everyone[1][name].points == [6, 6]


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_not_right_has_fewer(everyone, name):
    points = everyone[1][name].points
    for found, expected in zip(points, OTHERS[name][1], strict=True):
        assert found == expected if expected is not None else found <= 6
    assert sum(points) < 12


def test_the_report_names_the_cell_and_its_line(everyone):
    out, found = everyone
    failed = found["right-after-an-experiment-that-fails"].errors
    message = "code cell 2, line 2: NameError: name 'undefined_name' is not defined"
    assert failed == {"code cell 2": message}
    assert message in (out / "right-after-an-experiment-that-fails.ipynb.md").read_text("utf-8")
    assert "took longer than 8 seconds" in str(found["right-before-an-endless-cell"].errors)
    assert "No module named" in str(found["imports-the-solution"].errors)
    assert "No module named" in str(found["imports-it-from-scripts"].errors)
    assert "code cell 2, line 2: ZeroDivisionError" in str(found["one-function"].first)
    assert "MemoryError" in str(found["too-large"].errors)


def test_no_wheel_has_the_solution(tmp_path):
    for wheel in own_wheels(tmp_path):
        with zipfile.ZipFile(wheel) as archive:
            texts = [archive.read(name) for name in archive.namelist() if name.endswith(".py")]
        assert not [text for text in texts if b"def swap_test" in text]


def test_what_is_for_jupyter_alone_is_left_out():
    assert plain("if x:\n    %time\ny = 5 % 2") == "if x:\n    pass\ny = 5 % 2"
    assert plain("%%bash\nls") == ""


def test_a_folder_without_submissions_is_refused(tmp_path):
    with pytest.raises(ValueError, match="folder must have submissions"):
        mark(tmp_path, 1, tmp_path / "marks", tell=print)
