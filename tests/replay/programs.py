"""Random programs that end: pairs of ranks agree on a message, then each writes down its part."""

import numpy as np

from contend.traces.builder import TraceBuilder
from contend.traces.kinds import OpKind
from contend.traces.trace import Trace


def random_trace(seed: int, ranks: int = 5, messages: int = 30) -> Trace:
    """Sends and receives of both kinds, tags, computation, and waits for one or several requests.

    The order of a rank is that of the messages, so that nothing can wait in a circle; what does
    not block is waited for later.
    """
    rng = np.random.default_rng(seed)
    builder = TraceBuilder(ranks)
    open_requests: list[list[int]] = [[] for _ in range(ranks)]
    for _ in range(messages):
        src, dst = rng.choice(ranks, 2, replace=False).tolist()
        size, tag = int(rng.integers(0, 2000)), int(rng.integers(0, 2))
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
