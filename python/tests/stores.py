"""Comparing the stores of two sweeps."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any


def results(store: Path) -> dict[str, Any]:
    """The records by key, without what the host adds."""
    found = {}
    for path in store.glob("*.json.gz"):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            record = json.load(file)
        del record["host"]
        found[path.name] = record
    return found


def check_same_results(first: Path, second: Path, runs: int) -> None:
    """Both have `runs` results under the same keys, and equal ones."""
    ours, theirs = results(first), results(second)
    assert len(ours) == runs
    assert ours.keys() == theirs.keys()
    for key in ours:
        assert ours[key] == theirs[key], key
