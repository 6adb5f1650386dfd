"""What the README shows runs, in its order and in one folder."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

README = Path(__file__).resolve().parents[1] / "README.md"


def blocks() -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", README.read_text(encoding="utf-8"), re.M | re.S)


def test_the_blocks_of_the_readme_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("pandas", "pyarrow", "xarray"):
        pytest.importorskip(module)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    found = blocks()
    assert len(found) == 3
    for block in found:
        if "nplab.search" in block:
            pytest.importorskip("optuna", reason="the extra `search` is not installed")
        exec(compile(block, str(README), "exec"), names)
    assert not names["s"].failed
    assert len(names["s"].runs) == 9
    assert names["found"].simulated <= 12
    assert names["found"].front
