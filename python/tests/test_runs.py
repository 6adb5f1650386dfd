"""Runs, comparisons and predictions, and what goes wrong with them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import nplab
from nplab.arguments import option_words

PACKETS = 60


def test_a_run_has_the_figures_of_its_record() -> None:
    run = nplab.run("ls", packets=PACKETS)
    assert run.mapping == "ls"
    assert run.figure("packets.received") >= PACKETS
    assert run.figure("engines.0.cycles") == run.record["engines"][0]["cycles"]
    seconds = run.record["simulated_seconds"]
    assert run.packets_per_s == pytest.approx(run.record["packets"]["classified"] / seconds)
    assert run.verdict is not None


def test_options_and_settings_reach_the_command() -> None:
    settings = {"queues.received.entries": 32, "chip.sram.pipeline_latency": 20}
    run = nplab.run("bv1", packets=PACKETS, set=settings, seed=7, drain=True)
    assert run.record["options"]["set"] == ["queues.received.entries=32", "chip.sram.pipeline_latency=20"]
    assert run.record["seed"] == 7
    assert run.record["options"]["drain"] is True


def test_an_unknown_figure_names_what_is_there() -> None:
    run = nplab.run("ls", packets=PACKETS, lean=True)
    with pytest.raises(KeyError, match="no 'recieved' in packets, which has offered, "):
        run.figure("packets.recieved")


def test_units_on_the_bus_are_given_by_name() -> None:
    assert option_words({"unit": {"tcam": Path("a/libtcam.so")}}) == ["--unit", "tcam=a/libtcam.so"]
    assert option_words({"unit": "tcam=libtcam.so,latency_ns=20"}) == ["--unit", "tcam=libtcam.so,latency_ns=20"]
    with pytest.raises(nplab.InputError, match="no device of this name is in the chip's file"):
        nplab.run("ls", packets=PACKETS, unit={"tcam": "libtcam.so"})


def test_an_unknown_option_names_the_options() -> None:
    with pytest.raises(TypeError, match="there is no option 'packet'; the options are packets"):
        nplab.run("ls", packet=5)


def test_wrong_input_is_an_error_with_its_place(tmp_path: Path) -> None:
    mapping = tmp_path / "m.yaml"
    mapping.write_text("name: m\nalgoritm: linear-search\n")
    with pytest.raises(nplab.InputError) as caught:
        nplab.run(mapping, packets=PACKETS)
    first = caught.value.diagnostics[0]
    assert first.file.endswith("m.yaml")
    assert first.line is not None
    assert "algoritm" in str(caught.value)
    with pytest.raises(nplab.InputError) as unknown:
        nplab.run("bv9")
    assert unknown.value.diagnostics[0].file == "bv9"
    assert unknown.value.diagnostics[0].line is None


def test_a_comparison_has_its_runs_and_verdict() -> None:
    comparison = nplab.compare(["ls", "bv1:queues.received.entries=32"], packets=PACKETS)
    assert [run.mapping for run in comparison.runs][0] == "ls"
    assert len(comparison.runs) == 2
    assert comparison.verdict is not None


def test_a_prediction_names_its_mapping() -> None:
    predictions = nplab.predict("bv1")
    assert len(predictions) == 1
    assert predictions[0]["mapping"] == "bv1"


def test_a_record_of_another_schema_is_refused() -> None:
    with pytest.raises(nplab.SchemaError, match="'nplab.run/2'.*'nplab.run/1'"):
        nplab.Run({"schema": "nplab.run/2"})


def test_a_program_that_is_not_there_is_named() -> None:
    with pytest.raises(nplab.ProgramNotFoundError, match="/nowhere/nplab: no such program"):
        nplab.run("ls", program="/nowhere/nplab")


def test_a_record_is_written_as_the_command_reads_it(tmp_path: Path, program: str) -> None:
    run = nplab.run("ls", packets=PACKETS)
    run.to_json(tmp_path / "run.json")
    assert json.loads((tmp_path / "run.json").read_text())["schema"] == "nplab.run/1"
    assert "<html" in run.html()


def test_data_frames_have_a_row_per_engine() -> None:
    pytest.importorskip("pandas")
    run = nplab.run("ls", packets=PACKETS)
    assert len(run.engines) == len(run.record["engines"])
    assert len(run.memory) == len(run.record["memory"])
    assert len(run.lines) > 0
