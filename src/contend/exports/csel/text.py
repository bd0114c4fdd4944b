"""The text of a selection tree as keys with their lines, in the order in which they are asked."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from contend.errors import FileFormatError
from contend.exports.csel.keys import Key, key_of
from contend.exports.csel.shipped import Tree

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s"{}\[\]:,]+')


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
    """The keys of the outermost object; FileFormatError for what is no object of JSON."""
    try:
        whole = json.loads(text)
    except json.JSONDecodeError as error:
        raise FileFormatError(
            f"line {error.lineno} is not JSON: {error.msg} at column {error.colno}",
            "mend it: the library crashes on a file that it cannot parse",
        ) from None
    except (ValueError, RecursionError) as error:  # a number or a nesting beyond Python's limits
        raise FileFormatError(f"the file is not JSON: {error}", "write it anew") from None
    if not isinstance(whole, dict):
        raise FileFormatError("the file is no object of JSON", "write {...} around it")
    return _entries(text)


def _entries(text: str) -> list[Entry]:
    """The same of a text that is JSON; repeated keys are kept, arrays are values."""
    root = Entry("", 1)
    open_: list[Entry] = [root]
    arrays = 0
    name: tuple[str, int] | None = None
    is_value = False
    for token, line in _tokens(text):
        if arrays or token == "[":
            arrays += (token == "[") - (token == "]")
            if token == "[" and arrays == 1:
                _add_value(open_, name)
            name, is_value = None, False
        elif token == "{":
            if name is not None:
                open_[-1].below.append(Entry(*name))
                open_.append(open_[-1].below[-1])
            name, is_value = None, False
        elif token == "}":
            if len(open_) > 1:
                open_.pop()
        elif token == ":":
            is_value = True
        elif token != ",":
            if is_value:
                _add_value(open_, name)
            name = None if is_value else (str(json.loads(token)), line)
            is_value = False
    return root.below


def _add_value(open_: list[Entry], name: tuple[str, int] | None) -> None:
    if name is not None:
        open_[-1].below.append(Entry(*name, is_object=False))


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    line, reached = 1, 0
    for match in _TOKEN.finditer(text):
        line += text.count("\n", reached, match.start())
        reached = match.start()
        yield match[0], line


def tree_of(entries: list[Entry]) -> Tree:
    """The same as nested dictionaries; of a repeated key the last, as the library has it."""
    return {entry.text: tree_of(entry.below) for entry in entries}
