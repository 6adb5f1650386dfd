"""The same sweep on a Dask cluster of this machine, of which a worker is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import nplab
from stores import check_same_results

distributed = pytest.importorskip("distributed", reason="the extra `sweep` is not installed")

AXES = {"queues.received.entries": [16, 32, 64], "seed": range(1, 21)}
RUNS = 60


@pytest.fixture
def client() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None
    ) as cluster, distributed.Client(cluster) as connected:
        yield connected


def test_a_cluster_that_loses_a_worker_gives_what_this_machine_gives(
    tmp_path: Path, client: Any
) -> None:
    local, cluster = tmp_path / "local", tmp_path / "cluster"
    nplab.sweep("bv1", AXES, packets=60, store=local)
    before = client.run(os.getpid)
    killed: list[int] = []

    def execute(program: Any, store: str, work: Any) -> Iterator[Any]:
        for i, ended in enumerate(nplab.executors.dask({"client": client})(program, store, work)):
            if i == RUNS // 3:
                killed.append(next(iter(before.values())))
                os.kill(killed[0], signal.SIGKILL)
            yield ended

    sweep = nplab.sweep("bv1", AXES, packets=60, store=cluster, executor=execute)
    assert killed and killed[0] not in client.run(os.getpid).values()
    assert not sweep.failed
    assert all(run is not None for run in sweep.runs)
    check_same_results(local, cluster, RUNS)


def test_a_sweep_that_the_store_has_needs_no_cluster(tmp_path: Path) -> None:
    axes = {"seed": [1, 2]}
    nplab.sweep("bv1", axes, packets=60, store=tmp_path)
    nowhere = {"address": "tcp://127.0.0.1:1", "timeout": 1}
    sweep = nplab.sweep("bv1", axes, packets=60, store=tmp_path, executor="dask", options=nowhere)
    assert len(sweep.runs) == 2 and not sweep.failed


def test_an_executor_without_a_cluster_names_its_options() -> None:
    with pytest.raises(ValueError, match="takes the option `address` or `client`"):
        nplab.sweep("bv1", {"seed": [1]}, packets=60, executor="dask")


class Cluster:
    """A scheduler and a worker, each a process that a test can kill."""

    def __init__(self, folder: Path) -> None:
        where = folder / "scheduler.json"
        common = ["--scheduler-file", str(where), "--no-dashboard"]
        self.scheduler = self._start("scheduler", "--port", "0", "--host", "127.0.0.1", *common)
        while not where.exists():
            assert self.scheduler.poll() is None
            time.sleep(0.1)
        options = ["--nthreads", "1", "--no-nanny", "--death-timeout", "10"]
        self.worker = self._start("worker", *options, *common)
        self.address = json.loads(where.read_text())["address"]

    @staticmethod
    def _start(*words: str) -> subprocess.Popen[bytes]:
        dask = Path(sys.executable).parent / "dask"
        return subprocess.Popen(
            [dask, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def end(self) -> None:
        for process in (self.worker, self.scheduler):
            process.kill()
            process.wait()


@contextmanager
def client_that_waits(seconds: float) -> Iterator[None]:
    """For a scheduler that does not answer; 30 s are usual."""
    import dask

    with dask.config.set({"distributed.comm.timeouts.connect": f"{seconds} s"}):
        yield


def test_a_lost_scheduler_costs_only_what_was_under_way(tmp_path: Path) -> None:
    store, alone = tmp_path / "store", tmp_path / "alone"
    cluster = Cluster(tmp_path)

    def execute(program: Any, store: str, work: Any) -> Iterator[Any]:
        given = nplab.executors.dask({"address": cluster.address})
        for i, ended in enumerate(given(program, store, work)):
            if i == RUNS // 6:
                cluster.scheduler.kill()
            yield ended

    with client_that_waits(seconds=3):
        sweep = nplab.sweep("bv1", AXES, packets=60, store=store, executor=execute)
    cluster.end()
    assert 0 < len(sweep.failed) < RUNS
    assert all("the scheduler was lost" in failed.error for failed in sweep.failed)
    done = len(list(store.glob("*.json.gz")))
    assert RUNS // 6 < done < RUNS
    made: list[int] = []

    def counting(program: Any, store: str, work: Any) -> Iterator[Any]:
        made.extend(job.index for job in work)
        yield from nplab.executors.local()(program, store, work)

    again = nplab.sweep("bv1", AXES, packets=60, store=store, executor=counting)
    assert not again.failed
    assert RUNS - done - 1 <= len(made) <= RUNS - done  # a run outlives its worker
    nplab.sweep("bv1", AXES, packets=60, store=alone)
    check_same_results(store, alone, RUNS)
