"""Searches with Optuna: the best settings of a mapping by an objective of one's own.

`nplab explore` searches the mappings of an algorithm with nplab's own model. This is for what people
define themselves: any keys, any objective, any constraint.
"""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

from nplab.arguments import Settings, Word, option_words, settings_words
from nplab.errors import missing_extra
from nplab.executors import Executor, executor_named
from nplab.points import FailedRun, point_of, run_points
from nplab.program import Program
from nplab.records import Run, data_frame

if TYPE_CHECKING:
    import pandas

Objective = Union[str, Callable[[Run], float]]
_CONSTRAINTS = "nplab.constraints"
_IDLE_ASKS = 200  # without a new point: the sampler has nothing new to propose


@dataclass(frozen=True)
class Candidate:
    """A point that was looked at, its result, and its objectives in the order that they were given."""

    point: dict[str, Any]
    run: Run
    values: tuple[float, ...]
    is_feasible: bool


class Search:
    """What a search found. `candidates` are the different points in the order in which they were
    looked at; `simulated` of them were run for it, and the others were in the store."""

    def __init__(
        self, study: Any, candidates: list[Candidate], failed: list[FailedRun], simulated: int
    ) -> None:
        self.study = study
        self.candidates = candidates
        self.failed = failed
        self.simulated = simulated

    @property
    def front(self) -> list[Candidate]:
        """The feasible candidates that no other one beats in an objective without losing in another."""
        feasible = [one for one in self.candidates if one.is_feasible]
        return [one for one in feasible if not any(self._beats(other, one) for other in feasible)]

    @property
    def best(self) -> Candidate:
        """The best feasible candidate of a search with one objective."""
        front = self.front
        if not front:
            raise ValueError("no point that was looked at meets the constraints")
        if len(front[0].values) > 1:
            raise ValueError("several objectives have a front and no best point")
        return front[0]

    def table(self) -> pandas.DataFrame:
        """One row per candidate: the keys, the objectives, and whether the constraints are met."""
        return data_frame(
            {
                **one.point,
                **{f"objective{i}": value for i, value in enumerate(one.values)},
                "feasible": one.is_feasible,
            }
            for one in self.candidates
        )

    def _beats(self, one: Candidate, other: Candidate) -> bool:
        signs = [1 if direction.name == "MAXIMIZE" else -1 for direction in self.study.directions]
        gains = [s * (a - b) for s, a, b in zip(signs, one.values, other.values)]
        return min(gains) >= 0 and max(gains) > 0

    def __repr__(self) -> str:
        return f"<Search of {len(self.candidates)} points, {self.simulated} simulated>"


class _Axis:
    """Values of a key as the sampler draws them. A list of numbers has an order that the sampler
    uses, so that it draws an index."""

    def __init__(self, optuna: Any, name: str, values: Any) -> None:
        distributions = optuna.distributions
        self._choices: list[Any] | None = None
        if isinstance(values, distributions.BaseDistribution):
            self.distribution = values
            return
        choices = list(values)
        if not choices:
            raise ValueError(f"the key '{name}' has no values")
        if all(isinstance(one, (int, float)) and not isinstance(one, bool) for one in choices):
            self._choices = choices
            self.distribution = distributions.IntDistribution(0, len(choices) - 1)
        else:
            self.distribution = distributions.CategoricalDistribution(choices)

    def value(self, drawn: Any) -> Any:
        return drawn if self._choices is None else self._choices[drawn]


def _figure(objective: Objective, run: Run) -> float:
    value = run.figure(objective) if isinstance(objective, str) else objective(run)
    return float(value)


def _set_constraints(trial: Any, bounds: Sequence[float]) -> None:
    if hasattr(trial, "set_constraint"):  # of Optuna 5
        for i, bound in enumerate(bounds):
            trial.set_constraint(str(i), bound)
    else:
        trial.set_user_attr(_CONSTRAINTS, list(bounds))


def _constraints_of(trial: Any) -> Sequence[float]:
    values: Sequence[float] = trial.user_attrs.get(_CONSTRAINTS, ())
    return values


def _journal(optuna: Any, path: Word | None) -> Any:
    if path is None:
        return None
    backend = optuna.storages.journal.JournalFileBackend(os.fspath(path))
    return optuna.storages.JournalStorage(backend)


