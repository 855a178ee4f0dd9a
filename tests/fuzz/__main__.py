"""`python -m tests.fuzz` runs the cases and counts what each function gave."""

import argparse
import time

from tests.fuzz import CASES, verdicts
from tests.fuzz.running import fuzz


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", help="the name of one function")
    parser.add_argument("--verdicts", type=int, default=2_000, help="of each kind; 0 for none")
    chosen = parser.parse_args()
    cases = {f: g for f, g in CASES.items() if chosen.only in (None, f.__name__)}
    start = time.perf_counter()
    counts = fuzz(cases, chosen.cases, chosen.seed)
    print(f"{'':<26}{'value':>9}{'refused':>9}{'left out':>9}")
    for function in cases:
        row = (counts[function.__name__, kind] for kind in ("value", "refused", "left out"))
        print(f"{function.__name__:<26}" + "".join(f"{number:>9}" for number in row))
    for name in ("condemned", "undeserved", "paper_with_one_entry_off"):
        found = getattr(verdicts, name)(chosen.verdicts, chosen.seed)
        print(f"{name}: {len(found)} of {chosen.verdicts} functions and as many tables")
        assert not found, found[:3]
    print(f"{chosen.cases} cases in {time.perf_counter() - start:.0f} s, seed {chosen.seed}")


main()
