"""Which setting wins over a file of rules, as the libraries at hand have it; it is named."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

import pytest

from contend.base.errors import LaunchError
from contend.measure.build import cache_folder, preloaded_library, probe_program
from contend.measure.launcher import LaunchCommand, parse_launch
from contend.measure.mpi import MPI
from contend.schedules.libraries import library_of, version_text
from contend.tune.exports import FORMATS, Format
from contend.tune.exports.surroundings import Circumstances, in_effect
from contend.tune.verification.runs import run_command, run_watched
from contend.tune.verification.surroundings import surroundings
from support.mpis import any_mpi, launch_settings

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(300)]
mpi = any_mpi
RANKS, TIMEOUT = 4, 90.0
DYNAMIC, FILE = "coll_tuned_use_dynamic_rules", "coll_tuned_dynamic_rules_filename"
FORCED = "coll_tuned_alltoall_algorithm"
NUMBERS = {"linear": "1", "pairwise": "2", "modified_bruck": "3"}
# From 4 processes on: Bruck's all-to-all up to 100 KB in all, and what the library takes beyond.
RULES = "1\n3\n2\n1\n1\n0 0 0 0\n4\n2\n0 3 0 0\n100000 0 0 0\n"
SMALL, LARGE = "alltoall:64:1", "alltoall:50000:1"


@dataclass(frozen=True)
class Machine:
    """A library, and what runs under settings of several places."""

    mpi: MPI
    folder: Path
    monkeypatch: pytest.MonkeyPatch

    @property
    def form(self) -> Format:
        library, version = library_of(self.mpi.title)
        forms = [one for one in FORMATS.all() if one.library_name == library.name]
        return next(one for one in forms if one.serves(version))

    def launch(self, call: str, *options: str, before: tuple[str, ...] = ()) -> LaunchCommand:
        program = str(probe_program(self.mpi))
        return parse_launch(
            [*self.mpi.launcher, *options, "-n", str(RANKS), *before, program, call]
        )

    def ran(self, call: str, *options: str, before: tuple[str, ...] = ()) -> str | None:
        """The algorithm of a call, None for one that does not show."""
        launch = self.launch(call, *options, before=before)
        run = run_watched(launch, preloaded_library(self.mpi), {}, TIMEOUT, "in a test")
        (only,) = (one.kind.ran for one in run.watched.calls)
        return only

    def codes(self, text: str, *options: str) -> set[str]:
        """What is said to stand in the way of a file of rules."""
        path = self.folder / "rules.conf"
        path.write_text(text)
        version = library_of(self.mpi.title)[1]
        loading = self.form.settings(str(path), version) | self.form.needs(text, version)
        around = surroundings(self.launch(SMALL, *options), os.environ, version)
        rules = self.form.read(text, version)
        return {
            one.code for one in self.form.obstacles(Circumstances(rules, loading, version, around))
        }

    def set(self, **variables: object) -> None:
        for name, value in variables.items():
            self.monkeypatch.setenv(name, str(value))


@pytest.fixture
def machine(mpi: MPI, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    monkeypatch.setenv("CONTEND_CACHE", str(cache_folder()))  # which is in the home
    monkeypatch.setenv("HOME", str(tmp_path))
    for name, value in launch_settings(mpi, RANKS).items():
        monkeypatch.setenv(name, value)
    return Machine(mpi, tmp_path, monkeypatch)


@pytest.fixture
def openmpi(machine: Machine) -> Machine:
    if machine.mpi.family != "Open MPI":
        pytest.skip(f"{machine.mpi.title} is no Open MPI")
    return machine


@pytest.fixture
def ruled(openmpi: Machine) -> Machine:
    """Under a file of rules."""
    path = openmpi.folder / "rules.conf"
    path.write_text(RULES)
    openmpi.set(**{f"OMPI_MCA_{DYNAMIC}": 1, f"OMPI_MCA_{FILE}": path})
    return openmpi


Placing = Callable[[Machine, str], tuple[tuple[str, ...], tuple[str, ...]]]


def _in_environment(machine: Machine, value: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    machine.set(**{f"OMPI_MCA_{FORCED}": value})
    return (), ()


def _in_home(machine: Machine, value: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    folder = machine.folder / ".openmpi"
    folder.mkdir()
    (folder / "mca-params.conf").write_text(f"# a comment\n{FORCED} = {value}\n")
    return (), ()


def _in_file(machine: Machine, value: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    path = machine.folder / "mine.conf"
    path.write_text(f"{FORCED}={value}\n")
    machine.set(OMPI_MCA_mca_base_param_files=path)
    return (), ()


PLACES: Mapping[str, Placing] = {
    "env": lambda _, value: ((), ("env", f"OMPI_MCA_{FORCED}={value}")),
    "-x": lambda _, value: (("-x", f"OMPI_MCA_{FORCED}={value}"), ()),
    "--mca": lambda _, value: (("--mca", FORCED, value), ()),
    "environment": _in_environment,
    "home": _in_home,
}


@pytest.mark.parametrize(("first", "second"), list(permutations(PLACES, 2)))
def test_of_two_places_that_wins_which_is_said_to(
    openmpi: Machine, first: str, second: str
) -> None:
    openmpi.set(**{f"OMPI_MCA_{DYNAMIC}": 1})
    options: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    for place, number in ((first, "2"), (second, "3")):
        more, program = PLACES[place](openmpi, number)
        options, before = options + more, before + program
    version = library_of(openmpi.mpi.title)[1]
    around = surroundings(openmpi.launch(SMALL, *options, before=before), os.environ, version)
    winner = in_effect(around)[f"OMPI_MCA_{FORCED}"].value
    assert NUMBERS[openmpi.ran(SMALL, *options, before=before) or ""] == winner
    strongest = min((first, second), key=list(PLACES).index)
    assert winner == ("2" if strongest == first else "3")


def test_files_of_parameters_that_a_variable_names_are_read(openmpi: Machine) -> None:
    openmpi.set(**{f"OMPI_MCA_{DYNAMIC}": 1})
    _in_file(openmpi, "2")
    openmpi.set(OMPI_PARAM_FILES=openmpi.folder / "none.conf")  # which is none of its names
    assert openmpi.ran(SMALL) == "pairwise"
    _in_environment(openmpi, "3")
    assert openmpi.ran(SMALL) == "modified_bruck"


def test_one_option_with_two_values_refuses_to_start(ruled: Machine) -> None:
    options = ("--mca", FORCED, "2", "--mca", FORCED, "3")
    assert "twice" in ruled.codes(RULES, *options)
    with pytest.raises(LaunchError):
        ruled.ran(SMALL, *options)


def test_a_forced_algorithm_beats_the_file_from_5_on(ruled: Machine) -> None:
    assert ruled.ran(SMALL) == "modified_bruck"
    ruled.set(**{f"OMPI_MCA_{FORCED}": 2})
    beats = library_of(ruled.mpi.title)[1] >= (5,)
    assert ruled.ran(SMALL) == ("pairwise" if beats else "modified_bruck")
    assert ruled.codes(RULES) == {"forced" if beats else "besides"}


def test_algorithm_0_of_a_file_lets_a_forced_one_through(ruled: Machine) -> None:
    assert ruled.ran(LARGE) == "linear_sync"
    ruled.set(**{f"OMPI_MCA_{FORCED}": 2})
    assert ruled.ran(LARGE) == "pairwise"
    assert ruled.codes(RULES)
    ruled.set(**{f"OMPI_MCA_{FORCED}": 0})
    assert ruled.ran(LARGE) == "linear_sync"
    assert ruled.codes(RULES) == set()


def test_a_file_without_dynamic_rules_is_ignored(ruled: Machine) -> None:
    for name, value in ((DYNAMIC, "0"), (DYNAMIC, "no")):
        ruled.set(**{f"OMPI_MCA_{name}": value})
        assert ruled.ran(SMALL) == "linear_sync"
        assert ruled.codes(RULES) >= {"off"}
    ruled.monkeypatch.delenv(f"OMPI_MCA_{DYNAMIC}")
    assert ruled.ran(SMALL) == "linear_sync"


def test_another_file_on_the_command_line_is_read_in_the_place_of_this(ruled: Machine) -> None:
    other = ruled.folder / "other.conf"
    other.write_text(RULES.replace("0 3 0 0", "0 2 0 0"))
    options = ("--mca", FILE, str(other))
    assert ruled.ran(SMALL, *options) == "pairwise"
    assert ruled.codes(RULES, *options) == {"file"}


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("coll", "^tuned", "excluded"),
        ("coll", "basic,libnbc,self", "excluded"),
        ("coll_tuned_priority", "5", "priority"),
        ("coll_basic_priority", "90", "before"),
    ],
)
def test_without_the_component_no_rule_is_looked_at(
    ruled: Machine, name: str, value: str, code: str
) -> None:
    assert ruled.ran(SMALL, "--mca", name, value) != "modified_bruck"
    assert ruled.codes(RULES, "--mca", name, value) == {code}
    ruled.set(**{f"OMPI_MCA_{name}": value})
    assert ruled.codes(RULES) == {code}


@pytest.mark.parametrize("end", ["small_msg", "intermediate_msg", "large_msg"])
def test_limits_of_sizes_have_no_effect(openmpi: Machine, end: str) -> None:
    openmpi.set(**{f"OMPI_MCA_{DYNAMIC}": 1})
    before = [openmpi.ran(call) for call in (SMALL, LARGE)]
    for value in (1, 1_000_000):
        openmpi.set(**{f"OMPI_MCA_coll_tuned_alltoall_{end}": value})
        assert [openmpi.ran(call) for call in (SMALL, LARGE)] == before
    assert openmpi.codes(RULES) == {"no-effect"}


@pytest.mark.parametrize(
    ("operation", "collective", "begin"),
    [("allgather", 0, 1024 // RANKS), ("allgatherv", 1, 1024), ("alltoall", 3, 1024 // RANKS)],
)
def test_sizes_count_all_blocks_but_for_allgatherv(
    openmpi: Machine, operation: str, collective: int, begin: int
) -> None:
    """From 1024 bytes on another algorithm: 2 and 1 or 4 of all three are not the same."""
    path = openmpi.folder / "rules.conf"
    path.write_text(f"1\n{collective}\n1\n1\n2\n0 2 0 0\n1024 1 0 0\n")
    openmpi.set(**{f"OMPI_MCA_{DYNAMIC}": 1, f"OMPI_MCA_{FILE}": path})
    below, at = (openmpi.ran(f"{operation}:{m}:1") for m in (begin - 1, begin))
    assert below != at
    assert openmpi.ran(f"{operation}:1:1") == below
    assert openmpi.ran(f"{operation}:9000:1") == at


def test_nothing_stands_in_the_way_of_a_file_alone(machine: Machine) -> None:
    if machine.mpi.family == "Open MPI":
        assert machine.codes(RULES) == set()
        assert machine.codes(RULES, "--mca", "btl", "self,vader", "-x", "PATH") == set()


MPICH = "ALLTOALL_INTRA_ALGORITHM"


def ends(machine: Machine, *options: str) -> bool:
    """Whether a program starts and ends well; a name that is none ends MPICH as it starts."""
    launch = machine.launch(SMALL, *options)
    return "contend probe ends" in run_command(launch.words, {}, TIMEOUT).output


@pytest.fixture
def mpich(machine: Machine) -> Machine:
    if machine.mpi.family != "MPICH":
        pytest.skip(f"{machine.mpi.title} is no MPICH")
    return machine


def test_mpich_reads_its_three_names_in_order(mpich: Machine) -> None:
    names = [f"{prefix}{MPICH}" for prefix in ("MPIR_CVAR_", "MPIR_PARAM_", "MPICH_")]
    for at, name in enumerate(names):
        mpich.set(**{name: "none"})
        assert not ends(mpich)
        for stronger in names[:at]:
            mpich.set(**{stronger: "auto"})
            assert ends(mpich)
            mpich.monkeypatch.delenv(stronger)
        mpich.monkeypatch.delenv(name)


def test_of_hydras_options_the_last_wins_and_env_beats_genv(mpich: Machine) -> None:
    name = f"MPIR_CVAR_{MPICH}"
    good, bad = (name, "auto"), (name, "none")
    mpich.set(**{name: "none"})
    version = library_of(mpich.mpi.title)[1]
    for options in (
        ("-genv", *good), ("-env", *good), ("-genv", *bad, "-genv", *good),
        ("-genv", *bad, "-env", *good), ("-env", *good, "-genv", *bad),
        ("-genv", *bad), ("-genv", *good, "-genv", *bad),
    ):  # fmt: skip
        around = surroundings(mpich.launch(SMALL, *options), os.environ, version)
        assert ends(mpich, *options) == (in_effect(around)[name].value == "auto"), options


def test_a_variable_of_mpich_beats_the_file(mpich: Machine) -> None:
    text = '{"collective=alltoall": {"algorithm=MPIR_Alltoall_intra_brucks": {}}}'
    assert mpich.codes(text) == set()
    mpich.set(**{f"MPICH_{MPICH}": "pairwise"})
    assert mpich.codes(text) == {"forced"}
    mpich.set(**{f"MPIR_PARAM_{MPICH}": "auto"})
    assert mpich.codes(text) == set(), "which is looked at first"
    assert mpich.codes(text, "-genv", f"MPIR_CVAR_{MPICH}", "pairwise") == {"forced"}
    other = ("-genv", "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE", "other.json")
    assert mpich.codes(text, *other) == {"file"}
    mpich.set(MPIR_CVAR_ALLTOALL_SHORT_MSG_SIZE=1)
    assert mpich.codes(text) == {"no-effect"}
    mpich.set(**{f"MPIR_CVAR_{MPICH.replace('ALLTOALL', 'BCAST')}": "binomial"})
    assert mpich.codes(text) == {"no-effect"}, "the file has no rule for that"


@pytest.fixture
def intel(machine: Machine) -> Machine:
    if machine.mpi.family != "Intel MPI":
        pytest.skip(f"{machine.mpi.title} is no Intel MPI")
    return machine


def test_what_beats_the_presets_of_intel_mpi(intel: Machine) -> None:
    """A preset that there is none of ends the call, unless something beats it."""
    name = "I_MPI_ADJUST_ALLTOALL"
    text = f'export {name}="99"\n'
    intel.set(**{name: 99, "I_MPI_ADJUST_FAILURE_ON_COLL_FALLBACK": 1})
    assert not ends(intel)
    for other, value in (
        ("I_MPI_TUNING_MODE", "auto"),
        ("I_MPI_COLL_INTRANODE", "pt2pt"),
        (f"MPIR_CVAR_{MPICH}", "pairwise"),
        (f"{name}_LIST", "3"),
    ):
        intel.set(**{other: value})
        assert not ends(intel)
        assert intel.codes(text) == set()
        intel.monkeypatch.delenv(other)
    for options in (("-genv", name, "3"), ("-env", name, "3")):
        assert ends(intel, *options)
        assert intel.codes(text, *options) == {"other"}
    intel.set(I_MPI_CBWR=1)
    assert ends(intel)
    assert intel.codes(text) == {"reproducible"}


def test_versions_are_named_with_what_wins(ruled: Machine) -> None:
    ruled.set(**{f"OMPI_MCA_{FORCED}": 2})
    version = library_of(ruled.mpi.title)[1]
    if version < (5,):
        pytest.skip("the file wins")
    around = surroundings(ruled.launch(SMALL), os.environ, version)
    rules = ruled.form.read(RULES, version)
    (found,) = ruled.form.obstacles(Circumstances(rules, {}, version, around))
    assert found.message == (
        f"OMPI_MCA_{FORCED}=2 in the environment beats the file's rules for alltoall with "
        f"{version_text(version)}"
    )
    assert found.remedy == f"unset OMPI_MCA_{FORCED} where it runs"
