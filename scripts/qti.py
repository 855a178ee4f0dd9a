"""Questions as QTI 2.1: an item for each variant, in a package with its manifest.

Formulas are MathML. A typed number is compared with a tolerance, a wrong one that is known gets its
reply, and a proof is for a person to mark. https://www.imsglobal.org/question/
"""

import io
import zipfile

from bs4 import BeautifulSoup
from lxml import etree

from extensions.katex_math import typeset

QTI = "http://www.imsglobal.org/xsd/imsqti_v2p1"
MATH = "http://www.w3.org/1998/Math/MathML"
PACKAGE = "http://www.imsglobal.org/xsd/imscp_v1p1"
SCHEMA = "http://www.w3.org/2001/XMLSchema-instance"
WHERE = "http://www.imsglobal.org/xsd/qti/qtiv2p1/imsqti_v2p1.xsd"
PLAIN_MATH = {"mathvariant", "stretchy", "fence", "separator", "accent", "display", "width"}


def formula(tex, options):
    """Return a formula as MathML, a string."""
    html = BeautifulSoup(typeset(tex, display=options["display_mode"]), "html.parser")
    math = html.find("math")
    math.find("annotation").decompose()
    math.semantics.unwrap()
    for element in math.find_all(True):
        for name in {*element.attrs} - PLAIN_MATH:
            del element[name]
    return f"<p>{math}</p>" if options["display_mode"] else str(math)


def elements(html):
    """Return HTML as a div of QTI, which has the blocks of XHTML."""
    root = etree.fromstring(f'<div xmlns="{QTI}">{html}</div>')
    for math in root.iter(f"{{{MATH}}}math", f"{{{QTI}}}math"):
        for element in math.iter():
            element.tag = f"{{{MATH}}}{etree.QName(element).localname}"
    return root


def add(parent, tag, text=None, **attributes):
    """Add an element of QTI to another one, and return it."""
    element = etree.SubElement(parent, f"{{{QTI}}}{tag}", attributes)
    element.text = text
    return element


