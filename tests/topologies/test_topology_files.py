"""Topologies by a word, as JSON and as SimGrid platforms."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contend.base.errors import ContendError
from contend.simulate.flows.engine import solve
from contend.simulate.topologies import FatTree, read_topology, topology_of

GRAPH = {
    "schema": "contend.topology",
    "version": 1,
    "graph": {
        "hosts": ["a", "b", "c", "d"],
        "links": [
            {"name": "a-s", "ends": ["a", "s"], "bandwidth": "800bit/s", "latency": "1s"},
            {"name": "b-s", "ends": ["b", "s"], "bandwidth": 100.0},
            {"name": "s-t", "ends": ["s", "t"], "bandwidth": 100.0, "latency": 2.0},
            {"name": "t-c", "ends": ["t", "c"], "bandwidth": 100.0},
            {"name": "t-d", "ends": ["t", "d"], "bandwidth": 100.0},
        ],
    },
}
TWO = {"src": ["a", "b"], "dst": ["c", "d"], "bytes": [100, 100]}


@pytest.fixture
def topology(tmp_path):
    def read(content, name="t.json"):
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return read_topology(path)

    return read


def platform(inner, head=""):
    return f"<?xml version='1.0'?>{head}<platform version='4.1'>{inner}</platform>"


def test_flows_share_the_link_between_switches_and_wait_for_its_latency(topology):
    found = solve(TWO, topology=topology(GRAPH))
    # b is first alone, from 2 s; a comes at 3 s, when b has ended.
    assert found.end.tolist() == [4.0, 3.0]
    back = solve(
        {"src": ["c", "a"], "dst": ["a", "c"], "bytes": [100, 100]}, topology=topology(GRAPH)
    )
    assert back.end.tolist() == [4.0, 4.0]


def test_a_route_may_be_named_in_the_topology_or_by_the_flow(topology):
    graph = json.loads(json.dumps(GRAPH))
    graph["graph"]["routes"] = [{"ends": ["a", "c"], "links": ["t-c", "s-t:back"]}]
    links = topology(graph).routes(np.array([0]), np.array([2])).links.tolist()
    assert links == [6, 5]
    routed = {**TWO, "route": [["a-s", "s-t"], ["b-s"]]}
    assert solve(routed, topology=topology(GRAPH)).end.tolist() == [4.0, 1.0]
    with pytest.raises(ContendError, match="a route names the link 'x'"):
        solve({**TWO, "route": [["x"], ["b-s"]]}, topology=topology(GRAPH))
    with pytest.raises(ContendError, match="flow 1: its route has no link"):
        solve({**TWO, "route": [["a-s"], []]}, topology=topology(GRAPH))


def test_a_switch_and_a_fat_tree_are_topologies_too(topology):
    switch = {"hosts": ["a", "b", "c", "d"], "bandwidth": "800bit/s"}
    found = topology({"schema": "contend.topology", "version": 1, "switch": switch})
    assert solve(TWO, topology=found).end.tolist() == [1.0, 1.0]
    tree = {"leaves": 2, "hosts_per_leaf": 2, "bandwidth": 100.0, "oversubscription": 2}
    found = topology({"schema": "contend.topology", "version": 1, "fat_tree": tree})
    assert found == FatTree(2, 2, 1, 100.0, 2.0) == topology_of("fat-tree:2x2:2", 100.0)
    assert topology_of("switch") is None
    with pytest.raises(ContendError, match="has no bandwidth"):
        topology_of("fat-tree:2x2")
    with pytest.raises(ContendError, match="is no topology; give dragonfly"):
        topology_of("hypercube")


def change(**members):
    return {**GRAPH, "graph": {**GRAPH["graph"], **members}}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "is not JSON"),
        ("[]", "does not say what it is"),
        ({**GRAPH, "version": 9}, "version 9"),
        (
            {"schema": "contend.topology", "version": 1},
            "give one of dragonfly, fat_tree, graph, k_ary, pgft, switch, torus",
        ),
        (change(hosts=["a", "a"]), "two hosts are named 'a'"),
        (change(links=GRAPH["graph"]["links"] * 2), "two links are named"),
        (change(routes=[{"ends": ["a", "x"], "links": ["a-s"]}]), "'x', which is no host"),
        (change(routes=[{"ends": ["a", "b"], "links": ["x"]}]), "the link 'x'"),
        (change(links=[{"name": "l", "ends": ["a", "b"], "bandwidth": "fast"}]), "is not a rate"),
        (change(links=[{"name": "l", "ends": ["a", "b"], "bandwidth": -1}]), "greater than 0"),
        (change(tcp={"minimum_timeout": 0}), "greater than 0"),
        (change(tcp={"queue_time": "soon"}), "is not a time"),
    ],
)
def test_bad_topologies_are_an_error(topology, content, said):
    with pytest.raises(ContendError) as caught:
        topology(content)
    assert said in str(caught.value)


def test_tcp_of_the_hosts_is_that_of_linux_where_a_topology_does_not_say(topology):
    assert topology(GRAPH).tcp() == {"minimum_timeout": 0.2, "queue_time": 1 / 1024}
    found = topology(change(tcp={"queue_time": "125us"})).tcp()
    assert found == {"minimum_timeout": 0.2, "queue_time": 125e-6}


def test_hosts_that_nothing_joins_are_an_error(topology):
    alone = change(hosts=["a", "b", "c", "d", "e"])
    flows = {"src": ["a"], "dst": ["e"], "bytes": [1]}
    with pytest.raises(ContendError, match="no link leads on from 'a' to 'e'"):
        solve(flows, topology=topology(alone))


LINK = "<link id='{}' bandwidth='100Bps' latency='1s' {}/>"
HOSTS = "<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/><host id='c' speed='1Gf'/>"
SHARED = LINK.format("l", "")
FULL = (
    "<zone id='z' routing='Full'>{}{}<route src='a' dst='c'><link_ctn id='l'/></route>"
    "<route src='b' dst='c'><link_ctn id='l'/></route></zone>"
)


def test_a_fatpipe_gives_each_flow_its_bandwidth_and_a_shared_link_does_not(topology):
    flows = {"src": ["a", "b"], "dst": ["c", "c"], "bytes": [100, 100]}
    shared = topology(platform(FULL.format(HOSTS, SHARED)), "p.xml")
    assert solve(flows, topology=shared).end.tolist() == [3.0, 3.0]
    pipe = topology(
        platform(FULL.format(HOSTS, LINK.format("l", "sharing_policy='FATPIPE'"))), "p.xml"
    )
    assert solve(flows, topology=pipe).end.tolist() == [2.0, 2.0]


def test_both_directions_of_a_shared_link_share_it_and_of_a_split_one_do_not(topology):
    flows = {"src": ["a", "c"], "dst": ["c", "a"], "bytes": [100, 100]}
    shared = topology(platform(FULL.format(HOSTS, SHARED)), "p.xml")
    assert solve(flows, topology=shared).end.tolist() == [3.0, 3.0]
    split = FULL.format(HOSTS, LINK.format("l", "sharing_policy='SPLITDUPLEX'"))
    assert solve(flows, topology=topology(platform(split), "p.xml")).end.tolist() == [2.0, 2.0]


CLUSTERS = (
    "<zone id='w' routing='Full'>"
    "<cluster id='x' prefix='x' suffix='' radical='0-3' speed='1Gf' bw='100Bps' lat='1s'/>"
    "<cluster id='y' prefix='y' suffix='' radical='0-1,5' speed='1Gf' bw='100Bps' lat='1s' "
    "bb_bw='50Bps' bb_lat='2s'/>" + LINK.format("wan", "") + "<zoneRoute src='x' dst='y' "
    "gw_src='xx_router' gw_dst='yy_router'><link_ctn id='wan'/></zoneRoute></zone>"
)
DTD = '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">'


def test_clusters_are_joined_by_the_route_between_their_routers(topology):
    found = topology(platform(CLUSTERS, DTD), "p.xml")
    assert list(found.names()) == ["x0", "x1", "x2", "x3", "y0", "y1", "y5"]
    links = found.link_names()

    def route(src, dst):
        numbers = found.routes(np.array([src]), np.array([dst])).links
        return [links[number] for number in numbers]

    assert route(0, 1) == ["x_link_0:UP", "x_link_1:DOWN"]
    assert route(4, 6) == ["y_link_0:UP", "y_backbone", "y_link_5:DOWN"]
    assert route(0, 6) == ["x_link_0:UP", "wan", "y_backbone", "y_link_5:DOWN"]
    assert route(6, 0) == ["y_link_5:UP", "y_backbone", "wan", "x_link_0:DOWN"]
    flows = {"src": ["x0", "x1"], "dst": ["y0", "y1"], "bytes": [100, 100]}
    assert solve(flows, topology=found).end == pytest.approx([9.0, 9.0])
    # A model of penalties bounds each flow, and the wide area link is shared below that.
    found = solve(flows, "infiniband", topology=found)
    assert found.end == pytest.approx([9.0, 9.0])


def test_floyd_and_dijkstra_take_the_way_of_fewest_links(topology):
    ring = "".join(
        LINK.format(f"l{i}", "") + f"<route src='{a}' dst='{b}'><link_ctn id='l{i}'/></route>"
        for i, (a, b) in enumerate(("ar", "rb", "bc"))
    )
    inner = f"{HOSTS}<router id='r'/>{ring}"
    for routing in ("Floyd", "Dijkstra"):
        found = topology(platform(f"<zone id='z' routing='{routing}'>{inner}</zone>"), "p.xml")
        links = found.routes(np.array([0, 2]), np.array([2, 0])).links
        assert links.tolist() == [0, 1, 2, 2, 1, 0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<platform", "is no XML"),
        ("<a/>", "the root is <a>"),
        ("<platform version='3'/>", "version 3"),
        (platform(""), "no host"),
        (platform("<peer id='p'/>"), "the element <peer> is not read"),
        (platform("<zone id='z' routing='Vivaldi'/>"), "the routing 'Vivaldi'"),
        (platform(HOSTS + HOSTS), "two elements have the id 'a'"),
        (platform(SHARED + SHARED), "two links have the id 'l'"),
        (platform("<link id='l' bandwidth='fast'/>"), "the bandwidth 'fast'"),
        (platform("<link id='l' bandwidth='1GBps' latency='-1s'/>"), "the latency '-1s'"),
        (platform(LINK.format("l", "sharing_policy='WIFI'")), "the sharing_policy 'WIFI'"),
        (platform(FULL.format(HOSTS, "")), "the link 'l', which there is not"),
        (platform("<zone id='z' routing='Full'><route src='a' dst='b'/></zone>"), "ends at 'a'"),
        (platform("<cluster id='c' radical='0-99999999' bw='1Bps' lat='0s'/>"), "radical"),
        (platform("<cluster id='c' radical='3-1' bw='1Bps' lat='0s'/>"), "ranges upwards"),
        (
            platform("<cluster id='c' radical='0' bw='1Bps' topology='TORUS'/>"),
            "no topo_parameters",
        ),
        (platform("<cluster id='c' radical='0' bw='1Bps' topology='MESH'/>"), "topology 'MESH'"),
        ("<!DOCTYPE x [<!ENTITY a 'b'>]><platform version='4'>&a;</platform>", "the entity 'a'"),
        ("<platform version='4'>" + "<zone id='z'>" * 500, "lie within each other"),
    ],
)
def test_what_is_no_platform_that_is_read_is_an_error(topology, text, said):
    with pytest.raises(ContendError) as caught:
        topology(text, "p.xml")
    assert said in str(caught.value)
    assert caught.value.remedy


def test_hosts_without_a_route_are_an_error(topology):
    found = topology(platform(FULL.format(HOSTS, SHARED)), "p.xml")
    with pytest.raises(ContendError, match="zone 'z' has no route from 'a' to 'b'"):
        solve({"src": ["a"], "dst": ["b"], "bytes": [1]}, topology=found)


PARTS = [
    HOSTS,
    SHARED,
    "<zone id='z' routing='Full'>",
    "</zone>",
    "<route src='a' dst='c'>",
    "</route>",
    "<link_ctn id='l'/>",
    "<router id='r'/>",
    "<cluster id='c' radical='0-3' bw='1Bps' lat='0s'/>",
    "<zoneRoute src='z' dst='c' gw_src='a' gw_dst='c0'>",
    "</zoneRoute>",
    "<prop/>",
    "x",
]


@settings(max_examples=150, deadline=None)
@given(parts=st.lists(st.sampled_from(PARTS), max_size=12), suffix=st.sampled_from(["xml", "json"]))
def test_any_text_is_a_topology_or_an_error(parts, suffix, tmp_path_factory):
    path = tmp_path_factory.getbasetemp() / f"fuzz.{suffix}"
    path.write_text(platform("".join(parts)))
    try:
        found = read_topology(path)
        found.routes(np.array([0]), np.array([found.hosts - 1]))
    except ContendError as error:
        assert error.remedy
