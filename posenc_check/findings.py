"""A finding is one thing that a verdict says, as data; `posenc_check.words` has its sentence."""

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

    def __init__(self, kind: str = "", **values: Any) -> None:
        # A copy is made, by `copy` or `pickle`, without arguments, and gets its attributes then.
        super().__init__(kind=kind, **values)
