"""Compare posenc with the positional code of the libraries people run, row by row.

    python -m conformance                       all of them, and store the result (make conformance)
    python -m conformance timm x_transformers   the rows of these, and store nothing

Each library's own code is built from its configuration, without weights, given the same positions,
and compared with one line of posenc. What is compared, the largest difference and its reason go to
book/_static/conformance.json, which a page of the book shows; a difference without a reason is a
failure. What a row says of order, base and scaling is read off the numbers by `inspect_table` and
`check_rope` wherever they apply. The versions stand in pyproject.toml, in the groups `conformance`
and `conformance-alone`.
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


def main(chosen):
    os.environ.setdefault("KERAS_BACKEND", "torch")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    warnings.filterwarnings("ignore")
    import torch

    from conformance import rows

    torch.manual_seed(0)
    torch.set_grad_enabled(False)
    for file, library in FILES.items():
        if not chosen or file.startswith(tuple(chosen)):
            rows.library = library
            importlib.import_module(f"conformance.{file}").compare_all()
    print(f"\n{len(rows.rows)} rows")
    if not chosen:
        store(rows.rows)
    if unexplained := [row["code"] for row in rows.rows if not row["reason"]]:
        sys.exit(f"without a reason: {unexplained}")


def store(rows):
    """Write the rows, with the versions, the date, and who pairs which columns."""
    from conformance.transformers import configs, layer
    from conformance.transformers.pairings import layouts

    found = layouts()
    print({name: len(folders) for name, folders in found.items()})
    result = {
        "date": datetime.now(UTC).date().isoformat(),
        "versions": {name: version(name).partition("+")[0] for name in VERSIONS_OF},
        "layouts": found,
        "configs": configs.compare_all(),
        "orders": layer.orders(),
        "rows": rows,
    }
    RESULT.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"written to {RESULT.relative_to(Path.cwd())}")


if __name__ == "__main__":
    main(sys.argv[1:])
