"""What a writer of traces is: a trace in, a file out."""

from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

from contend.base.registry import Registry
from contend.programs.traces.trace import Trace


class TraceWriter(ABC):
    """Base of the writers; a module in `traces/writers` that defines a subclass is one."""

    name: ClassVar[str]
    title: ClassVar[str]

    @abstractmethod
    def write(self, trace: Trace, path: Path) -> None:
        """Write the trace to a file, or to a folder where the format has several files."""


WRITERS: Registry[TraceWriter] = Registry(
    "format to write traces in",
    TraceWriter,
    "contend.programs.traces.writers",
    group="contend.traces.writers",
)
