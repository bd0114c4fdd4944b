"""XML from files of others: no entities, no initial values of attributes, no depth without end.

Source: the attacks that defusedxml lists (billion laughs, quadratic blow-up, external entities),
all of which need a declared entity; a long initial value of an attribute, which every element
repeats, does as much harm. Neither GraphML nor SimGrid files need these.
"""

from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from contend.errors import FileFormatError

DEEPEST = 100  # elements within each other; files of people have below 20


def parse_xml(text: str) -> Element:
    """Root of the document; namespaces stay in the names as they stand.

    Raises
    ------
    FileFormatError
        For text that is no XML, declares an entity or the initial value of an attribute, or is
        nested beyond `DEEPEST`.
    """
    parser = expat.ParserCreate("utf-8")  # whatever it says: it has been decoded already
    builder = TreeBuilder()
    depth = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            raise FileFormatError(
                f"more than {DEEPEST} elements lie within each other", "take them apart"
            )
        builder.start(name, attributes)

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(name)

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = builder.data
    parser.EntityDeclHandler = _refuse_entity
    parser.AttlistDeclHandler = _refuse_initial_value
    try:
        parser.Parse(text.encode("utf-8", errors="replace"), True)
    except expat.ExpatError as error:
        raise FileFormatError(f"is no XML: {error}", "mend that line") from None
    return builder.close()


def _refuse_entity(name: str, *_: Any) -> None:
    raise FileFormatError(f"declares the entity {name!r}", "write its text where it is used")


def _refuse_initial_value(element: str, name: str, kind: str, value: str | None, *_: Any) -> None:
    if value is not None:
        raise FileFormatError(
            f"gives the attribute {name!r} of <{element}> an initial value",
            "write the attribute where it is used",
        )
