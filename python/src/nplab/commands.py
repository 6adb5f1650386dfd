"""The commands run, compare, predict and explore as functions."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nplab.arguments import Settings, Word, one_or_more, option_words, settings_words, words_of
from nplab.program import Program
from nplab.records import Comparison, Run

_CHECK_FAILED, _PROGRAM_FAILED = 1, 3


def run(
    mapping: Word,
    *,
    packets: int | None = None,
    set: Settings | None = None,  # noqa: A002 - the name of the command's option
    store: Word | None = None,
    lean: bool = False,
    program: str | os.PathLike[str] | None = None,
    **options: Any,
) -> Run:
    """Simulates a mapping (a listed name or a file) and checks every packet.

    `set` overrides keys as `--set` does. `store` is a folder of results. `lean` leaves programs,
    lines and sources out of the record. `options` are those of `nplab run`: seed, rules, traffic,
    chip, workload, arrival, ports_in, l4_key, updates, drain, without, unit.

    Raises InputError when something is wrong with the input, and RunFailedError when a packet was
    classified wrongly or the simulated program failed.
    """
    found = Program.find(program)
    words = ["run", os.fspath(mapping), *settings_words(set)]
    words += option_words({"packets": packets, **options})
    words += ["--record", "lean"] if lean else []
    words += ["--store", os.fspath(store)] if store is not None else []
    return Run(json.loads(found.call([*words, "--quiet", "--json", "-"])), found)


def compare(
    mappings: Sequence[Word],
    *,
    packets: int | None = None,
    set: Settings | None = None,  # noqa: A002
    program: str | os.PathLike[str] | None = None,
    **options: Any,
) -> Comparison:
    """Runs several mappings under the same options; arguments as those of `run`. A mapping may have
    keys of its own: `bv2:stages.dimension1.threads=2`."""
    found = Program.find(program)
    words = ["compare", *words_of(mappings), *settings_words(set)]
    words += option_words({"packets": packets, **options})
    return Comparison(json.loads(found.call([*words, "--quiet", "--json", "-"])), found)


def predict(
    mappings: Word | Sequence[Word],
    *,
    set: Settings | None = None,  # noqa: A002
    program: str | os.PathLike[str] | None = None,
    **options: Any,
) -> list[dict[str, Any]]:
    """What `nplab predict` says of each mapping, without simulating it: rate in packets per second,
    latency in cycles, the use of every engine, bus and port, and the bound."""
    found = Program.find(program)
    words = ["predict", *one_or_more(mappings), *settings_words(set), *option_words(options)]
    document = json.loads(found.call([*words, "--json", "-"]))
    predictions: list[dict[str, Any]] = document["predictions"]
    return predictions


def explore(
    algorithm: str,
    *,
    budget: str | None = None,
    runs: int | None = None,
    folder: Word | None = None,
    objective: str | None = None,
    set: Settings | None = None,  # noqa: A002
    program: str | os.PathLike[str] | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Searches the space of the algorithm's mappings, as `nplab explore` does, and returns what it
    writes: the front and every point that was simulated. `budget` is a time such as "10min",
    `runs` a number of simulations. The best mappings are files in `folder`."""
    found = Program.find(program)
    words = ["explore", algorithm, *settings_words(set), *option_words(options)]
    words += ["--budget", budget] if budget is not None else []
    words += ["--runs", str(runs)] if runs is not None else []
    words += ["--objective", objective] if objective is not None else []
    words += ["--out", os.fspath(folder)] if folder is not None else []
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch, "explore.json")
        found.call([*words, "--json", str(path)])
        document: dict[str, Any] = json.loads(path.read_text())
    return document
