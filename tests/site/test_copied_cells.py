"""What the button *Copy* gives of each cell of Part III runs in an empty folder.

A cell is copied with the statements that it needs of the cells before it. It must print what the
page shows; of an exercise the line that checks the answer is left out.
"""

import matplotlib.pyplot as plt
import pytest

from extensions.code_cells import ASKED, needs
from extensions.contents import notebooks_in_toc, read
from scripts.outputs import code_cells

SHOWN = [
    pytest.param(path, number, id=f"{path.stem}-{number}")
    for path in notebooks_in_toc()
    if "12" <= path.name[:2] <= "20"
    for number, cell in enumerate(code_cells(read(path)))
    if "remove-input" not in cell.metadata.get("tags", [])
]


@pytest.mark.parametrize(("path", "number"), SHOWN)
def test_a_copied_cell_runs_in_an_empty_folder(path, number, tmp_path, monkeypatch, capsys):
    *before, cell = code_cells(read(path))[: number + 1]
    needed = needs(cell.source, [one.source for one in before])
    code = f"{needed}\n\n{ASKED.sub('', cell.source)}"
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "copied", "exec"), {"__name__": "__main__"})
    plt.close("all")
    if not ASKED.search(cell.source):
        printed = "".join(out.text for out in cell.outputs if out.output_type == "stream")
        assert capsys.readouterr().out.endswith(printed)
