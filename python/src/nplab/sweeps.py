"""Sweeps: run what is missing, return a table."""

from __future__ import annotations

import itertools
import os
import tempfile
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from nplab.arguments import Settings, Word, option_words, settings_words
from nplab.errors import missing_extra
from nplab.executors import Executor, executor_named
from nplab.points import FailedRun, Point, point_of, run_points
from nplab.program import Program
from nplab.records import Run, data_frame

if TYPE_CHECKING:
    import pandas


class Sweep:
    """The runs of a sweep. `points` are its combinations of values, in order, `runs` their results,
    None where a run failed; `failed` says why."""

    def __init__(
        self, points: list[dict[str, Any]], runs: list[Run | None], failed: list[FailedRun]
    ) -> None:
        self.points = points
        self.runs = runs
        self.failed = failed

    def table(self, *paths: str) -> pandas.DataFrame:
        """One row per run that has a result: the axes' values and the figures at these paths."""
        return data_frame(
            {**point, **{path: run.figure(path) for path in paths}}
            for point, run in zip(self.points, self.runs)
            if run is not None
        )

    def to_xarray(self, *paths: str) -> Any:
        """An xarray.Dataset with a dimension per axis and a variable per figure (packets_per_s, if
        none is named); NaN where a run failed."""
        try:
            import xarray  # noqa: F401
        except ImportError as problem:
            raise missing_extra("xarray", "data") from problem
        axes = list(self.points[0]) if self.points else []
        wanted = paths or ("packets_per_s",)
        rows = (
            {**point, **{path: None if run is None else run.figure(path) for path in wanted}}
            for point, run in zip(self.points, self.runs)
        )
        return data_frame(rows).set_index(axes).to_xarray()

    def to_parquet(self, path: str | os.PathLike[str], *paths: str) -> None:
        """The table as a Parquet file."""
        try:
            import pyarrow  # noqa: F401
        except ImportError as problem:
            raise missing_extra("pyarrow", "data") from problem
        self.table(*(paths or ("packets_per_s",))).to_parquet(path)

    def __repr__(self) -> str:
        return f"<Sweep of {len(self.points)} runs, {len(self.failed)} failed>"


def _points(mapping: Word, axes: Mapping[str, Iterable[Any]], fixed: list[str]) -> list[Point]:
    values = {name: list(along) for name, along in axes.items()}
    for name, along in values.items():
        if not along:
            raise ValueError(f"the axis '{name}' has no values")
    return [
        point_of(dict(zip(values, combination)), mapping, fixed)
        for combination in itertools.product(*values.values())
    ]


def sweep(
    mapping: Word,
    axes: Mapping[str, Iterable[Any]],
    *,
    packets: int | None = None,
    set: Settings | None = None,  # noqa: A002
    executor: str | Executor = "local",
    jobs: int | None = None,
    options: Mapping[str, Any] | None = None,
    store: Word | None = None,
    progress: bool = True,
    program: str | os.PathLike[str] | None = None,
    **fixed: Any,
) -> Sweep:
    """Runs every combination of the axes' values that the store does not have.

    An axis is a key of `--set`, or `mapping`, `seed`, `packets`, `rules`, `traffic`, `chip`,
    `workload`, `arrival`, `ports_in`, `l4_key` or `updates`. `set`, `packets` and `fixed` are the
    same for all runs. `executor` is "local", "dask" or "slurm", with `options` of its own; `jobs`
    runs are made at a time. Records are lean.

    Runs that fail are collected in `failed`; InputError is raised only when nothing could be run
    because every run's input is wrong.
    """
    found = Program.find(program)
    points = _points(
        mapping, axes, settings_words(set) + option_words({"packets": packets, **fixed})
    )
    if store is None:
        with tempfile.TemporaryDirectory() as folder:
            return _sweep(found, points, folder, executor_named(executor, jobs, options), progress)
    os.makedirs(store, exist_ok=True)
    return _sweep(
        found, points, os.path.abspath(store), executor_named(executor, jobs, options), progress
    )


def _sweep(
    program: Program, points: list[Point], store: str, execute: Executor, progress: bool
) -> Sweep:
    results = run_points(program, points, store, execute, progress)
    return Sweep([point.values for point in points], results.runs, results.failed)
