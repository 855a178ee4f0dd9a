"""A finding is one thing that a verdict says, as data; `posenc_check.words` has its sentence."""

from functools import partial
from types import SimpleNamespace
from typing import Any


class Finding(SimpleNamespace):
    """One thing that a verdict says: its kind, and the values that belong to it.

    Parameters
    ----------
    kind : str
        A name for which ``sentences.toml`` or `posenc_check.words` has a sentence.
    **values : Any
        The values that the sentence names. They are attributes of the finding.

    Examples
    --------
    >>> finding = Finding("offset", positions=2)
    >>> finding.kind, finding.positions
    ('offset', 2)
    >>> finding == Finding("offset", positions=2)
    True
    """

    def __init__(self, kind: str, **values: Any) -> None:
        super().__init__(kind=kind, **values)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return (function that makes a copy, no arguments for it), as pickle asks for it."""
        # That of SimpleNamespace calls the class with no arguments, and `kind` is one.
        return partial(type(self), **vars(self)), ()
