"""What the options of a replay mean: a network, how messages share it, and where ranks are."""

from pathlib import Path
from typing import TYPE_CHECKING

from contend.errors import InvalidInputError

if TYPE_CHECKING:
    from contend.network import Network
    from contend.replay import MessageTimes
    from contend.replay.carriage import Carriage


def message_times(
    network_file: Path | None,
    latency: str | None,
    bandwidth: str | None,
    overhead: str,
    loggops: str | None,
    eager: str | None,
) -> "tuple[MessageTimes, Network | None]":
    """What a message takes that is alone, and the network file that says it."""
    from contend.network import Network
    from contend.replay import Line, Plogp
    from contend.units import parse_bytes, parse_rate, parse_seconds

    line = latency is not None or bandwidth is not None
    if (network_file is not None) + line + (loggops is not None) != 1:
        raise InvalidInputError(
            "no network, or more than one",
            "give --network, or --latency and --bandwidth, or --loggops",
        )
    limit = float("inf") if eager is None else float(parse_bytes(eager))
    if loggops is not None:
        return _loggops(loggops, limit), None
    if network_file is None:
        if latency is None or bandwidth is None:
            raise InvalidInputError("a latency without a bandwidth, or the other way round",
                                    "give both")  # fmt: skip
        seconds = parse_seconds(latency)
        return Line(
            seconds, parse_rate(bandwidth) / 8, parse_seconds(overhead), eager=limit,
            handshake=2 * seconds,
        ), None  # fmt: skip
    network = Network.load(network_file)
    plogp = network.point_to_point.plogp
    if plogp is None:
        raise InvalidInputError(
            f"{network.name!r} holds no pLogP parameters",
            "measure the experiment plogp, then fit; or give --latency and --bandwidth",
        )
    return Plogp(plogp, limit), network


def _loggops(text: str, limit: float) -> "MessageTimes":
    from contend.replay import LogGOPS
    from contend.units import parse_bytes, parse_seconds

    words = text.split(",")
    if not 4 <= len(words) <= 6:
        raise InvalidInputError(
            f"--loggops {text}", "give L,o,g,G, and if wanted O and S: 2us,1us,1us,1ns,0,64KiB"
        )
    latency, overhead, gap, per_byte, *further = (parse_seconds(word) for word in words[:5])
    size = float(parse_bytes(words[5])) if len(words) == 6 else limit
    return LogGOPS(latency, overhead, gap, per_byte, sum(further), size)


def sharing_of(network: "Network | None", model: str | None) -> tuple[str, dict[str, float] | None]:
    """The sharing model, and its parameters where the network file has them."""
    from contend.flows.models import DEFAULT, MEASURED

    if network is None or network.sharing is None:
        return model or DEFAULT, None
    known = network.sharing.known(model)
    if model is None and known.model == MEASURED:  # penalties of whole graphs, found step by step
        known = network.sharing.known(network.sharing.fallback)
    return known.model, known.values


def carriage_of(
    ranks: int, times: "MessageTimes", topology: str, hosts: int | None, map: str
) -> "Carriage":
    """Where the ranks are, and what is between their hosts."""
    from contend.replay.carriage import Carriage, place_ranks
    from contend.topologies import topology_of

    links = topology_of(topology, times.bandwidth)
    is_named = map in ("block", "cyclic")
    if not is_named and not all(word.strip().isdecimal() for word in map.split(",")):
        raise InvalidInputError(f"a map {map!r}", "give block, cyclic or a host per rank: 0,0,1,1")
    given = map if is_named else [int(word) for word in map.split(",")]
    host = place_ranks(ranks, hosts, given)
    count = max(hosts or 0, int(host.max(initial=0)) + 1)
    if links is not None and count > links.hosts:
        raise InvalidInputError(
            f"{count} hosts on a topology of {links.hosts}", "give --hosts, or a larger topology"
        )
    return Carriage(count if links is None else links.hosts, host, times.bandwidth, links)


def check_page(path: Path) -> Path:
    """The path, if a page can be written as such a file."""
    if path.suffix != ".html":
        raise InvalidInputError(f"a page as {path.suffix or path.name!r}", "use .html")
    return path


def words_of(**options: object) -> dict[str, str | bool]:
    """Options that were given, as a command line has them."""
    return {
        f"--{name}": value if isinstance(value, bool) else _word(value)
        for name, value in options.items()
        if value is not None and value is not False
    }


def _word(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
