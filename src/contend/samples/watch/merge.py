"""The record of a job that was killed, or still runs, from what its ranks noted last."""

from collections.abc import Iterable, Iterator

from contend.base.errors import FileFormatError
from contend.samples.watch.record import KILLED, CallRecord, JobRecord, RankCallRecord, RankRecord

Key = tuple[str, int, int, int | None, int, str | None]


class _Match:
    """A call that several ranks noted: how many, their bytes, and when they began and ended."""

    __slots__ = ("first", "last", "last_end", "m", "ranks", "sum")

    def __init__(self, m: int, begin: int, end: int) -> None:
        self.ranks, self.m, self.sum = 1, m, begin
        self.first = self.last = begin
        self.last_end = end

    def add(self, m: int, begin: int, end: int) -> None:
        self.ranks, self.m, self.sum = self.ranks + 1, self.m + m, self.sum + begin
        self.first, self.last = min(self.first, begin), max(self.last, begin)
        self.last_end = max(self.last_end, end)


class _Sum:
    """The calls that ranks have in common."""

    def __init__(self) -> None:
        self.calls, self.bytes, self.seconds = 0, 0, 0.0
        self.bins: dict[int, int] = {}
        self.matches: dict[tuple[str, int], _Match] = {}

    def add(self, row: RankCallRecord) -> None:
        self.calls += row.calls
        self.bytes += row.bytes
        self.seconds += row.seconds
        for index, count in row.bins:
            self.bins[index] = self.bins.get(index, 0) + count
        for m, comm, ordinal, begin, end in row.samples:
            match = self.matches.get((comm, ordinal))
            if match is None:
                self.matches[comm, ordinal] = _Match(m, begin, end)
            else:
                match.add(m, begin, end)

    def samples(self, n: int) -> Iterator[tuple[int, int, float, float, float]]:
        """Calls that all ranks noted; none whose clocks say that it ended before it began."""
        for match in sorted(self.matches.values(), key=lambda match: match.first):
            if match.ranks == n and match.last_end >= match.last:
                yield (
                    match.m // n,
                    n,
                    1e-9 * (match.last - match.first),
                    1e-9 * (match.last_end - match.last),
                    1e-9 * (match.last - match.sum / n),
                )


def merged(ranks: Iterable[RankRecord], where: str) -> JobRecord:
    """Return the record of the job that the ranks are of.

    Raises
    ------
    FileFormatError
        Where they are of different jobs.
    """
    head: RankRecord | None = None
    sums: dict[Key, _Sum] = {}
    began, seconds, error, not_kept, others = float("inf"), 0.0, 0.0, 0, dict[str, int]()
    for rank in ranks:
        if head is None:
            head = rank
        elif (rank.job, rank.ranks) != (head.job, head.ranks):
            raise FileFormatError(
                f"{where} holds ranks of several jobs: {head.job} and {rank.job}",
                "move the lines of each job to a file of its own",
            )
        began, seconds = min(began, rank.began), max(seconds, rank.seconds)
        error, not_kept = max(error, rank.clock_error), not_kept + rank.not_kept
        for name, count in rank.other_calls.items():
            others[name] = others.get(name, 0) + count
        for row in rank.calls:
            key = (row.operation, row.n, row.nodes, row.ppn, row.size, row.algorithm)
            sums.setdefault(key, _Sum()).add(row)
    if head is None:
        raise FileFormatError(f"{where} holds no rank", "remove the file")
    about = head.model_dump(exclude={"rank", "complete", "calls"}) | {
        "began": began, "seconds": seconds, "clock_error": error, "ended": KILLED,
        "not_kept": not_kept, "other_calls": others,
    }  # fmt: skip
    return JobRecord(**about, calls=tuple(_calls(key, total) for key, total in sums.items()))


def _calls(key: Key, total: _Sum) -> CallRecord:
    operation, n, nodes, ppn, size, algorithm = key
    return CallRecord(
        operation, n, nodes, ppn, size, algorithm, total.calls, total.bytes, total.seconds,
        tuple(sorted(total.bins.items())), tuple(total.samples(n)),
    )  # fmt: skip
