"""What came out for one case of a sweep: a line of its file, and a row of a table."""

import json
from collections.abc import Mapping, Sequence
from typing import ClassVar

from pydantic import Field, model_validator

from contend import __version__
from contend.base.document import Document, Frame
from contend.programs.sweeps.case import FIELDS, Case

COLUMNS = (*FIELDS, "seconds", "speedup", "lost", "lost_share", "computing", "messages",
           "is_base", "error")  # fmt: skip


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


def table_of(found: Sequence[Swept], base: int) -> Frame:
    """Rows of `COLUMNS`, those that failed last; `base` is the place of the base among `found`.

    The index is the place of a case in `found`. `attrs` holds `base_seconds`, `recorded_seconds`
    (of the run that was recorded, None where that is not known) and `varied`, names of the fields
    in which cases differ.
    """
    import pandas as pd

    rows = [
        one.case.model_dump()
        | one.model_dump(include={"seconds", "lost", "computing", "messages"})
        | {
            "algorithms": " ".join(one.case.algorithms),
            "ranks": one.case.ranks if one.ranks is None else one.ranks,
            "is_base": place == base,
            "error": one.error or "",
        }
        for place, one in enumerate(found)
    ]
    table = pd.DataFrame(rows).astype(
        dict.fromkeys(("seconds", "lost", "computing"), "float64")
        | dict.fromkeys(("hosts", "ranks", "messages"), "Int64")
    )
    before = float(table["seconds"].iloc[base])
    taken = table["seconds"].where(table["seconds"] > 0)
    table = table.assign(speedup=before / taken, lost_share=table["lost"] / taken)[list(COLUMNS)]
    table.attrs = {
        "base_seconds": before,
        "recorded_seconds": next((one.recorded for one in found if one.recorded is not None), None),
        "varied": varied(found),
        "shortfall": next((one.shortfall for one in found if one.shortfall), None),
    }
    return table.sort_values("seconds", kind="stable", na_position="last")


def varied(found: Sequence[Swept]) -> list[str]:
    return [name for name in FIELDS if len({getattr(one.case, name) for one in found}) > 1]
