"""What `import posenc` brings along, and what each public name promises."""

import inspect
import itertools
import subprocess
import sys
import types
import typing
from pathlib import Path

import pytest
from numpydoc.validate import validate

import posenc

ROOT = Path(posenc.__file__).parent

# Names, kinds and defaults; the types are held by `mypy` and `test_every_type_is_said`.
SIGNATURES = {
    "alibi_bias": "(n_heads, n_queries, n_keys, *, dtype=<class 'numpy.float64'>)",
    "alibi_slopes": "(n_heads)",
    "attention": "(queries, keys, values, *, bias=None, causal=False)",
    "binary_code": "(positions, width)",
    "check_rope": (
        "(function, head_dim, *, frequencies=None, positions=None, dtype=<class 'numpy.float64'>)"
    ),
    "decode_positions": "(encodings, *, base=10000.0, layout='interleaved')",
    "frequencies": "(d_model, *, base=10000.0)",
    "inspect_table": "(table)",
    "rope": "(x, positions, *, base=10000.0, frequencies=None, layout='interleaved')",
    "rotate": "(x, angles, *, layout='interleaved')",
    "shift_matrix": "(offset, d_model, *, base=10000.0, layout='interleaved')",
    "sinusoidal": (
        "(positions, d_model, *, base=10000.0, layout='interleaved', dtype=<class 'numpy.float64'>)"
    ),
    "wavelengths": "(d_model, *, base=10000.0)",
}

SECTIONS = ["Parameters", "Returns", "Notes", "References", "Examples"]

# A docstring of one line needs no second paragraph, nor every function a related one.
NOT_ASKED = {"ES01", "SA01"}

# Modules that NumPy loads are no concern here, so they are loaded first.
LIST_WHAT_POSENC_LOADS = """
import sys
import numpy
before = set(sys.modules)
import posenc
print(*sorted(set(sys.modules) - before))
"""


def test_import_loads_numpy_alone():
    command = [sys.executable, "-W", "error", "-c", LIST_WHAT_POSENC_LOADS]
    loaded = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    packages = {name.partition(".")[0] for name in loaded}
    assert packages - sys.stdlib_module_names - {"numpy"} == {"posenc"}
    assert "posenc_course" not in packages


def test_exercises_need_numpy_alone():
    code = LIST_WHAT_POSENC_LOADS.replace(
        "import posenc", "import posenc_course.exercises.rotation"
    )
    command = [sys.executable, "-W", "error", "-c", code]
    loaded = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    packages = {name.partition(".")[0] for name in loaded}
    assert packages - sys.stdlib_module_names - {"numpy"} == {"posenc_course", "posenc"}


def test_public_names_are_exactly_these():
    assert sorted(posenc.__all__) == sorted(SIGNATURES)


def test_no_other_public_name_but_submodules():
    others = {name for name in vars(posenc) if not name.startswith("_")} - set(posenc.__all__)
    assert all(isinstance(getattr(posenc, name), types.ModuleType) for name in others)


@pytest.mark.parametrize("name", sorted(SIGNATURES))
def test_signature_is_the_one_promised(name):
    signature = inspect.signature(getattr(posenc, name))
    bare = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for parameter in signature.parameters.values()
    ]
    promised = signature.replace(parameters=bare, return_annotation=inspect.Signature.empty)
    assert str(promised) == SIGNATURES[name]


@pytest.mark.parametrize("name", sorted(set(SIGNATURES) - {"check_rope", "inspect_table"}))
def test_every_type_is_said(name):
    function = getattr(posenc, name)
    said = typing.get_type_hints(function)
    assert set(said) == {*inspect.signature(function).parameters, "return"}


def test_type_checkers_are_told_that_types_are_said():
    assert (ROOT / "py.typed").is_file()


@pytest.mark.parametrize("name", sorted(SIGNATURES))
def test_docstring_has_every_section(name):
    lines = inspect.getdoc(getattr(posenc, name)).splitlines()
    pairs = itertools.pairwise(lines)
    headings = [line for line, under in pairs if line and under == "-" * len(line)]
    assert [heading for heading in headings if heading not in ("See Also", "Raises")] == SECTIONS


@pytest.mark.parametrize("name", sorted(SIGNATURES))
def test_docstring_passes_the_numpydoc_checks(name):
    errors = validate(f"posenc.{name}")["errors"]
    assert [error for error in errors if error[0] not in NOT_ASKED] == []
