"""What an import brings along, and what the docstring of each public function has."""

import inspect
import subprocess
import sys
from pathlib import Path

import pytest
from numpydoc.validate import validate

import posenc
import posenc_check
from posenc import axes, scaling

# A docstring of one line needs no second paragraph, nor every function a related one.
NOT_ASKED = {"ES01", "SA01"}

# Modules that NumPy loads are no concern here, so they are loaded first.
LIST_WHAT_IS_LOADED = """
import sys
import numpy
before = set(sys.modules)
import posenc
print(*sorted(set(sys.modules) - before))
"""


def test_import_loads_the_mathematics_and_numpy_alone():
    command = [sys.executable, "-W", "error", "-c", LIST_WHAT_IS_LOADED]
    loaded = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    of_others = {name.partition(".")[0] for name in loaded} - sys.stdlib_module_names - {"numpy"}
    assert of_others == {"posenc"}


FUNCTIONS = [
    f"{module.__name__}.{name}"
    for module in (posenc, axes, scaling, posenc_check)
    for name in module.__all__
    if inspect.isfunction(getattr(module, name))
]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_docstring_passes_the_numpydoc_checks(name):
    errors = validate(name)["errors"]
    assert [error for error in errors if error[0] not in NOT_ASKED] == []


@pytest.mark.parametrize("package", [posenc, posenc_check])
def test_type_checkers_are_told_that_types_are_said(package):
    assert (Path(package.__file__).parent / "py.typed").is_file()
