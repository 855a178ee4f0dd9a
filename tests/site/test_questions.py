"""The files for a learning platform, read back as the platform reads them."""

import html
import re
import zipfile
from fractions import Fraction

import numpy as np
import pytest
from lxml import etree

from extensions import contents
from posenc_course.exam import QUESTIONS
from posenc_course.exam.question import same
from scripts.questions import main, make
from tests.pages import read

VARIANTS = 2
Q = "{http://www.imsglobal.org/xsd/imsqti_v2p1}"
ANSWERED = [name for name in QUESTIONS if any(p.answer for p in QUESTIONS[name].ask(1).parts)]
PROVED = [name for name in QUESTIONS if any(p.steps for p in QUESTIONS[name].ask(1).parts)]
STATES = {
    state["key"]: state
    for path in contents.notebooks_in_toc()
    for state in contents.questions(read(path))
}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("questions")
    moodle, package = make(VARIANTS, 1, folder)
    with zipfile.ZipFile(package) as archive:
        items = {name: etree.fromstring(archive.read(name)) for name in archive.namelist()}
    return etree.parse(moodle).getroot(), items


# ---------------------------------------------------------------------------- Moodle XML


# The syntax of an embedded answer, as the documentation of Moodle has it: an answer and a reply end
# where an unescaped sign of the syntax stands.
START = re.compile(r"\{(\d+):(NUMERICAL|MULTICHOICE_V|MULTIRESPONSE):")
ALTERNATIVE = re.compile(
    r"(=|%-?\d+%)?(.+?)(?<!&)(?=[~#}]|$)(?:#(.*?)(?=[~}]|$))?(?=[~}])", re.DOTALL
)


def embedded(text):
    """Return the inputs of a cloze question: points, kind, and (mark, answer, reply) of each."""
    inputs = []
    for start in START.finditer(text):
        end = text.index("}", start.end())
        inside, alternatives, at = text[start.end() : end + 1], [], 0
        while found := ALTERNATIVE.match(inside, at):
            alternatives.append((found[1] or "", found[2], html.unescape(found[3] or "")))
            at = found.end() + 1
        assert at == len(inside), inside
        inputs.append((int(start[1]), start[2], alternatives))
    return inputs


def cloze(root, name):
    (found,) = [one for one in root if one.findtext("name/text") == name]
    return embedded(found.findtext("questiontext/text"))


def test_every_question_has_what_the_format_asks_for(files):
    kinds = {"category": 0, "cloze": 0, "essay": 0}
    names = []
    for question in files[0]:
        kind = question.get("type")
        kinds[kind] += 1
        if kind == "category":
            assert question.findtext("category/text").startswith("$course$/top/")
            continue
        names.append(question.findtext("name/text"))
        assert question.find("questiontext").get("format") == "html"
        assert question.findtext("questiontext/text")
        assert question.findtext("generalfeedback/text")
        if kind == "essay":
            assert "point" in question.findtext("graderinfo/text")
    assert files[0][0].get("type") == "category"
    assert len({*names}) == len(names)
    assert kinds["cloze"] == len(ANSWERED) * VARIANTS + len(STATES)
    assert kinds["essay"] == len(PROVED) * VARIANTS


@pytest.mark.parametrize("name", ANSWERED)
def test_moodle_takes_the_key_and_answers_what_is_typically_wrong(files, name):
    parts = [part for part in QUESTIONS[name].ask(1).parts if part.answer]
    inputs = cloze(files[0], f"{name}-01")
    for part in parts:
        if part.options:
            _, _, alternatives = inputs.pop(0)
            assert len(alternatives) == len(part.options)
            assert sum(mark == "=" for mark, _, _ in alternatives) == 1
            assert all(reply for mark, _, reply in alternatives if mark != "=")
            continue
        for number in np.ravel(np.asarray(part.key, float)):
            _, kind, alternatives = inputs.pop(0)
            answer, tolerance = map(float, alternatives[0][1].split(":"))
            assert kind == "NUMERICAL"
            assert same(answer, number, part.digits)
            assert abs(answer - number) <= tolerance or answer == number
            for mark, wrong, reply in alternatives[1:]:
                value, slack = map(float, wrong.split(":"))
                assert mark == ""
                assert reply
                assert abs(value - answer) > slack
    assert not inputs


@pytest.mark.parametrize("name", ANSWERED)
def test_an_input_has_the_share_that_its_part_has_on_paper(files, name):
    parts = [part for part in QUESTIONS[name].ask(1).parts if part.answer]
    weights = [weight for weight, _, _ in cloze(files[0], f"{name}-01")]
    total, points = sum(weights), sum(part.points for part in parts)
    for part in parts:
        count = 1 if part.options else np.size(part.key)
        own, weights = weights[:count], weights[count:]
        assert Fraction(sum(own), total) == Fraction(part.points, points)
        assert len({*own}) == 1


@pytest.mark.parametrize("name", PROVED)
def test_a_question_with_a_proof_is_one_essay_with_its_key(files, name):
    """Moodle draws every question of a quiz by itself: two would have other numbers."""
    asked = QUESTIONS[name].ask(1)
    (essay,) = [one for one in files[0] if one.findtext("name/text") == f"{name}-01-whole"]
    text, key = (essay.findtext(f"{tag}/text") for tag in ("questiontext", "graderinfo"))
    assert float(essay.findtext("defaultgrade")) == asked.points
    for part in asked.parts:
        assert f"({part.letter}) " in text
        assert f"({part.letter}) " in key
        assert html.escape(part.answer.strip("$").split("$")[0], quote=False) in key
    assert "Wrong:" in key
    assert "Wrong:" not in text


