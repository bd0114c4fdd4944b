"""Cases run by any `concurrent.futures` executor, each until it has a result.

Idea: what a worker raises is not the case's but the worker's: it was killed, or never came. Cases
that were under way then are suspects: whose fault it was is not known where several were. They are
begun again one at a time after all others, so that what ends a worker again is to blame. A case
that was under way at `1 + retries` such ends, all but the first of them alone, has that for its
result; none is dropped. A pool that does not answer any more is made anew.
Cost: at most 2 x workers cases are under way, so few become suspects.
Restrictions: without retries nobody is told apart, and all suspects are reported.
"""

import itertools
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from contend import __version__
from contend.errors import LaunchError
from contend.sweeps.case import Case
from contend.sweeps.record import Swept
from contend.sweeps.run import Files, ping, run_case
from contend.sweeps.source import Source

ANSWER = 300.0  # seconds in which a worker starts; a file system shared by thousands is slow
_PINGS = itertools.count()  # each another call: dask remembers the results of the same one
OpenPool = Callable[[], AbstractContextManager[Executor]]
Task = tuple[Case, Files]


@dataclass
class Engine:
    """Runs the cases of one trace; `open_pool` makes the executor, again where it broke."""

    source: Source
    open_pool: OpenPool
    window: int  # cases under way at once
    retries: int = 2
    is_reopened: bool = True  # whether open_pool may be called again
    work: Callable[[Source, Case, Files, int], Swept] = run_case
    begun: Callable[[int], None] = lambda number: None  # told before a task is given away
    _deaths: Counter[int] = field(default_factory=Counter)
    _suspects: deque[int] = field(default_factory=deque)

    def run(
        self, tasks: Sequence[Task], deaths: Mapping[int, int] | None = None
    ) -> Generator[tuple[int, Swept], None, None]:
        """The number of each task with its result, as they come.

        `deaths` says how often a task ended its worker before, in a sweep that was killed.
        """
        self._deaths.update(deaths or {})
        fresh = deque(number for number in range(len(tasks)) if not self._deaths[number])
        for number in [*self._deaths]:
            if self._deaths[number]:
                yield from self._suspected(tasks, number, "the sweep was killed meanwhile")
        while fresh or self._suspects:
            with self.open_pool() as executor:
                _require_workers(executor)
                is_up = True
                while is_up and (fresh or self._suspects):
                    alone = deque() if fresh else deque([self._suspects.popleft()])
                    before = self._deaths.total()
                    yield from self._together(
                        executor, tasks, fresh or alone, self.window if fresh else 1
                    )
                    is_up = self._deaths.total() == before or _answers(executor)
            if not self.is_reopened:
                yield from self._left(tasks, fresh)
                return

    def _together(
        self, executor: Executor, tasks: Sequence[Task], queue: deque[int], window: int
    ) -> Iterator[tuple[int, Swept]]:
        """Results of the queue; after a death those under way, and no others are begun."""
        under_way: dict[Future[Swept], int] = {}
        is_hurt = False
        while under_way or (queue and not is_hurt):
            while queue and len(under_way) < window and not is_hurt:
                number = queue.popleft()
                try:
                    self.begun(number)
                    given = (self.source, *tasks[number], 1 + self._deaths[number])
                    under_way[executor.submit(self.work, *given)] = number
                except RuntimeError as error:  # BrokenExecutor, or one that was shut down
                    queue.appendleft(number)
                    if not under_way:
                        yield from self._died(tasks, queue.popleft(), error)
                    is_hurt = True
            done, _ = wait(under_way, return_when=FIRST_COMPLETED)
            for future in done:
                number = under_way.pop(future)
                try:
                    result = future.result()
                except Exception as error:
                    is_hurt = True
                    yield from self._died(tasks, number, error)
                else:
                    yield number, result

    def _died(
        self, tasks: Sequence[Task], number: int, error: BaseException
    ) -> Iterator[tuple[int, Swept]]:
        self._deaths[number] += 1
        return self._suspected(tasks, number, _reason(error))

    def _suspected(
        self, tasks: Sequence[Task], number: int, why: str
    ) -> Iterator[tuple[int, Swept]]:
        """Nothing as long as the task may be begun again, else its result."""
        times = self._deaths[number]
        if times <= self.retries:
            self._suspects.append(number)
            return
        ended = f"its worker ended {times} times" if times > 1 else "its worker ended"
        yield number, self._failed(tasks[number], f"{ended}: {why}", times)

    def _left(self, tasks: Sequence[Task], fresh: deque[int]) -> Iterator[tuple[int, Swept]]:
        """What an executor leaves that broke, and cannot be made anew."""
        while fresh or self._suspects:
            number = self._suspects.popleft() if self._suspects else fresh.popleft()
            attempts = max(self._deaths[number], 1)
            yield number, self._failed(
                tasks[number],
                "its worker ended, and the executor with it" if self._deaths[number] else
                "not begun: the executor broke before",
                attempts,
            )  # fmt: skip

    def _failed(self, task: Task, error: str, attempts: int) -> Swept:
        case, files = task
        return Swept(
            trace=self.source.name, trace_sha256=self.source.sha256, case=case, files=dict(files),
            error=error, attempts=attempts,
        )  # fmt: skip


def _reason(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _answers(executor: Executor) -> bool:
    try:
        executor.submit(ping, next(_PINGS)).result(ANSWER)
    except Exception:
        return False
    return True


def _require_workers(executor: Executor) -> None:
    """A LaunchError where a new pool has no worker that answers, or one of another contend."""
    try:
        version = executor.submit(ping, next(_PINGS)).result(ANSWER)
    except Exception as error:
        raise LaunchError(
            f"no worker answers: {_reason(error)}",
            "let workers find this Python and its packages",
        ) from error
    if version != __version__:
        raise LaunchError(f"workers have contend {version}, here it is {__version__}",
                          "install the same everywhere")  # fmt: skip
