"""The settings with which Sphinx alone builds the book."""

from pathlib import Path

from scripts.newest import settings


def test_nothing_of_jupyter_book_is_left_and_files_are_found_from_anywhere():
    config = {
        "extensions": ["jupyter_book", "sphinx_comments", "myst_nb", "extensions.page"],
        "comments_config": {},
        "use_jupyterbook_latex": False,
        "html_static_path": ["book/_static"],
        "bibtex_bibfiles": ["book/references.bib"],
        "numfig": True,
    }
    assert settings(config, Path("/words")) == {
        "extensions": ["myst_nb", "extensions.page"],
        "html_static_path": ["/words/book/_static"],
        "bibtex_bibfiles": ["/words/book/references.bib"],
        "numfig": True,
    }
