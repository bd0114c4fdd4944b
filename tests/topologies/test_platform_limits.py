"""Platforms and topologies that would take all memory or time, and XML that is not what it says."""

import gzip

import pytest

from contend.base.errors import ContendError, FileFormatError, InvalidInputError
from contend.base.xml_text import parse_xml
from contend.simulate.topologies.names import read_topology, topology_of
from contend.simulate.topologies.simgrid.zones import LONGEST, MOST_WAYS, Edge, Zone, route_between

DEPTH = 18  # (2 DEPTH)! / DEPTH!^2 = 9e9 ways through the gateways, DEPTH^2 different ones


def gateways_over_each_other(links: list[int], depth: int = DEPTH) -> dict[str, Zone]:
    """From x_d to y_k the way leads to y_(k-1), then from x_(d-1) on."""
    zone = Zone("w")
    for d in range(depth):
        for k in range(depth):
            ends = (f"x{d}", f"y{k}")
            is_last = d == 0 or k == 0
            gateways = ends if is_last else (f"y{k - 1}", f"x{d - 1}")
            zone.edges[ends] = Edge(links if is_last else [], *gateways)
    return {f"{end}{number}": zone for end in "xy" for number in range(depth)}


def test_gateways_over_each_other_are_followed_once() -> None:
    last = DEPTH - 1
    assert route_between(f"x{last}", f"y{last}", gateways_over_each_other([])) == []


def test_a_way_that_asks_for_too_many_others_is_refused() -> None:
    depth = 21  # 21^2 is more than MOST_WAYS
    with pytest.raises(InvalidInputError, match=f"asks for more than {MOST_WAYS} others"):
        route_between(f"x{depth - 1}", f"y{depth - 1}", gateways_over_each_other([], depth))


def test_a_route_without_end_is_refused() -> None:
    last = DEPTH - 1
    with pytest.raises(InvalidInputError, match=f"passes more than {LONGEST} links"):
        route_between(f"x{last}", f"y{last}", gateways_over_each_other([0]))


def test_a_way_in_a_circle_is_refused() -> None:
    zone = Zone("w")
    zone.edges["a", "b"] = Edge([0], "c", "b")
    zone.edges["a", "c"] = Edge([0], "b", "c")
    with pytest.raises(InvalidInputError, match="leads in a circle; check gw_src and gw_dst"):
        route_between("a", "b", dict.fromkeys("abc", zone))


@pytest.mark.parametrize("word", ["fat-tree:32768x32768x1", "fat-tree:4096x1x4096"])
def test_a_fat_tree_that_would_exhaust_memory_is_refused(word: str) -> None:
    with pytest.raises(InvalidInputError, match="links, where 16777216 are the most"):
        topology_of(word, 1e9)


def test_a_ring_whose_routes_would_exhaust_memory_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="routes of 500001 links, where 10000 are the most"):
        topology_of("torus:999998", 1e9)


def test_a_packed_platform_is_read(tmp_path) -> None:
    path = tmp_path / "p.xml.gz"
    path.write_bytes(gzip.compress(b'\n<platform version="4"><host id="a" speed="1f"/></platform>'))
    assert list(read_topology(path).names() or ()) == ["a"]


@pytest.mark.parametrize("encoding", ["utf-7", "shift_jis", "utf-16", "cp037", "nonsense-9"])
def test_xml_is_read_as_the_text_it_is_whatever_encoding_it_names(encoding: str, tmp_path) -> None:
    text = f'<?xml version="1.0" encoding="{encoding}"?><platform version="4.1"/>'
    assert parse_xml(text).tag == "platform"
    path = tmp_path / "p.xml"
    path.write_text(text)
    with pytest.raises(ContendError, match="the platform has no host"):
        read_topology(path)


def test_an_initial_value_that_every_element_would_repeat_is_refused() -> None:
    text = '<!DOCTYPE p [<!ATTLIST host id CDATA "{}">]><p>{}</p>'.format("x" * 1000, "<host/>" * 9)
    with pytest.raises(
        FileFormatError, match="gives the attribute 'id' of <host> an initial value"
    ):
        parse_xml(text)
    assert parse_xml("<!DOCTYPE p [<!ATTLIST host id CDATA #REQUIRED>]><p/>").tag == "p"
