"""A sweep: a trace in many cases, by whatever runs them, and kept as they come."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from contend.errors import InvalidInputError
from contend.samples.store import RecordStore
from contend.sweeps.case import Case, case_of
from contend.sweeps.dask_executor import adapted
from contend.sweeps.engine import Engine, Task
from contend.sweeps.journal import Journal
from contend.sweeps.placement import is_file
from contend.sweeps.pools import HERE, PROCESSES, cores, pool_of
from contend.sweeps.record import Swept, key_of
from contend.sweeps.run import Files
from contend.sweeps.setting import is_network_file
from contend.sweeps.source import Source, checksum, source_of
from contend.traces.trace import Trace

if TYPE_CHECKING:
    import pandas as pd

MakesExecutor = Callable[[], AbstractContextManager[Executor]]
Told = Callable[[Swept, int, int], None]  # what is done, how many of how many


def sweep(
    trace: str | Path | Trace,
    cases: Iterable[Case | Mapping[str, Any]],
    base: Case | Mapping[str, Any] | None = None,
    *,
    executor: Executor | MakesExecutor | str | None = None,
    workers: int | None = None,
    kept: str | Path | None = None,
    retries: int = 2,
    mpiexec: str | None = None,
    format: str | None = None,
    speed: float | None = None,
    told: Told | None = None,
) -> "pd.DataFrame":
    """A row for each case of a trace, the fastest first, against the base.

    Parameters
    ----------
    trace
        File or folder, a trace in memory, or a pattern for any number of ranks:
        "pattern:alltoall:64KiB".
    cases
        Each a `Case`, or a mapping of its fields, of which those that are missing are the base's;
        `contend.sweeps.product` makes them of choices. The same case twice is one.
    base
        What others are compared to, replayed too; default the first case.
    executor
        "processes", "mpi", "dask", "dask:ADDRESS", "here" (in this process, for few cases); any
        `concurrent.futures.Executor`; or a function that makes one, which is called again where a
        dead worker broke it. Default: processes.
    workers
        Their number where a word says what they are; default the cores of this machine.
    kept
        File of lines to which each result is appended; what it has of the same trace, case and
        files is not run again, failures excepted.
    retries
        How often a case is begun again whose worker died.
    format, speed
        Of the trace, see `read_trace`.
    told
        Called with each result, how many are done and how many there are.

    Returns
    -------
    DataFrame
        The fields of a case, seconds, speedup (over the base), lost (seconds, to contention),
        lost_share, computing (seconds, mean over ranks), messages, is_base, attempts, error (empty
        but for cases that failed). The index is the number of the case as given, -1 for a base
        that is none of them. `attrs`: base_seconds, recorded_seconds (of the run that was recorded,
        or None), and varied, the names of fields that differ.

    >>> base = {"network": "line:20us:1GB/s", "ranks": 4}
    >>> found = sweep("pattern:ring:1MB", [base | {"compute": 0.5}], base, executor="here")
    >>> found["speedup"].tolist()
    [1.0, 1.0]
    """
    from contend.sweeps.table import table_of

    wanted, usual = _cases(cases, base)
    numbers: dict[Case, int] = {}
    for number, case in enumerate(wanted):
        numbers.setdefault(case, number)
    numbers.setdefault(usual, -1)
    if retries < 0:
        raise InvalidInputError(f"{retries} retries", "give 0 or more")
    open_pool, window, is_reopened = _pool(executor, workers, mpiexec)
    with source_of(trace, format, speed, is_here=executor == HERE) as source:
        tasks = _tasks(list(numbers))
        engine = Engine(source, open_pool, window, retries, is_reopened)
        found = _run(engine, tasks, kept, told)
    table = table_of(found, list(numbers).index(usual))
    table.index = table.index.map(dict(enumerate(numbers.values())))
    return table


def _cases(
    cases: Iterable[Case | Mapping[str, Any]], base: Case | Mapping[str, Any] | None
) -> tuple[list[Case], Case]:
    usual = case_of(base, "the base") if isinstance(base, Mapping) else base
    found: list[Case] = []
    for number, one in enumerate(cases):
        if isinstance(one, Case):
            found.append(one)
            continue
        before = {} if usual is None else usual.model_dump()
        found.append(case_of({**before, **one}, f"case {number}"))
        usual = usual or found[0]
    usual = usual or (found[0] if found else None)
    if usual is None:
        raise InvalidInputError("no case to sweep", "give a case, or a base")
    return found, usual


def _pool(
    executor: Executor | MakesExecutor | str | None, workers: int | None, mpiexec: str | None
) -> tuple[MakesExecutor, int, bool]:
    """What opens a pool, cases under way at once, and whether it may be opened again."""
    window = 1 if executor == HERE else 2 * (workers or cores())
    if isinstance(executor, Executor):
        return partial(_as_it_is, executor), window, False
    if executor is None or isinstance(executor, str):
        return pool_of(executor or PROCESSES, workers, mpiexec), window, True
    return executor, window, True


@contextmanager
def _as_it_is(executor: Executor) -> Iterator[Executor]:
    """The executor of a caller, who ends it."""
    yield adapted(executor)


def _tasks(cases: Sequence[Case]) -> list[Task]:
    """Each case with the checksums of its files, which have to be there."""
    known: dict[str, str] = {}

    def files(case: Case) -> Files:
        names = [case.network] if is_network_file(case.network) else []
        names += [case.topology] if case.topology.lower().endswith((".json", ".xml")) else []
        names += [case.placement] if is_file(case.placement) else []
        for name in names:
            if name not in known:
                known[name] = checksum(name)
        return tuple((name, known[name]) for name in sorted(set(names)))

    return [(case, files(case)) for case in cases]


def _run(
    engine: Engine, tasks: Sequence[Task], kept: str | Path | None, told: Told | None
) -> list[Swept]:
    keys = [key_of(engine.source.sha256, case, dict(files)) for case, files in tasks]
    with nullcontext() if kept is None else RecordStore(Swept, kept) as store:
        before = {} if store is None else _before(store, engine.source)
        found = {number: before[key] for number, key in enumerate(keys) if key in before}
        left = [number for number in range(len(tasks)) if number not in found]
        with Journal(kept) as journal:
            engine.begun = lambda place: journal.begin(keys[left[place]])
            deaths = {place: journal.deaths(keys[number]) for place, number in enumerate(left)}
            with closing(engine.run([tasks[number] for number in left], deaths)) as results:
                for place, result in results:
                    if store is not None:
                        store.append(result)
                    journal.end(keys[left[place]])
                    found[left[place]] = result
                    if told is not None:
                        told(result, len(found), len(tasks))
    return [found[number] for number in range(len(tasks))]


def _before(store: RecordStore[Swept], source: Source) -> dict[str, Swept]:
    """Results by key that another sweep of the trace kept, without those that failed."""
    kept = (one for one in store.existing() if one.trace_sha256 == source.sha256)
    return {one.key: one for one in kept if one.error is None}
