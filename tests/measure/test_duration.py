"""What a campaign is expected to take, and what is left out where that is too long."""

import pytest

from contend.measure import design as planning
from contend.measure.command import LaunchOptions
from contend.measure.design import design, launches_of
from contend.measure.duration import exchange_seconds, expected_seconds, remaining, smaller
from contend.measure.lab import profiles, read_lab
from contend.measure.lab.specification import parse_lab
from contend.measure.mpi import MPI
from contend.measure.place import MINUTES_ON_LAB, Place
from contend.measure.study.task import SHARE, Task
from support.emulation import PROGRAMS
from support.synthesis import LAB_OF_THREE, sample

MPICH = MPI("mpicc", ("mpiexec",), "MPICH", "5.0")
OPTIONS = LaunchOptions(0.05, 5, 300, 0.25, 1)
MIB = 1 << 20


@pytest.fixture(autouse=True)
def programs(monkeypatch):
    """Programs that nobody has to build."""
    monkeypatch.setattr(planning, "build", lambda mpi: PROGRAMS)


def task(name, minutes=MINUTES_ON_LAB, **given):
    lab = read_lab(f"lab:{name}")
    return Task(MPICH, Place(lab), design(hosts=len(lab.hosts), **given), OPTIONS, minutes)


def test_an_exchange_lasts_as_long_as_its_busiest_link():
    three = parse_lab(LAB_OF_THREE, "three", "three.toml")
    one = MIB * 8 / 50e6
    assert exchange_seconds(three, 2, MIB) == pytest.approx(one, rel=0.1)
    assert exchange_seconds(three, 3, MIB) == pytest.approx(2 * one, rel=0.1)
    slower = three.model_copy(update={"time_dilation": 4.0})
    assert exchange_seconds(slower, 3, MIB) == pytest.approx(8 * one, rel=0.1)
    assert exchange_seconds(three, 3, 0) >= 2e-3


def test_an_exchange_over_a_backbone_lasts_as_long_as_that():
    joined = read_lab("lab:two-clusters")
    pairs = 8 * 8
    assert exchange_seconds(joined, 16, MIB) == pytest.approx(pairs * MIB * 8 / 25e6, rel=0.1)


@pytest.mark.parametrize("name", profiles())
def test_every_lab_that_is_shipped_is_studied_in_the_time(name):
    whole = task(name)
    part = whole.within_time()
    assert part.seconds() <= 60 * MINUTES_ON_LAB * SHARE
    assert part.design.sizes == whole.design.sizes
    assert part.design.n_fit in part.design.counts
    assert max(part.design.counts) == max(whole.design.counts)


def test_what_has_time_is_not_made_smaller():
    whole = task("fast-ethernet")
    assert whole.within_time() == whole
    assert task("two-clusters-uneven", None).within_time().design == design(hosts=17)


def test_smaller_designs_take_less_and_keep_what_a_signature_needs():
    whole = task("two-clusters")
    designs = [whole.design, *smaller(whole.design)]
    launches = [launches_of(MPICH, one) for one in designs]
    seconds = [expected_seconds(one, OPTIONS, whole.place.lab) for one in launches]
    assert seconds == sorted(seconds, reverse=True)
    assert len(set(seconds)) == len(seconds)
    assert designs[-1].counts == (10, 16)


def test_what_is_done_takes_no_time_and_what_was_disturbed_does():
    whole = task("fast-ethernet")
    launches = launches_of(MPICH, whole.design)
    done = [
        sample(m, n, experiment=experiment, algorithm=algorithm, launch=number)
        for launch in launches
        for experiment, algorithm, n, m, number in launch.points()
    ]
    assert remaining(launches, done) == []
    assert 0 < whole.seconds(done[: len(done) // 2]) < whole.seconds()
    assert whole.seconds(done) == 0
