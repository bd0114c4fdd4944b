"""What the options of a replay mean: a network, how messages share it, and where ranks are."""

from pathlib import Path

from contend.base.errors import InvalidInputError
from contend.models.network import Network
from contend.programs.replay import MessageTimes
from contend.programs.replay.carriage import Carriage
from contend.programs.sweeps import setting
from contend.programs.sweeps.setting import times_of
from contend.simulate.topologies import topology_of


def network_word(
    network_file: Path | None,
    latency: str | None,
    bandwidth: str | None,
    overhead: str,
    loggops: str | None,
) -> str:
    """The network as a case of a sweep names it."""
    line = latency is not None or bandwidth is not None
    if (network_file is not None) + line + (loggops is not None) != 1:
        raise InvalidInputError(
            "no network, or more than one",
            "give --network, or --latency and --bandwidth, or --loggops",
        )
    if loggops is not None:
        return f"loggops:{loggops.replace(',', ':')}"
    if network_file is not None:
        return str(network_file)
    if latency is None or bandwidth is None:
        raise InvalidInputError("a latency without a bandwidth, or the other way round",
                                "give both")  # fmt: skip
    return f"line:{latency}:{bandwidth}:{overhead}"


def message_times(
    network_file: Path | None,
    latency: str | None,
    bandwidth: str | None,
    overhead: str,
    loggops: str | None,
    eager: str | None,
) -> tuple[MessageTimes, Network | None]:
    """What a message takes that is alone, and the network file that says it."""
    return times_of(network_word(network_file, latency, bandwidth, overhead, loggops), eager or "")


def carriage_of(
    ranks: int, times: MessageTimes, topology: str, hosts: int | None, map: str
) -> Carriage:
    """Where the ranks are, and what is between their hosts."""
    is_named = map in ("block", "cyclic")
    if not is_named and not all(word.strip().isdecimal() for word in map.split(",")):
        raise InvalidInputError(f"a map {map!r}", "give block, cyclic or a host per rank: 0,0,1,1")
    links = topology_of(topology, times.bandwidth)
    return setting.carriage_of(ranks, times.bandwidth, links, hosts, map)


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
