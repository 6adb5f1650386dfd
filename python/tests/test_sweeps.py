"""Sweeps: what is run, what is kept, what fails."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import nplab
from nplab.executors import Ended, Job, batches, local

PACKETS = 60
AXES = {"queues.received.entries": [16, 32], "seed": range(1, 3)}


def counting(made: list[int]) -> nplab.sweeps.Executor:
    """The local executor, which notes the runs that it is given."""

    def execute(
        program: nplab.Program, store: str, work: Sequence[Job]
    ) -> Iterator[Ended]:
        made.extend(job.index for job in work)
        yield from local(2)(program, store, work)

    return execute


def figures(sweep: nplab.Sweep) -> list[float]:
    return [run.packets_per_s for run in sweep.runs if run is not None]


def test_a_sweep_has_every_combination_in_order() -> None:
    sweep = nplab.sweep("bv1", AXES, packets=PACKETS)
    assert [tuple(point.values()) for point in sweep.points] == [(16, 1), (16, 2), (32, 1), (32, 2)]
    assert not sweep.failed
    for point, run in zip(sweep.points, sweep.runs):
        assert run is not None
        assert run.record["seed"] == point["seed"]
        assert f"queues.received.entries={point['queues.received.entries']}" in run.record[
            "options"
        ]["set"]


def test_a_sweep_equals_its_runs_one_by_one() -> None:
    sweep = nplab.sweep("bv1", {"queues.received.entries": [16]}, packets=PACKETS)
    alone = nplab.run("bv1", packets=PACKETS, set={"queues.received.entries": 16}, lean=True)
    assert sweep.runs[0] is not None
    first, second = dict(sweep.runs[0].record), dict(alone.record)
    first.pop("host"), second.pop("host")
    assert first == second


def test_only_what_the_store_lacks_is_run(tmp_path: Path) -> None:
    made: list[int] = []
    first = nplab.sweep("bv1", AXES, packets=PACKETS, store=tmp_path, executor=counting(made))
    assert made == [0, 1, 2, 3]
    made.clear()
    again = nplab.sweep("bv1", AXES, packets=PACKETS, store=tmp_path, executor=counting(made))
    assert made == []
    assert figures(again) == figures(first)
    wider = {**AXES, "seed": range(1, 4)}
    nplab.sweep("bv1", wider, packets=PACKETS, store=tmp_path, executor=counting(made))
    assert made == [2, 5]


def test_a_damaged_result_is_run_again(tmp_path: Path) -> None:
    nplab.sweep("bv1", AXES, packets=PACKETS, store=tmp_path)
    results = sorted(tmp_path.glob("*.json.gz"))
    assert len(results) == 4
    results[0].write_bytes(results[0].read_bytes()[:-20])
    results[1].write_bytes(b"")
    made: list[int] = []
    sweep = nplab.sweep("bv1", AXES, packets=PACKETS, store=tmp_path, executor=counting(made))
    assert len(made) == 2
    assert not sweep.failed


def test_runs_that_fail_are_collected_and_the_others_are_there() -> None:
    sweep = nplab.sweep("bv1", {"queues.received.entries": [16, "many", 32]}, packets=PACKETS)
    assert [run is None for run in sweep.runs] == [False, True, False]
    assert len(sweep.failed) == 1
    assert sweep.failed[0].point == {"queues.received.entries": "many"}
    assert "queues.received.entries" in sweep.failed[0].error
    assert sweep.failed[0].command.startswith("nplab run bv1 ")


def test_mappings_are_an_axis() -> None:
    sweep = nplab.sweep("ls", {"mapping": ["ls", "bv1"]}, packets=PACKETS)
    assert [run.mapping for run in sweep.runs if run is not None] == ["ls", "bv1"]


def test_an_axis_without_values_and_an_unknown_executor_are_refused() -> None:
    with pytest.raises(ValueError, match="the axis 'seed' has no values"):
        nplab.sweep("bv1", {"seed": []})
    with pytest.raises(ValueError, match="the executors are local, dask and slurm"):
        nplab.sweep("bv1", {"seed": [1]}, executor="cloud")


def test_an_executor_that_is_not_installed_names_its_extra() -> None:
    try:
        import distributed  # noqa: F401
    except ImportError:
        with pytest.raises(nplab.MissingExtraError, match=r"pip install 'nplab\[sweep\]'"):
            nplab.sweep("bv1", {"seed": [1]}, executor="dask")
    else:
        pytest.skip("the extra is installed")


def test_a_killed_sweep_goes_on_where_it_was(tmp_path: Path) -> None:
    script = (
        "import os, nplab\n"
        "from nplab.executors import local\n"
        "def execute(program, store, work):\n"
        "    for i, ended in enumerate(local(1)(program, store, work)):\n"
        "        if i == 1:\n"
        "            os.kill(os.getpid(), 9)\n"
        "        yield ended\n"
        f"nplab.sweep('bv1', {{'seed': range(1, 25)}}, packets={PACKETS},\n"
        f"            store={str(tmp_path)!r}, executor=execute)\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], check=False, env={**os.environ})
    assert ended.returncode == -9
    done = len(list(tmp_path.glob("*.json.gz")))
    assert 2 <= done < 24
    made: list[int] = []
    sweep = nplab.sweep(
        "bv1", {"seed": range(1, 25)}, packets=PACKETS, store=tmp_path, executor=counting(made)
    )
    assert len(made) <= 24 - done
    assert not sweep.failed


def test_batches_keep_the_order_and_leave_work_for_every_worker() -> None:
    work = [Job(i, ()) for i in range(103)]
    parts = batches(work, workers=4)
    assert [job.index for part in parts for job in part] == list(range(103))
    assert len(parts) >= 16
    assert max(len(part) for part in batches([Job(i, ()) for i in range(10000)], 2)) == 50


def test_tables_have_axes_and_figures(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    sweep = nplab.sweep("bv1", AXES, packets=PACKETS)
    table = sweep.table("packets_per_s", "latency_cycles.p99")
    assert list(table.columns) == [*AXES, "packets_per_s", "latency_cycles.p99"]
    assert len(table) == 4
    pytest.importorskip("pyarrow")
    sweep.to_parquet(tmp_path / "x.parquet", "packets_per_s")
    import pandas

    assert pandas.read_parquet(tmp_path / "x.parquet").equals(sweep.table("packets_per_s"))
    pytest.importorskip("xarray")
    array = sweep.to_xarray("packets_per_s")
    assert array["packets_per_s"].shape == (2, 2)
    for point, run in zip(sweep.points, sweep.runs):
        assert run is not None
        assert float(array["packets_per_s"].sel(point)) == run.packets_per_s
    assert sweep.failed == []


def test_arrays_and_tables_leave_out_what_failed(tmp_path: Path) -> None:
    pytest.importorskip("xarray")
    sweep = nplab.sweep("bv1", {"queues.received.entries": [16, 17], "seed": [1, 2]}, packets=PACKETS)
    assert len(sweep.failed) == 2
    assert len(sweep.table("packets_per_s")) == 2
    sweep.to_parquet(tmp_path / "x.parquet")
    array = sweep.to_xarray()["packets_per_s"]
    assert array.sel({"queues.received.entries": 16}).notnull().all()
    assert array.sel({"queues.received.entries": 17}).isnull().all()
