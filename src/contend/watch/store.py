"""Sites' files of watched jobs."""

import json
from pathlib import Path
from typing import Any

from contend.errors import FileFormatError
from contend.textfile import read_text
from contend.watch.record import FORMAT, VERSION, CallRecord, JobRecord


def read_jobs(path: Path) -> list[JobRecord]:
    """Records of a site's file, in its order."""
    found = []
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        try:
            found.append(_job(json.loads(line)))
        except (ValueError, TypeError, KeyError):
            raise FileFormatError(
                f"{path} line {number} is no record of a job", "restore the line or remove it"
            ) from None
    return found


def _job(data: dict[str, Any]) -> JobRecord:
    if (data.pop("format"), data.pop("version")) != (FORMAT, VERSION):
        raise ValueError
    data.pop("other_calls", None)
    data["calls"] = tuple(
        CallRecord(**one | {name: tuple(map(tuple, one[name])) for name in ("bins", "samples")})
        for one in data["calls"]
    )
    return JobRecord(**data)
