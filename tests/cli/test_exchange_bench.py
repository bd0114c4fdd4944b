"""contend alltoall bench on a tiny emulated network: samples, the table, going on, mistakes."""

import pytest

from contend.alltoall.clusters.file import parse_groups
from contend.alltoall.clusters.plan import plan_of, plan_text
from contend.measure.calls import CallCampaign
from contend.measure.lab.session import why_impossible
from contend.samples import read_samples
from support.synthesis import lab_of_two_clusters

pytestmark = [
    pytest.mark.mpi,
    pytest.mark.skipif(why_impossible() is not None, reason=f"no lab here: {why_impossible()}"),
]

OTHER_PLAN = "contend-exchange 1\nlevel cluster\ngroup all host *\n"
HALVES = """
[[levels]]
name = "cluster"
groups = [{ name = "left", hosts = ["left*"] }, { name = "right", hosts = ["right*"] }]
"""


@pytest.fixture
def words(tmp_path, monkeypatch):
    """The command with its lab and its files; what is disturbed is not measured again."""
    monkeypatch.setattr(CallCampaign, "again", lambda *_: 0)
    lab = tmp_path / "four.toml"
    lab.write_text(lab_of_two_clusters(2, 2, delay="2ms", buffer="128KiB"))
    return ("alltoall", "bench", "--on", lab, "-o", tmp_path / "s.jsonl", "-m", "256,2KiB",
            "--launches", "1", "--repeat", "max=3")  # fmt: skip


def test_all_are_measured_and_compared_and_nothing_is_measured_twice(contend, words, tmp_path):
    first = contend(*words, "--algorithms", "native,lg", "--json")
    assert first.code == 0, first.err
    before = read_samples(tmp_path / "s.jsonl")
    assert {(one.algorithm, one.m, len(one.times_s)) for one in before} == {
        (name, m, 3) for name in ("native", "lg") for m in (256, 2048)
    }
    assert {one.provenance.lab for one in before} == {"four"}
    for row in first.json["rows"]:
        assert row["best_native"] == "native"
        assert row["default_over_auto"] is None
        # A round trip inside the clusters and what is not payload come on top.
        assert row["bound"] < row["algorithms"]["lg"]["median"]
    again = contend(*words, "--algorithms", "native,lg,auto", "--plot", tmp_path / "s.svg",
                    "--repeat", "max=30", "--repeat", "time=0.01")  # fmt: skip
    assert again.code == 0, again.err
    assert "†: fewer repetitions than were asked for" in again.out + again.err
    after = read_samples(tmp_path / "s.jsonl")
    assert after[: len(before)] == before
    fresh = {(one.algorithm, one.m) for one in after[len(before) :]}
    assert fresh == {("auto", 256), ("auto", 2048)}
    assert "best native" in again.out
    assert again.out.count("mean") == 1
    assert (tmp_path / "s.svg").read_text().count("<svg") == 1
    plan = tmp_path / "plan"
    levels = plan_of(parse_groups(HALVES, "halves.toml"))
    plan.write_text(plan_text(levels) + "choose cluster 0 paced\n")
    contend(*words, "--algorithms", "native,lg,auto", "--plan", plan).fails(
        "with another plan or groups"
    )


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        (("--algorithms", "fastest"), "no algorithm is named 'fastest'"),
        (("-n", "9"), "9 processes on the lab four of 4 hosts"),
        (("-m", "0"), "an exchange of no bytes"),
        (("--plot", "times.txt"), "a picture as '.txt'"),
        (("--plan", "nowhere"), "there is no file nowhere"),
        (("--plan", "other", "--groups", "halves.toml"), "and halves.toml name other groups"),
    ],
)
def test_a_mistake_is_told_before_anything_is_measured(
    contend, words, more, reason, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other").write_text(OTHER_PLAN)
    (tmp_path / "halves.toml").write_text(HALVES)
    contend(*words, *more).fails(reason)


def test_groups_that_lack_a_host_are_refused(contend, words, tmp_path):
    groups = tmp_path / "clusters.toml"
    groups.write_text(
        '[[levels]]\nname = "cluster"\ngroups = [{ name = "left", hosts = ["left*"] }]\n'
    )
    contend(*words, "--groups", groups).fails("host 'right1' is in no group")
