"""The text of a selection tree as keys with their lines, in the order in which they are asked."""

from contend.exports.csel.shipped import Tree
from contend.exports.json_lines import NoJSONError, Value, parse_json


def parsed(text: str) -> Value:
    """Return the outermost object, with keys that stand twice; arrays are values.

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
    return whole


def tree_of(value: Value) -> Tree:
    """Return the same as nested dictionaries; of a repeated key the last, as the library has it."""
    return {one.name: tree_of(one.value) for one in value.members()}
