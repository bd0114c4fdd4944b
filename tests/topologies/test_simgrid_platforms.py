"""Platforms of SimGrid: routes as SimGrid 3.32 gives them, and what is not modelled is named."""

import itertools
import random
import re

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contend.base.errors import ContendError
from contend.simulate.flows.engine import solve
from contend.simulate.topologies import read_topology
from contend.simulate.topologies.paths import Paths
from contend.simulate.topologies.simgrid.platform import NotModelledWarning, read_platform

MEGABYTE = {"bytes": [1e6]}
LINK = '<link id="{}" bandwidth="{}" latency="{}"/>'


def platform(inner: str, version: str = "4.1") -> str:
    return f"<?xml version='1.0'?>\n<platform version=\"{version}\">{inner}</platform>"


def zone(routing: str, *inner: str) -> str:
    return f'<zone id="z" routing="{routing}">{"".join(inner)}</zone>'


def hosts(*names: str) -> str:
    return "".join(f'<host id="{name}" speed="1Gf"/>' for name in names)


def route(src: str, dst: str, *links: str, more: str = "") -> str:
    inner = "".join(f'<link_ctn id="{link}"/>' for link in links)
    return f'<route src="{src}" dst="{dst}" {more}>{inner}</route>'


def names(topology: Paths, src: str, dst: str) -> list[str]:
    number = {host: place for place, host in enumerate(topology.names())}
    called = topology.link_names()
    return [called[link] for link in topology.path(number[src], number[dst])]


def milliseconds(text: str, src: str, dst: str) -> float:
    flow = {"src": [src], "dst": [dst], **MEGABYTE}
    return float(solve(flow, topology=read_platform(text)).end[0]) * 1e3


