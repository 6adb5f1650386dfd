"""Grading folders of submissions, some of them broken."""

from __future__ import annotations

import csv
import os
import shutil
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
