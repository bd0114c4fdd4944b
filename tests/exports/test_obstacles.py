"""What is set around a program and wins over a file of rules is named, with what to do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contend.measure.launcher import LaunchCommand
from contend.tune.exports import FileRule
from contend.tune.exports.surroundings import (
    Circumstances,
    Place,
    Surrounding,
    in_effect,
    of_environment,
)
from contend.tune.verification.surroundings import of_options, surroundings
from support.formats import target_named

FORCED = "OMPI_MCA_coll_tuned_alltoall_algorithm"
FILE = "OMPI_MCA_coll_tuned_dynamic_rules_filename"
BRUCK = FileRule("alltoall", 2, None, 0, 4096, "modified_bruck")
DEFAULT = FileRule("alltoall", 2, None, 4096, None, "default")
ALONE = FileRule("alltoall", 1, 2, 0, None, "default")
BCAST = FileRule("bcast", 2, None, 0, None, "chain")
LOADING = {FILE: "/rules", "OMPI_MCA_coll_tuned_use_dynamic_rules": "1"}


def around(**variables):
    return list(of_environment(variables))


def found(target, rules, settings, loading=LOADING):
    reader = target_named(target)
    return reader.form.obstacles(Circumstances(rules, loading, reader.version, settings))


def codes(*given):
    return [one.code for one in found(*given)]


@pytest.mark.parametrize(
    ("target", "rules", "expected"),
    [
        ("openmpi-4.1.4", [ALONE, BRUCK], []),
        ("openmpi-4.1.4", [BRUCK, DEFAULT], ["besides"]),
        ("openmpi-4.1.4", [BCAST], ["besides"]),
        ("openmpi-4.1.4", None, ["besides"]),
        ("openmpi-5.0.11", [ALONE, BRUCK], ["forced"]),
        ("openmpi-5.0.11", [BCAST], ["besides"]),
        ("openmpi-5.0.11", None, ["forced"]),
    ],
)
def test_a_forced_algorithm_is_an_obstacle_where_it_wins(target, rules, expected):
    assert codes(target, rules, around(**{FORCED: "2"})) == expected
    for value in ("0", "ignore", " 0 "):
        assert codes(target, rules, around(**{FORCED: value})) == []


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("coll", "^tuned", ["excluded"]),
        ("coll", "^han,tuned", ["excluded"]),
        ("coll", "basic,self", ["excluded"]),
        ("coll", "tuned,basic,self,libnbc", []),
        ("coll", "^han", []),
        ("coll_tuned_priority", "10", ["priority"]),
        ("coll_tuned_priority", "11", []),
        ("coll_tuned_priority", "many", []),
        ("coll_adapt_priority", "31", ["before"]),
        ("coll_adapt_priority", "30", []),
        ("coll_hcoll_enable", "1", ["enabled"]),
        ("coll_ucc_enable", "0", []),
        ("coll_tuned_use_dynamic_rules", "No", ["off"]),
        ("coll_tuned_use_dynamic_rules", "true", []),
        ("coll_tuned_dynamic_rules_filename", "/other", ["file"]),
        ("coll_tuned_dynamic_rules_filename", "/rules", []),
        ("coll_tuned_bcast_large_msg", "1", ["no-effect"]),
        ("btl", "^tuned", []),
    ],
)
def test_what_keeps_rules_from_being_looked_at(name, value, expected):
    assert codes("openmpi-5.0.11", [BRUCK], around(**{f"OMPI_MCA_{name}": value})) == expected


def test_a_priority_of_the_rules_component_counts_for_others():
    settings = around(OMPI_MCA_coll_tuned_priority="90", OMPI_MCA_coll_sm_priority="80")
    assert codes("openmpi-5.0.11", [BRUCK], settings) == []


def test_coll_han_is_in_the_way_of_what_it_takes():
    settings = around(OMPI_MCA_coll_han_priority="40")
    assert codes("openmpi-5.0.11", [BRUCK], settings) == []  # takes no all-to-all before 6.0
    assert codes("openmpi-5.0.11", [BCAST], settings) == ["before"]
    assert codes("openmpi-4.1.4", [BCAST], settings) == []
    assert codes("openmpi-5.0.11", [BCAST], settings, {"OMPI_MCA_coll_han_priority": "40"}) == []


def test_a_weaker_place_is_no_obstacle_where_a_stronger_one_says_otherwise():
    weak = Surrounding(FORCED, "2", Place.files, "in a.conf, line 3", "remove it")
    strong = Surrounding(FORCED, "0", Place.environment, "in the environment", "unset it")
    assert codes("openmpi-5.0.11", [BRUCK], [weak]) == ["forced"]
    assert codes("openmpi-5.0.11", [BRUCK], [weak, strong]) == []
    (one,) = found("openmpi-5.0.11", [BRUCK], [weak])
    assert one.message == (
        f"{FORCED}=2 in a.conf, line 3 beats the file's rules for alltoall with 5.0.11"
    )
    assert one.remedy == "remove it"


def launch(*words, family="Open MPI"):
    return LaunchCommand(("mpiexec", *words, "./app", "--mca", "coll", "^tuned"), 0, family,
                         len(words) + 1)  # fmt: skip


@pytest.mark.parametrize(
    ("family", "words", "value", "place"),
    [
        ("Open MPI", ("--mca", "coll_x", "1"), "1", Place.options),
        ("Open MPI", ("-mca", "coll_x", "1", "-x", "OMPI_MCA_coll_x=2"), "2", Place.passed),
        ("Open MPI", ("-x", "OMPI_MCA_coll_x"), None, None),
        ("Open MPI", ("--gmca", "coll_x", "1"), "1", Place.options),
        ("MPICH", ("-genv", "OMPI_MCA_coll_x", "1", "-genv", "OMPI_MCA_coll_x", "2"), "2",
         Place.options),
        ("MPICH", ("-env", "OMPI_MCA_coll_x", "1", "-genv", "OMPI_MCA_coll_x", "2"), "1",
         Place.passed),
        ("Open MPI", ("--mca",), None, None),
    ],
)  # fmt: skip
def test_options_of_launchers_are_read_up_to_the_program(family, words, value, place):
    held = in_effect(list(of_options(launch(*words, family=family))))
    assert "OMPI_MCA_coll" not in held
    one = held.get("OMPI_MCA_coll_x")
    assert (one and one.value, one and one.place) == (value, place)


def test_what_env_sets_stands_before_or_behind_the_environment():
    before = LaunchCommand(("env", "A=1", "mpiexec", "./app"), 2, "MPICH", 3)
    behind = LaunchCommand(("mpiexec", "env", "-u", "B", "A=2", "./app", "A=3"), 0, "MPICH", 1)
    environment = {"A": "0", "B": "4"}
    assert in_effect(surroundings(before, environment, (5,)))["A"].value == "1"
    held = in_effect(surroundings(behind, environment, (5,)))
    assert (held["A"].value, held["A"].place) == ("2", Place.program)


def test_one_option_with_two_values_is_named_once_for_each_further_value():
    words = ("--mca", "coll_x", "1", "--mca", "coll_x", "1", "--mca", "coll_x", "2")
    settings = list(of_options(launch(*words)))
    assert codes("openmpi-5.0.11", [BRUCK], settings) == ["twice"]
    assert codes("openmpi-5.0.11", [BRUCK], settings[:2]) == []


def test_variables_that_the_file_sets_are_beaten_by_stronger_places_alone():
    name = "I_MPI_ADJUST_ALLTOALL"
    own, rules = {name: "3:0-9"}, [FileRule("alltoall", 1, None, 0, None, "pairwise")]
    assert codes("intel", rules, around(**{name: "2"}), own) == []
    passed = list(of_options(launch("-genv", name, "2", family="Intel MPI")))
    assert codes("intel", rules, passed, own) == ["other"]
    assert codes("intel", rules, passed, {name: "2"}) == []
    for value, expected in (("1", ["reproducible"]), ("0", []), ("", [])):
        assert codes("intel", rules, around(I_MPI_CBWR=value), own) == expected


WORDS = st.sampled_from(
    ["--mca", "-x", "-genv", "-env", "coll", "^tuned", "A=1", "=", "-", "--", "env", ":", "",
     "--tune", "OMPI_MCA_coll_tuned_priority=x", "-n", "4", "./app", "OMPI_MCA_coll="]
)  # fmt: skip


@given(st.lists(WORDS, max_size=12), st.integers(0, 12), st.integers(0, 12))
def test_any_command_line_is_read(words, launcher, program):
    line = tuple(words) or ("mpiexec",)
    at = launcher % len(line)
    known = program % len(line) if program else None
    for family in ("Open MPI", "MPICH", "unknown"):
        settings = list(of_options(LaunchCommand(line, at, family, known)))
        for target in ("openmpi-5.0.11", "mpich", "intel", "ucc"):
            for one in found(target, None, settings):
                assert one.message and one.remedy