NEAR_AND_FAR = "".join(
    (
        hosts("a", "b"), '<router id="r"/>',
        *(LINK.format(name, "1GBps", "1ms") for name in ("near", "far")),
        *(LINK.format(name, "100MBps", "5ms") for name in "xyz"),
        route("a", "r", "near"), route("r", "b", "far"), route("a", "b", *"xyz"),
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("routing", "takes"), [("Floyd", 3), ("Dijkstra", 3), ("DijkstraCache", 3), ("Full", 25)]
)
def test_a_declared_route_is_taken_where_no_path_has_fewer_links(routing: str, takes: int) -> None:
    assert milliseconds(platform(zone(routing, NEAR_AND_FAR)), "a", "b") == pytest.approx(takes)


@pytest.mark.parametrize("routing", ["Floyd", "Dijkstra"])
def test_a_route_of_one_direction_is_no_way_back(routing: str) -> None:
    inner = NEAR_AND_FAR.replace('src="r" dst="b" ', 'src="r" dst="b" symmetrical="NO"')
    topology = read_platform(platform(zone(routing, inner)))
    assert names(topology, "a", "b") == ["near", "far"]
    assert names(topology, "b", "a") == ["z", "y", "x"]


@pytest.mark.parametrize(
    ("routing", "order", "middle"),
    [("Floyd", "sr", "s"), ("Floyd", "rs", "r"), ("Dijkstra", "sr", "r"), ("Dijkstra", "rs", "r")],
)
def test_of_equal_paths_the_one_that_simgrid_meets_first_is_taken(
    routing: str, order: str, middle: str
) -> None:
    routers = "".join(f'<router id="{name}"/>' for name in order)
    links = [LINK.format(a + b, "1GBps", "0") for a, b in ("ar", "rb", "as", "sb")]
    routes = [route(a, b, a + b) for a, b in ("ar", "rb", "as", "sb")]
    text = platform(zone(routing, hosts("a", "b"), routers, *links, *routes))
    assert names(read_platform(text), "a", "b") == ["a" + middle, middle + "b"]


@settings(max_examples=60, derandomize=True, deadline=None)
@given(seed=st.integers(0, 10**6), routing=st.sampled_from(["Floyd", "Dijkstra"]))
def test_any_path_has_as_few_links_as_a_search_of_all_finds(seed: int, routing: str) -> None:
    rng = random.Random(seed)
    members = [f"n{place}" for place in range(rng.randint(2, 7))]
    graph, parts = nx.DiGraph(), [hosts(*rng.sample(members, len(members)))]
    for a, b in itertools.permutations(members, 2):
        if a > b or rng.random() < 0.4:
            continue
        links = [f"{a}{b}{place}" for place in range(rng.randint(1, 3))]
        is_both = rng.random() < 0.7
        parts += [LINK.format(link, "1GBps", "1ms") for link in links]
        parts.append(route(a, b, *links, more="" if is_both else 'symmetrical="NO"'))
        for end, other in [(a, b), (b, a)][: 1 + is_both]:
            graph.add_edge(end, other, links=len(links))
    topology = read_platform(platform(zone(routing, *parts)))
    for a, b in itertools.permutations(members, 2):
        if a in graph and b in graph and nx.has_path(graph, a, b):
            fewest = nx.shortest_path_length(graph, a, b, weight="links")
            assert len(names(topology, a, b)) == fewest
        else:
            with pytest.raises(ContendError, match="has no route"):
                names(topology, a, b)


CLUSTER = (
    '<cluster id="c" prefix="n" suffix="" radical="0-{last}" speed="1Gf" bw="125MBps" '
    'lat="50us" {more}/>'
)


def cluster(last: int, more: str = "") -> str:
    return platform(CLUSTER.format(last=last, more=more))


def shaped(topology: str, parameters: str, last: int) -> str:
    return cluster(last, f'topology="{topology}" topo_parameters="{parameters}"')


@pytest.mark.parametrize(
    ("text", "src", "dst", "takes"),
    [
        (cluster(3), 0, 1, 8.1),
        ("\n \n" + cluster(3), 0, 1, 8.1),
        (cluster(3, 'loopback_bw="6GBps" loopback_lat="1ns"'), 0, 1, 8.1),
        (cluster(3, 'bb_bw="100MBps" bb_lat="1ms"'), 0, 1, 11.1),
        (cluster(3, 'limiter_link="100MBps"'), 0, 1, 10.1),
        (cluster(3, 'sharing_policy="FULLDUPLEX"'), 0, 1, 8.1),
        (shaped("FAT_TREE", "2;4,4;1,2;1,2", 15), 0, 1, 8.1),
        (shaped("FAT_TREE", "2;4,4;1,2;1,2", 15), 0, 15, 8.2),
        (shaped("TORUS", "4,4", 15), 0, 1, 8.05),
        (shaped("TORUS", "4,4", 15), 0, 10, 8.2),
        (shaped("DRAGONFLY", "3,4;3,2;3,1;2", 53), 0, 1, 8.1),
        (shaped("DRAGONFLY", "3,4;3,2;3,1;2", 53), 15, 53, 8.35),  # local 2, green 2, black 2, blue
    ],
)
def test_a_cluster_takes_what_its_links_take(text: str, src: int, dst: int, takes: float) -> None:
    assert milliseconds(text, f"n{src}", f"n{dst}") == pytest.approx(takes)


@pytest.mark.parametrize(("word", "is_both"), [("1", 1), ("true", 1), ("0", 0), ("False", 0)])
def test_a_route_says_in_a_word_whether_it_is_one_of_both_directions(word, is_both) -> None:
    text = pair_with(GOOD).replace('dst="b" ', f'dst="b" symmetrical="{word}"')
    found = read_platform(text)
    assert found.path(0, 1) == [0]
    if is_both:
        assert found.path(1, 0) == [0]
    else:
        with pytest.raises(ContendError, match="no route from 'b' to 'a'"):
            found.path(1, 0)


def test_limiters_stand_at_both_ends() -> None:
    topology = read_platform(cluster(3, 'limiter_link="100MBps"'))
    assert names(topology, "n0", "n2") == [
        "c_link_0_limiter", "c_link_0:UP", "c_link_2:DOWN", "c_link_2_limiter",
    ]  # fmt: skip


def test_a_route_passes_private_links_of_a_cluster_and_its_router() -> None:
    text = platform(
        zone(
            "Full",
            CLUSTER.replace("0-{last}", "0-1,7-8").format(more=""),
            '<zone id="s" routing="Full"><host id="a" speed="1Gf"/></zone>',
            '<zoneRoute src="s" dst="c" gw_src="a" gw_dst="nc_router"><link_ctn id="c_link_8"/>',
            "</zoneRoute>",
        ).replace('suffix=""', 'suffix=".x"').replace("nc_router", "nc_router.x")
    )  # fmt: skip
    topology = read_platform(text)
    assert names(topology, "a", "n7.x") == ["c_link_8:UP", "c_link_7:DOWN"]
    assert names(topology, "n7.x", "a") == ["c_link_7:UP", "c_link_8:DOWN"]


@pytest.mark.parametrize(("policy", "takes"), [("SHARED", 20), ("FATPIPE", 10)])
def test_a_fat_pipe_gives_every_message_its_bandwidth(policy: str, takes: float) -> None:
    text = cluster(3, f'bb_bw="100MBps" bb_lat="0" bb_sharing_policy="{policy}"')
    link = f'bandwidth="100MBps" latency="0" sharing_policy="{policy}"'
    for place, pairs in (
        (read_platform(text.replace("50us", "0")), (("n0", "n2"), ("n1", "n3"))),
        (read_platform(pair_with(link)), (("a", "a"), ("b", "b"))),
    ):
        flows = {"src": pairs[0], "dst": pairs[1], "bytes": [1e6, 1e6]}
        assert max(solve(flows, topology=place).end) * 1e3 == pytest.approx(takes)


def test_cables_of_a_dragonfly_are_as_wide_as_they_have_links() -> None:
    widths = read_platform(shaped("DRAGONFLY", "3,4;3,2;3,1;2", 53)).capacity()[::2] / 125e6
    kinds = [1] * 54 + [1] * 81 + [2] * 81 + [4] * 9  # of hosts, green, black, blue
    assert widths.tolist() == kinds


def test_within_a_group_of_a_dragonfly_a_green_cable_leads_to_the_first_chassis() -> None:
    topology = read_platform(shaped("DRAGONFLY", "1,1;3,1;2,1;1", 5))
    for src, dst in itertools.permutations(range(6), 2):
        is_green = src % 2 != dst % 2
        is_black = dst // 2 != (0 if is_green else src // 2)
        assert len(topology.path(src, dst)) == 2 + is_green + is_black


def test_of_parallel_cables_down_a_fat_tree_the_source_decides() -> None:
    topology = read_platform(shaped("FAT_TREE", "2;4,4;1,2;1,2", 15))
    downs = [names(topology, f"n{src}", "n15")[-2] for src in range(4)]
    assert downs[:2] == downs[2:]
    assert downs[0] != downs[1]


def test_flows_up_a_fat_tree_part_by_their_destinations() -> None:
    topology = read_platform(shaped("FAT_TREE", "2;4,4;1,2;1,2", 15))
    ups = [names(topology, "n0", f"n{dst}")[1] for dst in (4, 5, 6, 7, 8)]
    assert len(set(ups[:4])) == 4
    assert ups[4] == ups[0]
    twofold = read_platform(shaped("FAT_TREE", "2;4,4;1,2;2,1", 15))
    assert len({tuple(names(twofold, "n0", f"n{dst}")[:2]) for dst in range(4, 8)}) == 4


def test_a_torus_goes_halfway_around_by_the_half_that_it_begins_in() -> None:
    topology = read_platform(shaped("TORUS", "4", 3))
    assert names(topology, "n0", "n2") == ["c_link_0:UP", "c_link_1:UP"]
    assert names(topology, "n2", "n0") == ["c_link_1:DOWN", "c_link_0:DOWN"]
    assert names(topology, "n3", "n1") == ["c_link_3:UP", "c_link_0:UP"]


@pytest.mark.parametrize(
    ("topology", "parameters", "count"),
    [
        ("FAT_TREE", "3;3,2,4;1,2,3;1,2,1", 24),
        ("TORUS", "3,4,2", 24),
        ("DRAGONFLY", "2,4;2,2;3,1;2", 24),
    ],
)
def test_each_route_of_a_shape_passes_links_of_its_own(topology, parameters, count) -> None:
    found = read_platform(shaped(topology, parameters, count - 1))
    table = found.capacity()
    assert found.of_hosts().sum() == (0 if topology == "TORUS" else 2 * count)
    for src, dst in itertools.permutations(range(count), 2):
        links = found.path(src, dst)
        assert len(set(links)) == len(links)
        assert min(links) >= 0
        assert max(links) < len(table)
    assert topology == "DRAGONFLY" or set(table) == {125e6}


STAR = platform(
    zone(
        "Full",
        '<zone id="s" routing="Cluster"><router id="out"/>' + hosts("a", "b"),
        LINK.format("la", "125MBps", "1ms"),
        '<link id="lb" bandwidth="125MBps" latency="1ms" sharing_policy="SPLITDUPLEX"/>',
        '<host_link id="a" up="la" down="la"/><host_link id="b" up="lb_UP" down="lb_DOWN"/>',
        '<cabinet id="k" prefix="n" suffix="" radical="0-1,7" speed="1Gf" bw="1GBps" lat="1ms"/>',
        '<backbone id="bb" bandwidth="1GBps" latency="2ms"/></zone>',
        '<cluster id="c" prefix="m" suffix=".x" radical="0-3" speed="1Gf" bw="1GBps" lat="1ms" '
        'router_id="door"/>',
        LINK.format("wan", "1GBps", "1ms"),
        '<zoneRoute src="s" dst="c" gw_src="out" gw_dst="door"><link_ctn id="wan"/></zoneRoute>',
    )
)


def test_hosts_of_a_star_meet_over_its_backbone() -> None:
    topology = read_platform(STAR)
    assert names(topology, "a", "b") == ["la", "bb", "lb:DOWN"]
    assert names(topology, "b", "n7") == ["lb:UP", "bb", "link_n7:DOWN"]
    assert names(topology, "n0", "m3.x") == ["link_n0:UP", "bb", "wan", "c_link_3:DOWN"]
    assert names(topology, "m3.x", "a") == ["c_link_3:UP", "wan", "bb", "la"]


def test_a_bypass_goes_before_the_routes_and_one_way_alone() -> None:
    bypass = '<bypassZoneRoute src="s" dst="c" gw_src="n0" gw_dst="m0.x"><link_ctn id="la"/>'
    text = STAR.replace("<zoneRoute ", f"{bypass}</bypassZoneRoute><zoneRoute ")
    topology = read_platform(text)
    assert names(topology, "n0", "m0.x") == ["la"]
    assert names(topology, "b", "m0.x") == ["lb:UP", "bb", "link_n0:DOWN", "la"]
    assert names(topology, "m0.x", "n0") == names(read_platform(STAR), "m0.x", "n0")
    pair = zone(
        "Full", hosts("a", "b"), *(LINK.format(name, "1GBps", "1ms") for name in "xy"),
        route("a", "b", "x"), route("a", "b", "y").replace("route", "bypassRoute"),
    )  # fmt: skip
    assert names(read_platform(platform(pair)), "a", "b") == ["y"]
    assert names(read_platform(platform(pair)), "b", "a") == ["x"]


def test_of_bypasses_that_of_the_innermost_zones_is_taken() -> None:
    def within(name: str, inner: str) -> str:
        return f'<zone id="{name}" routing="Full">{inner}</zone>'

    def bypass(src: str, dst: str, link: str) -> str:
        ends = f'src="{src}" dst="{dst}" gw_src="a" gw_dst="b"'
        return f'<bypassZoneRoute {ends}><link_ctn id="{link}"/></bypassZoneRoute>'

    parts = [
        *(within(f"{end}2", within(f"{end}1", hosts(end))) for end in "ab"),
        *(LINK.format(link, "1GBps", "1ms") for link in "xyz"),
    ]
    found = [bypass("a2", "b2", "x"), bypass("a1", "b2", "y"), bypass("a1", "b1", "z")]
    for count, link in ((1, "x"), (2, "y"), (3, "z")):
        text = platform(zone("Full", *parts, *found[:count]))
        assert names(read_platform(text), "a", "b") == [link]


def test_a_route_says_in_which_direction_it_passes_a_link() -> None:
    duplex = f'{GOOD} sharing_policy="SPLITDUPLEX"'
    for way, there, back in (("UP", "UP", "DOWN"), ("DOWN", "DOWN", "UP"), ("NONE", "UP", "DOWN")):
        text = pair_with(duplex).replace('_ctn id="l"', f'_ctn id="l" direction="{way}"')
        topology = read_platform(text)
        assert names(topology, "a", "b") == [f"l:{there}"]
        assert names(topology, "b", "a") == [f"l:{back}"]


def test_what_has_nothing_to_do_with_messages_is_passed_over(tmp_path) -> None:
    text = platform(
        zone(
            "Full",
            '<prop id="p" value="1"/>',
            '<host id="a" speed="1Gf,2Gf" core="4" pstate="1" speed_file="s.trace"><disk id="d" '
            'read_bw="1MBps" write_bw="1MBps"><prop id="q" value="2"/></disk></host>' + hosts("b"),
            '<trace id="t">0 1</trace><trace_connect trace="t" element="a" kind="SPEED"/>',
            LINK.format("l", "1GBps", "1ms"), route("a", "b", "l"),
        )
        + '<actor host="a" function="f"><argument value="1"/></actor>'
    )  # fmt: skip
    assert milliseconds(text, "a", "b") == pytest.approx(2)
    path = tmp_path / "p.xml"
    path.write_text("\n" + text, encoding="utf-8-sig")
    assert list(read_topology(path).names()) == ["a", "b"]


RATES = [("1KBps", 1e3), ("1kBps", 1e3), ("1KiBps", 1024), ("1Mbps", 125e3), ("1GiBps", 2**30),
         ("1Kibps", 128), ("8bps", 1), ("1e6", 1e6), ("2.5TBps", 2.5e12)]  # fmt: skip
TIMES = [("1us", 1e-6), ("2ns", 2e-9), ("3ps", 3e-12), ("4ms", 4e-3), ("0.5", 0.5), ("1s", 1),
         ("1m", 60), ("2h", 7200), ("1d", 86400), ("1w", 604800)]  # fmt: skip


def test_units_are_those_of_simgrid() -> None:
    for text, rate in RATES:
        assert read_platform(pair_with(f'bandwidth="{text}"')).capacity()[0] == pytest.approx(rate)
    for text, seconds in TIMES:
        found = read_platform(pair_with(f'bandwidth="1" latency="{text}"')).latency()[0]
        assert found == pytest.approx(seconds)


def pair_with(link: str, *more: str, routing: str = "Full") -> str:
    return platform(
        zone(routing, hosts("a", "b"), f'<link id="l" {link}/>', route("a", "b", "l"), *more)
    )


TRACE = '<trace id="t">0 1</trace><trace_connect trace="t" element="l" kind="{}"/>'
GOOD = 'bandwidth="1GBps" latency="1ms"'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        *((pair_with(f'{GOOD} {name}="f"'), f"<link> 'l' has {name}, a profile over time")
          for name in ("bandwidth_file", "latency_file", "state_file")),
        *((pair_with(GOOD, TRACE.format(kind)), f"{kind} of 'l', which is not modelled")
          for kind in ("BANDWIDTH", "LATENCY", "LINK_AVAIL")),
        (pair_with(f'{GOOD} sharing_policy="WIFI"'), "the sharing_policy 'WIFI'"),
        (pair_with('bandwidth="54Mbps,36Mbps" sharing_policy="WIFI"'), "the sharing_policy 'WIFI'"),
        (pair_with('bandwidth="54Mbps,36Mbps"'), "the bandwidth '54Mbps,36Mbps'"),
        (pair_with(GOOD, routing="Wifi"), "the routing 'Wifi', which is not modelled"),
        (pair_with(GOOD, '<peer id="p" speed="1f"/>'), "the element <peer>"),
        (pair_with(GOOD, '<include file="x.xml"/>'), "the element <include>"),
        (pair_with(GOOD, '<backbone id="x"/>'), 'put it in a zone of routing="Cluster"'),
        (pair_with(GOOD, '<host id="c" speed="1f" state_file="f"/>'), "'c' has state_file"),
        (pair_with(GOOD, route("b", "a", "l")), "two routes from 'b' to 'a'"),
        (pair_with(GOOD, LINK.format("l", "1GBps", "1ms")), "two links have the id 'l'"),
        (pair_with(GOOD).replace('_ctn id="l"', '_ctn id="l_UP"'), "passes the link 'l_UP'"),
        (platform(hosts("a"), "3"), "has version 3; bring it to 4"),
        (STAR.replace("<backbone", '<backbone id="b2" bandwidth="1GBps" latency="0"/><backbone'),
         "has two backbones"),
        (pair_with(GOOD, route("a", "b", "l", more='symmetrical="MAYBE"')), "two routes"),
        (platform(zone("Full", hosts("a", "b"), route("a", "b"))), "has no link"),
        (cluster(3, 'bb_lat="1us"'), "has bb_lat and no bb_bw"),
        (cluster(3, 'sharing_policy="WIFI"'), "the sharing_policy 'WIFI'"),
        (shaped("TORUS", "4", 3).replace("lat=", 'limiter_link="1MBps" lat='), "limiter_link"),
        (shaped("TORUS", "4", 4), "has 5 hosts, its topo_parameters make 4"),
        (shaped("FAT_TREE", "2;4;1;1", 3), "the topo_parameters '2;4;1;1'"),
        (shaped("DRAGONFLY", "4,1;1,1;3,1;1", 11), "4 groups and 3 blades"),
        (STAR.replace('gw_src="out"', 'gw_src="door"'), "gw_src 'door' of <zoneRoute> from 's' to "
         "'c' is not in 's'"),
        (STAR.replace('gw_dst="door"', 'gw_dst="x"'), "gw_dst 'x' of <zoneRoute>"),
        (STAR.replace('gw_dst="door"', 'gw_dst="c"'), "gw_dst 'c' of <zoneRoute>"),
        (STAR.replace('id="b" up', 'id="m0" up'), "<host_link> 'm0' names no host"),
    ],
)  # fmt: skip
def test_what_is_not_modelled_is_an_error_that_names_it(text: str, said: str) -> None:
    with pytest.raises(ContendError) as caught:
        read_platform(text)
    assert said in str(caught.value)
    assert caught.value.remedy


