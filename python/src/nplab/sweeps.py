"""Sweeps: run what is missing, return a table."""

from __future__ import annotations

import gzip
import itertools
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nplab.arguments import OPTIONS, Settings, Word, option_words, settings_words
from nplab.errors import NplabError, missing_extra
from nplab.executors import Executor, Job, executor_named
from nplab.program import Program
from nplab.records import Run, data_frame

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class FailedRun:
    """A point of the sweep that has no result."""

    point: dict[str, Any]
    error: str
    command: str


@dataclass(frozen=True)
class _Point:
    values: dict[str, Any]
    words: tuple[str, ...]


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
        return self.table(*(paths or ("packets_per_s",))).set_index(axes).to_xarray()

    def to_parquet(self, path: str | os.PathLike[str], *paths: str) -> None:
        """The table as a Parquet file."""
        try:
            import pyarrow  # noqa: F401
        except ImportError as problem:
            raise missing_extra("pyarrow", "data") from problem
        self.table(*(paths or ("packets_per_s",))).to_parquet(path)

    def __repr__(self) -> str:
        return f"<Sweep of {len(self.points)} runs, {len(self.failed)} failed>"


def _points(mapping: Word, axes: Mapping[str, Iterable[Any]], fixed: list[str]) -> list[_Point]:
    values = {name: list(along) for name, along in axes.items()}
    for name, along in values.items():
        if not along:
            raise ValueError(f"the axis '{name}' has no values")
    points = []
    for combination in itertools.product(*values.values()):
        point = dict(zip(values, combination))
        of_options = {name: value for name, value in point.items() if name in OPTIONS}
        settings = {
            name: value
            for name, value in point.items()
            if name not in OPTIONS and name != "mapping"
        }
        words = ["run", os.fspath(point.get("mapping", mapping)), *fixed]
        words += [*settings_words(settings), *option_words(of_options), "--record", "lean"]
        points.append(_Point(point, tuple(words)))
    return points


def _keys(program: Program, points: Sequence[_Point]) -> list[str | None]:
    """The key of each run; None where its input is wrong, which the run itself reports."""
    lines = "".join(json.dumps(point.words[1:]) + "\n" for point in points)
    keys = program.call(["store", "keys", "-"], stdin=lines).split("\n")[: len(points)]
    return [None if key == "-" else key for key in keys]


def _stored(store: Path, key: str, program: Program) -> Run | None:
    """The result, if it is there and whole; a damaged one is run again."""
    try:
        with gzip.open(store / f"{key}.json.gz", "rt", encoding="utf-8") as file:
            return Run(json.load(file), program)
    except FileNotFoundError:
        return None
    except (OSError, EOFError, ValueError, NplabError, KeyError) as problem:
        print(f"nplab: {key}.json.gz is damaged and run again: {problem}", file=sys.stderr)
        return None


class _Progress:
    """A line on a terminal: how many runs are done, and how long the others take."""

    def __init__(self, total: int, is_shown: bool) -> None:
        self._total, self._done = total, 0
        self._is_shown = is_shown and sys.stderr.isatty()
        self._start = time.monotonic()

    def step(self) -> None:
        self._done += 1
        if not self._is_shown:
            return
        rest = (time.monotonic() - self._start) / self._done * (self._total - self._done)
        end = "\n" if self._done == self._total else ""
        text = f"\rnplab: {self._done} of {self._total} runs, about {rest:.0f} s left   "
        print(text, end=end, file=sys.stderr, flush=True)


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
    program: Program, points: list[_Point], store: str, execute: Executor, progress: bool
) -> Sweep:
    keys = _keys(program, points)
    runs: list[Run | None] = [
        _stored(Path(store), key, program) if key is not None else None for key in keys
    ]
    missing = [Job(i, point.words) for i, point in enumerate(points) if runs[i] is None]
    errors: dict[int, str] = {}
    bar = _Progress(len(missing), progress)
    for ended in execute(program, store, missing) if missing else ():
        key = keys[ended.index]
        if ended.error is not None:
            errors[ended.index] = ended.error
        elif key is not None:
            runs[ended.index] = _stored(Path(store), key, program)
        if ended.error is None and runs[ended.index] is None:
            errors[ended.index] = "the run left no result in the store"
        bar.step()
    failed = [
        FailedRun(points[i].values, error, " ".join(["nplab", *points[i].words]))
        for i, error in sorted(errors.items())
    ]
    return Sweep([point.values for point in points], runs, failed)
