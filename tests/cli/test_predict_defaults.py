"""What a default is predicted as stands beside its times, wherever these are shown."""

import contend as python
from support.libraries import LARGE, PAIRWISE, known

WORDS = ("reduce_scatter", "--algorithm", "native", "-n", 16, "-m", LARGE)
AS = f"as {PAIRWISE}, by growth"


def test_on_the_console_in_json_and_in_python(contend, tmp_path):
    path = tmp_path / "network.json"
    known().save(path)
    shown = contend("predict", path, *WORDS)
    assert PAIRWISE in shown.out
    assert "runs there by its own rules" in shown.err
    (row,) = contend("predict", path, *WORDS, "--json").json
    assert (row["regime"], row["extrapolates"]) == (AS, "n")
    assert (row["form"], row["form_from"]) == ("growth", "rules of the library")
    found = python.read_network(path).predict("reduce_scatter", [16], [LARGE], algorithm="native")
    assert found["seconds"][0] == row["seconds"]
    assert found["why"][0].startswith(f"by the rules of its library; {AS}")


def test_without_it_nothing_is_said(contend, tmp_path):
    path = tmp_path / "network.json"
    known(library="no MPI").save(path)
    shown = contend("predict", path, *WORDS)
    assert "by its own rules" not in shown.err + shown.out
