"""The text of a selection tree as keys with their lines, in the order in which they are asked."""

from dataclasses import dataclass, field

from contend.exports.csel.keys import Key, key_of
from contend.exports.csel.shipped import Tree
from contend.exports.json_lines import NoJSONError, Value, parse_json


@dataclass
class Entry:
    """A key of a tree and what stands below it; `is_object` is false where that is a value."""

    text: str
    line: int
    below: "list[Entry]" = field(default_factory=list)
    is_object: bool = True

    @property
    def key(self) -> Key:
        """Its parts."""
        return key_of(self.text)


def entries_of(text: str) -> list[Entry]:
    r"""The keys of the outermost object, also repeated ones; arrays are values.

    >>> [(one.text, one.line) for one in entries_of('{"a": 1,\n "a": {}}')]
    [('a', 1), ('a', 2)]

    Raises
    ------
    NoJSONError
        For what is no JSON, or no object.
    """
    try:
        whole = parse_json(text)
    except NoJSONError as error:
        remedy = "mend it: the library crashes on a file that it cannot parse"
        raise NoJSONError(error.what, error.line, remedy) from None
    if whole.kind != "object":
        raise NoJSONError("the file is no object", whole.line, "write {...} around it")
    return _entries(whole)


def _entries(value: Value) -> list[Entry]:
    return [
        Entry(one.name, one.line, _entries(one.value), one.value.kind == "object")
        for one in value.members()
    ]


def tree_of(entries: list[Entry]) -> Tree:
    """The same as nested dictionaries; of a repeated key the last, as the library has it."""
    return {entry.text: tree_of(entry.below) for entry in entries}
