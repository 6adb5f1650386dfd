"""Where the runs of a sweep are made: on this machine, on a Dask cluster, on Slurm.

Every executor is given the runs that the store does not have, and puts each result there. So a lost
worker costs only the runs that it had not finished, and a lost scheduler nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Any

from nplab.errors import InputError, NplabError, missing_extra
from nplab.program import Program


@dataclass(frozen=True)
class Job:
    """A run that is to be made: the words of its command line, without those of the output."""

    index: int
    words: tuple[str, ...]


@dataclass(frozen=True)
class Ended:
    """A run that was made; `error` says what went wrong, if anything did. Input that was refused
    was not simulated."""

    index: int
    error: str | None
    is_refused: bool = False


Executor = Callable[[Program, str, Sequence[Job]], Iterator[Ended]]


def run_into_store(program: str, store: str, job: Job) -> Ended:
    """Makes one run and keeps its result."""
    try:
        Program(program).call([*job.words, "--quiet", "--store", store])
    except NplabError as problem:
        return Ended(job.index, str(problem), isinstance(problem, InputError))
    return Ended(job.index, None)


def _run_batch(program: str, store: str, batch: Sequence[Job]) -> list[Ended]:
    return [run_into_store(program, store, job) for job in batch]


def local(jobs: int | None = None) -> Executor:
    """Processes on this machine, `jobs` at a time (as many as there are processors)."""

    def execute(program: Program, store: str, work: Sequence[Job]) -> Iterator[Ended]:
        with ThreadPoolExecutor(max_workers=jobs or os.cpu_count() or 1) as pool:
            waiting = [pool.submit(run_into_store, program.path, store, job) for job in work]
            try:
                for future in as_completed(waiting):
                    yield future.result()
            finally:
                for future in waiting:
                    future.cancel()  # those that have not begun, when the caller stops

    return execute


def batches(work: Sequence[Job], workers: int, most: int = 50) -> list[list[Job]]:
    """The runs in order, in batches of at most `most`, and small enough that each worker has
    several: the overhead of a task is then shared, and the end of the sweep is not one worker's."""
    size = max(1, min(most, len(work) // (4 * max(1, workers))))
    return [list(work[i : i + size]) for i in range(0, len(work), size)]


def dask(options: Mapping[str, Any]) -> Executor:
    """A Dask cluster: `client` is a distributed.Client, or `address` that of a scheduler. A batch
    whose worker is lost is sent again, at most `retries` times (3)."""
    try:
        from distributed import Client, as_completed as completed
    except ImportError as problem:
        raise missing_extra("dask.distributed", "sweep") from problem
    given = dict(options)
    retries = int(given.pop("retries", 3))
    shared = given.pop("client", None)
    if shared is None and "address" not in given:
        raise ValueError("the executor dask takes the option `address` or `client`")

    def execute(program: Program, store: str, work: Sequence[Job]) -> Iterator[Ended]:
        # Not before there is work, so that a sweep that runs nothing needs no cluster.
        client = shared or Client(given.pop("address"), **given)
        try:
            yield from _run_on(client, completed, retries, program, store, work)
        finally:
            if shared is None:
                client.close()

    return execute


def _run_on(
    client: Any,
    completed: Callable[[Sequence[Any]], Iterator[Any]],
    retries: int,
    program: Program,
    store: str,
    work: Sequence[Job],
) -> Iterator[Ended]:
    workers = sum(client.nthreads().values()) or 1
    waiting = {
        client.submit(_run_batch, program.path, store, batch, pure=False, retries=retries): batch
        for batch in batches(work, workers)
    }
    for future in completed(list(waiting)):
        if future.status == "finished":
            yield from future.result()
        else:
            for job in waiting[future]:
                yield Ended(job.index, f"the batch did not end: {_why(future)}")


def _why(future: Any) -> str:
    if future.status == "error":
        return str(future.exception())
    return f"the scheduler was lost, or took it back (it is {future.status})"


def slurm(options: Mapping[str, Any]) -> Executor:
    """Slurm, through dask-jobqueue: `jobs` jobs (1), each a worker; the other options are those of
    dask_jobqueue.SLURMCluster (cores, memory, walltime, queue, account ...)."""
    try:
        from dask_jobqueue import SLURMCluster
        from distributed import Client
    except ImportError as problem:
        raise missing_extra("dask-jobqueue", "sweep") from problem
    given = dict(options)
    jobs = int(given.pop("jobs", 1))
    retries = int(given.pop("retries", 3))

    def execute(program: Program, store: str, work: Sequence[Job]) -> Iterator[Ended]:
        with SLURMCluster(**{"processes": 1, **given}) as cluster, Client(cluster) as client:
            cluster.scale(jobs=jobs)
            client.wait_for_workers(1)  # batches are made for as many workers as there are
            yield from dask({"client": client, "retries": retries})(program, store, work)

    return execute


def executor_named(
    executor: str | Executor, jobs: int | None, options: Mapping[str, Any] | None
) -> Executor:
    if callable(executor):
        return executor
    if executor == "local":
        return local(jobs)
    if executor == "dask":
        return dask(options or {})
    if executor == "slurm":
        return slurm({**({"jobs": jobs} if jobs else {}), **(options or {})})
    raise ValueError(f"there is no executor {executor!r}; the executors are local, dask and slurm")
