"""Grading folders of submissions, some of them broken."""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest

import nplab

ROOT = Path(__file__).resolve().parents[2]
LABS = ROOT / "docs" / "labs"


def submissions(folder: Path) -> Path:
    for name in ("ann", "bob", "endless", "garbage", "missing"):
        (folder / name).mkdir()
    for name in ("ann", "bob"):
        shutil.copy(LABS / "solutions" / "checksum.c", folder / name)
    (folder / "endless" / "checksum.c").write_text("int main(void) { for (;;) ; }\n")
    (folder / "garbage" / "checksum.c").write_bytes(b"\x00\xff not C at all {{{")
    return folder


def test_submissions_are_graded_each_by_itself(tmp_path: Path) -> None:
    folder = submissions(tmp_path)
    grades = {grade.submission: grade for grade in nplab.grade(f"{folder}/*", lab=1, seconds=60)}
    assert list(grades) == ["ann", "bob", "endless", "garbage", "missing"]
    assert grades["ann"].passed and grades["ann"].points == grades["ann"].of_points > 0
    for name in ("endless", "garbage", "missing"):
        assert not grades[name].passed
        assert grades[name].points < grades["ann"].points
        assert grades[name].problem or grades[name].points == 0


def test_a_submission_that_takes_too_long_says_so(tmp_path: Path) -> None:
    folder = submissions(tmp_path)
    (grade,) = nplab.grade([folder / "ann"], lab=1, seconds=0.01)
    assert grade.problem == "not done after 0.01 s"
    assert not grade.passed


def test_grades_are_written_as_csv(tmp_path: Path) -> None:
    folder = submissions(tmp_path)
    nplab.grade([folder / "ann"], lab=1).to_csv(tmp_path / "grades.csv")
    with open(tmp_path / "grades.csv", newline="", encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    assert row["submission"] == "ann"
    assert row["passed"] == "True"


def test_no_submissions_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no folder matches"):
        nplab.grade(f"{tmp_path}/*", lab=1)


def program_that(folder: Path, does: str) -> str:
    """A program in the place of nplab."""
    script = folder / "program"
    script.write_text(f"#!/bin/sh\n{does}\n")
    script.chmod(0o755)
    return str(script)


def test_a_check_that_needs_too_much_memory_is_stopped(tmp_path: Path) -> None:
    (grade,) = nplab.grade([submissions(tmp_path) / "ann"], lab=1, memory_bytes=64 << 20)
    assert not grade.passed and grade.points == 0
    assert grade.problem


def test_a_check_that_floods_its_output_is_stopped(tmp_path: Path) -> None:
    program = program_that(tmp_path, "exec yes")
    (grade,) = nplab.grade([submissions(tmp_path) / "ann"], lab=1, program=program, seconds=60)
    assert grade.problem == "was ended by signal 25 (File size limit exceeded)"


def test_what_a_check_leaves_running_is_ended(tmp_path: Path) -> None:
    program = program_that(tmp_path, f"sleep 600 & echo $! >{tmp_path}/pid; echo nothing")
    (grade,) = nplab.grade([submissions(tmp_path) / "ann"], lab=1, program=program)
    assert grade.problem == "the check printed no result"
    pid = int((tmp_path / "pid").read_text())
    for _ in range(100):
        state = Path(f"/proc/{pid}/stat")
        if not state.exists() or state.read_text().split()[2] == "Z":
            break
        time.sleep(0.05)
    else:
        pytest.fail("the process is still there")


def test_a_submission_is_not_changed_by_its_check(tmp_path: Path) -> None:
    program = program_that(tmp_path, 'echo changed >"$4/checksum.c"')
    folder = submissions(tmp_path) / "ann"
    before = (folder / "checksum.c").read_bytes()
    nplab.grade([folder], lab=1, program=program)
    assert (folder / "checksum.c").read_bytes() == before


def test_each_submission_is_checked_against_its_own_variant(tmp_path: Path, program: str) -> None:
    variants = {"ann": 1, "bob": 2}
    for name, seed in variants.items():
        words = ["lab", "start", "1", str(tmp_path / name), "--variant", str(seed)]
        subprocess.run([program, *words], check=True, capture_output=True)
        task = (tmp_path / name / "checksum.c").read_text()
        address = re.search(r"#define HEADER (0x[0-9a-f]+)", task)
        assert address
        solution = (LABS / "solutions" / "checksum.c").read_text()
        (tmp_path / name / "checksum.c").write_text(solution.replace("0x100", address[1]))
    grades = nplab.grade(f"{tmp_path}/*", lab=1, variants=variants)
    assert [(grade.passed, grade.variant) for grade in grades] == [(True, 1), (True, 2)]
    swapped = nplab.grade(f"{tmp_path}/*", lab=1, variants={"ann": 2, "bob": 1}.__getitem__)
    assert not any(grade.passed for grade in swapped)
    with pytest.raises(KeyError, match="no seed for the submission 'bob'"):
        nplab.grade(f"{tmp_path}/*", lab=1, variants={"ann": 1})


@pytest.mark.skipif("NPLAB_LONG_TESTS" not in os.environ, reason="of the long tier")
def test_a_class_of_thirty_with_three_broken_submissions_is_graded(tmp_path: Path) -> None:
    broken = {
        "endless": b"int main(void) { for (;;) ; }\n",
        "crash": b"int main(void) { *(volatile __sram unsigned *)3 = 1; return 0; }\n",
        "wrong": b"\x89PNG\r\n\x1a\n not a program",
    }
    for i in range(27):
        (tmp_path / f"student{i:02}").mkdir()
        shutil.copy(LABS / "solutions" / "checksum.c", tmp_path / f"student{i:02}")
    for name, text in broken.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "checksum.c").write_bytes(text)
    grades = nplab.grade(f"{tmp_path}/*", lab=1, seconds=60)
    grades.to_csv(tmp_path / "grades.csv")
    assert len(grades) == 30
    for grade in grades:
        assert grade.passed == (grade.submission not in broken), grade
        assert bool(grade.problem) == (grade.submission in broken), grade
        assert (grade.points == grade.of_points) == grade.passed
    with open(tmp_path / "grades.csv", newline="", encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == 30
