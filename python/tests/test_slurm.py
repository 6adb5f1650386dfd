"""The same sweep through Slurm, of which a job is cancelled in the middle. tests/python/slurm.sh starts Slurm."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import nplab
from stores import check_same_results

pytest.importorskip("dask_jobqueue", reason="the extra `sweep` is not installed")
pytestmark = pytest.mark.skipif(
    "SLURM_CONF" not in os.environ or shutil.which("sbatch") is None,
    reason="Slurm is not running; tests/python/slurm.sh starts it",
)

AXES = {"queues.received.entries": [16, 32, 64], "seed": range(1, 21)}
RUNS = 60


def running_jobs() -> list[str]:
    command = ["squeue", "--noheader", "--states=RUNNING", "--format=%i"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


def test_slurm_that_loses_a_job_gives_what_this_machine_gives(tmp_path: Path) -> None:
    local, cluster = tmp_path / "local", tmp_path / "cluster"
    nplab.sweep("bv1", AXES, packets=60, store=local)
    options = {
        "cores": 1,
        "memory": "1GB",
        "walltime": "00:20:00",
        "jobs": 2,
        "interface": "lo",
        "log_directory": str(tmp_path / "logs"),
    }
    cancelled: list[str] = []

    def execute(program: Any, store: str, work: Any) -> Iterator[Any]:
        for i, ended in enumerate(nplab.executors.slurm(options)(program, store, work)):
            if i == RUNS // 3:
                running = running_jobs()
                assert len(running) == 2
                cancelled.append(running[0])
                subprocess.run(["scancel", "--signal=KILL", "--full", running[0]], check=True)
            yield ended

    sweep = nplab.sweep("bv1", AXES, packets=60, store=cluster, executor=execute)
    assert cancelled
    assert not sweep.failed
    assert all(run is not None for run in sweep.runs)
    check_same_results(local, cluster, RUNS)
