"""Points: one combination of values each, and the results that a store has of their runs."""

from __future__ import annotations

import gzip
import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nplab.arguments import OPTIONS, Word, option_words, settings_words
from nplab.errors import NplabError
from nplab.executors import Executor, Job
from nplab.program import Program
from nplab.records import Run


@dataclass(frozen=True)
class FailedRun:
    """A point that has no result."""

    point: dict[str, Any]
    error: str
    command: str


@dataclass(frozen=True)
class Point:
    """Values by name, and the words of the command that runs them."""

    values: dict[str, Any]
    words: tuple[str, ...]


def point_of(values: Mapping[str, Any], mapping: Word, fixed: Sequence[str]) -> Point:
    """A name is `mapping`, an option of `nplab run`, or else a key of `--set`."""
    options = {name: value for name, value in values.items() if name in OPTIONS}
    settings = {
        name: value for name, value in values.items() if name not in OPTIONS and name != "mapping"
    }
    words = ["run", os.fspath(values.get("mapping", mapping)), *fixed]
    words += [*settings_words(settings), *option_words(options), "--record", "lean"]
    return Point(dict(values), tuple(words))


def keys_of(program: Program, points: Sequence[Point]) -> list[str | None]:
    """The key of each run; None where its input is wrong, which the run itself reports."""
    lines = "".join(json.dumps(point.words[1:]) + "\n" for point in points)
    keys = program.call(["store", "keys", "-"], stdin=lines).split("\n")[: len(points)]
    return [None if key == "-" else key for key in keys]


def stored_run(store: Path, key: str | None, program: Program) -> Run | None:
    """The result, if it is there and complete; a damaged one is run again, which is said."""
    if key is None:
        return None
    try:
        with gzip.open(store / f"{key}.json.gz", "rb") as file:
            return Run(json.loads(file.read()), program)
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


@dataclass(frozen=True)
class Results:
    """Of points, in their order: the result of each, or None; and how many were simulated for it."""

    runs: list[Run | None]
    failed: list[FailedRun]
    simulated: int


def run_points(
    program: Program, points: Sequence[Point], store: str, execute: Executor, progress: bool
) -> Results:
    """Runs what the store does not have. What fails is collected, and the others are there."""
    keys = keys_of(program, points)
    runs = [stored_run(Path(store), key, program) for key in keys]
    missing = [Job(i, point.words) for i, point in enumerate(points) if runs[i] is None]
    errors: dict[int, str] = {}
    refused = 0
    bar = _Progress(len(missing), progress)
    for ended in execute(program, store, missing) if missing else ():
        # Of a cluster that was lost, a run may be finished all the same.
        if not ended.is_refused:
            runs[ended.index] = stored_run(Path(store), keys[ended.index], program)
        if runs[ended.index] is None:
            errors[ended.index] = ended.error or "the run left no result in the store"
        refused += ended.is_refused
        bar.step()
    failed = [
        FailedRun(points[i].values, error, " ".join(["nplab", *points[i].words]))
        for i, error in sorted(errors.items())
    ]
    return Results(runs, failed, len(missing) - refused)
