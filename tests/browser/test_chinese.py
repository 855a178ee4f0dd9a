"""The Chinese pages in a browser: their search, their answers, their words, what they load."""

import re

import pytest

from extensions.contents import read
from tests.browser.conftest import with_python
from tests.browser.test_pages import PHONE, is_light_still_and_for_everyone
from tests.browser.test_python import CHAPTER, CHECK, PAGE, agree, cell_of, check, told

# Twenty searches, and the page that answers, or one of several, without its number.
QUERIES = {
    "为什么需要位置编码": "why_order_matters",
    "词序": "why_order_matters",
    "词袋": "why_order_matters",
    "等变": "why_order_matters glossary",
    "因果掩码": "why_order_matters glossary in_a_model",
    "softmax 是什么": "glossary attention why_order_matters",
    "自注意力": "attention why_order_matters",
    "查询 键 值": "attention",
    "弧度": "sine_recap glossary",
    "正弦 余弦": "sine_recap formula",
    "手算": "worked_example",
    "波长": "wavelengths glossary",
    "为什么是10000": "wavelengths questions",
    "旋转矩阵": "rotation",
    "二进制": "binary",
    "旋转位置编码": "rope",
    "RoPE 相对位置": "rope rotation",
    "点积": "tools similarity glossary",
    "速查表": "cheat_sheet",
    "下载 PDF": "index",
}
PAGES = """(queries) => queries.map((query) => window.bookFinder.rank(query).slice(0, 3).map(
  ({ page }) => page.page.replace(/^book\\/(\\d+_)?|\\.html$/g, "")))"""


def test_readers_find_their_page(open_page):
    page = open_page("zh/book/index.html")
    page.keyboard.press("Control+k")
    page.wait_for_function("window.bookFinder && window.bookSearch")
    found = dict(zip(QUERIES, page.evaluate(PAGES, list(QUERIES)), strict=True))
    wrong = {query: pages for query, pages in found.items()
             if not {*QUERIES[query].split()} & {*pages}}  # fmt: skip
    assert wrong == {}


@pytest.mark.parametrize(("folder", "other"), [("", "zh/"), ("zh/", "")])
def test_the_other_language_opens_at_the_same_section(open_page, folder, other):
    page = open_page(f"{folder}book/01_why_order_matters.html#why-order-matters-card")
    page.wait_for_selector(".bd-toc a[aria-current]")
    page.click(".language-button")
    page.wait_for_url(re.compile(rf"/words/{other}book/01_why_order_matters\.html#.+"))


def test_a_question_answers_in_chinese(open_page):
    page = open_page("zh/book/01_why_order_matters.html")
    question = page.locator("[data-question]").first
    question.get_by_text("核对答案").click()
    assert "先选一项" in question.locator(".posenc-reply").inner_text()


BACKWARDS = """

forwards = shift_matrix


def shift_matrix(shift, omegas):
    return forwards(-shift, omegas)
"""


@with_python
def test_python_on_a_chinese_page_judges_in_chinese(tab, site):
    page = tab()
    page.goto(f"{site}/zh/{PAGE}")
    agree(page)
    cell = cell_of(page)
    _, solution = (one.source for one in read(CHAPTER).cells if CHECK in one.source)
    right = solution.partition("\n\n\n")[0]
    check(cell, "turn = 1", "^正在(下载|启动) Python")
    told(cell, "^还不对。你的代码没有给出 `shift_matrix`。$")
    for code, says in (
        (right + BACKWARDS, "^还不对。[^a-z]+$"),
        (right, "^对了。[^a-z]+$"),
    ):
        check(cell, code, says)


@pytest.mark.parametrize("name", ["01_why_order_matters", "06_rotation", "glossary"])
def test_a_chinese_page_is_light_still_and_for_everyone(tab, server, name):
    is_light_still_and_for_everyone(tab, server, f"zh/book/{name}.html", (1440, PHONE))
