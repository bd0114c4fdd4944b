"""Hosts and links of a SimGrid platform as they are read, and the attributes of its elements."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from contend.errors import ContendError, InvalidInputError
from contend.topologies.paths import Link
from contend.topologies.simgrid.zones import Zone
from contend.units import parse_rate, parse_seconds

MOST_HOSTS = 2**20


class Platform:
    """What has been read so far."""

    def __init__(self) -> None:
        self.hosts: list[str] = []
        self.links: list[Link] = []
        self.by_name: dict[str, dict[str, int]] = {}  # link, then UP, DOWN or NONE, to its number
        self.ends: dict[int, set[str] | None] = {}  # hosts at an end of every route over a link
        self.zone_of: dict[str, Zone] = {}

    def add_host(self, name: str, zone: Zone) -> None:
        """A host of a zone."""
        self.add_point(name, zone)
        self.hosts.append(name)
        if len(self.hosts) > MOST_HOSTS:
            raise InvalidInputError(f"there are more than {MOST_HOSTS} hosts", "name a smaller one")

    def add_point(self, name: str, zone: Zone) -> None:
        """A host, a router or a zone within another."""
        if name in self.zone_of:
            raise InvalidInputError(f"two elements have the id {name!r}", "rename one")
        self.zone_of[name] = zone

    def add_link(self, name: str, rate: float, latency: float, policy: str) -> None:
        """One link, or one for each direction."""
        if name in self.by_name:
            raise InvalidInputError(f"two links have the id {name!r}", "rename one")
        if policy not in ("SHARED", "SPLITDUPLEX", "FATPIPE"):
            raise InvalidInputError(
                f"link {name!r} has the sharing_policy {policy!r}",
                "write SHARED, SPLITDUPLEX or FATPIPE",
            )
        ways = ("UP", "DOWN") if policy == "SPLITDUPLEX" else ("NONE",)
        self.by_name[name] = {way: len(self.links) + place for place, way in enumerate(ways)}
        for way in ways:
            shown = name if way == "NONE" else f"{name}:{way}"
            self.links.append(Link(shown, rate, latency, is_unshared=policy == "FATPIPE"))

    def note_ends(self, numbers: Sequence[int], src: str, dst: str) -> None:
        """Keep the hosts that are an end of every route over these links."""
        ends = {end for end in (src, dst) if end in self.zone_of}
        for number in numbers:
            known = self.ends.get(number)
            self.ends[number] = ends if known is None else known & ends


def text_of(element: Element, name: str) -> str:
    """An attribute that must be there."""
    value = element.get(name, "").strip()
    if not value:
        raise InvalidInputError(f"a <{element.tag}> has no {name}", f'write {name}="..."')
    return value


def rate_of(element: Element, name: str, initial: str = "") -> float:
    """Bytes per second, above 0; 125MBps or 1Gbps."""
    text = element.get(name, initial).strip()
    try:
        rate = parse_rate(_spelled(text)) / 8
    except ContendError:
        rate = 0.0
    if not rate > 0:
        raise InvalidInputError(
            f"<{element.tag}> {element.get('id')!r} has the {name} {text!r}", "write 125MBps, 1Gbps"
        )
    return rate


def _spelled(text: str) -> str:
    """SimGrid's units as those of contend; numbers alone are bytes per second."""
    bare = text.replace("Bps", "B/s").replace("bps", "bit/s")
    return bare if bare[-1:].isalpha() else f"{bare}B/s"


def seconds_of(element: Element, name: str, initial: str = "0") -> float:
    """Seconds, 0 or more; 50us."""
    text = element.get(name, initial).strip()
    try:
        seconds = parse_seconds(text)
    except ContendError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        raise InvalidInputError(
            f"<{element.tag}> {element.get('id')!r} has the {name} {text!r}", "write 50us"
        )
    return seconds


def float_of(element: Element, name: str, initial: str) -> float:
    """A number."""
    try:
        return float(element.get(name, initial))
    except ValueError:
        raise InvalidInputError(
            f"<{element.tag}> has the {name} {element.get(name)!r}", "write a number"
        ) from None
