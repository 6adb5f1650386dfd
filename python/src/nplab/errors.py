"""What can go wrong, as exceptions that say where and what would be right."""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass


@dataclass(frozen=True)
class Diagnostic:
    """One error of the command: `FILE:LINE:COLUMN: error: MESSAGE`.

    `line` and `column` count from 1; both are None for a word of the command line, and 0 for a
    whole file.
    """

    file: str
    line: int | None
    column: int | None
    message: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}:{self.column}"
        return f"{place}: {self.message}"


_WITH_PLACE = re.compile(r"^(?P<file>.*?):(?P<line>\d+):(?P<column>\d+): error: (?P<message>.*)$")
_WITHOUT_PLACE = re.compile(r"^(?P<file>.*?): error: (?P<message>.*)$")


def parse_diagnostics(text: str) -> tuple[Diagnostic, ...]:
    """The errors that the command printed on standard error, in its order."""
    found = []
    for line in text.splitlines():
        if match := _WITH_PLACE.match(line):
            place = int(match["line"]), int(match["column"])
            found.append(Diagnostic(match["file"], *place, match["message"]))
        elif match := _WITHOUT_PLACE.match(line):
            found.append(Diagnostic(match["file"], None, None, match["message"]))
    return tuple(found)


class NplabError(Exception):
    """Anything that this package raises."""


class ProgramNotFoundError(NplabError):
    """No nplab program was found."""


class MissingExtraError(NplabError, ImportError):
    """An optional library is not installed; the message names the extra that brings it."""


class SchemaError(NplabError):
    """A record is of a schema that this package does not read."""


class InputError(NplabError):
    """The command refused its input (exit status 2). `diagnostics` has the errors one by one."""

    def __init__(self, text: str) -> None:
        super().__init__(text.strip() or "the command refused its input and did not say why")
        self.diagnostics = parse_diagnostics(text)


def end_of(status: int) -> str:
    """How a process ended, by what `subprocess` returns of it."""
    if status >= 0:
        return f"ended with exit status {status}"
    return f"was ended by signal {-status} ({signal.strsignal(-status) or 'unknown'})"


class RunFailedError(NplabError):
    """A check of the run failed (exit status 1), the simulated program failed (3), or the process
    was ended by a signal (a negative status)."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text.strip() or f"the program {end_of(status)}")
        self.status = status


def missing_extra(library: str, extra: str) -> MissingExtraError:
    return MissingExtraError(
        f"this needs {library}, which is not installed: python -m pip install 'nplab[{extra}]'"
    )
