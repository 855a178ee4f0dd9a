"""Markdown in another language, message by message: each rule on a line or two."""

import pytest

from extensions.translated_markdown import messages, translated_markdown

WORDS = {
    "A hand turns.": "指针转动。",
    "A hand turns and stops.": "指针转动，然后停下。",
    "The proof": "证明",
    "(A sum)": "（和）",
    "Turn it": "转动它",
    r"\text{new } x": r"\text{新的 } x",
    "\\begin{aligned}\n\\text{new } x &= 1\n\\end{aligned}": "新的一行\n又一行",
    "Same": "",
}


@pytest.mark.parametrize(
    ("text", "translated"),
    [
        ("A hand turns.", "指针转动。"),
        ("A hand turns\nand stops.", "指针转动，然后停下。"),
        ("> A hand turns\n> and stops.", "> 指针转动，然后停下。"),
        ("* A hand turns\n  and stops.\n* x", "* 指针转动，然后停下。\n* x"),
        ("(the-proof)=\n## The proof\n\nA hand turns.", "(the-proof)=\n## 证明\n\n指针转动。"),
        (
            "| The proof | 1 |\n|---|---|\n| Turn it | 2 |",
            "| 证明 | 1 |\n|---|---|\n| 转动它 | 2 |",
        ),
        (":::{admonition} The proof\nA hand turns.\n:::", ":::{admonition} 证明\n指针转动。\n:::"),
        ("```{note}\nA hand turns.\n```", "```{note}\n指针转动。\n```"),
        (":::{prf:theorem} A sum\n:label: sum\nx\n:::", ":::{prf:theorem} 和\n:label: sum\nx\n:::"),
        (
            "::::{a}\n:::{b} The proof\nTurn it\n:::\n::::",
            "::::{a}\n:::{b} 证明\n转动它\n:::\n::::",
        ),
        ("$$\n\\text{new } x\n$$ (new)", "$$\n\\text{新的 } x\n$$ (new)"),
        ("$$\\text{new } x$$", "$$\\text{新的 } x$$"),
        (
            "$$\n\\begin{aligned}\n\\text{new } x &= 1\n\\end{aligned}\n$$",
            "$$\n新的一行\n又一行\n$$",
        ),
    ],
)
def test_each_kind_of_message_is_replaced(text, translated):
    assert translated_markdown(text, WORDS) == translated


@pytest.mark.parametrize(
    "text",
    [
        "No catalog has this. A hand turns.",
        "Same",
        "```python\nA hand turns.\n```",
        "    A hand turns.",
        "% A hand turns.",
    ],
)
def test_what_is_no_message_or_has_no_translation_stays(text):
    assert translated_markdown(text, WORDS) == text


@pytest.mark.parametrize("code", ["```none\nThe proof\n```", "    The proof\n    ends"])
def test_code_with_the_words_of_a_message_is_left_alone(code):
    text = f"{code}\n\nThe proof\n\nx\n\nThe proof"
    assert translated_markdown(text, WORDS) == f"{code}\n\n证明\n\nx\n\n证明"


def test_a_message_has_its_kind():
    found = list(messages(":::{admonition} The proof\nTurn it\n:::\n\n$$x$$\n\n```\nd\n```"))
    assert found == [
        ("The proof", "title"), ("Turn it", "text"), ("x", "formula"), ("d\n", "code")
    ]  # fmt: skip
