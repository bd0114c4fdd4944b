"""What formats can tell apart by size is what libraries are said to."""

from collections.abc import Container

import pytest

from contend.exports import FORMATS
from contend.exports.csel.facts import SIZE
from contend.exports.formats.intel import UNITS as INTEL
from contend.exports.formats.ucc import UNITS as UCC


@pytest.mark.parametrize(("name", "sized"), [("mpich", SIZE), ("intel", INTEL), ("ucc", UCC)])
def test_an_operation_has_sizes_or_one_algorithm_for_all(name: str, sized: Container[str]) -> None:
    library = FORMATS.get(name).library
    operations = {one.operation for one in library.table}
    assert {one for one in operations if one not in sized} == library.one_for_all_sizes
