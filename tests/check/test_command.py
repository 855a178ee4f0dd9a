"""The command: what it prints of files and functions, and with which status it ends."""

import importlib
import json
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

from posenc import sinusoidal
from posenc_check.__main__ import main

LLAMA = {"model_type": "llama", "hidden_size": 256, "num_attention_heads": 4}
LLAMA |= {"max_position_embeddings": 2048, "rope_theta": 10_000.0}
MODULE = """
from posenc import rope

class Model:
    @staticmethod
    def turn(x, positions):
        return rope(x, positions, layout="halves")

def ahead(x, positions):
    return rope(x, positions + 1, layout="halves")
"""


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    """A folder with files of each kind, in which the command is called."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    table, noise = sinusoidal(30, 16), np.random.default_rng(0).normal(size=(30, 16))
    np.save("table.npy", table)
    np.save("noise.npy", noise)
    np.savez("one.npz", table=table)
    np.savez("two.npz", table=table, noise=noise)
    np.savetxt("table.csv", table, delimiter=",", fmt="%.6f")
    np.savetxt("table.txt", table, fmt="%.6f")
    Path("words.txt").write_text("no numbers", encoding="utf-8")
    Path("config.json").write_text(json.dumps(LLAMA), encoding="utf-8")
    other = json.dumps(LLAMA | {"rope_theta": 500_000.0})
    Path("other.json").write_text(other, encoding="utf-8")
    upside_down = {"rope_scaling": {"type": "linear", "factor": 0.25}}
    Path("unfit.json").write_text(json.dumps(LLAMA | upside_down), encoding="utf-8")
    Path("empty.json").write_text("{}", encoding="utf-8")
    Path("cut.json").write_text('{"rope_theta": ', encoding="utf-8")
    Path("turning_in_tests.py").write_text(MODULE, encoding="utf-8")
    yield
    sys.modules.pop("turning_in_tests", None)


TURN, AHEAD = "turning_in_tests:Model.turn", "turning_in_tests:ahead"
CALLS = {
    "table.npy": 0,
    "noise.npy": 1,
    "one.npz": 0,
    "two.npz": 2,  # which of the two is not said
    "two.npz --key table": 0,
    "two.npz --key noise": 1,
    "table.csv": 0,
    "table.txt": 0,
    "words.txt": 2,
    "missing.npy": 2,
    "turning_in_tests.py": 2,  # a kind of file that is not read
    "config.json": 0,
    "unfit.json": 1,
    "empty.json": 2,
    "cut.json": 2,
    f"{TURN} --head-dim 64": 0,
    f"{AHEAD} --head-dim 64": 1,
    TURN: 2,  # without the columns of a head
    "turning_in_tests:nothing --head-dim 64": 2,
    "no_such_module:turn --head-dim 64": 2,
    f"{TURN} --head-dim 64 --expect config.json": 0,
    f"{TURN} --head-dim 64 --expect config.json --layout interleaved": 1,
    f"{TURN} --head-dim 64 --expect other.json": 1,
    f"{TURN} --head-dim 128 --expect config.json": 2,
}


@pytest.mark.parametrize("call", CALLS)
def test_status_says_right_wrong_or_not_read(call, capsys):
    assert main(call.split()) == CALLS[call]
    printed = capsys.readouterr()
    assert printed.err if CALLS[call] == 2 else printed.out


def test_safetensors_are_read_where_the_package_is():
    numpy = pytest.importorskip("safetensors.numpy")
    numpy.save_file({"table": sinusoidal(30, 16, dtype=np.float32)}, "table.safetensors")
    assert main(["table.safetensors"]) == 0


def test_without_the_package_safetensors_are_not_read(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "safetensors.numpy", None)
    Path("table.safetensors").write_bytes(b"")
    assert main(["table.safetensors"]) == 2
    assert "safetensors" in capsys.readouterr().err


def test_module_and_script_are_the_same_command():
    ran = subprocess.run(
        [sys.executable, "-m", "posenc_check", "noise.npy"], capture_output=True, check=False
    )
    assert ran.returncode == 1
    project = Path(__file__).parents[2] / "posenc_check" / "pyproject.toml"
    scripts = tomllib.loads(project.read_text(encoding="utf-8"))["project"]["scripts"]
    module, _, function = scripts["posenc-check"].partition(":")
    assert getattr(importlib.import_module(module), function) is main
