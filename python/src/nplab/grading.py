"""Checking what students handed in."""

from __future__ import annotations

import csv
import glob
import json
import math
import os
import resource
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nplab.arguments import Word
from nplab.errors import end_of
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
    variant: int | None = None


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


_OUTPUT_BYTES = 16 << 20  # of a check: its result has some thousand bytes


def _limits(seconds: float, memory_bytes: int) -> Callable[[], None]:
    """Of the process and of what it starts: processor time, memory, sizes of files, no core dump."""
    processor = math.ceil(seconds) + 1

    def set_limits() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
        resource.setrlimit(resource.RLIMIT_CPU, (processor, processor))
        resource.setrlimit(resource.RLIMIT_FSIZE, (_OUTPUT_BYTES, _OUTPUT_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    return set_limits


@dataclass(frozen=True)
class _Check:
    """What `lab check` is called with, and what it may take."""

    program: Program
    lab: int
    seed: int | None
    seconds: float
    memory_bytes: int

    def words(self, folder: str, variant: int | None) -> list[str]:
        words = [self.program.path, "lab", "check", str(self.lab), folder]
        words += ["--seed", str(self.seed)] if self.seed is not None else []
        words += ["--variant", str(variant)] if variant is not None else []
        return words


def _checked(check: _Check, folder: str, variant: int | None) -> tuple[str, str]:
    """Standard output of the check of a copy of the submission, and what went wrong."""
    with tempfile.TemporaryDirectory(prefix="nplab-grade-") as scratch:
        copy = os.path.join(scratch, "submission")
        out, err = Path(scratch, "out"), Path(scratch, "err")
        try:
            shutil.copytree(folder, copy, symlinks=True)
        except (OSError, shutil.Error) as problem:
            return "", f"the submission cannot be copied: {problem}"
        with out.open("wb") as to_out, err.open("wb") as to_err:
            process = subprocess.Popen(
                check.words(copy, variant),
                stdin=subprocess.DEVNULL,
                stdout=to_out,
                stderr=to_err,
                cwd=scratch,
                start_new_session=True,  # so that what it starts can be ended with it
                preexec_fn=_limits(check.seconds, check.memory_bytes),
            )
            try:
                status = process.wait(timeout=check.seconds)
                problem_text = ""
            except subprocess.TimeoutExpired:
                status, problem_text = 0, f"not done after {check.seconds:g} s"
            finally:
                _end_group(process)
        last = err.read_text(errors="replace").strip().splitlines()[-1:]
        if not problem_text and status not in (0, 1):
            problem_text = last[0] if last and status > 0 else end_of(status)
        return out.read_text(errors="replace"), problem_text


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """Ends the check and everything that it started and that is still there."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def _graded(check: _Check, folder: str, variant: int | None) -> Grade:
    name = os.path.basename(os.path.normpath(folder))
    out, problem = _checked(check, folder, variant)
    if problem:
        return Grade(name, 0, 0, False, problem, variant)
    try:
        checked = json.loads(out)
    except ValueError:
        return Grade(name, 0, 0, False, "the check printed no result", variant)
    checks = checked["checks"]
    problems = [one["error"].strip().splitlines()[0] for one in checks if one.get("error")]
    return Grade(
        name,
        sum(one["points"] for one in checks if one["passed"]),
        sum(one["points"] for one in checks),
        bool(checked["passed"]),
        "; ".join(dict.fromkeys(problems)),
        variant,
    )


def grade(
    submissions: str | Sequence[Word],
    lab: int,
    *,
    seed: int | None = None,
    variants: Mapping[str, int] | Callable[[str], int] | None = None,
    seconds: float = 120,
    memory_bytes: int = 4 << 30,
    jobs: int | None = None,
    program: str | os.PathLike[str] | None = None,
) -> Grades:
    """Checks each folder of `submissions` (a pattern such as "submissions/*", or folders) with
    `nplab lab check`.

    A copy of each is checked in a process of its own, which may take `seconds` of time and
    `memory_bytes` of address space, and write 16 MiB; one that takes more, crashes or is not there
    gets no points, and the row says why. What it started is ended with it. `seed` draws the inputs
    that programs are run with. `variants` gives the seed of each submission's variant by the name
    of its folder, as `nplab lab pack --variant` took it.
    """
    found = Program.find(program)
    if isinstance(submissions, str):
        folders = [path for path in sorted(glob.glob(submissions)) if os.path.isdir(path)]
        if not folders:
            raise FileNotFoundError(f"no folder matches {submissions!r}")
    else:
        folders = [os.fspath(folder) for folder in submissions]
    names = [os.path.basename(os.path.normpath(folder)) for folder in folders]
    seeds = [_variant_of(variants, name) for name in names]
    check = _Check(found, lab, seed, seconds, memory_bytes)
    with ThreadPoolExecutor(max_workers=jobs or os.cpu_count() or 1) as pool:
        return Grades([*pool.map(lambda pair: _graded(check, *pair), zip(folders, seeds))])


def _variant_of(
    variants: Mapping[str, int] | Callable[[str], int] | None, name: str
) -> int | None:
    if variants is None:
        return None
    if callable(variants):
        return variants(name)
    if name not in variants:
        raise KeyError(f"`variants` has no seed for the submission {name!r}")
    return variants[name]
