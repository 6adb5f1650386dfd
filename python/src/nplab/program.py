"""The nplab program: where it is, and calling it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nplab.errors import InputError, ProgramNotFoundError, RunFailedError

_DONE, _BAD_INPUT = 0, 2


def _of_checkout() -> str | None:
    """The wrapper of the checkout that holds this file; None for an installed package."""
    root = Path(__file__).resolve().parents[3]
    wrapper = root / "nplab"
    return str(wrapper) if (root / "packages.txt").is_file() and wrapper.is_file() else None


@dataclass(frozen=True)
class Program:
    """An nplab program."""

    path: str

    @staticmethod
    def find(path: str | os.PathLike[str] | None = None) -> Program:
        """The program at `path`, else the one that $NPLAB names, else `nplab` on the PATH, else the
        checkout's. Raises ProgramNotFoundError."""
        named = os.fspath(path) if path is not None else os.environ.get("NPLAB")
        if named:
            found = shutil.which(named)
            if found is None:
                origin = "the argument `program`" if path is not None else "$NPLAB"
                raise ProgramNotFoundError(f"{named}: no such program; {origin} names it")
            return Program(os.path.abspath(found))
        found = shutil.which("nplab") or _of_checkout()
        if found is None:
            raise ProgramNotFoundError(
                "no program nplab on the PATH; name it with the argument `program` or with the "
                "environment variable NPLAB"
            )
        return Program(os.path.abspath(found))

    def call(
        self,
        words: Sequence[str],
        *,
        stdin: str | None = None,
        accept: Sequence[int] = (_DONE,),
        timeout: float | None = None,
    ) -> str:
        """Standard output of the command. `timeout` is in seconds.

        Raises InputError for exit status 2 and RunFailedError for any other that is not in
        `accept`.
        """
        try:
            ended = subprocess.run(
                [self.path, *words],
                input=stdin,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=timeout,
                check=False,
            )
        except OSError as problem:
            raise ProgramNotFoundError(f"{self.path}: {problem.strerror}") from problem
        if ended.returncode in accept:
            return ended.stdout
        if ended.returncode == _BAD_INPUT:
            raise InputError(ended.stderr)
        raise RunFailedError(ended.returncode, ended.stderr)
