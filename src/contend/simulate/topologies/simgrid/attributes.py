"""Attributes of SimGrid's elements: which are read, which say nothing of messages, and their units.

Source: the document type definition of SimGrid 3.13 to 4.1 (platform version 4.1).
Idea: what is neither read nor without meaning for messages between hosts is refused by its name.
"""

import re
from xml.etree.ElementTree import Element

from contend.base.errors import InvalidInputError

_ROUTE = "src dst symmetrical"
_GATEWAYS = f"{_ROUTE} gw_src gw_dst"
_HOSTS = "id prefix suffix radical bw lat"
_READ = {
    "platform": "version", "zone": "id routing", "AS": "id routing", "host": "id", "router": "id",
    "link": "id bandwidth latency sharing_policy", "backbone": "id bandwidth latency",
    "link_ctn": "id direction", "host_link": "id up down", "cabinet": _HOSTS,
    "cluster": f"{_HOSTS} sharing_policy bb_bw bb_lat bb_sharing_policy limiter_link router_id "
               "topology topo_parameters",
    "route": _ROUTE, "zoneRoute": _GATEWAYS, "ASroute": _GATEWAYS,
    "bypassRoute": _ROUTE, "bypassZoneRoute": _GATEWAYS, "bypassASroute": _GATEWAYS,
}  # fmt: skip
_COMPUTING = "speed core pstate availability availability_file speed_file"
_WITHOUT_MEANING = {
    "host": f"{_COMPUTING} coordinates", "router": "coordinates",
    "cluster": f"{_COMPUTING} loopback_bw loopback_lat", "cabinet": "speed",
}  # fmt: skip
_PROFILE = re.compile(r".*_file")
_BASES = {"Bps": 1.0, "bps": 1 / 8}
_PREFIXES = {"": 1.0} | {
    prefix: float(base**power)
    for power, letter in enumerate("KMGTPE", start=1)
    for prefix, base in ((letter, 1000), (letter.lower(), 1000), (f"{letter}i", 1024))
    if prefix in ("k", letter, f"{letter}i")
}
_RATES = {f"{p}{unit}": a * b for p, a in _PREFIXES.items() for unit, b in _BASES.items()}
_RATES[""] = 1.0
_SECONDS = {"": 1.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "ps": 1e-12, "m": 60.0,
            "h": 3600.0, "d": 86400.0, "w": 604800.0}  # fmt: skip
_AMOUNT = re.compile(r"([0-9.]+(?:[eE][+-]?[0-9]+)?)\s*([A-Za-z]*)")
_SPLIT = {"SPLITDUPLEX", "FULLDUPLEX"}  # the latter is the older word


def check_attributes(element: Element) -> None:
    """Raise for an attribute that is neither read nor without meaning for messages."""
    if element.tag not in _READ:
        return  # it is refused as a whole
    read = _READ[element.tag].split()
    for name in element.attrib.keys() - {*read, *_WITHOUT_MEANING.get(element.tag, "").split()}:
        remedy = (
            "take it out, and what it begins with holds for good"
            if _PROFILE.fullmatch(name)
            else f"take it out; what is read is {', '.join(read)}"
        )
        subject = "a profile over time, which" if _PROFILE.fullmatch(name) else "which"
        raise InvalidInputError(f"{shown(element)} has {name}, {subject} is not modelled", remedy)


def shown(element: Element) -> str:
    ends = [element.get(end) for end in ("src", "dst")]
    name = repr(element.get("id")) if None in ends else f"from {ends[0]!r} to {ends[1]!r}"
    return f"<{element.tag}> {name}" if name != "None" else f"<{element.tag}>"


def text_of(element: Element, name: str) -> str:
    value = element.get(name, "").strip()
    if not value:
        raise InvalidInputError(f"{shown(element)} has no {name}", f'write {name}="..."')
    return value


def rate_of(element: Element, name: str) -> float:
    return _amount(element, name, "", _RATES, "write 125MBps, 1Gbps", is_above_zero=True)


def seconds_of(element: Element, name: str) -> float:
    return _amount(element, name, "0", _SECONDS, "write 50us", is_above_zero=False)


def _amount(
    element: Element, name: str, initial: str, units: dict[str, float], remedy: str, *,
    is_above_zero: bool,
) -> float:  # fmt: skip
    text = element.get(name, initial).strip()
    match = _AMOUNT.fullmatch(text)
    try:
        value = float(match[1]) * units[match[2]] if match else -1.0
    except (KeyError, ValueError):
        value = -1.0
    if not (value > 0 if is_above_zero else value >= 0) or value == float("inf"):
        raise InvalidInputError(f"{shown(element)} has the {name} {text!r}", remedy)
    return value


def policy_of(element: Element, name: str = "sharing_policy", initial: str = "SHARED") -> str:
    text = element.get(name, initial).strip().upper()
    policy = "SPLITDUPLEX" if text in _SPLIT else text
    allowed = ["SHARED", "FATPIPE", *(["SPLITDUPLEX"] if name == "sharing_policy" else [])]
    if policy not in allowed:
        raise InvalidInputError(
            f"{shown(element)} has the {name} {text!r}, which is not modelled",
            f"write {', '.join(allowed)}",
        )
    return policy


def is_symmetrical(element: Element) -> bool:
    text = element.get("symmetrical", "YES").strip().upper()
    if text not in ("YES", "NO", "TRUE", "FALSE", "1", "0"):
        raise InvalidInputError(f"{shown(element)} has symmetrical {text!r}", "write YES or NO")
    return text in ("YES", "TRUE", "1")


def version_of(element: Element) -> float:
    try:
        return float(element.get("version", "4"))
    except ValueError:
        raise InvalidInputError(
            f"<platform> has the version {element.get('version')!r}", "write 4.1"
        ) from None
