"""Links of a plan are those levels of a network file that bear its names."""

from contend.clusters.links import links_of
from contend.network import Level, Network, Origin
from contend.pointtopoint.hockney import given

ORIGIN = Origin(contend_version="0", created="2026-01-01", samples="none", samples_sha256="0" * 64)


def test_a_link_has_the_latency_and_the_rate_of_its_level() -> None:
    levels = (
        Level(name="cluster", hockney=given(alpha=0.005, beta=1e-8)),
        Level(name="node", hockney=given(alpha=1e-6, beta=1e-10)),
        Level(name="site"),
    )
    network = Network(name="test", levels=levels, origin=ORIGIN)
    (link,) = links_of(network, ["cluster", "site"])
    assert (link.level, link.latency, link.bandwidth) == ("cluster", 0.005, 1e8)
    assert links_of(network, []) == ()
