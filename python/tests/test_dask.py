"""The same sweep on a Dask cluster of this machine."""

from __future__ import annotations

from pathlib import Path

import pytest

import nplab

distributed = pytest.importorskip("distributed", reason="the extra `sweep` is not installed")

AXES = {"queues.received.entries": [16, 32], "seed": range(1, 4)}


def test_a_cluster_gives_what_this_machine_gives(tmp_path: Path) -> None:
    expected = nplab.sweep("bv1", AXES, packets=60)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None
    ) as cluster, distributed.Client(cluster) as client:
        sweep = nplab.sweep(
            "bv1", AXES, packets=60, store=tmp_path, executor="dask", options={"client": client}
        )
    assert not sweep.failed
    for ours, theirs in zip(expected.runs, sweep.runs):
        assert ours is not None and theirs is not None
        first, second = dict(ours.record), dict(theirs.record)
        first.pop("host"), second.pop("host")
        assert first == second


def test_the_runs_of_a_lost_worker_are_made_again(tmp_path: Path) -> None:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None
    ) as cluster, distributed.Client(cluster) as client:
        killed = []

        def execute(program, store, work):  # type: ignore[no-untyped-def]
            inner = nplab.executors.dask({"client": client})
            for ended in inner(program, store, work):
                if not killed:
                    worker = next(iter(cluster.workers.values()))
                    killed.append(worker.pid)
                    worker.process.process._process.kill()
                yield ended

        sweep = nplab.sweep(
            "bv1", {"seed": range(1, 13)}, packets=60, store=tmp_path, executor=execute
        )
    assert killed
    assert not sweep.failed
    assert all(run is not None for run in sweep.runs)
