"""What a batch system is: how a job asks for nodes, and what its script finds when it runs."""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from contend.base.errors import InvalidInputError
from contend.base.registry import Registry

WARNING_SECONDS = 60  # before the time is over, for the point under way and the files
_PLAIN = re.compile(r"[\w.,:@+=-]+")


@dataclass(frozen=True)
class Request:
    """What is asked of a batch system: nodes of its own, for some minutes."""

    nodes: int
    per_node: int
    minutes: int
    name: str = "contend"
    queue: str | None = None  # partition, where it is called so
    account: str | None = None
    directives: tuple[str, ...] = ()  # more of them, without the mark before

    def __post_init__(self) -> None:
        for field, text in {
            "name": self.name,
            "queue": self.queue,
            "account": self.account,
        }.items():
            if text is not None and not _PLAIN.fullmatch(text):
                raise InvalidInputError(
                    f"a {field} {text!r}", "give letters, digits and any of . , : @ + = _ -"
                )

    @property
    def clock(self) -> str:
        """The time as batch systems take it.

        >>> Request(1, 1, 90).clock
        '01:30:00'
        """
        return f"{self.minutes // 60:02}:{self.minutes % 60:02}:00"


class Scheduler(ABC):
    """Base of the batch systems; a module in `jobs/schedulers` that defines a subclass is one."""

    name: ClassVar[str]
    title: ClassVar[str]
    mark: ClassVar[str]  # at the begin of a line for the batch system
    submit: ClassVar[str]  # command that takes a script
    launcher: ClassVar[str]  # usual one, with its options
    folder: ClassVar[str]  # variable with the folder that the job was submitted in
    job_id: ClassVar[str]  # variable with the number of the job
    node_file: ClassVar[str | None] = None  # variable with a file of hosts, where there is one

    @abstractmethod
    def directives(self, request: Request) -> Sequence[str]:
        """Lines that ask for the nodes, without the mark."""

    def before(self, request: Request) -> Sequence[str]:
        """Words before what is run, where the batch system itself gives no warning in time."""
        return ()

    def lines(self, request: Request) -> list[str]:
        return [f"{self.mark} {line}" for line in (*self.directives(request), *request.directives)]


SCHEDULERS: Registry[Scheduler] = Registry(
    "batch system", Scheduler, "contend.measure.jobs.schedulers", group="contend.jobs.schedulers"
)
