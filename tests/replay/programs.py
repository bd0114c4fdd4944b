"""Random programs that end: pairs of ranks agree on a message, then each writes down its part."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from contend.programs.traces.builder import TraceBuilder
from contend.programs.traces.kinds import OpKind
from contend.programs.traces.readers.goal import trace_of
from contend.programs.traces.trace import Trace
from contend.schedules.goal import parse_goal


def random_trace(seed: int, ranks: int = 5, messages: int = 30, empty: float = 0.0) -> Trace:
    """Sends and receives of both kinds, tags, computation, and waits for one or several requests.

    The order of a rank is that of the messages, so that nothing can wait in a circle; what does
    not block is waited for later. `empty` is the share of messages without bytes.
    """
    rng = np.random.default_rng(seed)
    builder = TraceBuilder(ranks)
    open_requests: list[list[int]] = [[] for _ in range(ranks)]
    for _ in range(messages):
        src, dst = rng.choice(ranks, 2, replace=False).tolist()
        size, tag = int(rng.integers(0, 2000)), int(rng.integers(0, 2))
        if empty and rng.random() < empty:
            size = 0
        for rank, peer, kind in ((src, dst, OpKind.SEND), (dst, src, OpKind.RECEIVE)):
            me = builder.rank(rank)
            me.compute(float(rng.exponential(0.5)))  # so that no two things happen at once
            request = -1
            if rng.random() < 0.6:
                request = next(n for n in range(99) if n not in open_requests[rank])
                open_requests[rank].append(request)
            is_synchronous = kind == OpKind.SEND and rng.random() < 0.2
            found = OpKind.SYNC_SEND if is_synchronous else kind
            me.add(found, found.name.lower(), peer=peer, tag=tag, bytes=size, request=request)
        for rank in range(ranks):
            if open_requests[rank] and rng.random() < 0.2:
                wait(builder, rank, open_requests[rank], int(rng.integers(1, 4)))
    for rank in range(ranks):
        wait(builder, rank, open_requests[rank], len(open_requests[rank]))
    return builder.trace()


def wait(builder: TraceBuilder, rank: int, requests: list[int], count: int) -> None:
    waited = [requests.pop(0) for _ in range(min(count, len(requests)))]
    builder.rank(rank).add(OpKind.WAIT, "wait", list=waited)


def random_goal(seed: int, ranks: int = 6, messages: int = 40, cpus: int = 1) -> Trace:
    """A graph of sends, receives and computation, in which operations require earlier ones.

    With several processors, by which they compute, they wait for the begin of others too.
    """
    rng = np.random.default_rng(seed)
    lines: list[list[str]] = [[] for _ in range(ranks)]
    counts = [0] * ranks

    def add(rank: int, text: str) -> None:
        counts[rank] += 1
        has_own = cpus > 1 and text.startswith("calc")
        cpu = f" cpu {int(rng.integers(cpus))}" if has_own else ""
        lines[rank].append(f"l{counts[rank]}: {text}{cpu}")
        if cpus > 1 and counts[rank] > 1 and rng.random() < 0.4:
            lines[rank].append(f"l{counts[rank]} irequires l{int(rng.integers(1, counts[rank]))}")
        if counts[rank] > 1 and rng.random() < 0.7:
            for other in sorted({int(one) for one in rng.integers(1, counts[rank], 2)}):
                lines[rank].append(f"l{counts[rank]} requires l{other}")

    for tag in range(messages):  # their own: which receive takes which message is then certain
        src, dst = rng.choice(ranks, 2, replace=False).tolist()
        size = int(rng.integers(1, 5000))
        if rng.random() < 0.5:
            add(src, f"calc {int(rng.integers(1, 9000))}")
        add(src, f"send {size}b to {dst} tag {tag}")
        add(dst, f"recv {size}b from {src} tag {tag}")
    blocks = (f"rank {rank} {{\n" + "\n".join(own) + "\n}\n" for rank, own in enumerate(lines))
    return trace_of(parse_goal(f"num_ranks {ranks}\n" + "".join(blocks)), "random")


MESSAGES = {"send": OpKind.SEND, "ssend": OpKind.SYNC_SEND, "recv": OpKind.RECEIVE}


def program(*ranks: str, communicators: Sequence[Sequence[int]] = (), **options: Any) -> Trace:
    """A trace of what each rank does, such as "send 1 2000 tag=4; compute 0.5; wait 0 1".

    Messages have a peer and bytes, collective operations bytes; "isend" and its like a request.
    """
    builder = TraceBuilder(len(ranks), **options)
    for members in communicators:
        builder.communicator(list(members))
    for rank, text in enumerate(ranks):
        for word, *rest in (part.split() for part in text.split(";") if part.strip()):
            named = [one.split("=") for one in rest if "=" in one]
            given: dict[str, Any] = {key: int(value) for key, value in named}
            numbers = [int(one) for one in rest if "=" not in one]
            if word == "compute":
                builder.rank(rank).compute(float(numbers[0]))
                continue
            kind = MESSAGES.get(word.removeprefix("i")) or OpKind[word.removeprefix("i").upper()]
            if kind == OpKind.WAIT:
                given["list"] = numbers
            else:
                names = ("peer", "bytes") if kind in MESSAGES.values() else ("bytes",)
                given |= dict(zip(names, numbers, strict=False))
            builder.rank(rank).add(kind, word, **given)
    return builder.trace()