@pytest.mark.parametrize("name", ["network/TCP-gamma", "smpi/bw-factor"])
def test_settings_of_the_network_are_named_in_a_warning(name: str) -> None:
    config = f'<config><prop id="{name}" value="0"/><prop id="cpu/optim" value="x"/>'
    text = pair_with(GOOD).replace("<zone ", f"{config}</config><zone ", 1)
    with pytest.warns(NotModelledWarning, match=rf"<config> sets {name}, which is not"):
        assert read_platform(text).hosts == 2


WORD = st.from_regex(r"\A[a-z]{3,8}[a-z_]\Z")
ELEMENTS = ["zone", "host", "router", "link", "cluster", "cabinet", "backbone", "host_link",
            "zoneRoute", "link_ctn"]  # fmt: skip


@settings(max_examples=60, derandomize=True, deadline=None)
@given(tag=st.sampled_from(ELEMENTS), word=WORD, is_element=st.booleans())
def test_any_attribute_or_element_that_is_not_read_is_named(
    tag: str, word: str, is_element: bool
) -> None:
    if is_element:
        text = STAR.replace("<backbone", f'<{word} id="new"/><backbone')
    else:
        text = re.sub(rf"<{tag} ", f'<{tag} {word}="1" ', STAR, count=1)
    assert text != STAR
    try:
        read_platform(text)
    except ContendError as error:
        assert word in str(error)
        assert error.remedy
    else:
        assert word in ("core", "pstate", "availability", "speed")


