"""Names in JSON rules of Open MPI 6.0: those that the reader knows, and what is meant by others."""

import difflib
from collections.abc import Iterator

from contend.exports.finding import Finding
from contend.exports.json_lines import Value

TOP = ("rule_file_version", "module", "collectives")
OF_COMMUNICATOR = ("comm_size_min", "comm_size_max", "comm_rank_distribution", "rules")
OF_MESSAGE = ("msg_size_min", "msg_size_max", "alg", "faninout", "seg_size", "reqs")
MEANT = {
    "segsize": "seg_size", "segment": "seg_size", "segment_size": "seg_size",
    "fanout": "faninout", "fan_in_out": "faninout", "fanin": "faninout", "algorithm": "alg",
    "max_requests": "reqs", "requests": "reqs", "msg_size": "msg_size_min",
    "comm_size": "comm_size_min", "reducescatter": "reduce_scatter",
    "reducescatterblock": "reduce_scatter_block",
}  # fmt: skip


def unknown_names(value: Value, known: tuple[str, ...], of: str) -> Iterator[Finding]:
    """Names of an object that the reader skips."""
    for member in value.members():
        if member.name not in known:
            meant = meant_by(member.name, known)
            yield Finding(
                "error", "name", f"the name {member.name!r:.80} {of} is skipped without a word",
                f"write {meant!r}" if meant else f"known are {', '.join(known)}", member.line,
            )  # fmt: skip


def names_twice(value: Value, what: str) -> Iterator[Finding]:
    """Names of an object that stand in it more than once."""
    seen: set[str] = set()
    for member in value.members():
        if member.name in seen:
            yield Finding("error", "twice", f"{what} {member.name!r:.80} stands twice",
                          "join the two", member.line)  # fmt: skip
        seen.add(member.name)


def meant_by(name: str, known: tuple[str, ...]) -> str | None:
    """The name that was meant by one that is not known."""
    lower = name.lower().replace("-", "_")
    if MEANT.get(lower) in known:
        return MEANT[lower]
    close = difflib.get_close_matches(lower[:80], known, 1, 0.75)
    return close[0] if close else None
