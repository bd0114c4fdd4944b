"""The record of a job that was killed, or still runs, from what its ranks noted last."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from contend.base.errors import FileFormatError
from contend.samples.watch.record import KILLED, CallRecord, JobRecord, RankCallRecord, RankRecord

Key = tuple[str, int, int, int | None, int, str | None]


class _Sum:
    """The calls that ranks have in common, and by communicator and ordinal when each noted one."""

    def __init__(self) -> None:
        self.calls, self.bytes, self.seconds = 0, 0, 0.0
        self.bins: Counter[int] = Counter()
        self.matches: defaultdict[tuple[str, int], list[tuple[int, int, int]]] = defaultdict(list)

    def add(self, row: RankCallRecord) -> None:
        self.calls += row.calls
        self.bytes += row.bytes
        self.seconds += row.seconds
        for index, count in row.bins:
            self.bins[index] += count
        for m, comm, ordinal, begin, end in row.samples:
            self.matches[comm, ordinal].append((m, begin, end))

    def samples(self, n: int) -> Iterator[tuple[int, int, float, float, float]]:
        """Calls that all ranks noted; none whose clocks say that it ended before it began."""
        whole = [tuple(zip(*of, strict=True)) for of in self.matches.values() if len(of) == n]
        for sizes, begins, ends in sorted(whole, key=lambda match: min(match[1])):
            first, last, end = min(begins), max(begins), max(ends)
            if end >= last:
                waited = last - sum(begins) / n
                skew, seconds = 1e-9 * (last - first), 1e-9 * (end - last)
                yield sum(sizes) // n, n, skew, seconds, 1e-9 * waited


def merged(ranks: Iterable[RankRecord], where: str) -> JobRecord:
    """Return the record of the job that the ranks are of.

    Raise FileFormatError where they are of different jobs.
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
