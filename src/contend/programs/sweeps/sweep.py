"""A sweep: a trace in many cases, by whatever runs them, and kept as they come."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, as_completed
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from contend import __version__
from contend.base.document import Frame
from contend.base.errors import InvalidInputError
from contend.base.records import RecordStore
from contend.programs.sweeps.case import Case, case_of
from contend.programs.sweeps.executors import PROCESSES, executor_of
from contend.programs.sweeps.placement import is_file
from contend.programs.sweeps.record import Swept, key_of
from contend.programs.sweeps.run import Files, record_of, run_case
from contend.programs.sweeps.setting import is_network_file
from contend.programs.sweeps.source import Source, checksum, source_of
from contend.programs.sweeps.table import table_of
from contend.programs.traces.trace import Trace

Task = tuple[Case, Files]
Listener = Callable[[Swept, int, int], None]  # what is done, how many of how many


def sweep(
    trace: str | Path | Trace,
    cases: Iterable[Case | Mapping[str, Any]],
    base: Case | Mapping[str, Any] | None = None,
    *,
    executor: Executor | str = PROCESSES,
    workers: int | None = None,
    kept: str | Path | None = None,
    format: str | None = None,
    speed: float | None = None,
    told: Listener | None = None,
) -> Frame:
    """A row for each case of a trace, the fastest first, against the base.

    Parameters
    ----------
    trace
        File or folder, a trace in memory, or a pattern for any number of ranks:
        "pattern:alltoall:64KiB".
    cases
        Each a `Case`, or a mapping of its fields, of which those that are missing are the base's;
        `contend.programs.sweeps.product` makes them of choices. The same case twice is one.
    base
        What others are compared to, replayed too; default the first case.
    executor
        "processes", "mpi", "dask:ADDRESS", "here" (in this process, for few cases), or any
        `concurrent.futures.Executor`, which stays open.
    workers
        Number of processes; default the cores of this machine.
    kept
        File of lines to which each result is appended; what it has of the same trace, case and
        files is not run again, but for failures, which are, after all others.
    format, speed
        Of the trace, see `read_trace`.
    told
        Called with each result, how many are done and how many there are.

    Returns
    -------
    DataFrame
        The fields of a case, seconds, speedup (over the base), lost (seconds, to contention),
        lost_share, computing (seconds, mean over ranks), messages, is_base, error (empty but for
        cases that failed). The index is the number of the case as given, -1 for a base
        that is none of them. `attrs`: base_seconds, recorded_seconds (of the run that was recorded,
        or None), and varied, the names of fields that differ.

    >>> base = {"network": "line:20us:1GB/s", "ranks": 4}
    >>> table = sweep("pattern:ring:1MB", [base | {"compute": 0.5}], base, executor="here")
    >>> table["speedup"].tolist()
    [1.0, 1.0]
    """
    wanted, usual = _cases(cases, base)
    numbers: dict[Case, int] = {}
    for number, case in enumerate(wanted):
        numbers.setdefault(case, number)
    numbers.setdefault(usual, -1)
    with ExitStack() as opened:
        source = opened.enter_context(source_of(trace, format, speed))
        tasks = _tasks(list(numbers))
        store = None if kept is None else opened.enter_context(RecordStore(Swept, kept))
        before = {} if store is None else _before(store, source, tasks)
        results = {place: result for place, result in before.items() if result.error is None}
        due = [place for place in range(len(tasks)) if place not in results]
        due.sort(key=before.__contains__)  # those that failed last
        runs_on = (
            executor
            if isinstance(executor, Executor)
            else opened.enter_context(executor_of(executor, workers))
        )
        for place, result in _results(runs_on, source, {place: tasks[place] for place in due}):
            results[place] = result
            if store is not None:
                store.append(result)
            if told is not None:
                told(result, len(results), len(tasks))
    table = table_of([results[place] for place in range(len(tasks))], list(numbers).index(usual))
    table.index = table.index.map(dict(enumerate(numbers.values())))
    return table


def _cases(
    cases: Iterable[Case | Mapping[str, Any]], base: Case | Mapping[str, Any] | None
) -> tuple[list[Case], Case]:
    usual = case_of(base, "the base") if isinstance(base, Mapping) else base
    listed: list[Case] = []
    for number, case in enumerate(cases):
        if isinstance(case, Case):
            listed.append(case)
            continue
        before = {} if usual is None else usual.model_dump()
        listed.append(case_of({**before, **case}, f"case {number}"))
        usual = usual or listed[0]
    usual = usual or (listed[0] if listed else None)
    if usual is None:
        raise InvalidInputError("no case to sweep", "give a case, or a base")
    return listed, usual


def _tasks(cases: Sequence[Case]) -> list[Task]:
    """Each case with the checksums of its files, which have to be there."""
    checksums: dict[str, str] = {}

    def files(case: Case) -> Files:
        names = [case.network] if is_network_file(case.network) else []
        names += [case.topology] if case.topology.lower().endswith((".json", ".xml")) else []
        names += [case.placement] if is_file(case.placement) else []
        for name in names:
            if name not in checksums:
                checksums[name] = checksum(name)
        return tuple((name, checksums[name]) for name in sorted(set(names)))

    return [(case, files(case)) for case in cases]


def _before(store: RecordStore[Swept], source: Source, tasks: Sequence[Task]) -> dict[int, Swept]:
    """By place in `tasks`, the last result that another sweep of the trace kept."""
    kept = {record.key: record for record in store.existing()}
    keys = [key_of(source.sha256, case, dict(files)) for case, files in tasks]
    return {place: kept[key] for place, key in enumerate(keys) if key in kept}


def _results(
    executor: Executor | None, source: Source, tasks: Mapping[int, Task]
) -> Iterator[tuple[int, Swept]]:
    """The result of each task as it comes, with the number of the task.

    What a future raises is the worker's fault, not the replay's (`run_case`): it was killed, never
    came, or has another contend.
    """
    if executor is None:
        yield from ((number, run_case(source, *task)) for number, task in tasks.items())
        return
    futures = {_submit(executor, source, task): number for number, task in tasks.items()}
    try:
        for future in as_completed(futures):
            number = futures[future]
            yield number, _outcome(future, source, tasks[number])
    finally:
        for future in futures:
            future.cancel()


def _submit(executor: Executor, source: Source, task: Task) -> "Future[Swept]":
    try:
        return executor.submit(run_case, source, *task)
    except RuntimeError as error:  # BrokenExecutor, or one that was shut down
        future: Future[Swept] = Future()
        future.set_exception(error)
        return future


def _outcome(future: "Future[Swept]", source: Source, task: Task) -> Swept:
    try:
        result = future.result()
    except Exception as error:
        reason = f"{type(error).__name__}: {' '.join(str(error).split())}".removesuffix(": ")
        return record_of(source, *task, error=f"its worker ended: {reason}")
    if result.contend != __version__:
        versions = f"{result.contend}, here it is {__version__}"
        reason = f"its worker has contend {versions}: install the same"
        return record_of(source, *task, error=reason)
    return result
