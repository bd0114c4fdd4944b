"""Typed warnings about samples and fits, each with a hint, from one table: warnings.toml.

What calls for a warning stands where it is found out, what it says in the table.
"""

import tomllib
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Literal

from pydantic import Field

from contend.base.document import Record

Kind = Literal[
    "bimodal", "drifting", "oversubscribed", "timer_resolution", "interval_not_reached",
    "late_starts", "clocks_apart", "no_common_clock", "launches_disagree",
    "no_point_to_point", "latency_not_positive", "not_saturated", "faster_than_bound",
    "gamma_at_zero", "no_operation", "not_fitted", "message_within_node", "mixed_libraries",
    "two_processes", "lab_late", "lab_timeouts", "cpu_bound", "flagged_left_out",
    "few_graphs", "parameter_not_seen", "bandwidth_not_alone", "bandwidths_disagree",
    "contradicting_steps", "sharing_not_understood", "sharing_unusable", "parameter_not_determined",
    "not_compared", "one_launch", "points_missing", "another_n", "not_validated", "slowed",
    "small_sizes", "cpu_awaited", "smallest_slow", "other_conditions",
]  # fmt: skip


@cache
def table() -> dict[str, dict[str, str]]:
    """Message and hint of every warning by its name."""
    return tomllib.loads(files(__package__).joinpath("warnings.toml").read_text())


class QualityWarning(Record):
    """A doubt about some samples or a fit: what, where, and what to do."""

    kind: Kind
    where: str
    message: str
    hint: str = Field(min_length=1)
    count: int = Field(1, ge=1, description="how many such there are; the rest is of the first")

    def __str__(self) -> str:
        return f"{self.where}: {self.message} ({self.kind}); {self.hint}"


def warning(name: str, where: str, times: int = 1, /, **values: object) -> QualityWarning:
    """The warning of that name in the table, which there are so many of.

    >>> str(warning("one_launch", "links (node)"))
    'links (node): there is one launch alone, so that it is not known how far launches differ \
(one_launch); give --launches 3 or more for intervals'
    """
    text = {part: words.format(**values) for part, words in table()[name].items()}
    kind = name.partition(":")[0]
    return QualityWarning.model_validate({"kind": kind, "where": where, "count": times, **text})


def group(warnings: Iterable[QualityWarning]) -> list[QualityWarning]:
    """The first warning of each kind, experiment and algorithm, with the number of them."""
    groups: defaultdict[tuple[str, str], list[QualityWarning]] = defaultdict(list)
    for warning in warnings:
        groups[warning.kind, warning.where.split(" ")[0]].append(warning)
    return [alike[0].model_copy(update={"count": len(alike)}) for alike in groups.values()]
