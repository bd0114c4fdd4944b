"""What a library could not be made to do: settings that died, hung or gave wrong data at an n.

The file lies beside the samples file of a campaign, which does not try them again. It is JSON
Lines, a line a setting; whoever wants one tried again removes its line.
"""

from pathlib import Path
from typing import ClassVar

from pydantic import Field

from contend.base.document import Document


class LeftOut(Document):
    """A setting that is not measured any more at a number of processes."""

    schema_name: ClassVar[str] = "contend.left-out"
    schema_version: ClassVar[int] = 1

    operation: str = Field(min_length=1)
    setting: str = Field(min_length=1, description="as the algorithm of a sample, with options")
    n: int = Field(ge=2, description="processes")
    m: int | None = Field(None, ge=0, description="bytes at which it failed; absent: before any")
    reason: str = Field(min_length=1)
    mpi_library: str | None = None
    date: str | None = Field(None, description="ISO 8601 with time zone")

    @property
    def title(self) -> str:
        """In one line.

        >>> LeftOut(operation="bcast", setting="a:b", n=3, m=64, reason="it hung").title
        'bcast a:b at n=3: it hung (at 64 B)'
        """
        where = "" if self.m is None else f" (at {self.m} B)"
        return f"{self.operation} {self.setting} at n={self.n}: {self.reason}{where}"


def path_beside(samples: str | Path) -> Path:
    """The file of a samples file.

    >>> path_beside("study/samples.jsonl").as_posix()
    'study/samples.left-out.jsonl'
    """
    return Path(samples).with_suffix(f".left-out{Path(samples).suffix}")
