"""The command ``posenc-check``: what a config, a table or a function is, and if it is right."""

import argparse
import importlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from posenc_check.compare import assert_rope
from posenc_check.config_report import config_findings, printed
from posenc_check.pasted import inspect_text
from posenc_check.rope import check_rope
from posenc_check.table import inspect_table

RIGHT, WRONG, UNREADABLE = 0, 1, 2  # the exit status


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what a target is, and return the exit status: 0 right, 1 wrong, 2 if it is not read.

    `arguments` are what follows the name of the command; by default those of the process. Arguments
    that the command does not have end the process, as `argparse` does it.

    Examples
    --------
    >>> main(["posenc:rope", "--head-dim", "64"])  # doctest: +ELLIPSIS
    RoPE: interleaved, base 10 000, all 64 columns. Looked at ...
    0
    """
    options = _parser().parse_args(arguments)
    try:
        status, words = _answer(options)
    except Exception as error:  # a module or a file may fail in any way
        status, words = UNREADABLE, f"{type(error).__name__}: {error}"
    print(words, file=sys.stderr if status == UNREADABLE else sys.stdout)
    return status


def _parser() -> argparse.ArgumentParser:
    """Return the parser of the command's arguments."""
    parser = argparse.ArgumentParser(
        prog="posenc-check",
        description="Say what a model's config, a positional table or a rotary function is.",
        epilog="The exit status is 0 where all is right, 1 where something is wrong, and 2 where "
        "nothing can be read.",
    )
    kinds = "config.json; table.npy, .npz, .txt, .csv or .safetensors; or module:function"
    parser.add_argument("target", help=kinds)
    parser.add_argument("--head-dim", type=int, help="columns of a head, for a function")
    parser.add_argument("--expect", help="a config.json that a function has to follow")
    parser.add_argument("--layout", choices=("interleaved", "halves"), help="pairs, with --expect")
    parser.add_argument("--model-type", help="read a config as one of this type")
    parser.add_argument("--key", help="which array of an .npz or .safetensors file")
    return parser


def _answer(options: argparse.Namespace) -> tuple[int, str]:
    """Return (status, words) on a function, config or table; raise if it is not read."""
    path = Path(options.target)
    if ":" in options.target and not path.exists():  # the name of a file may have a colon
        return _of_function(options)
    if path.suffix == ".json":
        findings = config_findings(json.loads(path.read_text("utf-8")), options.model_type)
        # A config that is refused has one finding, and a config that is read says how many columns
        # of its layers turn. What is wrong in one that is read is a factor or a length of which
        # Transformers warns.
        kinds = {finding.kind for finding in findings}
        unfit = any(kind.startswith("unfit") for kind in kinds)
        status = UNREADABLE if "columns" not in kinds else WRONG if unfit else RIGHT
        return status, printed(findings)
    if path.suffix in (".txt", ".csv"):
        report = inspect_text(path.read_text("utf-8"))
    elif path.suffix in (".npy", ".npz", ".safetensors"):
        report = inspect_table(_array(path, options.key))
    else:
        allowed = "config.json, a table (.npy, .npz, .txt, .csv, .safetensors) or module:function"
        raise ValueError(f"target must be {allowed}, got {options.target!r}")
    return (RIGHT if report.sinusoidal else WRONG), str(report)


def _of_function(options: argparse.Namespace) -> tuple[int, str]:
    """Return (status, words) on where a function leaves a config, or on what it is."""
    module, _, name = options.target.partition(":")
    if options.head_dim is None:
        raise ValueError(f"--head-dim must be given for a function, got {options.target!r} alone")
    sys.path.insert(0, str(Path.cwd()))  # a module is looked for here first, as by `python -m`
    function: Any = importlib.import_module(module)
    for part in name.split("."):  # a function of a class has a name with a point
        function = getattr(function, part)
    if options.expect is not None:
        config = json.loads(Path(options.expect).read_text("utf-8"))
        try:
            assert_rope(function, options.head_dim, expect=config, layout=options.layout)
        except AssertionError as differs:
            return WRONG, str(differs)
    report = check_rope(function, options.head_dim)
    # What agrees with an expected config is right, though it may be a bug elsewhere.
    right = report.rotary or options.expect is not None
    return (RIGHT if right else WRONG), str(report)


def _array(path: Path, key: str | None) -> Any:
    """Return the array named `key` in a file, or its only one; raise a ValueError without one."""
    if path.suffix == ".safetensors":  # only such a file needs the package of that name
        arrays = importlib.import_module("safetensors.numpy").load_file(path)
    else:
        arrays = np.load(path)
    if isinstance(arrays, np.ndarray):  # an .npy file has one array, without a name
        if key is not None:
            raise ValueError(f"--key must not be given for {path}, a single array, got {key}")
        return arrays
    names = list(arrays)
    name = names[0] if key is None and len(names) == 1 else key
    if name not in names:
        raise ValueError(f"--key must be one of {names}, which {path} has, got {key}")
    return arrays[name]


if __name__ == "__main__":
    sys.exit(main())
