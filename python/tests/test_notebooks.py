"""The notebooks of docs/notebooks: kept without output, and executed in the long tier."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
FOLDER = CHECKOUT / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def cells(path: Path, kind: str) -> list[dict[str, Any]]:
    book = json.loads(path.read_text(encoding="utf-8"))
    return [cell for cell in book["cells"] if cell["cell_type"] == kind]


def test_there_are_four_notebooks() -> None:
    assert len(NOTEBOOKS) == 4


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_output_and_its_figures_have_captions(path: Path) -> None:
    code = cells(path, "code")
    assert code
    for cell in code:
        assert cell["outputs"] == []
        assert cell["execution_count"] is None
    figures = sum("plt.show()" in "".join(cell["source"]) for cell in code)
    captions = sum("".join(cell["source"]).startswith("*Figure ") for cell in cells(path, "markdown"))
    assert figures == captions > 0


@pytest.mark.skipif("NPLAB_LONG_TESTS" not in os.environ, reason="of the long tier")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_executes_and_draws_its_figures(path: Path, tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    for part in ("docs/notebooks", "reports/published"):  # what a notebook writes stays out of the checkout
        shutil.copytree(CHECKOUT / part, tmp_path / part)
    book = nbformat.read(path, 4)
    where = {"metadata": {"path": str(tmp_path / "docs" / "notebooks")}}
    nbclient.NotebookClient(book, timeout=900, kernel_name="python3", resources=where).execute()
    outputs = [output for cell in book.cells for output in cell.get("outputs", [])]
    images = sum("image/png" in output.get("data", {}) for output in outputs)
    assert images == sum("plt.show()" in cell.source for cell in book.cells)
    assert not any(output.output_type == "error" for output in outputs)
