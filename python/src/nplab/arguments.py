"""From Python values to the words of a command line."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Union

Word = Union[str, "os.PathLike[str]"]
Settings = Mapping[str, Any]

# Options of `nplab run` that a sweep may have as axes.
OPTIONS = {
    "packets": "--packets",
    "seed": "--seed",
    "rules": "--rules",
    "traffic": "--traffic",
    "chip": "--chip",
    "workload": "--workload",
    "arrival": "--arrival",
    "ports_in": "--ports-in",
    "l4_key": "--l4-key",
    "updates": "--updates",
}


def text_of(value: Any) -> str:
    """A value as YAML writes it: True is `true`, and a list has brackets."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(text_of(item) for item in value) + "]"
    if hasattr(value, "item") and not isinstance(value, str):
        return text_of(value.item())  # a number of numpy
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def settings_words(settings: Settings | None) -> list[str]:
    words: list[str] = []
    for key, value in (settings or {}).items():
        words += ["--set", f"{key}={text_of(value)}"]
    return words


def option_words(options: Mapping[str, Any]) -> list[str]:
    """Words of the options that are not None. Raises TypeError for one that is not known."""
    words: list[str] = []
    for name, value in options.items():
        if value is None:
            continue
        if name == "drain":
            words += ["--drain"] if value else []
        elif name == "without":
            for resource in [value] if isinstance(value, str) else value:
                words += ["--without", str(resource)]
        elif name == "unit":
            words += unit_words(value)
        elif name == "traffic" and not isinstance(value, (str, os.PathLike)):
            for file in value:
                words += ["--traffic", text_of(file)]
        elif name in OPTIONS:
            words += [OPTIONS[name], text_of(value)]
        else:
            known = ", ".join([*OPTIONS, "drain", "without", "unit"])
            raise TypeError(f"there is no option '{name}'; the options are {known}")
    return words


def unit_words(units: str | Mapping[str, Word] | Iterable[str]) -> list[str]:
    """Units on the SRAM bus: {NAME: FILE}, or what `--unit` takes, once or several times."""
    if isinstance(units, str):
        units = [units]
    if isinstance(units, Mapping):
        units = [f"{name}={os.fspath(file)}" for name, file in units.items()]
    words: list[str] = []
    for unit in units:
        words += ["--unit", unit]
    return words


def words_of(items: Iterable[Word]) -> list[str]:
    return [os.fspath(item) for item in items]


def one_or_more(value: Word | Sequence[Word]) -> list[str]:
    return [os.fspath(value)] if isinstance(value, (str, os.PathLike)) else words_of(value)
