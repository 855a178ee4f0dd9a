"""The numbers for ports to other languages: as the script writes them, and as C computes them."""

import shutil
import subprocess

import pytest

from scripts import golden

PROGRAM = golden.FILE.with_suffix(".c")


def test_the_file_is_what_the_script_writes():
    assert golden.FILE.read_text(encoding="utf-8") == golden.text()


@pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler")
def test_a_program_in_c_finds_the_same_numbers_and_a_changed_one(tmp_path):
    binary, copy = tmp_path / "golden", tmp_path / golden.FILE.name
    subprocess.run(["cc", str(PROGRAM), "-o", str(binary), "-lm"], check=True)
    numbers = golden.text()
    for text, expected in (
        (numbers, "0 of 408"),
        (numbers.replace("0.497502", "0.497"), "1 of 408"),
    ):
        copy.write_text(text, encoding="utf-8")
        run = subprocess.run([binary], cwd=tmp_path, capture_output=True, text=True, check=True)
        assert run.stdout == f"{expected} numbers differ\n"