class Writer:
    """One item: its declarations, its body, and how a response is processed."""

    def __init__(self, item, parser):
        """Begin an item; `tree` writes it."""
        self.item, self.parser = item, parser
        names = {None: QTI, "xsi": SCHEMA}
        self.root = etree.Element(f"{{{QTI}}}assessmentItem", nsmap=names)
        self.root.set(f"{{{SCHEMA}}}schemaLocation", f"{QTI} {WHERE}")
        self.root.set("identifier", item.name)
        self.root.set("title", item.title)
        self.root.set("adaptive", "false")
        self.root.set("timeDependent", "false")
        self.body = etree.Element(f"{{{QTI}}}itemBody")
        self.processing = etree.Element(f"{{{QTI}}}responseProcessing")
        self.replies, self.count = [], 0

    def html(self, text):
        """Return a text as a div of QTI."""
        markdown = self.parser.render if self.item.markdown else "<p>{}</p>".format
        return elements(markdown(text))

    def tree(self):
        """Return the item as bytes of XML."""
        self.body.append(self.html(self.item.text))
        for field in self.item.fields:
            if field.asks:
                self.body.append(self.html(field.asks))
            self.field(field)
        points = sum(field.points for field in self.item.fields)
        for name, kind, cardinality, value in (
            ("SCORE", "float", "single", "0"),
            ("MAXSCORE", "float", "single", str(points)),
            ("FEEDBACK", "identifier", "multiple", ""),
        ):
            outcome = add(self.root, "outcomeDeclaration", identifier=name, baseType=kind,
                          cardinality=cardinality)  # fmt: skip
            if value:
                add(add(outcome, "defaultValue"), "value", value)
        self.root.append(self.body)
        self.feedback("SOLUTION", self.item.solution)
        self.tell(self.processing, "SOLUTION")
        self.root.append(self.processing)
        for name, content in self.replies:
            reply = add(self.root, "modalFeedback", outcomeIdentifier="FEEDBACK", identifier=name,
                        showHide="show")  # fmt: skip
            reply.append(content)
        return etree.tostring(self.root, encoding="UTF-8", xml_declaration=True, pretty_print=True)

    def field(self, field):
        """Add the inputs of a field, in a table where there are several."""
        count = sum(map(len, field.rows))
        if count == 1:
            self.input(self.body, field.rows[0][0], field.points)
            return
        table = add(add(self.body, "table"), "tbody")
        heads, columns = field.heads
        if columns:
            row = add(table, "tr")
            for name in ("", *columns):
                add(row, "th", name)
        for at, inputs in enumerate(field.rows):
            row = add(table, "tr")
            if heads:
                add(row, "th", heads[at])
            for one in inputs:
                self.input(add(row, "td"), one, field.points / count)

    def input(self, parent, one, points):
        """Add an input, what is right, and what is said to a wrong answer."""
        self.count += 1
        name = f"RESPONSE{self.count}"
        # An `Essay` has a key, a `Choice` options, and a `Number` neither. Their classes are in
        # scripts/questions.py, which imports this file.
        if hasattr(one, "key"):
            # The lines are how much room a platform offers, and no limit.
            self.declare(name, "string")
            add(parent, "extendedTextInteraction", responseIdentifier=name, expectedLines="15")
            block = etree.Element(f"{{{QTI}}}rubricBlock", view="scorer")
            block.append(elements(self.parser.render(one.key)))
            self.body.append(block)
        elif hasattr(one, "options"):
            self.choice(parent, name, one, points)
        else:
            self.number(parent, name, one, points)

    def declare(self, name, kind, answers=(), cardinality="single"):
        """Declare a response before everything else."""
        declaration = etree.Element(f"{{{QTI}}}responseDeclaration", identifier=name, baseType=kind,
                                    cardinality=cardinality)  # fmt: skip
        if answers:
            correct = add(declaration, "correctResponse")
            for answer in answers:
                add(correct, "value", answer)
        self.root.insert(self.count - 1, declaration)  # behind those of the inputs before

    def number(self, parent, name, one, points):
        """Add a number to type."""
        self.declare(name, "float", [f"{one.answer:.10g}"])
        block = parent if parent.tag == f"{{{QTI}}}td" else add(parent, "p")
        add(block, "textEntryInteraction", responseIdentifier=name, expectedLength="10")
        condition = add(self.processing, "responseCondition")
        right = add(condition, "responseIf")
        self.equal(right, name, one.answer, one.tolerance)
        self.score(right, points)
        for at, (value, reply) in enumerate(one.replies):
            wrong = add(condition, "responseElseIf")
            self.equal(wrong, name, value, one.tolerance)
            self.tell(wrong, self.feedback(f"{name}_{at}", reply))
        if one.nudge:
            self.tell(add(condition, "responseElse"), self.feedback(f"{name}_nudge", one.nudge))

    def equal(self, parent, name, value, tolerance):
        """Add the condition that a response is `value`, up to a tolerance of either sign."""
        how = {"toleranceMode": "exact"}
        if tolerance:
            how = {"toleranceMode": "absolute", "tolerance": f"{tolerance:.10g} {tolerance:.10g}"}
        equal = add(parent, "equal", **how)
        add(equal, "variable", identifier=name)
        add(equal, "baseValue", f"{value:.10g}", baseType="float")

    def choice(self, parent, name, one, points):
        """Add options to choose from."""
        letters = "ABCDEFGH"[: len(one.options)]
        right = [letter for letter, option in zip(letters, one.options, strict=True) if option[1]]
        cardinality = "multiple" if one.several else "single"
        self.declare(name, "identifier", right, cardinality)
        most = "0" if one.several else "1"
        block = add(parent, "choiceInteraction", responseIdentifier=name, shuffle="true",
                    maxChoices=most)  # fmt: skip
        for letter, (text, _, _) in zip(letters, one.options, strict=True):
            content = self.parser.renderInline(text) if self.item.markdown else text
            option = elements(content)
            option.tag = f"{{{QTI}}}simpleChoice"
            option.set("identifier", letter)
            block.append(option)
        condition = add(self.processing, "responseCondition")
        all_right = add(condition, "responseIf")
        match = add(all_right, "match")
        add(match, "variable", identifier=name)
        add(match, "correct", identifier=name)
        self.score(all_right, points)
        if one.nudge:
            self.tell(add(condition, "responseElse"), self.feedback(f"{name}_nudge", one.nudge))
        for letter, (_, _, reply) in zip(letters, one.options, strict=True):
            if reply:
                chosen = add(add(self.processing, "responseCondition"), "responseIf")
                holds = add(chosen, "member")
                add(holds, "baseValue", letter, baseType="identifier")
                # "member" asks a container: a single response is made one.
                variable = holds if one.several else add(holds, "multiple")
                add(variable, "variable", identifier=name)
                self.tell(chosen, self.feedback(f"{name}_{letter}", reply))

    def score(self, parent, points):
        """Add the step that adds points to the score."""
        add_up = add(add(parent, "setOutcomeValue", identifier="SCORE"), "sum")
        add(add_up, "variable", identifier="SCORE")
        add(add_up, "baseValue", f"{points:.10g}", baseType="float")

    def tell(self, parent, name):
        """Add the step that shows the reply called `name`."""
        add_up = add(add(parent, "setOutcomeValue", identifier="FEEDBACK"), "multiple")
        add(add_up, "variable", identifier="FEEDBACK")
        add(add_up, "baseValue", name, baseType="identifier")

    def feedback(self, name, text):
        """Keep a reply, which `tree` writes behind the steps; return its name."""
        self.replies.append((name, self.html(text)))
        return name


def manifest(names):
    """Return imsmanifest.xml, which lists the items of a package, as bytes."""
    root = etree.Element(f"{{{PACKAGE}}}manifest", identifier="where-words-stand",
                         nsmap={None: PACKAGE})  # fmt: skip
    about = etree.SubElement(root, f"{{{PACKAGE}}}metadata")
    etree.SubElement(about, f"{{{PACKAGE}}}schema").text = "IMS Content"
    etree.SubElement(about, f"{{{PACKAGE}}}schemaversion").text = "1.1"
    # A manifest must have this element. It is empty, since the items stand in no order.
    etree.SubElement(root, f"{{{PACKAGE}}}organizations")
    resources = etree.SubElement(root, f"{{{PACKAGE}}}resources")
    for name in names:
        file = f"items/{name}.xml"
        one = etree.SubElement(resources, f"{{{PACKAGE}}}resource", identifier=name,
                               type="imsqti_item_xmlv2p1", href=file)  # fmt: skip
        etree.SubElement(one, f"{{{PACKAGE}}}file", href=file)
    return etree.tostring(root, encoding="UTF-8", xml_declaration=True, pretty_print=True)


def write(items, path, parser):
    """Write questions as a QTI package, a zip; return the path."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        files = {"imsmanifest.xml": manifest([item.name for item in items])}
        files |= {f"items/{item.name}.xml": Writer(item, parser).tree() for item in items}
        for name, text in files.items():
            # At the first date that a zip can hold, so that the same questions are the same bytes.
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), text)
    path.write_bytes(packed.getvalue())
    return path
