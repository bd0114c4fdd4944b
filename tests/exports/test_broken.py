"""Of each file of broken.toml all findings are found, and what is ignored is not read."""

from typing import Any

import pytest

from contend.base.errors import FileFormatError
from contend.tune.exports import format_named
from support.formats import broken

FILES = [
    pytest.param(target, one, id=f"{target} {one['name']}")
    for target, files in broken().items()
    for one in files
]


@pytest.mark.parametrize(("target", "file"), FILES)
def test_all_that_is_wrong_is_found_in_its_line_with_a_remedy(
    target: str, file: dict[str, Any]
) -> None:
    """And nothing else is; where lint says that the library takes nothing, `read` says so too."""
    form, said = format_named(target)
    version, text = form.version(said), file["text"]
    found = form.lint(text, version)
    assert [f"{one.line or '-'} {one.level} {one.code}" for one in found] == file["findings"]
    assert all(one.message and one.remedy for one in found)
    if file.get("is_refused"):
        with pytest.raises(FileFormatError):
            form.read(text, version)
    else:
        form.read(text, version)
