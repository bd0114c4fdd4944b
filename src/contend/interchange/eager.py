"""The largest message that is sent without asking, told from pLogP parameters.

Idea: a sender that asks first is busy until the receiver answers and the message has left, so that
os(m) holds the gap (Kielmann, Bal, Verstoep 2000). Of eager messages it holds a copy. S is the size
before the first from which on os(m) is never below `SHARE` of g(m).
Restrictions: sizes that were measured. Where os(m) is most of g(m) at all sizes, senders that wait
look like those that copy, and nothing is told; nor where it is so at none.
"""

from contend.document import Floats
from contend.pointtopoint import PLogP

SHARE = 0.9  # of the gap; overheads and gaps of one size are measured to some percent


def eager_limit(net: PLogP) -> int | None:
    """Bytes of the largest eager message; None where the overheads do not tell.

    >>> eager_limit(network.point_to_point.plogp)  # doctest: +SKIP
    65536
    """
    if net.send_overhead is None:
        return None
    sizes: Floats = net.size.array
    waits = net.send_overhead.array >= SHARE * net.gap.array
    first = sizes.size
    while first and waits[first - 1]:
        first -= 1
    return int(sizes[first - 1]) if 0 < first < sizes.size else None
