"""A share of the generated cases; `make fuzz` runs more."""

import inspect

import posenc
from posenc import axes, config, diagnose, scaling
from tests.fuzz import CASES
from tests.fuzz.running import fuzz


def test_every_public_function_is_fuzzed():
    modules = posenc, axes, config, diagnose, scaling
    public = {getattr(module, name) for module in modules for name in module.__all__}
    assert set(CASES) == set(filter(inspect.isroutine, public))


def test_generated_arguments_give_true_values_or_are_refused():
    counts = fuzz(CASES, 4_000, seed=1)
    for function in CASES:
        for kind in ("value", "refused"):
            assert counts[function.__name__, kind] >= 5, (function.__name__, kind)
