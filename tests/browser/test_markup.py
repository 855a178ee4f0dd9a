"""The text of every built page, read without a browser."""

import json
import re

from PIL import Image

from extensions.contents import notebooks_in_toc, read
from tests.browser.conftest import BOOK, NAMES, html
from tests.browser.test_touchable import pressed_in_turn
from tests.course.test_questions import STORED

BESIDE = ["search.html", "404.html"]
LARGEST_FIGURE = 120  # kilobytes


def test_heads_say_what_the_pages_are():
    for select in ("title", "meta[name=description]"):
        found = [str(html(name).head.select_one(select)) for name in NAMES]
        assert len(set(found)) == len(found)
    for name in NAMES:
        head = html(name).head
        assert 10 <= len(head.title.string) <= 110
        assert len(head.find_all("meta", attrs={"name": "viewport"})) == 1
        (description,) = head.find_all("meta", attrs={"name": "description"})
        assert 40 <= len(description["content"]) <= 200
        properties = {tag["property"]: tag["content"] for tag in head.select("meta[property]")}
        assert {"og:title", "og:description", "og:image", "og:image:alt"} <= set(properties)
        stem = name.split("/")[-1].removesuffix(".html")
        assert properties["og:image"].endswith(f"_static/cards/{stem}.png")
        with Image.open(BOOK / "_static" / "cards" / f"{stem}.png") as card:
            assert card.size == (1200, 630)


def test_a_chapter_says_its_number():
    openings = [html(name).select_one(".opening .where") for name in NAMES]
    said = re.findall(r"Chapter (\d+)", " ".join(o.get_text() for o in openings if o))
    assert said == [str(number + 1) for number in range(len(said))]
    assert len(said) == sum(re.match(r"book/(?!00)\d\d_", name) is not None for name in NAMES)


def test_markup_holds_together():
    for name in [*NAMES, *BESIDE]:
        page = html(name)
        ids = [tag["id"] for tag in page.find_all(id=True)]
        assert len(ids) == len(set(ids)), (name, sorted(i for i in ids if ids.count(i) > 1))
        assert len(page.find_all("h1")) == 1, name
        for image in page.select("article img"):
            assert image.get("alt"), name
            assert int(image["width"]) > 0
            assert int(image["height"]) > 0
        for button in page.select("[popovertarget]"):
            assert page.find(id=button["popovertarget"]), name
        for link in page.select("#page-menu a[download]"):
            assert (BOOK / name).parent.joinpath(link["href"]).resolve().is_file(), name


def test_every_question_and_exercise_is_on_its_page_and_questions_are_in_the_list():
    index = (BOOK / "_static" / "questions_index.js").read_text(encoding="utf-8")
    listed = json.loads(index.removeprefix("window.posencQuestions=").rstrip(";\n"))
    for path in notebooks_in_toc():
        keys = [ask["key"] for at, ask in STORED if at == path]
        page = html(f"book/{path.stem}.html")
        assert [shown["data-question"] for shown in page.select("[data-question]")] == keys
        # A chapter can be read without the questions of its exercises.
        assert listed.get(f"book/{path.stem}", []) == [key for key in keys if "-ex-" not in key]
        # Every exercise in code can be written where it stands.
        code = "\n".join(cell.source for cell in read(path).cells if cell.cell_type == "code")
        labels = dict.fromkeys(re.findall(r'^check\("(ex-[\w-]+)"', code, re.MULTILINE))
        assert [shown["data-label"] for shown in page.select("[data-label]")] == [*labels]


def test_figures_are_small():
    found = {image["src"] for name in NAMES for image in html(name).select("a.figure img")}
    assert found
    for source in found:
        path = BOOK / "_images" / source.rsplit("/", 1)[-1]
        assert path.stat().st_size <= LARGEST_FIGURE * 1024, path.name


def test_no_formula_is_left_in_tex():
    for name in NAMES:
        page = (BOOK / name).read_text(encoding="utf-8")
        shown = re.sub(r"(?s)<(annotation|script|code|pre)\b.*?</\1>|<[^>]*>", "", page)
        assert not re.findall(r"\\\(|\\\[|\\frac|\\omega|\\begin|\$\w+\$", shown), name
    assert sum(len(html(name).select("math")) for name in NAMES) > 500


def test_the_sitemap_is_the_contents():
    sitemap = (BOOK / "sitemap.xml").read_text(encoding="utf-8")
    assert re.findall(r"<loc>(?:https?://[^<]*/)?(book/[^<]+)</loc>", sitemap) == NAMES


def test_figures_of_a_chapter_are_numbered_and_headings_end_with_their_words():
    for name in ("02_sine_recap", "06_rotation", "F6_shifts"):
        page = html(f"book/{name}.html")
        captions = [line.get_text() for line in page.select(".figure-caption")]
        number = re.search(r"^(F?)0?(\d+)", name).expand(r"\1\2")
        for at, words in enumerate(captions, 1):
            assert words.startswith(f"Figure {number}.{at} ")
            assert words.endswith(".")
        assert len(captions) == len(page.select(".cell a.figure, .cell .posenc[data-view]")) > 1
        assert all(link["aria-hidden"] for link in page.select("a.headerlink"))


def test_a_lost_reader_finds_a_way():
    page = html("404.html")
    links = [link["href"] for link in page.select("article a")]
    base = page.base["href"]
    assert base.endswith("/")
    for link in links:
        assert (BOOK / link.split("#")[0]).is_file(), link
    assert page.select_one(".search-button")


def test_every_touch_sets_what_its_figure_has():
    assert sum(len(list(pressed_in_turn(html(name)))) for name in NAMES) > 20
