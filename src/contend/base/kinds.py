"""What kind of file of contend a text is, for whoever names one in the place of another."""

import json

from contend.base.errors import FileFormatError

# Schema: what a user calls such a file, and the word for it in a command's usage.
KINDS = {
    "contend.network": ("a network file", "NETWORK"),
    "contend.samples": ("a samples file", "SAMPLES"),
    "contend.messages": ("a file of measured messages", "MESSAGES"),
    "contend.graphs": ("a file of measured graphs", "GRAPHS"),  # of messages, as they once were
    "contend.pairs": ("a file of measured pairs", "PAIRS"),
    "contend.links": ("a file of measured links", "LINKS"),
    "contend.topology": ("a topology", "TOPOLOGY"),
    "contend.proposal": ("a plan of measurements", "PLAN"),
    "contend.decisions": ("a file of decisions", "DECISIONS"),
    "contend-watch": ("a site's file of watched jobs", "SITE"),
    "contend.sweep": ("what a sweep kept", "SWEEP"),
    "contend.left-out": ("a list of settings that are left out", "LEFT_OUT"),
    "trace": ("a trace of a program", "TRACE"),  # of several formats, none of which says a schema
}
COMMANDS = {
    "contend.network": "'contend validate NETWORK SAMPLES', 'contend predict NETWORK'",
    "contend.samples": "'contend fit SAMPLES -o NETWORK', 'contend validate NETWORK SAMPLES'",
    "contend.messages": "'contend fit MESSAGES -o NETWORK', 'contend validate MESSAGES'",
    "contend.graphs": "'contend fit GRAPHS -o NETWORK', 'contend validate GRAPHS'",
    "contend-watch": "'contend report SITE', 'contend fit SITE -o NETWORK'",
    "contend.links": "'contend fit LINKS -o NETWORK'",
}


def schema_of(text: str) -> str | None:
    """The schema that a document, or the first line of a file of documents, says; None for none.

    >>> schema_of('{"schema": "contend.samples"}') or schema_of("1 2 3")
    'contend.samples'
    """
    for part in (text, text.partition("\n")[0]):
        try:
            data = json.loads(part)
        except (ValueError, RecursionError):
            continue
        actual = data.get("schema", data.get("format")) if isinstance(data, dict) else None
        return actual if isinstance(actual, str) else None
    return None


def mistaken(where: str, text: str, wanted: str) -> FileFormatError | None:
    """The error for a file of another kind of contend's than `wanted`; None where it is none."""
    actual = schema_of(text)
    if actual not in KINDS or actual == wanted or wanted not in KINDS:
        return None
    kind, other = KINDS[wanted], KINDS[actual]
    return FileFormatError(
        f"{where} is {other[0]}, and {kind[0]} is due in its place",
        f"mind the order of the arguments: a {kind[1]} goes into {COMMANDS[wanted]}; a {other[1]} "
        f"into {COMMANDS[actual]}"
        if {wanted, actual} <= COMMANDS.keys()
        else f"name {kind[0]} there",
    )
