"""The same sweep on a Dask cluster of this machine, of which a worker is killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
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
