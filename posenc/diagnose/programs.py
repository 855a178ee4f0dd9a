"""Programs that turn queries and keys, and the changes that bugs make to them.

A change is a line of `CHANGES`: a name, what it does at some stage, and how it is said. To add one,
write its line and a test; it is named only where the program that it makes gives all the numbers.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from posenc.diagnose.rounding import UNIT, Array, number, rounded

Indices = npt.NDArray[np.integer[Any]]

# What may have become of positions, frequencies, angles, cosines and sines.
SHORTENED: dict[str, Callable[[Array], Array]] = {
    "": lambda values: values,
    "bfloat16": lambda values: rounded(values, "bfloat16"),
    "float16": lambda values: rounded(values, "float16"),
    "bfloat16, cut off": lambda values: values - values % 2.0 ** (np.frexp(values)[1] - 8),
}


class At(NamedTuple):
    """One call: its positions, shaped (texts or 1, 1, tokens), and some of its tokens."""

    positions: Array
    shape: tuple[int, ...]
    before: tuple[float, ...]  # the largest position of each call before
    rows: slice | Indices = slice(None)

    @property
    def tokens(self) -> Array:
        """Return the numbers of the tokens in the call."""
        return np.arange(float(self.shape[2]))[np.newaxis, np.newaxis, self.rows]

    @property
    def places(self) -> Array:
        """Return the positions of those tokens."""
        return self.positions[..., self.rows]

    @property
    def longest(self) -> float:
        """Return the largest position of the call."""
        return float(self.positions.max())

    @property
    def longest_ever(self) -> float:
        """Return the largest position of the call and all before."""
        return max((self.longest, *self.before))

    def longest_since(self, short: float) -> float:
        """Return the largest position since the last call with none from `short` on."""
        most = self.longest
        for place in reversed(self.before if most >= short else ()):
            if place < short:
                break
            most = max(most, place)
        return most


class Change(NamedTuple):
    """What a bug, or a habit of some models, makes of a stage of a program.

    Each stage is a function of what there is, of the call, and of a number that was measured.
    """

    said: str | Callable[[Any], str]
    by: str = ""  # where its number comes from: a field of `Clues`
    right: bool = False  # whether models do it on purpose
    rounds: bool = False  # whether a number near a tie may go the other way
    positions: Callable[..., Any] | None = None
    lists: Callable[..., Any] | None = None
    angles: Callable[..., Any] | None = None
    tables: Callable[..., Any] | None = None
    turns: Callable[..., Any] | None = None
    result: Callable[..., Any] | None = None

    def sentence(self, n: Any) -> str:
        """Return the finding in words."""
        return self.said if isinstance(self.said, str) else self.said(n)


class Clues(NamedTuple):
    """Numbers that may explain what a program without changes misses, as it was measured."""

    tokens: tuple[int, ...] = ()
    positions: tuple[int, ...] = ()
    heads: tuple[int, ...] = ()
    texts: tuple[int, ...] = ()
    lists: tuple[Any, ...] = ()  # (first length, the other list)
    dynamic: tuple[Any, ...] = ()  # (first length, factor)
    growths: tuple[Any, ...] = ()
    columns: tuple[Any, ...] = ()
    temperatures: tuple[Any, ...] = ()


def _rounds(said: str, kind: str, *stages: str) -> Change:
    def one(values: Any, _at: At, _n: Any) -> Any:
        rounds = SHORTENED[kind]
        return tuple(map(rounds, values)) if isinstance(values, tuple) else rounds(values)

    return Change(said, rounds=True, **dict.fromkeys(stages, one))  # type: ignore[arg-type]


def _first_wrong(kind: str) -> str:
    k = np.arange(1.0, 4096)
    row = int(np.flatnonzero(SHORTENED[kind](k) != k)[0])
    turned_as = number(SHORTENED[kind](k)[row])
    return f"position {number(k[row])} is turned as position {turned_as}"


def _dynamic(lists: Array, longest: float, n: tuple[int, float]) -> Array:
    """Return the list of dynamic NTK, whose slowest pair is as much slower as the text longer."""
    limit, factor = n
    slower = max(1.0, factor * (longest + 1) / limit - (factor - 1))
    steps = max(1, lists.shape[-1] - 1)
    result: Array = lists * slower ** (-np.arange(lists.shape[-1]) / steps)
    return result


def _other_list(lists: Array, longer: Any, n: Any) -> Array:
    """Return another list where a text is longer, or a position further."""
    other = np.asarray(n[1])
    if np.ndim(longer) == 0:
        return other if longer >= n[0] else lists
    return np.where(longer[..., np.newaxis, np.newaxis] >= n[0], other, lists)


def _from(said: str, by: str, which: Callable[[At], Array], times: float = 1.0) -> Change:
    """Return the change that leaves x as it is, or gives zeros, from a number on."""

    def result(turned: Array, x: Array, at: At, n: int) -> Array:
        return np.where((which(at) >= n)[..., np.newaxis], times * x, turned)

    one_more = "texts of" in said  # tokens of a text are one more than its last position
    return Change(lambda n: said.format(number(n + one_more)), by, result=result)


def _moved(said: str, moved: Callable[[Array, At], Array]) -> Change:
    """Return the change that puts other positions in the place of those that are passed."""
    return Change(said, positions=lambda p, at, _n: moved(p, at))


def _alone(said: str, moved: Callable[[Array], Array]) -> Change:
    return _moved(
        f"In a call of one token, as with a cache, {said}",
        lambda p, at: moved(p) if at.shape[2] == 1 else p,
    )


def _counted(at: At, axis: int) -> Array:
    """Return the numbers of the texts, heads or tokens of a call."""
    shape = [1, 1, 1]
    shape[axis] = -1
    return np.arange(float(at.shape[axis])).reshape(shape)


def _grown(lengths: Callable[..., Any]) -> Callable[..., Any]:
    def tables(values: Any, at: At, n: Any) -> Any:
        by = lengths(at.places, n)[..., np.newaxis, :]
        return tuple(by * each for each in values)

    return tables


def _in_place(later: bool) -> Callable[..., Any]:
    """Return a turn whose second output is made of the first one in the place of what was there."""

    def turns(_: Any, a: Array, b: Array, cosine: Array, sine: Array) -> tuple[Array, Array]:
        if later:
            second = b * cosine + a * sine
            return a * cosine - second * sine, second
        first = a * cosine - b * sine
        return first, b * cosine + first * sine

    return turns


def _texts_said(n: Any) -> str:
    return f"in texts of {number(n[0] + 1)} tokens or more"


def _kept_dynamic(fewer: int) -> Change:
    """Return dynamic NTK that keeps its list until a text is no longer than it was made for."""
    return Change(
        lambda n: (
            f"other frequencies {_texts_said(n)} (dynamic, factor {n[1]:.6g}), kept for later "
            f"texts until one has fewer than {number(n[0] + 1 - fewer)} tokens"
        ),
        "dynamic",
        right=True,
        lists=lambda w, at, n: _dynamic(w, at.longest_since(n[0] - fewer), n),
    )


def _places(at: At) -> Array:
    return at.places


def _long(at: At) -> Array:
    return np.full((1, 1, 1), at.longest)


def _offset_said(n: float) -> str:
    return f"Position k is turned as position k {'+' if n > 0 else '-'} {number(abs(n))}."


UNUSED = "The positions that are passed are not used: "
CHANGES = {
    **{
        f"{name} in {kind}": _rounds(said.format(kind, _first_wrong(kind)), kind, *stages)
        for name, said, *stages in (
            ("positions", "Its positions are rounded to {}: {}.", "positions"),
            ("angles", "Its angles are rounded to {}.", "angles"),
            (
                "module",
                "Its positions and its frequencies are rounded to {}, and so is each angle, as in "
                "a module after .half() or .bfloat16(): {}.",
                *("positions", "lists", "angles"),
            ),
            (
                "table",
                "Its cosines and sines were rounded to {}, as in a cached table.",
                "tables",
            ),
        )
        for kind in SHORTENED
        if kind
    },
    "counted": _moved(
        UNUSED + "tokens are counted from the start of each call, and a token alone, as with a "
        "cache, is turned as position 0.",
        lambda p, at: _counted(at, 2) + 0 * p,
    ),
    "last counted": _moved(
        UNUSED + "every token of a call is turned by the number of its tokens.",
        lambda p, at: 0 * p + at.shape[2],
    ),
    "first position": _moved(
        "Only the first position of a call is used; from there tokens are counted on, whatever "
        "gaps and order are passed.",
        lambda p, at: p[..., :1] + _counted(at, 2),
    ),
    "sorted": _moved(
        "Positions are sorted before they are used: tokens in another order get another's.",
        lambda p, _at: np.sort(p, axis=-1),
    ),
    "first text": _moved(
        "The positions of the first text of a batch are used for all its texts.",
        lambda p, _at: p[:1],
    ),
    "next text": _moved(
        "Each text of a batch is turned by one position more than the text before.",
        lambda p, at: p + _counted(at, 0),
    ),
    "heads counted": _moved(
        "It turns by the number of the head: the axes of heads and tokens are swapped.",
        lambda p, at: _counted(at, 1) + 0 * p,
    ),
    "alone as the next": _alone("position k is turned as position k + 1.", lambda p: p + 1),
    "alone as the one before": _alone("position k is turned as position k - 1.", lambda p: p - 1),
    "alone as the first": _alone("every token is turned as position 0.", lambda p: 0 * p),
    "offset": Change(_offset_said, "none", positions=lambda p, _at, n: p + n),
    "stop": Change(
        lambda n: (
            f"Positions stop at {number(n - 1)}: position {number(n)} and all after it are turned "
            f"as position {number(n - 1)}."
        ),
        "positions",
        positions=lambda p, _at, n: np.minimum(p, n - 1),
    ),
    "start over": Change(
        lambda n: f"Positions start over: position {number(n)} is turned as position 0.",
        "positions",
        positions=lambda p, _at, n: p % n,
    ),
    "later backwards": Change(
        lambda n: f"Position {number(n)} and all after it turn the other way.",
        "positions",
        positions=lambda p, _at, n: np.where(p >= n, -p, p),
    ),
    "long backwards": Change(
        lambda n: f"In texts of {number(n + 1)} tokens or more, all turn the other way.",
        "positions",
        positions=lambda p, at, n: -p if at.longest >= n else p,
    ),
    **{
        f"{key} from {what}": _from(said, key, which, times)
        for key, which, what, said, times in (
            ("positions", _places, "one", "Position {} and all after it are not turned.", 1.0),
            ("positions", _places, "zero", "Position {} and all after it give zeros.", 0.0),
            ("positions", _long, "long", "In texts of {} tokens or more, nothing is turned.", 1.0),
            ("positions", _long, "none", "In texts of {} tokens or more, all is zeros.", 0.0),
            (
                *("tokens", lambda at: at.tokens, "one"),
                *("Token {} of a call and all after it are not turned.", 1.0),
            ),
            (
                *("heads", lambda at: _counted(at, 1), "one"),
                *("Head {} and all after it are not turned.", 1.0),
            ),
            (
                *("texts", lambda at: _counted(at, 0), "one"),
                *("Text {} of a batch and all after it are not turned.", 1.0),
            ),
        )
    },
    "row 0 of zeros": Change(
        "Position 0 gives zeros.",
        result=lambda turned, _x, at, _n: turned * (at.places != 0)[..., np.newaxis],
    ),
    "long list": Change(
        lambda n: f"other frequencies {_texts_said(n)} (one list for all of them, as LongRoPE)",
        "lists",
        right=True,
        lists=lambda w, at, n: _other_list(w, at.longest, n),
    ),
    "long list kept": Change(
        lambda n: (
            f"It has other frequencies {_texts_said(n)}, and keeps them for shorter texts that "
            "come after."
        ),
        "lists",
        lists=lambda w, at, n: _other_list(w, at.longest_ever, n),
    ),
    "far list": Change(
        lambda n: f"Position {number(n[0])} and all after it have other frequencies.",
        "lists",
        lists=lambda w, at, n: _other_list(w, at.places, n),
    ),
    "dynamic": Change(
        lambda n: f"other frequencies {_texts_said(n)} (dynamic, factor {n[1]:.6g})",
        "dynamic",
        right=True,
        lists=lambda w, at, n: _dynamic(w, at.longest, n),
    ),
    "dynamic, until one is shorter": _kept_dynamic(0),
    "dynamic, as in Transformers": _kept_dynamic(1),
    "dynamic, kept": Change(
        lambda n: (
            f"It has other frequencies {_texts_said(n)} (dynamic, factor {n[1]:.6g}), and keeps "
            "them for shorter texts that come after."
        ),
        "dynamic",
        lists=lambda w, at, n: _dynamic(w, at.longest_ever, n),
    ),
    "temperature": Change(
        lambda n: (
            "with a length that depends on the position, as an attention temperature does "
            f"(1 + {n[1]:.6g} ln(1 + k // {n[0]}))"
        ),
        "temperatures",
        right=True,
        tables=_grown(lambda p, n: (1 + n[1] * np.log1p(p // n[0]))[..., np.newaxis]),
    ),
    "xPos": Change(
        "with a length that depends on the position, by a factor of its own per token in each "
        "pair, as in xPos",
        "growths",
        right=True,
        tables=_grown(lambda p, n: np.exp(p[..., np.newaxis] * np.asarray(n))),
    ),
    "columns scaled": Change(
        "It is no rotation: columns of the result are multiplied by different factors.",
        "columns",
        result=lambda turned, _x, _at, n: turned * np.asarray(n),
    ),
    "cosine for sine": Change(
        "The cosine stands in the place of the sine.", tables=lambda t, _at, _n: (t[0], t[0])
    ),
    "sine for cosine": Change(
        "The sine stands in the place of the cosine.", tables=lambda t, _at, _n: (t[1], t[1])
    ),
    "exchanged": Change(
        "Cosine and sine have changed places.", tables=lambda t, _at, _n: (t[1], t[0])
    ),
    "in place": Change(
        "In place: the first column of a pair is overwritten before the second is made of it.",
        turns=_in_place(False),
    ),
    "in place, second": Change(
        "In place: the second column of a pair is overwritten before the first is made of it.",
        turns=_in_place(True),
    ),
}


class Program(NamedTuple):
    """A function that turns pairs of columns, by position times frequency and a few changes."""

    first: Indices
    second: Indices
    out: Indices  # the column at which each comes out
    lists: Array  # radians per token, of the first column of each pair and of the second
    start: Array  # the angle at position 0, of the same shape
    factor: float = 1.0
    still: Any = 1.0  # what each column that does not turn is multiplied by
    changes: tuple[tuple[str, Any], ...] = ()
    doubt: Any = 0.0  # how far the frequencies may be off, if they were measured

    def stage(self, name: str) -> Iterator[tuple[Callable[..., Any], Any]]:
        """Yield the changes of one stage, each with its number."""
        for key, n in self.changes:
            change = getattr(CHANGES[key], name)
            if change is not None:
                yield change, n

    def changed(self, *changes: tuple[str, Any]) -> "Program":
        """Return the program with further changes."""
        return self._replace(changes=(*self.changes, *changes))

    def angles(self, at: At, scale: Any = 1.0) -> Array:
        """Return the angles, shaped (texts, heads, tokens, 1 or 2, pairs)."""
        places = at.positions
        for change, n in self.stage("positions"):
            places = change(places, at, n)
        rounds = any(CHANGES[key].rounds for key, _ in self.changes)
        lists = self.lists * (scale if rounds else 1.0)
        for change, n in self.stage("lists"):
            lists = change(lists, at, n)
        lists = lists * (1.0 if rounds else scale)
        angles: Array = places[..., at.rows, np.newaxis, np.newaxis] * lists + self.start
        for change, n in self.stage("angles"):
            angles = change(angles, at, n)
        return angles

    def tables(self, at: At, scale: Any = 1.0, size: float = 1.0) -> tuple[Array, Array]:
        """Return cosines and sines, each changed by a part of itself before it is rounded."""
        angles = self.angles(at, scale)
        both = size * np.cos(angles), size * np.sin(angles)
        for change, n in self.stage("tables"):
            both = change(both, at, n)
        return self.factor * both[0], self.factor * both[1]

    def slack(self, at: At, unit: float, kind: str) -> Any:
        """Return how far cosines and sines may be off if angles are computed in a type.

        Measured frequencies are off by no more than roundings at the farthest position.

        A number that is rounded to a short type, and is near the middle between two, may go either
        way.
        """
        logs = np.abs(np.log(np.maximum(np.abs(self.lists), 1e-30)))
        close = UNIT[kind] * (3 + 3 * logs)
        sides = 1 - close, 1 + close
        if not any(CHANGES[key].rounds for key, _ in self.changes):
            low, high = (self.angles(at, side) for side in sides)
            drift = np.minimum(
                np.abs(at.places[..., np.newaxis, np.newaxis]) * self.doubt, 8 * unit
            )
            return abs(self.factor) * (np.abs(high - low) + drift + 4 * UNIT[kind])
        ends = [self.tables(at, side) for side in sides]
        ends += [self.tables(at, 1.0, 1 + side * 4 * UNIT[kind]) for side in (-1, 1)]
        apart = [np.abs(a - b) for k in (0, 2) for a, b in zip(ends[k], ends[k + 1], strict=True)]
        return sum(apart) + 4 * UNIT[kind]

    def turned(self, x: Array, at: At, tables: tuple[Array, Array]) -> Array:
        """Return x turned by some cosines and sines."""
        a, b = x[..., self.first], x[..., self.second]
        (cosine, sine), (others, sines) = ([t[..., row, :] for t in tables] for row in (0, -1))
        both = a * cosine - b * sine, b * others + a * sines
        for change, n in self.stage("turns"):
            both = change(n, a, b, cosine, sine)
        result = np.empty_like(x)
        result[..., self.out] = self.still * x
        result[..., self.out[self.first]], result[..., self.out[self.second]] = both
        for change, n in self.stage("result"):
            result = change(result, x, at, n)
        return result

    def off(self, x: Array, found: Array, at: At, unit: float, kind: str) -> Array:
        """Return how far numbers are from this program's, less what rounding explains.

        The results are rounded to `unit`, up to six times on their way; frequencies and angles are
        good to a few units of `kind`.
        """
        tables, slack = self.tables(at), self.slack(at, unit, kind)
        size = np.hypot(x[..., self.first], x[..., self.second])
        turned = self.turned(x, at, tables)
        room = np.empty(found.shape)
        room[..., self.out] = np.abs(x)
        for row, columns in ((0, self.first), (-1, self.second)):
            cosine, sine = (each[..., row, :] for each in tables)
            most = np.maximum(abs(self.factor), np.hypot(cosine, sine)) + slack[..., row, :] / unit
            room[..., self.out[columns]] = size * most
        room = 6 * unit * np.maximum(room, np.abs(turned))
        off: Array = np.abs(found - turned) - room
        return np.where(np.isnan(off), np.inf, off)

    def __call__(self, x: Array, positions: Any, before: tuple[float, ...] = ()) -> Array:
        """Return x turned at positions."""
        x, places = np.asarray(x, float), np.asarray(positions, float)
        places = places.reshape(-1, 1, places.shape[-1])
        at = At(places, x.shape, before)
        return self.turned(x, at, self.tables(at))
