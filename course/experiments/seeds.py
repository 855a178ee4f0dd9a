"""Train the small models of the book from the seeds 0 to 39, and say what holds in all of them.

    python -m course.experiments.seeds look-back    heads of "Similarity and attention", 3 minutes
    python -m course.experiments.seeds order        models of "A model that learns order", 15

A chapter runs one seed in a few seconds, and says of the others what is printed here. Each seed
trains 20 starts of each kind.
"""

import argparse

import numpy as np

from course.experiments import look_back, order_task

__all__ = ["look_back_once", "main", "order_once"]

SEEDS = range(40)
LENGTHS, BEGINNINGS = (12, 18, 24, 36, 48), (0, 6, 12, 18, 24, 30)


def look_back_once(seed):
    """(name, number) of everything that the chapter says about one seed's heads."""
    k = np.arange(look_back.TEXT)
    tasks = {"from 0": (k - 3, 0), "from anywhere": (k - 3, 1000), "position 0": (0 * k, 0)}
    for name, (wanted, last) in tasks.items():
        _, after = look_back.train(wanted, last, seed=seed)
        yield from ((f"{name}: relative share", one) for one in look_back.relative_share(after))
        if name == "position 0":
            continue
        tokens, _ = look_back.turns(after)
        yield f"{name}: turn of pairs 0 to 3, off by", np.abs(tokens[:, :4] - 3).max()
        for begin in (0, 64, 1000, 1500, 5000, 15_000):
            right = (look_back.found(after, wanted, begin) == 1).sum()
            yield f"{name}: no error in texts that begin at {begin}", right


def order_once(seed):
    """(name, number) of everything that the chapter says about one seed's models."""
    tests = {n: order_task.texts(n, np.random.default_rng(n), keep=300) for n in LENGTHS}
    fresh = order_task.texts(order_task.TRAINED, np.random.default_rng(seed + 1))
    for kind in order_task.KINDS:
        for mask in (False, True):
            theta, _ = order_task.train(kind, seed=seed, starts=20, mask=mask)
            name = f"{kind}{', masked' if mask else ''}"
            for length, test in tests.items():
                right = order_task.percent_right(theta, test, kind, mask=mask)
                yield f"{name}: median at length {length}", np.median(right)
                if length == order_task.TRAINED:
                    yield f"{name}: starts below 90 %", (right < 90).sum()
            for begin in () if mask else BEGINNINGS:
                right = order_task.percent_right(theta, fresh, kind, first_place=begin)
                yield f"{name}: median of texts that begin at {begin}", np.median(right)


def main():
    """Train what the command line names, and print the range of each number over the seeds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("experiment", choices=["look-back", "order"])
    once = {"look-back": look_back_once, "order": order_once}[parser.parse_args().experiment]
    seen = {}
    for seed in SEEDS:
        for name, number in once(seed):
            seen.setdefault(name, []).append(number)
    for name, numbers in seen.items():
        print(f"{name:55} {min(numbers):7.2f} to {max(numbers):7.2f}")


if __name__ == "__main__":
    main()
