"""Parts of a network file: which replace which, and that none is lost."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from contend.base import wholefile
from contend.base.document import Quantity
from contend.base.errors import FileFormatError, InvalidInputError, StorageError
from contend.models.links.fit import fit_links
from contend.models.network import Level, Network, Operation
from contend.models.network.evidence import ErrorSummary, MeasuredPoints, ValidatedForm
from contend.models.signature import FittedForm
from contend.samples.origin import Origin
from contend.samples.warnings import QualityWarning
from contend.schedules.fitting.record import ScheduleFit
from contend.schedules.pointtopoint import Hockney
from support.links import Truth, measured
from support.networks import plogp
from support.processes import started


def origin(name="a"):
    return Origin(
        contend_version="0", created="2026-01-01", samples=f"{name}.jsonl", samples_sha256="0" * 64
    )


def fit(gamma=2.0):
    form = FittedForm(
        form="hockney_2007",
        parameters={
            "alpha": Quantity(value=1e-5, unit="s"),
            "beta": Quantity(value=1e-9, unit="s/B"),
            "gamma": Quantity(value=gamma, unit="1"),
            "delta": Quantity(value=0.0, unit="s"),
        },
        relative_residual=0.1,
        degrees_of_freedom=3,
        aic=1.0,
        n_fitted=(4,),
        m_fitted=(64, 128),
    )
    return {"hockney_2007": form}


def errors(points=3):
    one = ErrorSummary(
        regime="all", points=points, median=0.1, percentile_90=0.2, worst=0.3, factor_90=1.2,
        factor_worst=1.3,
    )  # fmt: skip
    return {"hockney_2007": ValidatedForm(errors=(one,), n_seen=(8,), m_seen=(64,))}


def operation(name, gamma=2.0, **fields):
    return Operation(operation=name, algorithm="native", forms=fit(gamma), **fields)  # type: ignore[arg-type]


def schedules(operation, algorithm=None):
    return ScheduleFit(
        operation=operation,
        algorithm=algorithm,
        plogp=plogp(),
        algorithms=("bcast/binomial",),
        n_fitted=(4,),
        m_fitted=(64, 128),
        points=2,
        median_error=0.0,
        percentile_90=0.0,
    )


def doubt(kind, where, message="old"):
    return QualityWarning(kind=kind, where=where, message=message, hint="look")


def hockney():
    return Hockney(alpha=Quantity(value=1e-5, unit="s"), beta=Quantity(value=1e-9, unit="s/B"))


def network(name="a", **parts):
    return Network(name=name, origin=origin(name), **parts)  # type: ignore[arg-type]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "network.json"


def test_what_is_not_replaced_is_kept_and_told(path):
    level = Level(name="all", plogp=plogp())
    first = network(
        levels=(level,),
        operations=(operation("alltoall", validation=errors()), operation("bcast")),
        schedules=(schedules(None), schedules("bcast"), schedules("bcast", "binomial")),
    )
    assert first.merge_into(path).text == ""
    line = Level(name="all", hockney=hockney())
    second = network("b", levels=(line,), operations=(operation("bcast", 3.0),))
    merged = second.merge_into(path)
    assert merged.added == ("hockney (all)",)
    assert merged.replaced == ("bcast/native",)
    assert merged.kept == (
        "plogp (all)", "alltoall/native", "schedules of all operations", "schedules of bcast"
    )  # fmt: skip
    found = Network.load(path)
    assert found == merged.network
    assert found.name == "a"
    assert found.levels == (Level(name="all", hockney=hockney(), plogp=plogp()),)
    assert found.operations == (first.operations[0], second.operations[0])
    assert found.schedules == first.schedules


def test_parts_are_of_their_placement_and_schedules_of_their_operation(path):
    network(
        operations=(operation("bcast"),), schedules=(schedules("bcast", "binomial"),)
    ).merge_into(path)
    network(
        operations=(operation("bcast", processes_per_node=2),), schedules=(schedules("reduce"),)
    ).merge_into(path)
    network(schedules=(schedules("bcast"),)).merge_into(path)
    found = Network.load(path)
    assert [one.processes_per_node for one in found.operations] == [None, 2]
    assert found.schedules == (schedules("reduce"), schedules("bcast"))


def test_errors_go_with_the_fit_that_they_are_of(path):
    network(operations=(operation("bcast", validation=errors()),)).merge_into(path)
    network(operations=(operation("bcast"),)).merge_into(path)  # the same fit again
    assert Network.load(path).operations[0].validation == errors()
    network(operations=(operation("bcast", 3.0),)).merge_into(path)
    assert Network.load(path).operations[0].validation == {}


def test_points_measured_since_the_same_fit_are_added_to_those_known(path):
    """As probes at another n: what is fitted at n' stays, and all points bend predictions."""
    old = MeasuredPoints(n=(4, 8), m=(64, 64), seconds=(1.0, 2.0))
    new = MeasuredPoints(n=(4, 16), m=(64, 128), seconds=(1.5, 4.0))
    network(operations=(operation("alltoall", validation=errors(), measured=old),)).merge_into(path)
    network("b", operations=(operation("alltoall", measured=new),)).merge_into(path)
    (found,) = Network.load(path).operations
    assert found.validation == errors()
    assert found.measured == MeasuredPoints(n=(4, 8, 16), m=(64, 64, 128), seconds=(1.5, 2.0, 4.0))


