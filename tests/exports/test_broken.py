"""Of each file of broken.toml all findings are found, and what is ignored is not read."""

import pytest

from contend.base.errors import FileFormatError
from support.formats import broken, target_named

FILES = [
    pytest.param(target, file["text"], file["findings"], id=f"{target} {name}")
    for target, files in broken().items()
    for name, file in files.items()
]


@pytest.mark.parametrize(("target", "text", "expected"), FILES)
def test_all_that_is_wrong_is_found_in_its_line_with_a_remedy(
    target: str, text: str, expected: list[str]
) -> None:
    """And nothing else is; where lint says that the library takes nothing, `read` says so too."""
    reader = target_named(target)
    found = reader.lint(text)
    shown = [f"{one.line or '-'} {one.level} {one.code}" for one in found]
    assert shown == [line for line in expected if line != "ignored"]
    assert all(one.message and one.remedy for one in found)
    if "ignored" in expected:
        with pytest.raises(FileFormatError):
            reader.read(text)
    else:
        reader.read(text)
