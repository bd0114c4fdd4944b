"""SimGrid's platform: SimGrid and contend end flows at the same times, SMPI single messages."""

import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import contend
from contend.base.document import Quantity
from contend.base.errors import InvalidInputError
from contend.export import FORMATS, Wanted
from contend.export.smpi import TOLERANCE, smpi_of
from contend.models.links.record import GroupSize, LevelLinks, Way
from contend.models.network import Level, Network
from contend.programs.replay import LogGOPS
from contend.samples.origin import Origin
from contend.schedules.pointtopoint import Hockney, PLogP
from contend.simulate.topologies import topology_of
from contend.simulate.topologies.simgrid.platform import NotModelledWarning
from support.networks import SIZES, by_loggops, network, table

FORMAT = FORMATS.get("simgrid")
HERE = Path(__file__).parent
FAST = LogGOPS(L=2e-6, o=1.5e-6, g=4e-6, G=0.08e-9, O=0.03e-9, S=65536)
SLOW = LogGOPS(L=5e-5, o=1e-6, g=2e-5, G=8e-8, O=1e-9, S=16384)
PRECISION = "--cfg=surf/precision:1e-12"  # seconds; SimGrid's 1e-9 is much of a short flow
QUIET = "--log=root.thresh:error"


def output_of(*command: str | Path, text: str | None = None) -> str:
    done = subprocess.run(
        [str(word) for word in command],
        input=text,
        text=True,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.fixture
def ends(compiled: Callable[..., Path]) -> Callable[..., np.ndarray]:
    """A function that gives the end of each flow by SimGrid, on the platform of a file."""
    if shutil.which("pkg-config") is None or shutil.which("c++") is None:
        pytest.skip("no pkg-config or C++ compiler, which find and use SimGrid")
    found = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "simgrid"], capture_output=True, text=True, check=False
    )
    if found.returncode:
        pytest.skip("SimGrid is not installed (Debian: libsimgrid-dev)")
    program = compiled("c++", "-std=c++20", HERE / "ends.cpp", *found.stdout.split())

    def run(platform: Path, names: Sequence[str], flows: dict[str, np.ndarray]) -> np.ndarray:
        columns = (flows[name].tolist() for name in ("src", "dst", "bytes", "start"))
        text = "\n".join(
            f"{names[src]} {names[dst]} {size} {start!r}"
            for src, dst, size, start in zip(*columns, strict=True)
        )
        return np.array(output_of(program, platform, PRECISION, QUIET, text=text).split(), float)

    return run


@pytest.fixture
def smpirun(compiled: Callable[..., Path]) -> Callable[..., str]:
    """A function that runs ping-pongs of sizes, and an all-to-all, on a platform."""
    if shutil.which("smpicc") is None or shutil.which("smpirun") is None:
        pytest.skip("SMPI is not installed (Debian: libsimgrid-dev)")
    program = compiled("smpicc", "-O1", HERE / "ping_pong.c")

    def run(platform: Path, ranks: int, *sizes: int) -> str:
        options = Path(f"{platform}.smpi").read_text().split()
        return output_of(
            "smpirun", *options, "--cfg=smpi/wtime:0", "-platform", platform, "-np", str(ranks),
            QUIET, program, *map(str, sizes),
        )  # fmt: skip

    return run


def random_flows(hosts: int, count: int, seed: int) -> dict[str, np.ndarray]:
    """Flows of 64 KiB to 16 MiB that begin while others are under way, each once."""
    random = np.random.default_rng(seed)
    src = random.integers(0, hosts, count)
    return {
        "src": src,
        "dst": (src + random.integers(1, hosts, count)) % hosts,
        "bytes": random.integers(1 << 16, 1 << 24, count),
        "start": np.sort(random.uniform(0, 2e-3, count)),
    }


def written(folder: Path, known: Network, wanted: Wanted) -> Path:
    """The platform of a network, as a file, with the options of SMPI beside it."""
    found = FORMAT.of_network(known, wanted)
    path = folder / "platform.xml"
    path.write_text(found.text)
    for behind, text in found.beside.items():
        path.with_name(path.name + behind).write_text(text)
    return path