def test_a_validation_changes_errors_of_the_same_fit_alone(path):
    network(operations=(operation("bcast"), operation("alltoall", 3.0))).merge_into(path)
    judged = network(
        operations=(
            operation("bcast", validation=errors()),
            operation("alltoall", validation=errors()),  # of an earlier gamma
        )
    )
    merged = judged.merge_into(path, only_validation=True)
    assert (merged.replaced, merged.outdated) == (("bcast/native",), ("alltoall/native",))
    assert Network.load(path).operations == (judged.operations[0], operation("alltoall", 3.0))


def test_doubts_go_with_what_they_are_about(path):
    two = operation("bcast", processes_per_node=2)
    before = network(
        levels=(Level(name="all", hockney=hockney()),),
        operations=(operation("bcast"), two, operation("alltoall")),
        warnings=(
            doubt("two_processes", "bcast/native"),
            doubt("gamma_at_zero", "bcast/native, linear"),
            doubt("two_processes", "bcast/native, 2 per node"),
            doubt("message_within_node", "pingpong"),
            doubt("flagged_left_out", "network"),
            doubt("not_fitted", "reduce/native"),
        ),
        sample_warnings=(
            doubt("bimodal", "bcast/native n=4 m=8"),
            doubt("drifting", "alltoall/native n=4 m=8"),
        ),
    )
    before.merge_into(path)
    network("b", operations=(operation("bcast", 3.0),)).merge_into(path)
    found = Network.load(path)
    assert [one.where for one in found.warnings] == [
        "bcast/native, 2 per node", "pingpong", "network", "reduce/native"
    ]  # fmt: skip
    assert [one.kind for one in found.sample_warnings] == ["drifting"]
    again = before.model_copy(
        update={"warnings": (doubt("two_processes", "bcast/native", "new"),), "sample_warnings": ()}
    )
    again.merge_into(path)
    found = Network.load(path)
    assert [(one.where, one.message) for one in found.warnings] == [
        ("reduce/native", "old"), ("bcast/native", "new")
    ]  # fmt: skip
    assert found.sample_warnings == ()


def test_every_part_keeps_its_origin(path):
    network("a", operations=(operation("bcast"), operation("reduce"))).merge_into(path)
    network("b", operations=(operation("alltoall"), operation("reduce"))).merge_into(path)
    found = Network.load(path)
    assert found.origin == origin("a")
    assert [(one.parts, one.origin) for one in found.origins] == [
        (("reduce/native", "alltoall/native"), origin("b"))
    ]
    network("b", operations=(operation("bcast"),)).merge_into(path)
    found = Network.load(path)
    assert (found.origin, found.origins) == (origin("b"), ())


@pytest.mark.parametrize("content", ["", "{", "[]", '{"schema": "contend.network", "version": 0}'])
def test_a_file_that_cannot_be_merged_with_is_left_as_it_is(path, content):
    path.write_text(content)
    with pytest.raises(FileFormatError, match="was left as it is"):
        network().merge_into(path)
    assert path.read_text() == content
    assert len(list(path.parent.iterdir())) <= 2  # and the lock


def test_a_link_stays_and_its_target_is_merged_with(tmp_path):
    target, link = tmp_path / "kept" / "target.json", tmp_path / "network.json"
    network(operations=(operation("bcast"),)).merge_into(target)
    link.symlink_to(target)
    network(operations=(operation("reduce"),)).merge_into(link)
    assert link.is_symlink()
    assert [one.operation for one in Network.load(target).operations] == ["bcast", "reduce"]


def test_the_mode_is_kept_and_a_new_file_gets_that_of_the_umask(path):
    before = os.umask(0o027)
    try:
        network().merge_into(path)
        assert path.stat().st_mode & 0o777 == 0o640
        path.chmod(0o604)
        network(operations=(operation("bcast"),)).merge_into(path)
        assert path.stat().st_mode & 0o777 == 0o604
    finally:
        os.umask(before)


