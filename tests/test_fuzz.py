"""A share of the generated cases; `make fuzz` runs more."""

import posenc
from tests import fuzz

# `rope` turns by the same products as `rotate`; a report has no one true value.
WITHOUT_A_GENERATOR = {posenc.rotate, posenc.inspect_table, posenc.check_rope}


def test_every_public_function_is_fuzzed():
    public = {getattr(posenc, name) for name in posenc.__all__}
    assert set(fuzz.CASES) == public - WITHOUT_A_GENERATOR


def test_generated_arguments_give_true_values_or_are_refused():
    counts = fuzz.fuzz(4_000, seed=1)
    for function in fuzz.CASES:
        for kind in ("value", "refused"):
            assert counts[function.__name__, kind] >= 20, (function.__name__, kind)
