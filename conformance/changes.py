"""What changed in positions between releases of the libraries, found by the same probes on each.

    python -m conformance.changes           compare with what is stored, and fail where it differs
    python -m conformance.changes --write   store it (make changes)

Each release is installed alone into a folder of its own, below build/releases. Two probes look at
it. The first reads its source: the functions and classes with a positional name, each with its
arguments and their defaults, which a class may have from one that it extends. The second, for
Transformers alone, builds the rotary modules of every default config, and keeps the number of
pairs, the last frequency and the factor of each list. What differs between one release and the next
goes to book/_static/changes.json, which a page of the book shows.
"""

import ast
import json
import os
import re
import subprocess
import sys
import warnings
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parent.parent
RESULT = ROOT / "book" / "_static" / "changes.json"
FOLDER = ROOT / "build" / "releases"
# The releases that are compared, the oldest first; the newest that the registry has comes last.
RELEASES = {
    "transformers": ["5.0.0", "5.12.0", "5.23.0"],
    "diffusers": ["0.36.0", "0.40.0"],
    "timm": ["1.0.20", "1.0.25"],
    "x-transformers": ["2.0.0", "2.20.0"],
    "rotary-embedding-torch": ["0.8.0", "0.9.0"],
}
# What an older release asks for where a newer one is installed.
BESIDE = {
    "transformers-5.0.0": ["huggingface-hub<2", "tokenizers<0.23"],
    "transformers-5.12.0": ["huggingface-hub<2", "tokenizers<0.23"],
}
POSITIONAL = re.compile(r"rope|rotar|sin_?cos|sinusoid|pos_?embed|position|alibi", re.IGNORECASE)
# Files of Transformers that hold the rules for all models; its models are built, not read.
OF_ALL_MODELS = ("modeling_rope_utils.py",)


def main(arguments):
    if "--probe" in arguments:
        json.dump(probe(*arguments[1:]), sys.stdout)
        return
    found = {"date": datetime.now(UTC).date().isoformat(), "changes": []}
    for name, releases in RELEASES.items():
        versions = [*releases, newest(name)]
        versions = [*dict.fromkeys(versions)]
        probes = [probed(name, version) for version in versions]
        for i in range(1, len(versions)):
            row = {"library": name, "from": versions[i - 1], "to": versions[i]}
            found["changes"].append(row | differences(probes[i - 1], probes[i]))
            print(f"{name} {versions[i - 1]} -> {versions[i]}", flush=True)
    if "--write" in arguments:
        RESULT.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(f"written to {RESULT.relative_to(ROOT)}")
        return
    stored = json.loads(RESULT.read_text(encoding="utf-8"))["changes"]
    if new := [row for row in found["changes"] if row not in stored]:
        sys.exit(f"not as it is stored: {json.dumps(new, indent=1, ensure_ascii=False)}")
    print("all as it is stored")


def newest(name):
    """Return the newest release that the registry has."""
    pip = [sys.executable, "-m", "pip", "index", "versions", name]
    answer = subprocess.run(pip, check=True, capture_output=True, text=True).stdout
    return re.match(r"\S+ \((\S+)\)", answer)[1]


def probed(name, version):
    """Return what the probes find in a release, which is installed if it is not there."""
    folder = FOLDER / f"{name}-{version}"
    if not folder.exists():
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target"]
        packages = [f"{name}=={version}", *BESIDE.get(folder.name, ())]
        subprocess.run([*pip, str(folder), *packages], check=True)
    command = [sys.executable, "-m", "conformance.changes", "--probe", name, str(folder)]
    path = os.pathsep.join([str(folder), str(ROOT)])
    environment = os.environ | {"PYTHONPATH": path, "TRANSFORMERS_VERBOSITY": "error"}
    answer = subprocess.run(
        command, check=True, capture_output=True, text=True, cwd=ROOT, env=environment
    )
    return json.loads(answer.stdout)


def probe(name, folder):
    """Return the positional functions of the release in `folder`, and the lists of its models."""
    package = Path(folder) / name.replace("-", "_")
    of_models = name == "transformers"
    files = [path for path in package.rglob("*.py") if not of_models or path.name in OF_ALL_MODELS]
    nodes = {}  # by module and name
    for path in sorted(files):
        module = path.relative_to(package).with_suffix("").as_posix().replace("/", ".")
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                nodes[module, node.name] = node
    functions = {
        f"{module}.{name}": arguments_of(initialiser(module, node, nodes))
        for (module, name), node in nodes.items()
        if POSITIONAL.search(f"{module} {name}") and not name.startswith("_")
    }
    return {"functions": functions, "lists": model_lists() if of_models else {}}


def initialiser(module, node, nodes):
    """Return a function, or what makes a class: its own ``__init__`` or that of one it extends.

    A class that is extended is looked for by its name, in the same module first. None is for a
    class that has its ``__init__`` from another package.
    """
    if isinstance(node, ast.FunctionDef):
        return node
    for each in node.body:
        if isinstance(each, ast.FunctionDef) and each.name == "__init__":
            return each
    others = {place: each for place, each in nodes.items() if each is not node}
    for base in node.bases:
        name = ast.unparse(base).rpartition(".")[2]
        places = [place for place in others if place[1] == name]
        places.sort(key=lambda place: place[0] != module)
        for place in places[:1]:
            if found := initialiser(place[0], others[place], others):
                return found
    return None


def arguments_of(function):
    """Return the arguments of a function with their defaults, without annotations.

    None, for one that is not in the package, has "...".
    """
    if function is None:
        return "..."
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    defaults = [None] * (len(positional) - len(given.defaults)) + given.defaults
    pairs = [*zip(positional, defaults, strict=True)]
    pairs += zip(given.kwonlyargs, given.kw_defaults, strict=True)
    words = [
        each.arg if default is None else f"{each.arg}={ast.unparse(default)}"
        for each, default in pairs
        if each.arg not in ("self", "cls")
    ]
    return ", ".join(words)


def model_lists():
    """Return pairs, last frequency and factor of each list of each default config, by its name."""
    warnings.filterwarnings("ignore")
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    from conformance.transformers.configs import configs, lists_of

    found = {}
    for module, _, config in configs({}):
        if kind := config.model_type:
            for layers, omega, factor in lists_of(module, config):
                name = f"{kind}, {layers}" if layers else kind
                found.setdefault(name, [omega.size, float(f"{omega[-1]:.5g}"), round(factor, 5)])
    return found


def differences(before, now):
    """Return what two probes have otherwise: new, gone and changed functions and lists."""
    found = {}
    for part in ("functions", "lists"):
        old, new = before[part], now[part]
        found[part] = {
            "new": sorted(new.keys() - old.keys()),
            "gone": sorted(old.keys() - new.keys()),
            "changed": {
                name: [old[name], new[name]]
                for name in old
                if name in new and old[name] != new[name]
            },
        }
    return found


if __name__ == "__main__":
    main(sys.argv[1:])
