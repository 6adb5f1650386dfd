"""What goes wrong around runs: full disks, killed programs, stores that others write to."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import nplab
from stores import check_same_results, results

PACKETS = 60
AXES = {"seed": range(1, 7)}


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 KiB, where this process may mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "nplab-test", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("this process may not mount a file system")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_is_an_error_and_leaves_no_broken_result(small_disk: Path) -> None:
    sweep = nplab.sweep("bv1", {"seed": range(1, 16)}, packets=PACKETS, store=small_disk)
    assert 0 < len(sweep.failed) < 15
    assert all("No space left on device" in failed.error for failed in sweep.failed)
    complete = [run for run in sweep.runs if run is not None]
    assert len(results(small_disk)) == len(complete)
    assert not list(small_disk.glob("*.unfinished"))


def program_that_dies(folder: Path, program: str) -> str:
    """The program, but the run with seed 2 is killed."""
    script = folder / "dies"
    script.write_text(
        f'#!/bin/sh\ncase "$*" in *"run "*"--seed 2 "*) kill -9 $$ ;; esac\nexec {program} "$@"\n'
    )
    script.chmod(0o755)
    return str(script)


def test_a_program_that_is_killed_costs_one_run(tmp_path: Path, program: str) -> None:
    store = tmp_path / "store"
    dies = program_that_dies(tmp_path, program)
    sweep = nplab.sweep("bv1", AXES, packets=PACKETS, store=store, program=dies)
    (failed,) = sweep.failed
    assert failed.point == {"seed": 2}
    assert failed.error == "the program was ended by signal 9 (Killed)"
    again = nplab.sweep("bv1", AXES, packets=PACKETS, store=store)
    assert not again.failed


def test_a_result_of_another_schema_is_run_again_and_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    nplab.sweep("bv1", AXES, packets=PACKETS, store=tmp_path)
    path = sorted(tmp_path.glob("*.json.gz"))[0]
    with gzip.open(path, "rt", encoding="utf-8") as file:
        record = json.load(file)
    record["schema"] = "nplab.run/2"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        json.dump(record, file)
    sweep = nplab.sweep("bv1", AXES, packets=PACKETS, store=tmp_path)
    assert not sweep.failed
    said = capfd.readouterr().err
    assert f"{path.name} is damaged and run again" in said
    assert "'nplab.run/2'" in said and "'nplab.run/1'" in said


def test_two_sweeps_share_a_store_at_the_same_time(tmp_path: Path) -> None:
    script = (
        "import nplab, sys\n"
        f"sweep = nplab.sweep('bv1', {{'seed': range(1, 21)}}, packets={PACKETS}, store=sys.argv[1])\n"
        "assert not sweep.failed and all(run is not None for run in sweep.runs)\n"
    )
    shared, alone = tmp_path / "shared", tmp_path / "alone"
    both = [subprocess.Popen([sys.executable, "-c", script, str(shared)]) for _ in range(2)]
    assert [one.wait() for one in both] == [0, 0]
    nplab.sweep("bv1", {"seed": range(1, 21)}, packets=PACKETS, store=alone)
    check_same_results(shared, alone, 20)
    assert not list(shared.glob("*.unfinished"))


def test_a_misspelt_key_names_the_near_one() -> None:
    with pytest.raises(nplab.InputError, match="did you mean 'threads'"):
        nplab.run("bv2", packets=PACKETS, set={"stages.dimension1.threds": 2})
    sweep = nplab.sweep("bv2", {"stages.dimension1.threds": [1, 2]}, packets=PACKETS)
    assert len(sweep.failed) == 2
    assert "did you mean 'threads'" in sweep.failed[0].error


def test_a_value_of_the_wrong_type_says_what_is_expected() -> None:
    with pytest.raises(nplab.InputError) as caught:
        nplab.run("bv2", packets=PACKETS, set={"queues.received.entries": "many"})
    assert "queues.received.entries" in str(caught.value)
    assert "number" in str(caught.value) or "integer" in str(caught.value)


def test_a_store_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError):
        nplab.sweep("bv1", AXES, packets=PACKETS, store=tmp_path / "file" / "store")


def test_a_notebook_shows_the_html_report_of_a_run() -> None:
    shown = nplab.run("ls", packets=PACKETS)._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    assert "&lt;html" in shown and shown.endswith("</iframe>")


def test_failed_runs_have_their_command(tmp_path: Path) -> None:
    sweep = nplab.sweep("bv1", {"queues.received.entries": [16, 17]}, packets=PACKETS, store=tmp_path)
    (failed,) = sweep.failed
    words = failed.command.split()
    ended = subprocess.run([nplab.Program.find().path, *words[1:]], capture_output=True, text=True,
                           check=False, env={**os.environ})
    assert ended.returncode == 2
    assert ended.stderr.strip() == failed.error
