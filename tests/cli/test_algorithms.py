"""The catalogue is what the registry holds: an algorithm added as one file is in it."""

from contend.schedules import COLLECTIVES, algorithms


def test_every_registered_algorithm_is_listed_with_what_it_says_of_itself(contend):
    rows = contend("list", "algorithms", "--json").json
    listed = {(row["collective"], row["name"]) for row in rows}
    assert listed == {(c, name) for c in COLLECTIVES for name in algorithms(c).names()}
    assert all(row["title"] and row["source"] and row["cost"] and row["claims"] for row in rows)


def test_the_table_says_restriction_form_and_twins(contend):
    out = " ".join(contend("list", "algorithms").out.split())
    assert "alltoall pairwise Thakur, P a power of two exact pairwise" in out


def test_one_operation_comes_with_its_closed_forms(contend):
    out = contend("list", "algorithms", "bcast").out
    assert "time: (P-1) g(m) + L." in out
    assert "alltoall" not in out


def test_an_unknown_operation_names_those_there_are(contend):
    contend("list", "algorithms", "broadcast").fails("'broadcast'", "bcast, scatter")


def test_an_algorithm_added_as_one_file_is_listed(contend, dummy):
    (row,) = [
        r for r in contend("list", "algorithms", "barrier", "--json").json if r["name"] == "dummy"
    ]
    assert (row["title"], row["cost"]) == ("everybody", "(P-1) g(0) + L. So it is.")
    assert "restrictions: at least one rank." in contend("list", "algorithms", "barrier").out
