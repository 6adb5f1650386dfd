"""Checking what students handed in."""

from __future__ import annotations

import csv
import glob
import json
import os
import resource
import subprocess
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from nplab.arguments import Word
from nplab.program import Program
from nplab.records import data_frame

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Grade:
    """One submission. `problem` is empty when the check itself came to its end."""

    submission: str
    points: int
    of_points: int
    passed: bool
    problem: str


class Grades(Sequence[Grade]):
    """The grades of all submissions, by name."""

    def __init__(self, grades: Sequence[Grade]) -> None:
        self._grades = tuple(grades)

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        return self._grades[index]

    def __len__(self) -> int:
        return len(self._grades)

    def __iter__(self) -> Iterator[Grade]:
        return iter(self._grades)

    def table(self) -> pandas.DataFrame:
        return data_frame(asdict(grade) for grade in self._grades)

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(Grade.__dataclass_fields__))
            writer.writeheader()
            writer.writerows(asdict(grade) for grade in self._grades)


def _limits(memory_bytes: int) -> Callable[[], None]:
    def set_limits() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    return set_limits


def _graded(
    program: Program, folder: str, words: Sequence[str], seconds: float, memory_bytes: int
) -> Grade:
    name = os.path.basename(os.path.normpath(folder))
    process = subprocess.Popen(
        [program.path, "lab", "check", *words[:1], folder, *words[1:]],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,  # so that what it starts can be ended with it
        preexec_fn=_limits(memory_bytes),
    )
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.communicate()
        return Grade(name, 0, 0, False, f"not done after {seconds:g} s")
    try:
        checked = json.loads(out)
    except ValueError:
        last = err.strip().splitlines()[-1:] or [f"exit status {process.returncode}"]
        return Grade(name, 0, 0, False, last[0])
    checks = checked["checks"]
    points = sum(check["points"] for check in checks if check["passed"])
    problems = [check["error"].strip().splitlines()[0] for check in checks if check.get("error")]
    return Grade(
        name,
        points,
        sum(check["points"] for check in checks),
        bool(checked["passed"]),
        "; ".join(dict.fromkeys(problems)),
    )


def grade(
    submissions: str | Sequence[Word],
    lab: int,
    *,
    seed: int | None = None,
    seconds: float = 120,
    memory_bytes: int = 4 << 30,
    jobs: int | None = None,
    program: str | os.PathLike[str] | None = None,
) -> Grades:
    """Checks each folder of `submissions` (a pattern such as "submissions/*", or folders) with
    `nplab lab check`.

    Each is checked in a process of its own that may take `seconds` of time and `memory_bytes` of
    address space; one that takes more, crashes or is not there gets no points, and the row says
    why. `seed` draws the inputs that programs are run with.
    """
    found = Program.find(program)
    if isinstance(submissions, str):
        folders = [path for path in sorted(glob.glob(submissions)) if os.path.isdir(path)]
        if not folders:
            raise FileNotFoundError(f"no folder matches {submissions!r}")
    else:
        folders = [os.fspath(folder) for folder in submissions]
    words = [str(lab), *(["--seed", str(seed)] if seed is not None else [])]
    with ThreadPoolExecutor(max_workers=jobs or os.cpu_count() or 1) as pool:
        grades = list(
            pool.map(lambda folder: _graded(found, folder, words, seconds, memory_bytes), folders)
        )
    return Grades(grades)
