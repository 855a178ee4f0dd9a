"""Our solution of the assignment: the functions, and the experiment.

    python -m scripts.assignment_solution          half a minute

It is in no package, so that neither the browser nor a marked submission can import it.
"""

from functools import partial

import numpy as np

from posenc import attention, rope, sinusoidal
from posenc_course.experiments.order_task import KINDS, texts, train

A = 0
SEEDS = (0, 1, 2)


def z_of(theta, text, kind, first=0):
    """Return the answer z of one trained model to one text; positive means that A comes first.

    `theta` has one start: words (8, 16), W_Q and W_K (16, 16), u (16, 1), c (1,), and for learned
    positions places (48, 16). The first token stands at the position `first`.
    """
    places = first + np.arange(len(text))
    x = theta["words"][text]
    if kind == "learned":
        x = x + theta["places"][places]
    elif kind == "sinusoidal":
        x = x + sinusoidal(places, x.shape[1])
    queries, keys = x @ theta["W_Q"], x @ theta["W_K"]
    if kind == "RoPE":
        queries, keys = rope(queries, places), rope(keys, places)
    taken, _ = attention(queries, keys, x @ theta["u"])
    return (taken[text == A] + theta["c"]).item()


def right(theta, texts, kind, first=0):
    """Return the share of right answers; in the first half of the texts, (N, L), A comes first."""
    says_a = np.array([z_of(theta, text, kind, first) > 0 for text in texts])
    return float((says_a == (np.arange(len(texts)) < len(texts) / 2)).mean())


def swap_test(answer, text, i, j):
    """Return whether the number `answer(text)` changes when tokens i and j change places."""
    swapped = text.copy()
    swapped[[i, j]] = text[[j, i]]
    return not np.isclose(answer(text), answer(swapped))


def experiment(seed, starts=8):
    """Yield (kind, what is measured, median, lowest and highest percentage of the starts)."""
    rng = np.random.default_rng(seed)
    # Training is on texts of 12 tokens. Each length has 40 texts and 40 twins, as in the
    # assignment: all 2256 of 48 tokens would be 28 times as many.
    tests = {length: texts(length, rng, keep=40) for length in (12, 24, 48)}
    # The texts of each measurement, and the position of their first token.
    measured = {f"length {length}": (test, 0) for length, test in tests.items()}
    measured["12 tokens from 12 on"] = tests[12], 12  # at positions that no training has had
    text = tests[12][0]
    places = np.flatnonzero(text < 2)  # of A and B, which are 0 and 1
    for kind in KINDS:
        theta, _ = train(kind, seed=seed, starts=starts)
        models = [{name: value[s] for name, value in theta.items()} for s in range(starts)]
        for what, (test, first) in measured.items():
            shares = [100 * right(model, test, kind, first) for model in models]
            yield kind, what, np.median(shares), min(shares), max(shares)
        answers = [partial(z_of, model, kind=kind) for model in models]
        noticed = [100 * swap_test(answer, text, *places) for answer in answers]
        yield kind, "swap of A and B noticed", np.median(noticed), min(noticed), max(noticed)


def main():
    """Print the experiment for each of `SEEDS`."""
    for seed in SEEDS:
        print(f"seed {seed}: median (lowest to highest) of 8 starts")
        for kind, what, median, low, high in experiment(seed):
            print(f"  {kind:11} {what:24} {median:4.0f} %  ({low:.0f} to {high:.0f})")


if __name__ == "__main__":
    main()
