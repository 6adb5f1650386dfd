"""Searches with Optuna."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

import pytest

import nplab

optuna = pytest.importorskip("optuna", reason="the extra `search` is not installed")

PACKETS = 60
SPACE: dict[str, Any] = {"queues.received.entries": [16, 32, 64], "stages.dimension1.threads": [1, 2]}


def simulated(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The words of each run that is simulated from now on."""
    made: list[tuple[str, ...]] = []
    original = nplab.executors.run_into_store

    def counting(program: str, store: str, job: nplab.executors.Job) -> nplab.executors.Ended:
        made.append(job.words)
        return original(program, store, job)

    monkeypatch.setattr(nplab.executors, "run_into_store", counting)
    return made


def test_a_search_finds_the_best_point_of_a_space_that_it_covers() -> None:
    sweep = nplab.sweep("bv2", SPACE, packets=PACKETS)
    rates = [run.packets_per_s for run in sweep.runs if run is not None]
    found = nplab.search("bv2", SPACE, "packets_per_s", runs=6, packets=PACKETS, seed=1)
    assert found.simulated == len(found.candidates) == 6
    assert found.best.values[0] == max(rates)
    assert found.best.run.packets_per_s == max(rates)
    assert len(found.table()) == 6


def test_points_that_are_known_cost_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nplab.sweep("bv2", SPACE, packets=PACKETS, store=tmp_path)
    made = simulated(monkeypatch)
    found = nplab.search("bv2", SPACE, "packets_per_s", runs=1, packets=PACKETS, store=tmp_path, seed=1)
    assert made == []
    assert found.simulated == 0
    assert len(found.candidates) == 6
    wider = {**SPACE, "queues.received.entries": [16, 32, 64, 128]}
    more = nplab.search("bv2", wider, "packets_per_s", runs=1, packets=PACKETS, store=tmp_path, seed=1)
    assert len(made) == more.simulated == 1
    assert "queues.received.entries=128" in made[0]


def test_a_journal_keeps_what_was_learnt(tmp_path: Path) -> None:
    def search(runs: int) -> nplab.Search:
        return nplab.search("bv2", SPACE, "packets_per_s", runs=runs, packets=PACKETS, seed=1,
                            store=tmp_path / "store", journal=tmp_path / "journal")

    first = search(2)
    learnt = [(trial.params, trial.values) for trial in first.study.trials]
    assert len(learnt) == 2
    second = search(2)
    assert len(second.study.trials) > 2
    assert [(trial.params, trial.values) for trial in second.study.trials[:2]] == learnt


def test_a_point_that_breaks_a_constraint_is_not_the_best() -> None:
    def few_threads(run: nplab.Run) -> Sequence[float]:
        return [sum("dimension1.threads=2" in text for text in run.record["options"]["set"])]

    found = nplab.search("bv2", SPACE, "packets_per_s", runs=6, packets=PACKETS, seed=1,
                         constraints=few_threads)
    assert {one.is_feasible for one in found.candidates} == {True, False}
    assert found.best.point["stages.dimension1.threads"] == 1


def test_refused_input_is_collected_and_costs_nothing() -> None:
    space = {"queues.received.entries": [16, 17]}
    found = nplab.search("bv2", space, "packets_per_s", runs=2, packets=PACKETS, seed=1)
    assert found.simulated == 1
    assert [one.point for one in found.candidates] == [{"queues.received.entries": 16}]
    assert [failed.point for failed in found.failed] == [{"queues.received.entries": 17}]
    assert "power of two" in found.failed[0].error


def test_several_objectives_have_a_front() -> None:
    def threads(run: nplab.Run) -> float:
        return sum(thread["off"] == 0 for engine in run.record["engines"] for thread in engine["threads"])

    found = nplab.search("bv2", SPACE, ["packets_per_s", threads], directions=["maximize", "minimize"],
                         runs=6, packets=PACKETS, seed=1)
    values = [one.values for one in found.candidates]
    for one in found.candidates:
        beaten = any(
            rate >= one.values[0] and used <= one.values[1] and (rate, used) != one.values
            for rate, used in values
        )
        assert (one in found.front) == (not beaten)
    with pytest.raises(ValueError, match="no best point"):
        found.best


LARGE: dict[str, Any] = {
    "queues.received.entries": [8, 16, 32, 64, 128, 256],
    "queues.classified.entries": [8, 16, 32, 64, 128, 256],
    "stages.dimension1.threads": [1, 2, 3, 4],
    "stages.dimension2.threads": [1, 2, 3, 4],
    "stages.dimension3.threads": [1, 2, 3, 4],
    "tables.pset": ["sram", "sdram"],
}
RATE = 380_000  # packets/s that a design must keep
REGISTERS = 32  # longwords of a thread


def longwords(run: nplab.Run) -> float:
    """What a design takes: entries of its queues, and registers of its threads."""
    chosen = dict(text.split("=", 1) for text in run.record["options"]["set"])
    return sum(
        int(value) * (REGISTERS if key.endswith(".threads") else 1)
        for key, value in chosen.items()
        if key.endswith((".threads", ".entries"))
    )


@pytest.mark.skipif("NPLAB_LONG_TESTS" not in os.environ, reason="of the long tier")
def test_a_search_beats_random_points_at_equal_budget(tmp_path: Path) -> None:
    """The README's figures: the median of what five searches find is better than that of five random ones."""

    def best(sampler: Any, seed: int) -> float:
        found = nplab.search("bv2", LARGE, longwords, directions="minimize", runs=30,
                             constraints=lambda run: [RATE - run.packets_per_s], packets=500,
                             seed=seed, sampler=sampler, store=tmp_path / f"{sampler is None}{seed}")
        assert found.simulated == 30
        return found.best.values[0]

    searched = [best(None, seed) for seed in range(5)]
    random = [best(optuna.samplers.RandomSampler(seed=seed), seed) for seed in range(5)]
    print(f"longwords: TPE {searched}, random {random}")
    assert median(searched) < median(random), (searched, random)
