"""What a library runs by itself over sizes and numbers of ranks, in words."""

import pytest

from contend.base.result import Table
from contend.models.explanation.case import Case
from contend.models.explanation.message import Message
from contend.models.explanation.summary import default_text
from contend.samples import Sample
from contend.samples.sample import Provenance
from contend.schedules.libraries import library_named, version_of
from contend.schedules.libraries.span import default_over, default_words
from contend.tune.choose.rules import Decisions, Rule, default_of_rule
from contend.tune.choose.summary import RULES, result_of
from contend.tune.exports import format_named
from contend.tune.exports.file_rules import head_lines
from contend.tune.exports.format import Request
from support.libraries import known


@pytest.mark.parametrize("name", ["openmpi-4.1.4", "openmpi-5.0.11", "mpich-4.0.2", "mpich-5.0.2"])
@pytest.mark.parametrize("operation", ["bcast", "allgather", "allreduce", "reduce_scatter"])
@pytest.mark.parametrize("n", [2, 7, 8, 9, 16, 100])
def test_a_span_is_what_each_size_runs(name: str, operation: str, n: int) -> None:
    library, version = library_named(name)
    span = default_over(library, operation, n, 3, 2**23, version)
    assert span[0][0] == 3
    for m in (3, 8, 9, 100, 12288, 12289, 65535, 65536, 524287, 524288, 2**22, 2**23 - 1):
        default = library.default(operation, n, m, version)
        runs = default.algorithm.name if default.algorithm else ""
        assert [name for least, name in span if least <= m][-1] == runs, m


@pytest.mark.parametrize(
    ("name", "operation", "n", "m", "m_to", "words"),
    [
        ("openmpi-5", "alltoall", 8, 0, 262144, "linear_sync; from n = 16 on linear_sync, from m = "
         "4 modified_bruck, from m = 512 linear_sync and 2 more by size"),
        ("openmpi-5", "barrier", 8, 0, None, "recursive_doubling; from n = 64 on bruck"),
        ("mpich-5.0.2", "allgather", 8, 64, 4096, "recursive_doubling; from n = 9 on brucks"),
        ("mpich-5.0.2", "gather", 8, 64, 4096, "binomial"),
        ("intel", "bcast", 8, 64, 4096, ""),
    ],
)  # fmt: skip
def test_words_have_the_sizes_and_the_next_n(
    name: str, operation: str, n: int, m: int, m_to: int | None, words: str
) -> None:
    library, version = library_named(name)
    assert default_words(library, operation, n, m, m_to, version) == words


def decisions(library: str = "openmpi", version: str = "5.0.11") -> Decisions:
    rules = (
        Rule(operation="alltoall", n=8, n_to=16, m=0, m_to=1024, algorithm="default", why="so"),
        Rule(operation="alltoall", n=8, n_to=16, m=1024, m_to=None, algorithm="pairwise", why="so"),
    )
    return Decisions(network="lab", date="2026-01-01", contend="0.1.0", library=library,
                     library_version=version, rules=rules)  # fmt: skip


def test_a_table_of_decisions_has_a_column_of_what_runs_by_itself() -> None:
    def column(made: Decisions) -> list[str] | None:
        table = next(part for part in result_of(made, known(), ["alltoall"]).parts if
                     isinstance(part, Table))  # fmt: skip
        cell = table.columns.get("by itself")
        return [cell(rule) for rule in made.rules] if callable(cell) else None

    cells = column(decisions())
    assert cells is not None
    assert cells[0].startswith("linear_sync; from n = 16 on ")
    assert cells[1].startswith("linear_sync, from m = 262144 linear; from n = 16 on ")
    assert column(decisions("intel", "2021.18")) is None
    assert column(decisions("", "")) is None
    assert "by itself" not in RULES


def test_a_rule_of_another_version_is_named_by_that_version() -> None:
    made = decisions("mpich", "4.0.2")
    assert default_of_rule(made.rules[0], made).startswith("scattered; from n = 9 on brucks")
    barrier = made.rules[0].model_copy(update={"operation": "barrier"})
    assert default_of_rule(barrier, made) == "dissemination"
    assert default_of_rule(barrier, made, version_of("5.0.2")) == "k_dissemination"


@pytest.mark.parametrize("name", ["openmpi-4", "openmpi-5"])
def test_each_line_of_a_rules_file_says_what_runs_by_itself(name: str) -> None:
    form, version = format_named(name)
    text = form.write(Request(decisions(), form.version(version))).text
    lines = text.splitlines()
    at = lines.index("8  # processes and more")
    default, departs = lines[at + 2 : at + 4]
    assert "# the library's default, linear_sync; from n = 16 on " in default
    assert "# pairwise; by itself linear_sync, from m = 262144 linear; from n = 16 on " in departs
    rules = form.read(text, form.version(version))
    assert [one.algorithm for one in rules if one.n == 8] == ["default", "pairwise"]


def test_the_head_of_a_file_says_it_of_each_departure() -> None:
    form, version = format_named("intel")
    made = decisions("intel", "2021.18")
    assert "by itself" not in form.write(Request(made, form.version(version))).about
    lines = head_lines("Open MPI", Request(decisions(), version_of("4.1.4")), (), ())
    (head,) = [line for line in lines if "1024 bytes and more" in line]
    assert "pairwise; by itself: linear_sync, from m = 262144 linear; from n = 16 on " in head


def test_a_line_of_sizes_counted_over_all_ranks_is_of_its_own_sizes() -> None:
    form, version = format_named("openmpi-5")
    lines = form.write(Request(decisions(), form.version(version))).text.splitlines()
    at = lines.index("12  # processes and more")
    assert lines[at + 3].startswith("12288 2 ")  # 1024 bytes for each of 12
    assert "by itself linear_sync, from m = 262144 linear" in lines[at + 3]


@pytest.mark.parametrize(
    ("algorithm", "library", "said"),
    [
        ("native", "Open MPI v4.1.4", "By itself Open MPI 4.1.4 runs linear_sync; from n ="),
        ("native", "Intel(R) MPI Library 2021.18", ""),
        ("native", "", ""),
        ("rotated", "Open MPI v4.1.4", ""),
    ],
)
def test_an_explanation_says_what_the_library_of_the_samples_runs(
    algorithm: str, library: str, said: str
) -> None:
    samples = tuple(
        Sample(experiment="alltoall", algorithm=algorithm, n=8, processes_per_node=1, m=m,
               statistic="median", times_s=(1e-3,),
               provenance=Provenance(source="test", mpi_library=library or None))
        for m in (64, 1024)
    )  # fmt: skip
    case = Case("alltoall", algorithm, 8, 1, samples, Message())
    text = default_text(case)
    assert text.startswith(said) and bool(text) == bool(said)
