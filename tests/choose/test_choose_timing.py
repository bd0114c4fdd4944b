"""How schedules are timed: by name, by placement, and what is refused."""

from dataclasses import replace
from typing import get_args

import pytest

from contend.api.network import Ports
from contend.base.document import Quantity
from contend.base.errors import InvalidInputError
from contend.cli.options import PortsAre
from contend.models.links.record import GroupSize, LevelLinks, Way
from contend.models.network import Level
from contend.samples.origin import Origin
from contend.schedules import algorithms
from contend.schedules.groups import given, parse_groups
from contend.schedules.timing.predict import predicted
from contend.simulate.graphs.record import FittedSharing, KnownModel, SharingErrors
from contend.tune.choose import validation
from contend.tune.choose.ranking import rank
from contend.tune.choose.text import WAYS
from contend.tune.choose.timing import AUTO, PORTS, Placement, extrapolated, timing_of
from contend.tune.choose.validation import Validated
from support import libraries, networks

PLOGP = networks.plogp()
FLAT, CHAIN = (algorithms("bcast").get(name) for name in ("flat", "segmented_chain"))


def links(name="node", with_inside=True):
    def value(number, unit):
        return Quantity(value=number, unit=unit)

    way = Way(
        source="a", destination="b", latency=value(1e-4, "s"), bandwidth=value(1.25e7, "B/s"),
        is_saturated=True, clean_bytes=1, points=1,
    )  # fmt: skip
    return LevelLinks(
        name=name,
        groups=tuple(GroupSize(name=one, hosts=1, ranks=2) for one in "ab"),
        latency=value(1e-4, "s"), bandwidth=value(1.25e7, "B/s"), clean_bytes=1,
        inside=PLOGP if with_inside else None, between=PLOGP, ways=(way,), m_seen=(1,),
        volumes_seen=(1, 2), launches=1, points=2,
        origin=Origin(contend_version="0", created="2026", samples="s", samples_sha256="0"),
    )  # fmt: skip


def network(factor=1.0, per_node=1, **parts):
    """A default, a flat tree that takes `factor` times its schedule, and a chain 1 / factor."""
    laws = {
        "openmpi:basic_linear": lambda n, m: factor * float(FLAT.uniform_seconds(PLOGP, n, m)),
        "openmpi:pipeline": lambda n, m: (
            float(CHAIN.uniform_seconds(PLOGP, n, m, segment=m)) / factor
        ),
    }
    known = libraries.measured(laws)
    placed = tuple(
        one.model_copy(update={"processes_per_node": per_node}) for one in known.operations
    )
    level = Level(name="all", plogp=PLOGP)
    return known.model_copy(update={"levels": (level,), "operations": placed, **parts})


def seconds(timing, algorithm=FLAT, n=8, m=4096):
    return float(timing(algorithm, PLOGP, n, m)[0].seconds)


def test_auto_has_the_errors_of_what_was_run_in_its_intervals():
    timing = timing_of(network(factor=1.5), "bcast")
    assert isinstance(timing, Validated)
    times, _ = timing(FLAT, PLOGP, 8, 4096)
    assert times.high / times.low > 1.5
    plain, _ = timing_of(network(), "bcast", "single")(FLAT, PLOGP, 8, 4096)
    assert plain.high / plain.low < 1.2


def test_intervals_of_a_ranking_overlap_by_what_schedules_are_off():
    known = network(factor=3.0)
    parameters = known.parameters("bcast")
    sure, unsure = (
        rank("bcast", parameters, 16, 65536, timing_of(known, "bcast", ports))
        for ports in ("single", "auto")
    )
    assert len(unsure.as_fast_as_best) > len(sure.as_fast_as_best)


@pytest.mark.parametrize("ports", ["fitted", "levels"])
def test_what_the_network_does_not_know_is_refused_with_what_to_measure(ports):
    with pytest.raises(InvalidInputError, match=f"does not know {ports} ports; measure"):
        timing_of(network(), "bcast", ports)


def test_ports_have_the_same_names_everywhere():
    with pytest.raises(InvalidInputError, match="give auto, single, shared, fitted, levels"):
        timing_of(network(), "bcast", "double")
    assert tuple(one.value for one in PortsAre) == get_args(Ports) == PORTS
    assert WAYS.keys() == set(PORTS) - {AUTO}


def test_a_fitted_sharing_model_says_how_ports_are_shared():
    """Max-min as it is fitted, whatever bandwidth that has, is what shared ports are."""
    bandwidth = Quantity(value=1.25e7, unit="B/s")
    errors = SharingErrors(average=0.05, worst_graph=0.1, worst=0.2)
    models = (
        KnownModel(name="maxmin", model="maxmin", bandwidth=bandwidth, errors=errors),
        KnownModel(name="equal_share", model="equal_share", bandwidth=bandwidth, errors=errors),
    )
    sharing = FittedSharing(
        model="maxmin", fallback="maxmin", is_bandwidth_measured=True, models=models, measured=(),
        graphs=9, folds=3, edges_seen=(2,), m_seen=(1 << 20,), origin=links().origin,
    )  # fmt: skip
    known = network(sharing=sharing)
    tree, m = algorithms("bcast").get("binomial"), 1 << 18
    fitted, shared, single = (
        seconds(timing_of(known, "bcast", ports), tree, 8, m)
        for ports in ("fitted", "shared", "single")
    )
    assert fitted == pytest.approx(shared, rel=1e-6)
    assert fitted > 1.3 * single
    useless = sharing.model_copy(update={"models": tuple(
        one.model_copy(update={"errors": errors.model_copy(update={"average": 9.0})})
        for one in models
    )})  # fmt: skip
    with pytest.raises(InvalidInputError, match="too far off"):
        timing_of(network(sharing=useless), "bcast", "fitted")


