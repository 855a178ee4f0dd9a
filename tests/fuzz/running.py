"""Running cases: in hostile states of the caller, watched for changes, time and messages."""

import copy
import decimal
import random
import time
import warnings
from collections import Counter, deque
from contextlib import ExitStack
from decimal import Decimal
from fractions import Fraction

import mpmath
import numpy as np

from tests.fuzz.truth import DIGITS

SLOWEST = 5.0  # seconds of the processor, however busy the machine is


def hostile_state(rng, stack):
    """Put the caller into a state that must make no difference."""
    draw = rng.random()
    if draw < 0.3:
        stack.enter_context(np.errstate(all="raise"))
    elif draw < 0.5:
        traps = [decimal.FloatOperation, decimal.Inexact, decimal.Rounded, decimal.Subnormal]
        context = decimal.Context(prec=2, Emax=3, Emin=-3, traps=traps)
        stack.enter_context(decimal.localcontext(context))
    elif draw < 0.6:
        stack.enter_context(np.printoptions(precision=1, threshold=1))


def kept(value):
    """Return a copy of an argument to compare with later."""
    if isinstance(value, np.ndarray):
        return value.copy()
    return copy.copy(value) if isinstance(value, list | deque) else None


def unchanged(value, copied):
    if isinstance(value, np.ndarray):
        return (
            value.dtype == copied.dtype
            and np.asarray(value).tobytes() == np.asarray(copied).tobytes()
        )
    if isinstance(value, list | deque):
        return len(value) == len(copied) and all(a is b for a, b in zip(value, copied, strict=True))
    return True


def repeats(message, case):
    """Return whether a message says what it got, by a piece of an argument or of its shape."""
    said = message.partition("got ")[2]
    pieces = [] if case.arguments else ["()"]
    for each in case.arguments:
        try:
            array = np.asarray(each)
            pieces.append(str(array.shape))
            if array.size and array.dtype.kind in "iuf" and not np.ma.is_masked(each):
                pieces.append(str(float(np.abs(array).max()))[:4])
        except Exception:  # ragged, or one that raises what it likes
            continue
    for value in flattened([*case.arguments, *case.options.values()]):
        try:
            pieces += [repr(value)[:4], str(value)[:4], type(value).__name__]
            if isinstance(value, Fraction | Decimal | np.floating | mpmath.mpf):
                pieces += [repr(float(value))[:4], repr(abs(float(value)))[:4]]
        except (
            ValueError,
            RuntimeError,
            KeyError,
            OverflowError,
        ):  # an integer too long, or one that raises
            pieces += [type(value).__name__, "0x", "-0x"]
    return bool(said) and len(message) < 600 and any(piece and piece in said for piece in pieces)


def flattened(values):
    for value in values:
        yield value
        if isinstance(value, dict):
            yield from flattened([*value.keys(), *value.values()])
        if isinstance(value, list | tuple | deque) and len(value) < 100:
            yield from flattened(value)


def run(function, case, rng):
    """Run one case: return "value" or "refused", or raise an AssertionError that tells all."""
    values = [*case.arguments, *(v for k, v in case.options.items() if k != "out")]
    copies = [kept(value) for value in values]
    start = time.process_time()
    refused = None
    with ExitStack() as stack:
        hostile_state(rng, stack)
        try:
            result = function(*case.arguments, **case.options)
        except (TypeError, ValueError) as error:
            refused = error
    assert time.process_time() - start < SLOWEST, "it took too long"
    for value, copied in zip(values, copies, strict=True):
        assert unchanged(value, copied), "an argument was changed"
    if case.check is None:
        assert refused is not None, "nothing was refused"
        assert repeats(str(refused), case), f"a poor message: {refused}"
        return "refused"
    assert refused is None, f"refused: {refused}"
    with mpmath.workdps(DIGITS):
        case.check(result)
    return "value"


def fuzz(cases, count, seed):
    """Run `count` cases and return how many of each function gave what.

    `cases` has the generator of each function.
    """
    counts = Counter()
    functions = list(cases)
    with warnings.catch_warnings(), mpmath.workdps(DIGITS):
        warnings.simplefilter("error")
        for number in range(count):
            rng = random.Random(f"{seed} {number}")
            function = functions[number % len(functions)]
            case = cases[function](rng)
            if case is None:  # too close to call
                counts[function.__name__, "left out"] += 1
                continue
            try:
                counts[function.__name__, run(function, case, rng)] += 1
            except Exception as error:
                raise AssertionError(
                    f"case {number} of seed {seed}: {function.__name__}{described(case)}: "
                    f"{type(error).__name__}: {error}"
                ) from error
    return counts


def described(case):
    try:
        return f"(*{case.arguments!r}, **{case.options!r})"
    except Exception:  # some have no repr
        return "(...)"
