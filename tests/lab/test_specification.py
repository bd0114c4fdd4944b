"""What a lab is: its hosts, links, routes, and what is refused."""

import re
from itertools import permutations

import pytest

from contend.base.errors import ContendError, FileFormatError, InvalidInputError
from contend.measure.lab import Lab, profiles, read_lab
from contend.measure.lab.specification import LONGEST_NAME, parse_lab

TEXT = """
[[clusters]]
name = "a"
hosts = 2
rate = "8Mbit/s"
buffer = "64KiB"
latency = "100us"
"""
OTHER = TEXT.replace('"a"', '"b"')
BACKBONE = """
[[backbones]]
between = ["a", "b"]
rate = "1Mbit/s"
delay = "5ms"
buffer = "32KiB"
"""


def chain(*pairs):
    """Clusters of a host each, named by letters, with backbones between those of each pair."""
    names = sorted(set("".join(pairs)))
    clusters = [TEXT.replace('"a"', f'"{name}"').replace("= 2", "= 1") for name in names]
    backbones = [BACKBONE.replace('"a", "b"', f'"{a}", "{b}"') for a, b in pairs]
    return parse_lab("".join(clusters + backbones), "chain", "chain.toml")


def through(lab, src, dst):
    return [link.name for link in lab.routes()[src, dst]]


@pytest.mark.parametrize("name", profiles())
def test_a_profile_is_a_network_with_distinct_names_and_addresses(name):
    lab = read_lab(f"lab:{name}")
    everyone = [lab.head, *lab.hosts]
    assert lab.name == name
    assert lab.description
    for field in ("name", "address", "mac"):
        assert len({getattr(host, field) for host in everyone}) == len(everyone)
    assert Lab.model_validate_json(lab.model_dump_json()) == lab
    links = [link.name for link in lab.links()]
    assert len(set(links)) == len(links)
    assert lab.routes().keys() == set(permutations([host.name for host in everyone], 2))


def test_hosts_are_numbered_within_their_cluster_and_routes_take_the_fewest_backbones():
    lab = parse_lab(TEXT + OTHER + BACKBONE, "x", "x")
    assert [host.name for host in lab.hosts] == ["a1", "a2", "b1", "b2"]
    assert [host.address for host in lab.hosts] == [
        f"10.77.{c}.{h}" for c in (1, 2) for h in (1, 2)
    ]
    assert lab.hosts[3].mac == "02:77:00:00:02:02"
    assert through(lab, "a1", "a2") == ["up:a1", "down:a2"]
    assert through(lab, "a1", "b2") == ["up:a1", "backbone:a-b", "down:b2"]
    assert through(lab, "b2", "a1") == ["up:b2", "backbone:b-a", "down:a1"]
    assert through(lab, "head", "a1") == through(lab, "b1", "head") == []
    ring = chain("ab", "bc", "cd", "de", "ea")
    assert through(ring, "a1", "d1") == ["up:a1", "backbone:a-e", "backbone:e-d", "down:d1"]


@pytest.mark.parametrize("src, dst", list(permutations("abcd", 2)))
def test_the_way_back_is_the_way_there(src, dst):
    lab = chain("ab", "cd", "bc", "da")
    there, back = through(lab, f"{src}1", f"{dst}1"), through(lab, f"{dst}1", f"{src}1")
    turned = [re.sub("backbone:(.)-(.)", r"backbone:\2-\1", name) for name in reversed(back[1:-1])]
    assert there[1:-1] == turned


def test_latency_is_split_between_the_links_and_frames_are_serialised_on_each():
    lab = parse_lab(TEXT + OTHER + BACKBONE, "x", "x")
    assert lab.smallest_one_way("a1", "a2") == pytest.approx(100e-6 + 2 * 84 * 8 / 8e6)
    assert lab.smallest_one_way("a1", "b1") == pytest.approx(
        100e-6 + 5e-3 + 2 * 84 * 8 / 8e6 + 84 * 8 / 1e6
    )


def test_dilated_links_are_slower_and_longer_with_the_same_buffers():
    plain = parse_lab(TEXT + OTHER + BACKBONE, "x", "x")
    slow = plain.model_copy(update={"time_dilation": 10.0})
    for before, after in zip(plain.links(), slow.links(), strict=True):
        assert before.rate_bits is not None and after.rate_bits is not None
        assert after.rate_bits == pytest.approx(before.rate_bits / 10)
        assert after.delay_s == pytest.approx(before.delay_s * 10)
        assert after.buffer_bytes == before.buffer_bytes
    assert slow.real_minimum_rto == pytest.approx(2.0)
    there = [lab.smallest_one_way("a1", "b2") for lab in (plain, slow)]
    assert there[1] == pytest.approx(10 * there[0])


