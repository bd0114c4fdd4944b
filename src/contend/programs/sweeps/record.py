"""What came out for one case of a sweep: a line of its file."""

import json
from collections.abc import Mapping
from typing import ClassVar

from pydantic import Field, model_validator

from contend import __version__
from contend.base.document import Document
from contend.programs.sweeps.case import Case


class Swept(Document):
    """A case and its time, or why it has none."""

    schema_name: ClassVar[str] = "contend.sweep"
    schema_version: ClassVar[int] = 1

    trace: str = Field(description="as it was named")
    trace_sha256: str = Field(description="of its files")
    case: Case
    files: dict[str, str] = Field(
        default_factory=dict, description="SHA-256 of each file that the case names"
    )
    contend: str = Field(__version__, description="version of contend")
    ranks: int | None = Field(None, ge=1)
    seconds: float | None = Field(None, ge=0, description="of the whole run, replayed")
    recorded: float | None = Field(
        None, ge=0, description="seconds that the run took where it was recorded, where known"
    )
    lost: float | None = Field(None, description="seconds of it that contention costs")
    computing: float | None = Field(None, ge=0, description="seconds, mean over ranks")
    messages: int | None = Field(None, ge=0)
    unreceived: int | None = Field(None, ge=0, description="messages that no rank receives")
    algorithms: dict[str, tuple[str, ...]] = Field(
        default_factory=dict, description="by operation, those that ran"
    )
    shortfall: str | None = Field(
        None, description="how much of a trace was replayed whose record ends early, and why"
    )
    error: str | None = Field(None, description="why there is no time")
    attempts: int | None = Field(
        None, ge=1, description="times that it was begun; earlier versions wrote it"
    )

    @model_validator(mode="after")
    def _has_a_time_or_an_error(self) -> "Swept":
        if (self.seconds is None) == (self.error is None):
            raise ValueError("a case has either its seconds or an error")
        return self

    @property
    def key(self) -> str:
        """What another run of the same case has in common with it."""
        return key_of(self.trace_sha256, self.case, self.files, self.contend)


def key_of(
    trace_sha256: str, case: Case, files: Mapping[str, str], version: str = __version__
) -> str:
    """All that the time of a case follows from, as text."""
    about = [version, trace_sha256, case.model_dump(mode="json"), dict(files)]
    return json.dumps(about, sort_keys=True)
