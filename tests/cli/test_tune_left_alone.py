"""contend tune export onto a file that exists, where nothing departs from the default."""

from pathlib import Path

import pytest

from support.decisions import decided, rule
from support.formats import LEFT, NAMES, departures, format_of


@pytest.mark.parametrize("name", NAMES)
def test_a_file_that_is_there_is_not_changed_by_them(contend, tmp_path: Path, name: str) -> None:
    """Nor by the same a second time; what was decided on before is taken back."""
    form, version, own = format_of(name)
    path, left, one = (tmp_path / each for each in ("rules", "left.json", "one.json"))
    decided(*LEFT, library=form.library_name).save(left)
    words = ("--library", name, *(("--default", own) if own else ()), "-o", path)
    decided(*departures(form, version)[1:3], library=form.library_name).save(one)
    for decisions in (left, one):
        assert contend("tune", "export", decisions, *words).code == 0
        text = path.read_bytes()
        if decisions is left:
            again = contend("tune", "export", left, *words)
            assert again.code == 0 and path.read_bytes() == text
    decided(*departures(form, version)[1:3], library=form.library_name, network="another").save(one)
    assert contend("tune", "export", one, *words).code == 0
    assert form.name in ("mpich", "openmpi-6") or path.read_bytes() != text
    before = {each: each.read_bytes() for each in tmp_path.iterdir()}
    if not any(each.operation == "bcast" for each in departures(form, version)[1:3]):
        return
    decided(rule("alltoall", "default"), library=form.library_name).save(left)
    before[left] = left.read_bytes()
    outcome = contend("tune", "export", left, *words)
    assert outcome.code == 0 and "stays as it is" in outcome.err
    assert {each: each.read_bytes() for each in tmp_path.iterdir()} == before
    decided(rule("bcast", "default"), library=form.library_name).save(left)
    assert contend("tune", "export", left, *words).code == 0
    assert path.read_bytes() != before[path]