def test_the_switch_is_told_links_hosts_routes_and_the_time_out():
    lab = parse_lab(TEXT + OTHER + BACKBONE, "x", "x")
    lines = lab.switch_configuration().splitlines()
    assert "link up:a1 8000000 0 50000" in lines
    assert "link down:a1 8000000 65536 50000" in lines
    assert "link backbone:a-b 1000000 32768 5000000" in lines
    assert "host head p0 02:77:00:00:ff:01" in lines
    assert "host b1 p3 02:77:00:00:02:01" in lines
    assert "route head a1" in lines
    assert "route a1 b2 up:a1 backbone:a-b down:b2" in lines
    assert lines[-1] == "rto 200000000"
    assert sum(line.startswith("route") for line in lines) == 5 * 4
    text = TEXT.replace("8Mbit/s", "unlimited").replace("64KiB", "unlimited")
    lab = parse_lab(text, "x", "x")
    assert lab.clusters[0].rate is None and lab.clusters[0].buffer is None
    assert "link down:a1 0 0 50000" in lab.switch_configuration().splitlines()


@pytest.mark.parametrize("name", ["A", "1a", "a1", "a_b", "-a", "", "a" * (LONGEST_NAME + 1)])
def test_names_that_no_host_can_have_are_refused(name):
    with pytest.raises(InvalidInputError, match="cannot name a cluster"):
        parse_lab(TEXT.replace('"a"', f'"{name}"'), "x", "x")


def test_counters_of_the_longest_names_fit_into_the_entries_of_the_switch():
    first, second = "a" * LONGEST_NAME, "b" * LONGEST_NAME
    text = (TEXT + OTHER + BACKBONE).replace('"a"', f'"{first}"').replace('"b"', f'"{second}"')
    names = [link.name for link in parse_lab(text, "x", "x").links()]
    assert max(len(f"frames:{name}") for name in names) <= 55


@pytest.mark.parametrize(
    "text, said",
    [
        (TEXT + TEXT, "two clusters are named 'a'"),
        (TEXT.replace("= 2", "= 1"), "a lab of 1 hosts"),
        (TEXT.replace("= 2", "= 121"), "a lab of 121 hosts"),
        (TEXT.replace("= 2", "= 0"), "clusters.0.hosts"),
        (TEXT + OTHER, "no backbone leads from cluster 'a' to 'b'"),
        (TEXT + BACKBONE, "no cluster is named 'b'"),
        (TEXT + BACKBONE.replace('"b"', '"a"'), "a cluster needs none"),
        (TEXT + OTHER + BACKBONE + BACKBONE, "a second backbone between 'a' and 'b'"),
        (TEXT.replace("8Mbit/s", "0Mbit/s"), "clusters.0.rate"),
        (TEXT.replace("8Mbit/s", "8 parsecs"), "rate: '8 parsecs' is not a rate"),
        (TEXT.replace("64KiB", "1513"), "clusters.0.buffer"),
        (TEXT.replace("64KiB", "64 litres"), "buffer: '64 litres' is not a size"),
        (TEXT.replace("100us", "-1us"), "clusters.0.latency"),
        (TEXT.replace("100us", "unlimited"), "clusters.0.latency"),
        (TEXT.replace('rate = "8Mbit/s"', ""), "clusters.0.rate is missing"),
        ("time_dilation = 0.5" + TEXT, "time_dilation"),
        ("minimum_rto = 0" + TEXT, "minimum_rto"),
        ('mpi = "lam"' + TEXT, "mpi"),
        ("colour = 1" + TEXT, "colour"),
        ("clusters = []", "clusters"),
        (TEXT + 'name = "b"\n', r"not TOML.*line 8"),
    ],
)
def test_what_is_wrong_is_said_with_the_file(text, said):
    with pytest.raises(ContendError, match=f"my.toml.*{said}"):
        parse_lab(text, "my", "my.toml")


def test_two_backbones_cannot_share_a_name():
    names = ("a-b", "c", "a", "b-c")
    text = "".join(TEXT.replace('"a"', f'"{name}"') for name in names)
    pairs = [("a-b", "c"), ("a", "b-c"), ("a", "c")]
    text += "".join(BACKBONE.replace('"a", "b"', f'"{a}", "{b}"') for a, b in pairs)
    with pytest.raises(InvalidInputError, match="two links are named 'backbone:a-b-c'"):
        parse_lab(text, "x", "x")


def test_a_lab_is_read_from_a_file_and_named_after_it(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(TEXT)
    assert read_lab(str(path)).name == read_lab(f"lab:{path}").name == "mine"
    path.write_text('name = "other"' + TEXT)
    assert read_lab(str(path)).name == "other"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(FileFormatError, match="is no text"):
        read_lab(str(path))
    with pytest.raises(InvalidInputError, match=f"choose from {', '.join(profiles())}"):
        read_lab("lab:nowhere")


@pytest.mark.parametrize("text", ["hosts = " + "9" * 5000, "a = " + "[" * 5000, "a = 1\na = 2"])
def test_what_the_parser_refuses_is_an_error_of_the_file(text):
    with pytest.raises(FileFormatError, match=r"lab\.toml is not TOML"):
        parse_lab(text, "lab", "lab.toml")