@pytest.mark.parametrize(
    ("topology", "parameters"),
    [
        ("FAT_TREE", "8;9,9,9,9,9,9,9,9;9,9,9,9,9,9,9,9;9,9,9,9,9,9,9,9"),
        ("FAT_TREE", "2;1024,1024;1,99999;1,999"),
        ("TORUS", "99999,99999"),
        ("DRAGONFLY", "9999,1;9999,1;9999,1;9999"),
    ],
)
def test_a_shape_that_would_exhaust_memory_is_refused(topology: str, parameters: str) -> None:
    with pytest.raises(ContendError, match="links, where 16777216 are the most"):
        read_platform(shaped(topology, parameters, 3))


def test_a_million_hosts_are_few_arrays() -> None:
    topology = read_platform(cluster(2**20 - 1))
    assert topology.hosts == 2**20
    assert topology.path(0, 2**20 - 1) == [0, 2 * (2**20 - 1) + 1]
    assert topology.of_hosts().all()
    with pytest.raises(ContendError, match="at most 1048576 hosts together"):
        read_platform(cluster(2**20))
    with pytest.raises(ContendError, match="more than 1048576 hosts"):
        both = CLUSTER.format(last=2**20 - 1, more="")
        read_platform(platform(both + both.replace('"c"', '"d"').replace('"n"', '"m"')))


def test_what_one_host_has_alone_is_known_as_that_hosts() -> None:
    topology = read_platform(STAR)
    called = np.array(topology.link_names())
    assert set(called[~topology.of_hosts()]) == {"bb", "wan"}
    ends = ["ab", "ac", "bc"]
    routes = [route(src, dst, f"l{src}", "middle", f"l{dst}") for src, dst in ends]
    links = [LINK.format(name, "1GBps", "0") for name in ("la", "lb", "lc", "middle")]
    topology = read_platform(
        platform(zone("Full", hosts(*"abc"), *links, route("a", "a", "la"), *routes))
    )
    assert topology.of_hosts().tolist() == [True, True, True, False]
