"""The search of the built book: what readers type, and the page that answers it first."""

import pytest

from tests.browser.conftest import BOOK

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not BOOK.exists(), reason=f"no built book at {BOOK}"),
]

FIRST = {
    # in the book's own words
    "rotation proof": "06_rotation",
    "binary": "07_binary",
    "wavelength": "05_wavelengths",
    "wavelengths": "05_wavelengths",
    "worked example": "04_worked_example",
    "bug zoo": "11_bug_zoo",
    "glossary": "glossary",
    "references": "references",
    "cheat sheet": "cheat_sheet",
    "for teachers": "teachers",
    "claims": "claims",
    "similarity": "09_similarity",
    "permutation": "01_why_order_matters",
    # in the reader's
    "why 10000": "05_wavelengths",
    "why 10 000": "05_wavelengths",
    "odd width": "03_formula",
    "odd d_model": "03_formula",
    "interleaved": "03_formula",
    "word order": "01_why_order_matters",
    "dot product": "09_similarity",
    "relative position": "06_rotation",
    "linear algebra": "00_tools",
    "rope": "12_rope",
    "rotary": "12_rope",
    "rotary embedding": "12_rope",
    "alibi": "13_beyond",
    "learned positions": "13_beyond",
    "rope_theta": "15_config",
    "config": "15_config",
    "yarn": "16_stretching",
    "ntk": "16_stretching",
    "long context": "16_stretching",
    "extrapolation": "16_stretching",
    "context window": "16_stretching",
    "image patches": "17_axes",
    "kv cache": "18_serving",
    "left padding": "18_serving",
    "packing": "18_serving",
    "llama": "19_libraries",
    "whisper": "19_libraries",
    "check my table": "20_right_table",
    "pytorch": "A_pytorch",
    "length generalisation": "10_in_a_model",
    "signature": "reference",
    # formulas and Greek
    "sqrt(d)": "10_in_a_model",
    "ω": "03_formula",
    "omega": "03_formula",
    "λ": "05_wavelengths",
    "lambda": "05_wavelengths",
    # with one slip
    "roatry": "12_rope",
    "wavelenght": "05_wavelengths",
    "similarty": "09_similarity",
    "interpolaton": "16_stretching",
    "glosary": "glossary",
    "permutaion": "01_why_order_matters",
}

# What an engineer types, and the page that must be among the first three.
IN_THREE = {
    "KV cache": "18_serving",
    "left padding": "18_serving",
    "convert checkpoint": "14_port",
    "permute": "19_libraries",
    "NoPE": "15_config",
    "iRoPE": "15_config",
    "MLA": "15_config",
    "axial": "17_axes",
    "vLLM": "19_libraries",
    "llama.cpp": "19_libraries",
    "128k": "16_stretching",
    "long context": "16_stretching",
    "attention temperature": "15_config",
    "worse after porting": "21_worse_after_porting",
}

ASK = """async (queries) => {
  const { rank, excerpt } = window.bookFinder;
  return queries.map((query) => {
    const start = performance.now();
    const found = rank(window.bookSearch, query);
    return {
      pages: found.map(({ page }) => page.page),
      headings: found.map(({ heading }) => heading),
      excerpts: found.map((place) => excerpt(place).map(([part]) => part).join("")),
      marked: found.map((place) => excerpt(place).some(([, met]) => met)),
      questions: found.map(({ page }) => page.question),
      milliseconds: performance.now() - start,
    };
  });
}"""


@pytest.fixture
def ask(tab, server):
    page = tab()
    page.goto(f"{server}/book/index.html")
    page.keyboard.press("Control+k")
    page.wait_for_function("window.bookFinder && window.bookSearch")
    return lambda *queries: page.evaluate(ASK, list(queries))


def test_each_query_finds_its_page_first(ask):
    assert len(FIRST) >= 40
    wrong = {}
    for (query, where), found in zip(FIRST.items(), ask(*FIRST), strict=True):
        first = (found["pages"] or ["nothing"])[0]
        if where not in first:
            wrong[query] = found["pages"][:3]
    assert not wrong


def test_each_query_of_an_engineer_finds_its_page_in_three(ask):
    found = [each["pages"][:3] for each in ask(*IN_THREE)]
    wrong = {
        query: pages
        for (query, where), pages in zip(IN_THREE.items(), found, strict=True)
        if not any(where in page for page in pages)
    }
    assert not wrong


def test_an_answer_comes_before_the_next_key(ask):
    assert max(found["milliseconds"] for found in ask(*FIRST)) < 200


def test_excerpts_are_to_be_read(ask):
    """Each shows what was looked for, or else the page's question; no label, no tail, no TeX."""
    for query, found in zip(FIRST, ask(*FIRST), strict=True):
        assert all(found["headings"]), query
        for text, marked, question in zip(
            found["excerpts"], found["marked"], found["questions"], strict=True
        ):
            assert marked or not question or text == question, (query, text)
            for sign in ("thm-", "claim-", "eq-", "pmatrix", "\\"):
                assert sign not in text, (query, text)


def test_a_formula_keeps_its_greek(ask):
    (found,) = ask("ω")
    assert any("ω" in text for text in found["excerpts"])


def test_nonsense_finds_nothing(ask):
    assert [found["pages"] for found in ask("zzzz", "qqqqxx", "")] == [[], [], []]
