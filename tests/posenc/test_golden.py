"""The numbers for ports to other languages: as posenc and as C compute them."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from posenc import rope
from posenc_check import scaled_frequencies

FILE = Path(__file__).parents[2] / "book" / "downloads" / "golden_rope.txt"


def test_posenc_turns_every_row_of_the_file_as_it_stands_there():
    lines = iter(FILE.read_text(encoding="utf-8").splitlines()[3:])
    for remark in lines:
        _, halves, columns, turning, factor, count = next(lines).split()
        omega, asked, _ = scaled_frequencies(int(columns), json.loads(remark.removeprefix("# ")))
        assert (f"{asked:.17g}", 2 * omega.size) == (factor, int(turning))
        assert next(lines) == " ".join(f"{value:.17g}" for value in omega)
        for _ in range(int(count)):
            place, row, out = (np.array(next(lines).split(), float) for _ in range(3))
            layout = "halves" if halves == "1" else "interleaved"
            turned = rope(row[None], place, frequencies=omega, layout=layout)[0]
            turned[: 2 * omega.size] *= asked
            assert (turned.astype(np.float32) == out.astype(np.float32)).all()


@pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler")
def test_a_program_in_c_finds_the_same_numbers_and_a_changed_one(tmp_path):
    binary, copy = tmp_path / "golden", tmp_path / FILE.name
    program = FILE.with_suffix(".c")
    subprocess.run(["cc", str(program), "-o", str(binary), "-lm"], check=True)
    numbers = FILE.read_text(encoding="utf-8")
    for text, expected in (
        (numbers, "0 of 408"),
        (numbers.replace("0.497502", "0.497"), "1 of 408"),
    ):
        copy.write_text(text, encoding="utf-8")
        run = subprocess.run([binary], cwd=tmp_path, capture_output=True, text=True, check=True)
        assert run.stdout == f"{expected} numbers differ\n"
