"""Run records (schema `nplab.run/1`) as Python values."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nplab.errors import SchemaError, missing_extra

if TYPE_CHECKING:
    import pandas

    from nplab.program import Program

_RUN_SCHEMA, _COMPARE_SCHEMA = "nplab.run/1", "nplab.compare/1"


def check_schema(document: Mapping[str, Any], wanted: str) -> None:
    """Raises SchemaError unless the document is of the schema's kind and major version."""
    found = document.get("schema")
    if found != wanted:
        raise SchemaError(f"the document has schema {found!r}; this package reads {wanted!r}")


def data_frame(rows: Iterable[Mapping[str, Any]]) -> pandas.DataFrame:
    """One row per item; keys of nested maps are joined by dots."""
    try:
        import pandas as pd
    except ImportError as problem:
        raise missing_extra("pandas", "data") from problem
    return pd.json_normalize([dict(row) for row in rows])


def figure_at(record: Mapping[str, Any], path: str) -> Any:
    """The value at a path such as `latency_cycles.p99` or `engines.0.executing`.

    Raises KeyError, with the names that are there, when there is none.
    """
    value: Any = record
    for depth, part in enumerate(path.split(".")):
        try:
            value = value[int(part)] if isinstance(value, list) else value[part]
        except (KeyError, IndexError, TypeError, ValueError):
            so_far = ".".join(path.split(".")[:depth]) or "the record"
            there = (
                ", ".join(value)
                if isinstance(value, Mapping)
                else f"the numbers 0 to {len(value) - 1}"
                if isinstance(value, list)
                else "a value without parts"
            )
            raise KeyError(f"no '{part}' in {so_far}, which has {there}") from None
    return value


class Run:
    """What one run measured.

    `record` is the run record as the command wrote it (docs/run-record.md says what each figure
    is). Counts are integers; cycles are those of the engines.
    """

    def __init__(self, record: Mapping[str, Any], program: Program | None = None) -> None:
        check_schema(record, _RUN_SCHEMA)
        self.record = dict(record)
        self._program = program

    @property
    def mapping(self) -> str:
        return str(self.record["inputs"]["mapping"]["name"])

    @property
    def packets_per_s(self) -> float:
        """Packets classified per second of the chip's time, as in studies."""
        seconds = float(self.record["simulated_seconds"])
        return float(self.record["packets"]["classified"]) / seconds if seconds > 0 else 0.0

    @property
    def verdict(self) -> dict[str, Any] | None:
        """What bounds the run and what would come next; None in records of older programs."""
        return self.record.get("verdict")

    @property
    def failure(self) -> dict[str, Any] | None:
        return self.record.get("failure")

    def figure(self, path: str) -> Any:
        """The figure at `path`; `packets_per_s` is one, too."""
        return self.packets_per_s if path == "packets_per_s" else figure_at(self.record, path)

    @property
    def engines(self) -> pandas.DataFrame:
        """One row per engine: cycles executing, aborted, stalled, idle, and their causes."""
        return data_frame(self.record["engines"])

    @property
    def memory(self) -> pandas.DataFrame:
        """One row per memory unit."""
        return data_frame({"unit": name, **unit} for name, unit in self.record["memory"].items())

    @property
    def lines(self) -> pandas.DataFrame:
        """One row per source line of the engines' programs; none in a lean record."""
        return data_frame(self.record.get("lines", []))

    def to_json(self, path: str | os.PathLike[str]) -> None:
        """Writes the record where `nplab report`, `diff` and `annotate` can read it."""
        Path(path).write_text(json.dumps(self.record, indent=1) + "\n")

    def html(self) -> str:
        """The report of `nplab report --html`: one page that needs no network."""
        from nplab.program import Program

        program = self._program or Program.find()
        with tempfile.TemporaryDirectory() as folder:
            self.to_json(Path(folder, "run.json"))
            page = Path(folder, "run.html")
            program.call(["report", str(Path(folder, "run.json")), "--html", str(page)])
            return page.read_text()

    def _repr_html_(self) -> str:
        import html

        frame = html.escape(self.html(), quote=True)
        return f'<iframe srcdoc="{frame}" style="width: 100%; height: 40em; border: 0"></iframe>'

    def __repr__(self) -> str:
        end = f" failed: {self.failure['message']}" if self.failure else ""
        return f"<Run of {self.mapping}: {self.packets_per_s:,.0f} packets/s{end}>"


class Comparison:
    """Several runs and what `nplab compare` says of them."""

    def __init__(self, document: Mapping[str, Any], program: Program | None = None) -> None:
        check_schema(document, _COMPARE_SCHEMA)
        self.document = dict(document)
        self.runs = [Run(record, program) for record in document["runs"]]

    @property
    def verdict(self) -> dict[str, Any] | None:
        return self.document.get("verdict")

    def table(self, *paths: str) -> pandas.DataFrame:
        """One row per mapping with the figures at these paths."""
        return data_frame(
            {"mapping": run.mapping, **{path: run.figure(path) for path in paths}}
            for run in self.runs
        )