def test_a_category_says_how_many_points_its_questions_have(files):
    points = {name: question.points for name, question in QUESTIONS.items()}
    category = ""
    for one in files[0]:
        category = one.findtext("category/text") or category
        name = one.findtext("name/text") or ""
        if name.endswith("-01-whole"):
            assert category.endswith(f" ({points[name.removesuffix('-01-whole')]} points)")
        elif name.removesuffix("-01") in PROVED:
            assert " without its proofs (" in category


def test_formulas_within_replies_do_not_end_them(files):
    replies = [
        reply
        for name in ANSWERED
        for _, _, alternatives in cloze(files[0], f"{name}-01")
        for *_, reply in alternatives
    ]
    formulas = [tex for reply in replies for tex in re.findall(r"\\\((.+?)\\\)", reply)]
    assert formulas
    assert all(tex.count("{") == tex.count("}") for tex in formulas)


def test_formulas_within_options_are_read_as_formulas(files):
    choices = [alternatives for _, kind, alternatives in cloze(files[0], "which-bug-01")
               if kind == "MULTICHOICE_V"]  # fmt: skip
    options = [html.unescape(option) for choice in choices for _, option, _ in choice]
    assert any(r'<span class="math inline">\(4i/d\)</span>' in option for option in options)


def test_variants_have_numbers_of_their_own(files):
    for name in ANSWERED:
        texts = [one.findtext("questiontext/text") for one in files[0]
                 if (one.findtext("name/text") or "").startswith(f"{name}-0")
                 and one.get("type") == "cloze"]  # fmt: skip
        assert len(texts) == len({*texts}) == VARIANTS


# ---------------------------------------------------------------------------- QTI 2.1


def typed(item, responses):
    """Process a response as QTI says; return the score and the replies that are shown."""
    score, shown = 0.0, []

    def holds(test):
        kind = etree.QName(test).localname
        if kind == "equal":
            value = responses.get(test[0].get("identifier"))
            slack = float(test.get("tolerance", "0").split()[0])
            return value is not None and abs(float(value) - float(test[1].text)) <= slack
        if kind == "match":
            name = test[0].get("identifier")
            return {*responses.get(name, [])} == {*right_of(item, name)}
        name = next(test.iter(f"{Q}variable")).get("identifier")
        return test[0].text in responses.get(name, [])

    def carry_out(rules):
        nonlocal score
        for rule in rules:
            if rule.tag != f"{Q}setOutcomeValue":
                continue
            value = rule[0][1].text
            if rule.get("identifier") == "SCORE":
                score += float(value)
            else:
                shown.append(value)

    for rule in item.find(f"{Q}responseProcessing"):
        if rule.tag == f"{Q}setOutcomeValue":
            carry_out([rule])
            continue
        for branch in rule:
            if branch.tag == f"{Q}responseElse" or holds(branch[0]):
                carry_out(branch)
                break
    return score, shown


def right_of(item, name):
    (declared,) = [one for one in item.iter(f"{Q}responseDeclaration")
                   if one.get("identifier") == name]  # fmt: skip
    return [value.text for value in declared.iter(f"{Q}value")]


def declared(item):
    """Return the right response to each input: a number, or the letters of options."""
    responses = {}
    for one in item.iter(f"{Q}responseDeclaration"):
        values = [value.text for value in one.iter(f"{Q}value")]
        if values:
            is_number = one.get("baseType") == "float"
            responses[one.get("identifier")] = values[0] if is_number else values
    return responses


def items(files):
    return {name: item for name, item in files[1].items() if name.startswith("items/")}


def test_the_manifest_names_every_item(files):
    manifest = files[1]["imsmanifest.xml"]
    named = {one.get("href") for one in manifest.iter("{*}resource")}
    assert named == {*items(files)}
    assert len(named) == len(QUESTIONS) * VARIANTS + len(STATES)


def test_the_right_answers_have_all_points_and_a_wrong_one_has_its_reply(files):
    for name, item in items(files).items():
        right = declared(item)
        (most,) = [float(one.findtext(f"{Q}defaultValue/{Q}value"))
                   for one in item.iter(f"{Q}outcomeDeclaration")
                   if one.get("identifier") == "MAXSCORE"]  # fmt: skip
        score, shown = typed(item, right)
        replies = {one.get("identifier") for one in item.iter(f"{Q}modalFeedback")}
        by_hand = item.findall(f".//{Q}extendedTextInteraction")
        assert score == pytest.approx(most) or (by_hand and score < most), name
        assert all("_" not in one or one in replies for one in shown)
        for condition in item.iter(f"{Q}responseElseIf"):
            test = condition[0]
            response = test[0].get("identifier")
            _, shown = typed(item, right | {response: test[1].text})
            assert len([one for one in shown if one.startswith(response + "_")]) == 1
        for one in item.iter(f"{Q}textEntryInteraction", f"{Q}choiceInteraction"):
            assert one.get("responseIdentifier") in right


def test_formulas_are_mathml_and_no_tex_is_left(files):
    texts = ["".join(item.itertext()) for item in items(files).values()]
    assert not [text for text in texts if re.search(r"\\[a-z]+|\$|«", text)]
    assert any(item.find(".//{http://www.w3.org/1998/Math/MathML}mtable") is not None
               for item in items(files).values())  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["--variants", "0"], "variants must be from 1 to 100, got 0"),
     (["--seed=-1"], "seed must be a whole number from 0, got -1")],
)  # fmt: skip
def test_the_command_says_what_is_allowed(arguments, words, capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["questions", *arguments])
    with pytest.raises(SystemExit):
        main()
    assert words in capsys.readouterr().err
