"""Questions as Moodle XML: a category for each question, in which its variants stand.

Inputs are embedded in the text ("cloze"), so that the parts of a question keep their common
numbers. Moodle draws each question of a quiz by itself, and no kind of its questions has inputs and
room for a proof. A question with a proof therefore comes as a whole, as an essay that a person
marks, and once more without its proofs. Formulas are TeX, for Moodle's MathJax.
https://docs.moodle.org/en/Moodle_XML_format and .../Embedded_Answers_(Cloze)_question_type
"""

from html import escape
from math import gcd, lcm

from lxml import etree

from posenc_course.exam.sheet import count

TOP = "$course$/top/Where Words Stand"
# What would end an embedded answer or its reply, or begin the reply, stands there as a character
# reference. Moodle takes the "#" of a reference, behind an "&", for no beginning of a reply.
REFERENCES = str.maketrans({sign: f"&#{ord(sign)};" for sign in '{}~"\\#'})
WRONG_NUMBER = "*"  # any other answer


def formula(tex, options):
    """Return a formula in HTML, as Moodle's MathJax reads it."""
    signs = ("\\[", "\\]") if options["display_mode"] else ("\\(", "\\)")
    return f"{signs[0]}{escape(tex, quote=False)}{signs[1]}"


def embedded(kind, points, alternatives):
    """Return the code of a cloze question's input, from (percent of the points, answer, reply)."""
    texts = []
    for percent, answer, reply in alternatives:
        mark = {100: "=", 0: ""}.get(percent, f"%{percent}%")
        texts.append(f"{mark}{answer}" + (f"#{reply.translate(REFERENCES)}" if reply else ""))
    return f"{{{points}:{kind}:{'~'.join(texts)}}}"


def number(one, points, reply_of):
    """Return the code of an input of a number."""
    alternatives = [(100, f"{one.answer:.10g}:{one.tolerance:.10g}", "")]
    for value, reply in one.replies:
        alternatives.append((0, f"{value:.10g}:{one.tolerance:.10g}", reply_of(reply)))
    if one.nudge:
        alternatives.append((0, WRONG_NUMBER, one.nudge))
    return embedded("NUMERICAL", points, alternatives)


def choice(one, points, reply_of):
    """Return the code of an input of a choice; where several are right, each has its share.

    Where several may be chosen, a wrong one takes half of the points back, so that who chooses all
    does not get all.
    """
    right = sum(is_right for _, is_right, _ in one.options)
    alternatives = [
        (
            round(100 / right) if is_right else -50 if one.several else 0,
            reply_of(text).translate(REFERENCES),
            reply_of(reply) or ("" if is_right else one.nudge),
        )
        for text, is_right, reply in one.options
    ]
    return embedded("MULTIRESPONSE" if one.several else "MULTICHOICE_V", points, alternatives)


def weights(fields):
    """Return [whole weight of each input] of the fields, which share their points exactly.

    Moodle takes whole weights alone, and their sum for the marks of the question.
    """
    counts = [sum(map(len, field.rows)) for field in fields]
    pairs = list(zip(fields, counts, strict=True))
    whole = lcm(*(count // gcd(count, field.points) for field, count in pairs))
    found = [field.points * whole // count for field, count in pairs]
    return [weight // gcd(*found) for weight in found]


def inputs(field, points, reply_of):
    """Return HTML of a field's inputs, in a table or one alone, each with so many points."""
    rows = [
        [
            (choice if hasattr(one, "options") else number)(one, points, reply_of)
            for one in row
        ]
        for row in field.rows
    ]  # fmt: skip
    if sum(map(len, rows)) == 1:
        return f"<p>{rows[0][0]}</p>"
    heads, columns = field.heads
    head = "".join(f"<th>{escape(one, quote=False)}</th>" for one in columns)
    lines = [f"<tr><th></th>{head}</tr>"] if columns else []
    for at, row in enumerate(rows):
        name = escape(heads[at], quote=False) if heads else ""
        cells = "".join(f"<td>{one}</td>" for one in row)
        lines.append(f"<tr><th>{name}</th>{cells}</tr>")
    return f"<table>{''.join(lines)}</table>"


def text_of(parent, tag, html):
    """Add to `parent` an element, called `tag`, that holds a text in HTML."""
    element = etree.SubElement(parent, tag, format="html")
    etree.SubElement(element, "text").text = etree.CDATA(html)


def question(kind, name, html, solution, points=None):
    """Return the element of a question, without what only its kind has."""
    element = etree.Element("question", type=kind)
    etree.SubElement(etree.SubElement(element, "name"), "text").text = name
    text_of(element, "questiontext", html)
    text_of(element, "generalfeedback", solution)
    if points:
        etree.SubElement(element, "defaultgrade").text = str(points)
    # A quiz that allows several tries takes this share of the points for each wrong one, which is
    # Moodle's own default.
    etree.SubElement(element, "penalty").text = "0.3333333"
    etree.SubElement(element, "hidden").text = "0"
    return element


def category(name):
    """Return the element that puts all questions below it into a category."""
    element = etree.Element("question", type="category")
    etree.SubElement(etree.SubElement(element, "category"), "text").text = name
    return element


def questions_of(item, parser):
    """Yield (end of the category's name, points, element) for Moodle to mark, and for a person."""

    def html(text):
        return parser.render(text) if item.markdown else f"<p>{text}</p>"

    def reply_of(text):
        return parser.renderInline(text) if item.markdown else text

    # An `Essay` of scripts/questions.py has a key, and is alone in its field.
    answered = [field for field in item.fields if not hasattr(field.rows[0][0], "key")]
    body, solution = html(item.text), html(item.solution)
    asked = [
        (html(field.asks) if field.asks else "") + inputs(field, weight, reply_of)
        for field, weight in zip(answered, weights(answered), strict=True)
    ]
    without = " without its proofs" if len(answered) < len(item.fields) else ""
    if asked:
        points = sum(field.points for field in answered)
        yield without, points, question("cloze", item.name, body + "".join(asked), solution)
    if without:
        points = sum(field.points for field in item.fields)
        parts = "".join(
            html(f"{field.asks} *({field.points})*{listed(field)}") for field in item.fields
        )
        essay = question("essay", f"{item.name}-whole", body + parts, solution, points)
        # A box of 25 lines for the proof, and one file, as a photo of what was written by hand.
        etree.SubElement(essay, "responseformat").text = "editor"
        etree.SubElement(essay, "responserequired").text = "1"
        etree.SubElement(essay, "responsefieldlines").text = "25"
        etree.SubElement(essay, "attachments").text = "1"
        etree.SubElement(essay, "attachmentsrequired").text = "0"
        text_of(essay, "graderinfo", "".join(map(html, item.key)))
        text_of(essay, "responsetemplate", "")
        yield "", points, essay


def listed(field):
    """Return the options of a choice as a list in Markdown; "" if there is nothing to choose."""
    options = getattr(field.rows[0][0], "options", ())
    return "".join(f"\n\n- {text}" for text, _, _ in options)


def write(items, path, parser):
    """Write questions as Moodle XML, each below its category; return the path."""
    categories = {}
    for item in items:
        for end, points, one in questions_of(item, parser):
            name = f"{TOP}/{item.category}{end}"
            if item.key:
                name += f" ({count(points)})"
            categories.setdefault(name, []).append(one)
    quiz = etree.Element("quiz")
    for name, questions in categories.items():
        quiz.append(category(name))
        quiz.extend(questions)
    etree.ElementTree(quiz).write(path, encoding="UTF-8", xml_declaration=True, pretty_print=True)
    return path