class _Searcher:
    """Asks the sampler, runs what is new, and tells it what came out."""

    def __init__(
        self,
        study: Any,
        optuna: Any,
        axes: Mapping[str, _Axis],
        objectives: Sequence[Objective],
        constraints: Callable[[Run], Sequence[float]] | None,
    ) -> None:
        self.study, self._states = study, optuna.trial.TrialState
        self._axes, self._objectives, self._constraints = axes, objectives, constraints
        self.candidates: dict[str, Candidate] = {}
        self.failed: dict[str, FailedRun] = {}

    def ask(self) -> tuple[Any, dict[str, Any]]:
        trial = self.study.ask({name: axis.distribution for name, axis in self._axes.items()})
        return trial, {name: axis.value(trial.params[name]) for name, axis in self._axes.items()}

    def is_seen(self, point: Mapping[str, Any]) -> bool:
        return str(point) in self.candidates or str(point) in self.failed

    def add(self, point: dict[str, Any], run: Run | None, failed: FailedRun | None) -> None:
        if run is None:
            self.failed[str(point)] = failed or FailedRun(point, "the run left no result", "")
            return
        values = tuple(_figure(objective, run) for objective in self._objectives)
        bounds = self._constraints(run) if self._constraints is not None else ()
        is_feasible = all(bound <= 0 for bound in bounds) and all(map(math.isfinite, values))
        self.candidates[str(point)] = Candidate(point, run, values, is_feasible)

    def tell(self, trial: Any, point: Mapping[str, Any]) -> None:
        known = self.candidates.get(str(point))
        if known is None or not all(map(math.isfinite, known.values)):
            self.study.tell(trial, state=self._states.FAIL)
            return
        if self._constraints is not None:
            _set_constraints(trial, [float(bound) for bound in self._constraints(known.run)])
        self.study.tell(trial, list(known.values))


def search(
    mapping: Word,
    space: Mapping[str, Any],
    objectives: Objective | Sequence[Objective],
    *,
    runs: int,
    directions: str | Sequence[str] = "maximize",
    constraints: Callable[[Run], Sequence[float]] | None = None,
    packets: int | None = None,
    set: Settings | None = None,  # noqa: A002
    executor: str | Executor = "local",
    jobs: int | None = None,
    options: Mapping[str, Any] | None = None,
    store: Word | None = None,
    journal: Word | None = None,
    sampler: Any = None,
    seed: int | None = None,
    program: str | os.PathLike[str] | None = None,
    **fixed: Any,
) -> Search:
    """Looks for the point of `space` with the best objectives, by at most `runs` simulations.

    `space` has the values of each key or option, as the axes of a sweep: a list or a range, or a
    distribution of Optuna. An objective is a figure of the record by its path, or a function of a
    Run; `directions` says of each whether to "maximize" or to "minimize" it. `constraints` returns
    numbers that are at most 0 where a run is acceptable.

    Points whose results are in `store`, or that were proposed before, cost nothing of `runs`; input
    that nplab refuses costs nothing either. `journal` is a file that keeps what was learnt: a search
    that was stopped goes on with it. `sampler` is one of Optuna's (TPE, with `seed`). The other
    arguments are those of `sweep`; `jobs` points are asked for and run at a time.
    """
    try:
        import optuna
    except ImportError as problem:
        raise missing_extra("optuna", "search") from problem
    one = isinstance(objectives, str) or callable(objectives)
    wanted: list[Objective] = [objectives] if one else list(objectives)  # type: ignore[list-item, arg-type]
    along = [directions] * len(wanted) if isinstance(directions, str) else list(directions)
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    if sampler is None:
        takes_function = constraints is not None and not hasattr(optuna.Trial, "set_constraint")
        extra = {"constraints_func": _constraints_of} if takes_function else {}
        sampler = optuna.samplers.TPESampler(seed=seed, multivariate=True, **extra)
    study = optuna.create_study(
        directions=along,
        sampler=sampler,
        storage=_journal(optuna, journal),
        study_name="nplab",
        load_if_exists=True,
    )
    axes = {name: _Axis(optuna, name, values) for name, values in space.items()}
    searcher = _Searcher(study, optuna, axes, wanted, constraints)
    words = settings_words(set) + option_words({"packets": packets, **fixed})
    found = Program.find(program)
    with tempfile.TemporaryDirectory() as scratch:
        folder = os.path.abspath(scratch if store is None else store)
        os.makedirs(folder, exist_ok=True)
        execute = executor_named(executor, jobs, options)
        made = _search(searcher, found, mapping, words, folder, execute, runs, jobs or 1)
    return Search(study, [*searcher.candidates.values()], [*searcher.failed.values()], made)


def _search(
    searcher: _Searcher,
    program: Program,
    mapping: Word,
    words: Sequence[str],
    store: str,
    execute: Executor,
    runs: int,
    jobs: int,
) -> int:
    """The simulations that were made."""
    made = idle = 0
    while made < runs and idle < _IDLE_ASKS:
        asked = [searcher.ask() for _ in range(min(jobs, runs - made))]
        new = {str(point): point for _, point in asked if not searcher.is_seen(point)}
        idle = 0 if new else idle + len(asked)
        points = [point_of(point, mapping, words) for point in new.values()]
        results = run_points(program, points, store, execute, progress=False) if points else None
        for i, point in enumerate(new.values()):
            assert results is not None
            reasons = [failed for failed in results.failed if failed.point == point]
            searcher.add(point, results.runs[i], reasons[0] if reasons else None)
        made += results.simulated if results is not None else 0
        for trial, point in asked:
            searcher.tell(trial, point)
    return made
