"""Compare posenc with the positional code of the libraries people run, row by row.

    python -m conformance                       all of them; fail if they differ from what is stored
    python -m conformance --write               all of them, and store the result
    python -m conformance timm x_transformers   the rows of these, and compare nothing

Each library's own code is built from its configuration, without weights, given the same positions,
and compared with one line of posenc. What is compared, the largest difference and its reason go to
book/_static/conformance.json, which a page of the book shows; a difference without a reason is a
failure. What a row says of order, base and scaling is read off the numbers by `inspect_table` and
`check_rope` wherever they apply. The versions stand in pyproject.toml, in the groups `conformance`
and `conformance-alone`; `make conformance-newest` takes the newest of each.
"""

import importlib
import json
import os
import sys
import warnings
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

RESULT = Path(__file__).parent.parent / "book" / "_static" / "conformance.json"
VERSIONS_OF = (
    "torch",
    "transformers",
    "diffusers",
    "timm",
    "x-transformers",
    "rotary-embedding-torch",
    "positional-encodings",
    "keras",
    "keras-hub",
)
# The library of each file, in the order of the page's rows. All draw from one generator: a new
# library comes last.
FILES = {
    "transformers.tables": "transformers",
    "transformers.rotary": "transformers",
    "transformers.scaling": "transformers",
    "transformers.axes": "transformers",
    "transformers.biases": "transformers",
    "transformers.layer": "transformers",
    "torch": "torch",
    "diffusers": "diffusers",
    "timm": "timm",
    "positional_encodings": "positional-encodings",
    "x_transformers": "x-transformers",
    "rotary_embedding_torch": "rotary-embedding-torch",
    "keras_hub": "keras-hub",
    "transformers.pictures": "transformers",
    "diffusers_video": "diffusers",
    "transformers.conversion": "transformers",
}


def main(arguments):
    os.environ.setdefault("KERAS_BACKEND", "torch")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    warnings.filterwarnings("ignore")
    import torch

    from conformance import rows

    torch.manual_seed(0)
    torch.set_grad_enabled(False)
    chosen = [argument for argument in arguments if not argument.startswith("--")]
    for file, library in FILES.items():
        if not chosen or file.startswith(tuple(chosen)):
            rows.library = library
            importlib.import_module(f"conformance.{file}").compare_all()
    print(f"\n{len(rows.rows)} rows")
    if unexplained := [row["code"] for row in rows.rows if not row["reason"]]:
        sys.exit(f"without a reason: {unexplained}")
    if chosen:
        return
    measured = result(rows.rows)
    if "--write" in arguments:
        text = json.dumps(measured, indent=1, ensure_ascii=False)
        RESULT.write_text(text + "\n", encoding="utf-8")
        print(f"written to {RESULT.relative_to(Path.cwd())}")
        return
    stored = json.loads(RESULT.read_text(encoding="utf-8"))
    print(f"stored: {stored['versions']}\nhere:   {measured['versions']}")
    if differences := differing(stored, measured):
        sys.exit("not as it is stored:\n" + "\n".join(differences))
    print("all as it is stored")


def result(rows):
    """Return the rows, with the versions, the date, and who pairs which columns."""
    from conformance.transformers import configs, layer
    from conformance.transformers.pairings import layouts

    return {
        "date": datetime.now(UTC).date().isoformat(),
        "versions": {name: version(name).partition("+")[0] for name in VERSIONS_OF},
        "layouts": layouts(),
        "configs": configs.compare_all(),
        "orders": layer.orders(),
        "rows": rows,
    }


def differing(stored, measured):
    """Return a line for each thing that is measured otherwise than it is stored.

    The date and the versions may differ. So may a row's difference, since its last digits are those
    of the machine: it counts from four times the stored one on, and where its reason is another.
    """
    lines = []
    for part in ("layouts", "orders", "configs"):
        lines += _changes(part, stored[part], measured[part])
    before, now = (
        {(row["library"], row["kind"], row["code"]): row for row in each["rows"]}
        for each in (stored, measured)
    )
    for name in {**before, **now}:
        old, new = (dict(rows.get(name, {"difference": 0.0})) for rows in (before, now))
        least, most = sorted([old.pop("difference"), new.pop("difference")])
        lines += _changes(", ".join(name), old, new)
        if most > 4 * least + 1e-12:
            lines.append(f"{', '.join(name)}: difference {least} or {most}")
    return lines


def _changes(name, old, new):
    """Return a line for each entry of two dicts or lists that only one has, or has otherwise."""
    if isinstance(old, dict) and isinstance(new, dict):
        return [
            line
            for key in {**old, **new}
            for line in _changes(f"{name}, {key}", old.get(key), new.get(key))
        ]
    if isinstance(old, list) and isinstance(new, list):
        gone = [each for each in old if each not in new]
        come = [each for each in new if each not in old]
        return [f"{name}: no longer {gone}, but {come}"] if gone or come else []
    return [] if old == new else [f"{name}: {old} -> {new}"]


if __name__ == "__main__":
    main(sys.argv[1:])
