"""Write book/downloads/golden_rope.txt: RoPE in six settings, for whoever writes it elsewhere.

python -m scripts.golden

Inputs are sixteenths, which float32 holds exactly; outputs are computed in float64 and rounded to
float32 once.
"""

import json
from pathlib import Path

import numpy as np

from posenc import rope
from posenc.scaling import scaled_frequencies

FILE = Path(__file__).parent.parent / "book" / "downloads" / "golden_rope.txt"
LLAMA_3 = {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
YARN = {"factor": 16.0, "original_max_position_embeddings": 4096}
NEAR, FAR = (0, 1, 2, 17, 4095), (8191, 131_071, 1_048_575)
CASES = (  # name, layout, columns of a head, settings, positions
    ("interleaved", "interleaved", 8, {}, NEAR),
    ("halves", "halves", 8, {}, NEAR),
    ("partial", "halves", 16, {"partial_rotary_factor": 0.5}, NEAR),
    (
        *("llama3", "halves", 16),
        {"rope_type": "llama3", "original_max_position_embeddings": 8192, **LLAMA_3},
        NEAR + FAR[:2],
    ),
    ("yarn", "halves", 16, {"rope_type": "yarn", **YARN}, NEAR + FAR[:2]),
    ("far", "halves", 8, {}, FAR),
)


def text():
    """Return the file: a line for each case and its frequencies, then three for each position."""
    rng = np.random.default_rng(12)
    lines = [
        "# RoPE in six settings. A case: name, halves (1) or interleaved (0), columns, columns",
        "# that turn, factor, positions; its frequencies; then a position, x, and x turned.",
        "# A line with # is a remark. From the course Where Words Stand. MIT licence.",
    ]
    for name, layout, columns, settings, positions in CASES:
        parameters = {"rope_theta": 500_000.0 if name == "llama3" else 10_000.0, **settings}
        omega, factor, _ = scaled_frequencies(columns, parameters)
        lines.append("# " + json.dumps(parameters))
        turning = 2 * omega.size
        halves = int(layout == "halves")
        lines.append(f"{name} {halves} {columns} {turning} {factor:.17g} {len(positions)}")
        lines.append(" ".join(f"{value:.17g}" for value in omega))
        rows = np.round(16 * rng.normal(size=(len(positions), columns))) / 16 + 0.0  # no -0
        turned = rope(rows, positions, frequencies=omega, layout=layout)
        turned[:, :turning] *= factor
        for place, row, out in zip(positions, rows, turned.astype(np.float32), strict=True):
            lines += [
                str(place),
                *(" ".join(f"{value:.9g}" for value in each) for each in (row, out)),
            ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
    print(f"written to {FILE.relative_to(Path.cwd())}")