def same_latency(topology: object, flows: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Those flows whose routes have the longest latency."""
    routes = topology.routes(flows["src"], flows["dst"])
    seconds = np.add.reduceat(topology.latency()[routes.links], routes.offsets[:-1])
    is_kept = np.isclose(seconds, seconds.max())
    return {name: column[is_kept] for name, column in flows.items()}


def two_groups() -> LevelLinks:
    def s(value: float) -> Quantity:
        return Quantity(value=value, unit="s")

    def rate(value: float) -> Quantity:
        return Quantity(value=value, unit="B/s")

    def way(source: str, destination: str, bandwidth: float) -> Way:
        return Way(
            source=source, destination=destination, latency=s(1e-3), bandwidth=rate(bandwidth),
            is_saturated=True, clean_bytes=1, points=1,
        )  # fmt: skip

    return LevelLinks(
        name="cluster",
        groups=(GroupSize(name="a", hosts=3, ranks=3), GroupSize(name="b", hosts=2, ranks=2)),
        latency=s(1e-3), bandwidth=rate(3e7), clean_bytes=1,
        inside_latency=s(1e-4), inside_bandwidth=rate(1e8), between=by_loggops(SLOW),
        ways=(way("a", "b", 5e7), way("b", "a", 3e7)), m_seen=(1,), volumes_seen=(1, 2),
        launches=1, points=2,
        origin=Origin(contend_version="0", created="2026", samples="s", samples_sha256="0"),
    )  # fmt: skip


CASES = {
    "switch": (network(by_loggops(SLOW), hosts=8), Wanted()),
    "fast switch": (network(by_loggops(FAST)), Wanted(hosts=16)),
    "groups": (network(by_loggops(SLOW), links=(two_groups(),)), Wanted()),
    "fat tree": (network(by_loggops(SLOW)), Wanted(topology="fat-tree:3x4x2:2")),
}


@pytest.mark.parametrize("case", CASES)
def test_flows_that_share_links_end_when_contend_says(
    case: str, ends: Callable[..., np.ndarray], tmp_path: Path
) -> None:
    platform = written(tmp_path, *CASES[case])
    topology = topology_of(str(platform))
    assert topology is not None
    flows = same_latency(topology, random_flows(topology.hosts, 60, seed=7))
    by_contend = contend.solve(flows, topology=topology, model="maxmin").end
    alone = flows["start"] + flows["bytes"] / topology.capacity().max()
    assert (by_contend > 1.5 * alone).sum() > len(alone) / 2  # they do share
    np.testing.assert_allclose(ends(platform, topology.names(), flows), by_contend, rtol=1e-6)


@pytest.mark.parametrize("law", [FAST, SLOW], ids=["fast", "slow"])
def test_a_message_takes_in_smpi_what_was_measured(
    law: LogGOPS, smpirun: Callable[..., str], tmp_path: Path
) -> None:
    net = by_loggops(law)
    platform = written(tmp_path, network(net), Wanted(hosts=4))
    sizes = sorted({*SIZES, *(size + 1 for size in SIZES), 300, 20000, 700_000})
    lines = [line.split() for line in smpirun(platform, 4, *sizes).splitlines()]
    assert lines[-1] == ["right", "4"]
    seconds = {int(m): float(time) for m, time in lines[:-1]}
    assert [*seconds] == sizes
    np.testing.assert_allclose([*seconds.values()], net.seconds(sizes), rtol=1e-4)


def bent(seed: int) -> PLogP:
    """Parameters of no law: noise, plateaus and steps, as measured ones have."""
    random = np.random.default_rng(seed)
    net = by_loggops(SLOW)
    gap = net.gap.array * random.uniform(0.8, 1.3, net.gap.array.size)
    gap[4:6] = gap[4]
    send = net.send_overhead_at(net.size.array) * random.uniform(0.5, 2.0, gap.size)
    return PLogP(
        latency=Quantity(value=4e-5, unit="s"), size=net.size, gap=table(gap),
        send_overhead=table(send), receive_overhead=net.receive_overhead, method="kielmann",
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
def test_the_error_that_is_told_is_that_of_smpi(
    seed: int, smpirun: Callable[..., str], tmp_path: Path
) -> None:
    net = bent(seed)
    known = network(net)
    found = FORMAT.of_network(known, Wanted())
    platform = written(tmp_path, known, Wanted())
    lines = [line.split() for line in smpirun(platform, 2, *SIZES).splitlines()[:-1]]
    seconds = np.array([float(time) for _, time in lines])
    smpi = smpi_of(net, found.figures["latency"], found.figures["bandwidth"])
    np.testing.assert_allclose(seconds, smpi.seconds(SIZES), rtol=1e-4)
    errors = np.abs(seconds / net.seconds(SIZES) - 1)
    assert errors.max() == pytest.approx(found.figures["worst_error"], abs=1e-4)


def test_between_the_sizes_pieces_are_as_near_as_promised() -> None:
    net = by_loggops(SLOW)
    smpi = smpi_of(net, 5e-5, 1 / SLOW.G)
    sizes = np.unique(np.geomspace(1, 2 * SIZES[-1], 500).astype(int))
    assert np.abs(smpi.seconds(sizes) / net.seconds(sizes) - 1).max() < TOLERANCE
    assert not smpi.are_reduced or (smpi.send <= net.send_overhead_at(smpi.sizes)).all()


def test_a_link_that_is_slower_than_messages_were_is_told_as_an_error() -> None:
    net = by_loggops(SLOW)
    smpi = smpi_of(net, 5e-5, 0.5 / SLOW.G)
    large = SIZES[-1]
    assert smpi.seconds(large) == pytest.approx((large + 16) * 2 * SLOW.G, rel=0.01)


def test_hosts_and_links_of_the_platform_are_read_back(tmp_path: Path) -> None:
    for name, (known, wanted) in CASES.items():
        (tmp_path / name).mkdir()
        platform = written(tmp_path / name, known, wanted)
        with pytest.warns(NotModelledWarning, match="network/model"):
            topology = topology_of(str(platform))
        assert topology is not None
        assert topology.hosts == FORMAT.of_network(known, wanted).figures["hosts"]
    tree = topology_of("fat-tree:3x4x2:2", 1 / SLOW.G)
    assert tree is not None
    src, dst = np.array([0, 0, 5]), np.array([1, 11, 2])
    routes = topology.routes(src, dst)
    assert routes.links.tolist() == tree.routes(src, dst).links.tolist()
    np.testing.assert_allclose(topology.capacity(), tree.capacity())


def test_groups_share_the_measured_ways() -> None:
    from contend.export.formats.simgrid import grouped

    paths = grouped(two_groups(), 1e9, 1.0)
    assert paths.names() == ["a-0", "a-1", "a-2", "b-0", "b-1"]
    routes = paths.routes(np.array([0, 1, 3, 0]), np.array([3, 4, 0, 1]))
    links = np.split(routes.links, routes.offsets[1:-1])
    assert paths.capacity()[links[0]].tolist() == [1e8, 5e7, 1e8]
    assert links[0][1] == links[1][1]
    assert paths.capacity()[links[2]].tolist() == [1e8, 3e7, 1e8]
    assert paths.latency()[links[0]].sum() == pytest.approx(1e-3)
    assert paths.latency()[links[3]].sum() == pytest.approx(1e-4)


def test_what_cannot_be_exported_says_what_to_do() -> None:
    known = network(by_loggops(SLOW), hosts=1)
    with pytest.raises(InvalidInputError, match=r"measured on 1 host.*--hosts"):
        FORMAT.of_network(known, Wanted())
    with pytest.raises(InvalidInputError, match="says nothing of single messages"):
        FORMAT.of_network(network(None), Wanted())
    with pytest.raises(InvalidInputError, match="--hosts 3 of a topology of 12"):
        FORMAT.of_network(known, Wanted(topology="fat-tree:3x4x2:2", hosts=3))
    with pytest.raises(InvalidInputError, match="600 hosts with a route for each pair"):
        FORMAT.of_network(known, Wanted(topology="fat-tree:30x20"))
    with pytest.raises(InvalidInputError, match="several levels"):
        FORMAT.of_network(network(by_loggops(SLOW), links=(two_groups(), two_groups())), Wanted())
    inner = two_groups()
    groups = (inner.groups[0].model_copy(update={"outer": "site"}), inner.groups[1])
    within = network(by_loggops(SLOW), links=(inner.model_copy(update={"groups": groups}),))
    with pytest.raises(InvalidInputError, match="are within others"):
        FORMAT.of_network(within, Wanted())


def test_links_have_the_bandwidth_of_measured_contention_where_it_is_known() -> None:
    known = SimpleNamespace(name="maxmin", bandwidth=Quantity(value=1e8, unit="B/s"), parameters={})
    sharing = SimpleNamespace(
        fallback="maxmin", by_name=lambda _: known, models=(known,), origin=None
    )
    measured = network(by_loggops(SLOW)).model_copy(update={"sharing": sharing})
    assert FORMAT.of_network(measured, Wanted(hosts=2)).figures["bandwidth"] == 1e8


def test_without_plogp_there_is_a_platform_alone() -> None:
    line = Hockney(alpha=Quantity(value=1e-5, unit="s"), beta=Quantity(value=1e-9, unit="s/B"))
    known = network(None)
    known = known.model_copy(update={"levels": (Level(name="all", hockney=line),)})
    found = FORMAT.of_network(known, Wanted())
    assert (found.figures["bandwidth"], found.figures["latency"]) == (pytest.approx(1e9), 1e-5)
    assert not found.beside
    assert any("no options for smpirun" in note for note in found.notes)
