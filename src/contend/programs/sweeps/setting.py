"""What the words of a case mean: times of a message, a sharing model, hosts and their links."""

from contend.base.errors import InvalidInputError
from contend.base.units import parse_bytes, parse_latency, parse_rate, parse_seconds
from contend.models.network import Network
from contend.models.network.library import library_in
from contend.programs.replay import Line, LogGOPS, MessageTimes, Plogp
from contend.programs.replay.carriage import Carriage
from contend.programs.sweeps.placement import placed
from contend.programs.traces.trace import Trace
from contend.schedules.libraries import version_text
from contend.simulate.flows.models import ALONE, DEFAULT, MEASURED, PORTS, TCP
from contend.simulate.topologies import Topology

LINE, LOGGOPS = "line", "loggops"


def is_network_file(word: str) -> bool:
    return word.split(":", maxsplit=1)[0] not in (LINE, LOGGOPS)


def times_of(word: str, eager: str = "") -> tuple[MessageTimes, Network | None]:
    """What a message takes that is alone, and the network file that says it.

    `word` is a file, line:LATENCY:BANDWIDTH[:OVERHEAD], or loggops:L:o:g:G[:O[:S]].

    >>> times_of("line:20us:1GB/s")[0].bandwidth
    1000000000.0
    """
    limit = float(parse_bytes(eager)) if eager else float("inf")
    kind, *words = word.split(":")
    if kind == LINE:
        return _line(word, words, limit), None
    if kind == LOGGOPS:
        return _loggops(word, words, limit), None
    network = Network.load(word)
    plogp = network.point_to_point.plogp
    if plogp is None:
        raise InvalidInputError(
            f"{word} holds no pLogP parameters",
            "measure them by 'contend measure -e plogp', then fit; or give the latency and the "
            "bandwidth of a message: --network line:20us:1Gbit/s",
        )
    return Plogp(plogp, limit), network


def _line(word: str, words: list[str], limit: float) -> Line:
    if not 2 <= len(words) <= 3:
        raise InvalidInputError(f"a network {word}", "give line:LATENCY:BANDWIDTH[:OVERHEAD]")
    latency = parse_latency(words[0])
    overhead = parse_seconds(words[2]) if len(words) == 3 else 0.0
    bandwidth = parse_rate(words[1]) / 8
    return Line(latency, bandwidth, overhead, eager=limit, handshake=2 * latency)


def _loggops(word: str, words: list[str], limit: float) -> LogGOPS:
    if not 4 <= len(words) <= 6:
        raise InvalidInputError(
            f"{word!r} are no LogGOPS parameters",
            "give L, o, g, G, and if wanted O and S, as in loggops:2us:1us:1us:1ns:0:64KiB",
        )
    latency, overhead, gap, per_byte, *further = (parse_seconds(text) for text in words[:5])
    size = float(parse_bytes(words[5])) if len(words) == 6 else limit
    return LogGOPS(latency, overhead, gap, per_byte, sum(further), size)


def sharing_of(network: Network | None, model: str | None) -> tuple[str, dict[str, float] | None]:
    if network is None or network.sharing is None or model in (ALONE, PORTS, TCP):
        return model or DEFAULT, None
    sharing = network.sharing.by_name(model)
    if model is None and sharing.model == MEASURED:  # penalties of whole graphs, found step by step
        sharing = network.sharing.by_name(network.sharing.fallback)
    return sharing.model, sharing.values


def carriage_of(
    ranks: int, bandwidth: float, links: Topology | None, hosts: int | None, placement: str
) -> Carriage:
    """Where the ranks are, and what is between their hosts; `links` None is one switch."""
    room = None if links is None else links.hosts
    host = placed(placement, ranks, hosts, room)
    count = max(hosts or 0, int(host.max(initial=0)) + 1)
    if room is not None and count > room:
        raise InvalidInputError(
            f"{count} hosts on a topology of {room}", "give --hosts, or a larger topology"
        )
    return Carriage(count if room is None else room, host, bandwidth, links)


def library_beside(trace: Trace, network: Network | None) -> str:
    """The library of a network file's samples, as `replay` takes it, for a trace that names none.

    Empty where the trace names one, and where no library is known.
    """
    if trace.library or network is None:
        return ""
    library, version = library_in(network)
    return f"{library.name}-{version_text(version)}" if library else ""
