"""The sentence of each kind of finding.

No other file of this package has sentences of a verdict, and no code reads one. A sentence is a
template whose fields are the values of the finding, or a function of these values where it has
plurals or parts that may be missing.
"""

from collections.abc import Callable

from posenc_check.findings import Finding

Template = str | Callable[..., str]

# Tables: `posenc_check.inspect_table`.
TABLES: dict[str, Template] = {}

# Functions: `posenc_check.check_rope`, `compare_rope` and `assert_rope`.
FUNCTIONS: dict[str, Template] = {}

# Configs: `posenc_check.rotary_settings`, `scaled_frequencies` and `config_report`.
CONFIGS: dict[str, Template] = {}


def sentence(finding: Finding) -> str:
    """Return a finding as a sentence."""
    values = dict(vars(finding))
    template = (TABLES | FUNCTIONS | CONFIGS)[values.pop("kind")]
    return template(**values) if callable(template) else template.format(**values)