WRITERS = """
import os, sys
from contend.models.network import Level
from test_merge import hockney, network
writers = []
for writer in range(8):
    if not (child := os.fork()):
        for number in range(50):
            level = Level(name=f"{writer}_{number}", hockney=hockney())
            network(levels=(level,)).merge_into(sys.argv[1])
        os._exit(0)
    writers.append(child)
sys.exit(any(os.waitpid(writer, 0)[1] for writer in writers))
"""
HOLDER = """
import signal, sys, time
from pathlib import Path
from contend.base.wholefile import locked, replacing
with locked(Path(sys.argv[1])), replacing(sys.argv[1]) as new:
    new.write_text("half of")
    print("there", flush=True)
    signal.pause()
"""


def python(program, *words):
    here = Path(__file__).parent
    return started(
        [sys.executable, "-c", program, *words],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env=os.environ | {"PYTHONPATH": f"{here}{os.pathsep}{here.parent}"},
    )  # fmt: skip


def test_eight_writers_lose_no_part(path):
    with python(WRITERS, str(path)) as writers:
        writers.communicate()
    assert writers.returncode == 0
    wanted = {f"{writer}_{number}" for writer in range(8) for number in range(50)}
    found = Network.load(path)
    assert {one.name for one in found.levels} == wanted
    assert len(found.levels) == len(wanted)
    assert sorted(one.name for one in path.parent.iterdir()) == [
        ".network.json.lock", "network.json"
    ]  # fmt: skip


def test_a_killed_writer_leaves_the_old_file_and_no_lock(path):
    network(operations=(operation("bcast"),)).merge_into(path)
    before = path.read_bytes()
    with python(HOLDER, str(path)) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "there\n"
        holder.kill()
    assert path.read_bytes() == before
    network(operations=(operation("reduce"),)).merge_into(path)
    assert [one.operation for one in Network.load(path).operations] == ["bcast", "reduce"]


def test_a_writer_that_hangs_is_an_error_for_the_next(path, monkeypatch):
    monkeypatch.setattr(wholefile, "LOCK_TIMEOUT", 0.01)
    with python(HOLDER, str(path)) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "there\n"
        with pytest.raises(StorageError, match="is being written by another contend"):
            network().merge_into(path)


def test_a_file_of_the_first_form_is_read_and_merged_with(path):
    data = network(operations=(operation("bcast"),)).to_json()
    del data["origins"]
    path.write_text(json.dumps(data))
    network(operations=(operation("reduce"),)).merge_into(path)
    assert len(Network.load(path).operations) == 2


def test_links_are_of_their_level_and_bring_their_origin(path):
    source = path.with_name("links.jsonl")
    source.write_text("")
    (slow,) = fit_links(measured(launches=1), source)
    (fast,) = fit_links(measured(Truth(latency=1e-3), launches=1), source)
    other = slow.model_copy(update={"name": "site"})
    level = Level(name="all", plogp=plogp())
    network("a", levels=(level,), links=(slow,)).merge_into(path)
    merged = network("b", links=(fast, other)).merge_into(path)
    assert (merged.added, merged.replaced) == (("links (site)",), ("links (cluster)",))
    assert merged.kept == ("plogp (all)",)
    found = Network.load(path)
    assert found.links == (fast, other)
    assert found.origins == () and found.origin == origin("a")
    assert found.links_of("site") == other
    with pytest.raises(InvalidInputError, match="no links of level 'rack'"):
        found.links_of("rack")


def test_doubts_about_messages_stay_where_the_new_ones_are_of_other_conditions(path):
    cuda = "@memory=cuda"

    def of(name, *conditions, **parts):
        levels = tuple(Level(name=f"all{one}", hockney=hockney()) for one in conditions)
        return network(name, levels=levels, **parts)

    of(
        "a", "", cuda,
        warnings=(
            doubt("message_within_node", "pingpong"),
            doubt("message_within_node", f"pingpong{cuda}"),
        ),
        sample_warnings=(
            doubt("bimodal", "pingpong/default n=2 m=8"),
            doubt("bimodal", f"pingpong/default{cuda} n=2 m=8"),
        ),
    ).merge_into(path)  # fmt: skip
    of("b", cuda).merge_into(path)
    found = Network.load(path)
    assert [one.where for one in found.warnings] == ["pingpong"]
    assert [one.where for one in found.sample_warnings] == ["pingpong/default n=2 m=8"]
