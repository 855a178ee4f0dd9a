"""A drawing on a page in Markdown: the picture, what it shows, and its caption."""

from types import SimpleNamespace

from docutils import nodes
from PIL import Image

from extensions.drawings import Drawing

WORDS = ["Five layouts of", "eight columns. Two are of heads."]


def test_a_drawing_is_a_picture_with_words_and_a_caption(tmp_path):
    noted = []
    env = SimpleNamespace(srcdir=tmp_path, note_dependency=noted.append)
    state = SimpleNamespace(document=SimpleNamespace(settings=SimpleNamespace(env=env)))
    machine = SimpleNamespace(reporter=None)
    arguments = ["layouts_of_columns", "6.2", "3.0"]
    (box,) = Drawing("drawing", arguments, {}, WORDS, 1, 0, "", state, machine).run()
    image, caption = box.children
    assert isinstance(image, nodes.image)
    assert image["alt"] == "Five layouts of eight columns. Two are of heads."
    assert caption.astext() == "Five layouts of eight columns."
    with Image.open(tmp_path / image["uri"].lstrip("/")) as picture:
        assert picture.size == (1240, 600)
    assert any(path.endswith("settings.py") for path in noted)
