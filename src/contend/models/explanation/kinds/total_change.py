"""A change that moves with n: at a number of bytes of all messages of a process, not of one."""

from collections.abc import Iterator

from contend.base.units import format_bytes
from contend.models.explanation.finding import Analysis, Finding, Kind
from contend.models.explanation.words import evidence


class TotalChange(Kind):
    name, order = "total_change", 15

    def findings(self, seen: Analysis) -> Iterator[Finding]:
        if seen.totals is None:
            return
        partition, totals = seen.totals
        error, without = partition.noise(0.0), seen.partition.noise(0.0)
        for total in totals:
            yield Finding(
                "change at a total size", seen.sizes, seen.counts,
                f"The exchange changes where n m, all messages of a process, is "
                f"{format_bytes(total)}: at smaller m the larger n is {evidence(error, without)}.",
                {}, error, without,
            )  # fmt: skip