def test_processes_of_a_node_share_its_card_where_links_are_known():
    known = network(links=(links(),))
    few = known.model_copy(update={"operations": ()})
    exchange = algorithms("alltoall").get("rotated")
    times = [
        seconds(timing_of(few, "alltoall", placement=Placement(each)), exchange, 8, 10**6)
        for each in (1, 2, 4)
    ]
    assert times[1] > 1.5 * times[0]
    assert times[2] > 1.2 * times[1]


def test_processes_per_node_of_which_nothing_is_known_are_refused():
    with pytest.raises(InvalidInputError, match="knows nothing of 4 processes per node"):
        timing_of(network(), "bcast", placement=Placement(4))
    without = network(links=(links(with_inside=False),))
    with pytest.raises(InvalidInputError, match="knows nothing of 4 processes per node"):
        timing_of(without, "bcast", placement=Placement(4))


def test_ports_that_know_no_nodes_are_refused_for_processes_that_share_one():
    known = network(links=(links(),))
    with pytest.raises(InvalidInputError, match="give levels or auto"):
        timing_of(known, "bcast", "single", Placement(2))
    assert timing_of(known, "bcast", "single", Placement(1)) is not None


def test_a_placement_is_of_nodes_or_of_groups():
    with pytest.raises(InvalidInputError, match="name the groups alone"):
        Placement(2, given(parse_groups("0-1/2-3")))
    with pytest.raises(InvalidInputError, match="0 processes per node"):
        Placement(0)


def test_a_link_that_nobody_filled_holds_everything():
    full, way = links(), links().ways[0].model_copy(update={"is_saturated": False})
    free = full.model_copy(update={"ways": (way,)})
    exchange = algorithms("alltoall").get("rotated")
    times = [
        seconds(timing_of(network(links=(one,)), "alltoall", "levels", Placement(4)), exchange)
        for one in (full, free)
    ]
    assert times[1] < times[0]


def test_too_many_messages_over_links_are_refused_where_single_ones_are_not_borne_out():
    known = network(links=(links(),)).model_copy(update={"operations": ()})
    timing = timing_of(known, "alltoall", placement=Placement(4))
    exchange = algorithms("alltoall").get("rotated")
    with pytest.raises(InvalidInputError, match="too many to be timed over links"):
        timing(exchange, PLOGP, 512, 64)


@pytest.mark.parametrize("most", [1 << 17, 300])
def test_a_ranking_times_all_algorithms_of_a_call_in_the_same_way(monkeypatch, most):
    """One algorithm of very many segments would else be timed without what the others meet."""
    monkeypatch.setattr(validation, "_MOST_OF_CALL", most)
    known = network(links=(links("cluster"),)).model_copy(update={"operations": ()})
    grouping = given(tuple([0] * 4 + [1] * 4))
    timing = replace(timing_of(known, "bcast", placement=Placement(grouping=grouping)), where="")
    assert timing.way.name == "levels"
    found = rank("bcast", known.parameters("bcast"), 8, 1 << 16, timing, grouping)
    is_over_links = {one.claim == "links between groups" for one in found.ranked}
    assert is_over_links == {most > 300}


def test_what_was_run_with_as_many_per_node_counts_and_nothing_else():
    known = network(factor=2.0, per_node=4)
    assert timing_of(known, "bcast", placement=Placement(4)).is_validated
    assert not timing_of(known, "bcast").is_validated


def test_named_groups_take_the_links_of_the_outermost_level():
    grouping = given(parse_groups("0-3/4-7"))
    known = network(links=(links("cluster"),))
    timing = timing_of(known, "bcast", placement=Placement(grouping=grouping))
    assert timing.way.name == "levels"
    assert not timing.is_validated
    plain = timing_of(network(), "bcast", placement=Placement(grouping=grouping))
    assert plain.way.name == "single"


def test_rows_say_where_n_is_beyond_what_was_run():
    known = network()
    timing = timing_of(known, "bcast")
    rows = predicted(FLAT, PLOGP, [4, 16, 32], 4096, timing)
    assert extrapolated(known.parameters("bcast"), timing, rows) == ["", "", "n"]
    rows = predicted(FLAT, PLOGP, [16, 32], 1 << 23, timing)
    assert extrapolated(known.parameters("bcast"), timing, rows) == ["m", "n m"]
    rows = predicted(FLAT, PLOGP, 8, [1, 4096], timing)
    assert extrapolated(known.parameters("bcast"), timing, rows) == ["m", ""]
    rows = predicted(FLAT, PLOGP, [16, 32], 1 << 23, timing)
    plain = timing_of(known, "bcast", "single")
    assert extrapolated(known.parameters("bcast"), plain, rows) == ["m", "m"]
