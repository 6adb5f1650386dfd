"""nplab from Python: run, compare, predict and sweep mappings of network-processor programs."""

from nplab.commands import compare, explore, predict, run
from nplab.errors import (
    Diagnostic,
    InputError,
    MissingExtraError,
    NplabError,
    ProgramNotFoundError,
    RunFailedError,
    SchemaError,
)
from nplab.grading import Grades, grade
from nplab.points import FailedRun
from nplab.program import Program
from nplab.records import Comparison, Run
from nplab.searches import Candidate, Search, search
from nplab.sweeps import Sweep, sweep

__all__ = [
    "Candidate",
    "Comparison",
    "Diagnostic",
    "FailedRun",
    "Grades",
    "InputError",
    "MissingExtraError",
    "NplabError",
    "Program",
    "ProgramNotFoundError",
    "Run",
    "RunFailedError",
    "SchemaError",
    "Search",
    "Sweep",
    "compare",
    "explore",
    "grade",
    "predict",
    "run",
    "search",
    "sweep",
]
