"""LogGOPS parameters: a network that obeys the law gives them back, and others say how far off."""

import re

import numpy as np
import pytest

from contend.base.errors import InvalidInputError
from contend.export import FORMATS, Wanted
from contend.export.formats.loggops import NAMES, eager_limit, fit_loggops
from contend.programs.replay import LogGOPS, Plogp
from support import networks
from support.networks import by_loggops, network

FORMAT = FORMATS.get("loggops")
LAW = LogGOPS(L=2e-6, o=1.5e-6, g=4e-6, G=0.08e-9, O=0.03e-9, S=65536)


@pytest.mark.parametrize(
    "law",
    [
        LAW,
        LogGOPS(L=5e-5, o=1e-6, g=2e-5, G=8e-8, O=0.0, S=16384),
        LogGOPS(L=2e-6, o=1e-6, g=3e-6, G=1e-9, O=1e-9, S=4096),
    ],
    ids=["fast", "fast-ethernet", "copies as fast as it sends"],
)
def test_a_network_that_obeys_the_law_gives_its_parameters(law: LogGOPS) -> None:
    found = fit_loggops(by_loggops(law))
    for name in NAMES:
        assert getattr(found.parameters, name) == pytest.approx(getattr(law, name), abs=1e-15)
    assert found.parameters.S == law.S
    assert all(curve.errors.max() < 1e-9 for curve in found.curves)


def test_a_message_takes_what_a_replay_by_the_parameters_takes() -> None:
    net = by_loggops(LAW)
    found = fit_loggops(net).parameters
    m = net.size.array[1:]
    of = found.columns(m.astype(int))
    again = of["latency"] + of["work"] + of["tail"]
    assert again == pytest.approx(net.seconds(m), rel=1e-9)


def test_the_options_are_whole_numbers_within_a_percent_even_below_a_nanosecond() -> None:
    written = FORMAT.of_network(network(by_loggops(LAW)), Wanted())
    line = written.text.splitlines()[-1]
    options = {name: int(v) for name, v in re.findall(r"-([LogGOS]) (\d+)", line)}
    unit = written.figures["unit_s"]
    assert line == " ".join(f"-{name} {value}" for name, value in options.items())
    for name in NAMES:
        assert options[name] * unit == pytest.approx(getattr(LAW, name), rel=0.02)
    assert options["S"] == 65536
    assert any(f"calc of a schedule by {round(1e-9 / unit)}" in note for note in written.notes)


def test_of_a_slow_network_the_unit_is_a_nanosecond() -> None:
    slow = LogGOPS(L=5e-5, o=1e-6, g=2e-5, G=8e-8, O=0.0, S=16384)
    written = FORMAT.of_network(network(by_loggops(slow)), Wanted())
    assert written.figures["unit_s"] == 1e-9
    assert written.text.splitlines()[-1] == "-L 50000 -o 1000 -g 20000 -G 80 -O 0 -S 16384"


def test_the_errors_told_are_those_of_the_parameters() -> None:
    bent = by_loggops(LAW)
    gap = bent.gap.array * np.where(bent.size.array == 4096, 1.5, 1.0)
    bent = bent.model_copy(
        update={"gap": bent.gap.model_copy(update={"value": tuple(gap.tolist())})}
    )
    written = FORMAT.of_network(network(bent), Wanted())
    p = LogGOPS(**{name: written.figures[name] for name in NAMES})
    m = bent.size.array[1:]
    errors = np.abs((p.g + (m - 1) * p.G) / bent.gap_at(m) - 1)
    said = written.figures["errors"]["gap"]
    assert said["worst"] == pytest.approx(errors.max())
    assert said["worst_at"] == m[errors.argmax()] == 4096
    assert said["median"] == pytest.approx(np.median(errors))


def test_sizes_that_are_named_are_fitted_alone() -> None:
    written = FORMAT.of_network(network(by_loggops(LAW)), Wanted(m=(1024, 65536)))
    assert "4 sizes, 1 KiB to 64 KiB" in written.notes[0]
    with pytest.raises(InvalidInputError, match="1 measured sizes"):
        FORMAT.of_network(network(by_loggops(LAW)), Wanted(m=(1024, 1100)))


def test_without_overheads_they_are_0_and_nothing_is_said_of_s() -> None:
    bare = by_loggops(LAW).model_copy(update={"send_overhead": None, "receive_overhead": None})
    written = FORMAT.of_network(network(bare), Wanted())
    assert written.figures["o"] == written.figures["O"] == 0
    assert written.text.splitlines()[-1].endswith(f"-S {2**31 - 1}")
    assert any("no overheads" in note for note in written.notes)


def test_where_all_senders_wait_or_none_the_limit_is_not_told() -> None:
    assert eager_limit(networks.plogp()) is None
    never = LogGOPS(L=2e-6, o=1e-6, g=4e-6, G=1e-9, O=0.1e-9)
    assert eager_limit(by_loggops(never)) is None


def test_without_plogp_there_is_an_error() -> None:
    with pytest.raises(InvalidInputError, match="holds no pLogP parameters"):
        FORMAT.of_network(network(None), Wanted())


def test_the_bandwidth_of_the_law_is_that_of_a_replay_of_the_measured_parameters() -> None:
    net = by_loggops(LAW)
    assert pytest.approx(Plogp(net).bandwidth, rel=1e-9) == 1 / fit_loggops(net).parameters.G
