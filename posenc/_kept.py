"""What was computed last, kept for the next call: arrays of at most so many bytes in all."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar, TypeVarTuple

import numpy as np

MOST_BYTES, MOST_ENTRIES = 2**25, 64

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")

# From a function and its arguments to what it returned and the bytes of that, the oldest first. A
# new dict replaces this one when something is added: threads, forks and signals need no lock.
_entries: dict[object, tuple[object, int]] = {}


def kept(make: Callable[[*Arguments], Result]) -> Callable[[*Arguments], Result]:
    """Keep the arrays that a function returns, to be read and never written."""

    @wraps(make)
    def get(*arguments: *Arguments) -> Result:
        entry = _entries.get((make, arguments))
        if entry is not None:
            return entry[0]  # type: ignore[return-value]
        made = make(*arguments)
        _keep((make, arguments), made)
        return made

    return get


def forget() -> None:
    """Drop all that is kept."""
    global _entries
    _entries = {}


def _keep(key: object, made: object) -> None:
    global _entries
    arrays = made if isinstance(made, tuple) else (made,)
    size = sum(array.nbytes for array in arrays if isinstance(array, np.ndarray))
    if size > MOST_BYTES:
        return
    entries = {**_entries, key: (made, size)}
    total = sum(bytes_of for _, bytes_of in entries.values())
    for oldest in list(entries):
        if total <= MOST_BYTES and len(entries) <= MOST_ENTRIES:
            break
        total -= entries.pop(oldest)[1]
    _entries = entries
