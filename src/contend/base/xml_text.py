"""XML from files of others: no entities, no initial values of attributes, no depth without end.

Source: the attacks that defusedxml lists and refuses (billion laughs, quadratic blow-up, external
entities); a long initial value of an attribute, which every element repeats, does as much harm.
Neither GraphML nor SimGrid files need these.
"""

import re
from typing import Any
from xml.etree.ElementTree import Element, ParseError, TreeBuilder

from defusedxml.common import EntitiesForbidden
from defusedxml.ElementTree import DefusedXMLParser

from contend.base.errors import FileFormatError

_DECLARATION = re.compile(r"\A\s*<\?xml\b[^>]*\?>")
_UNPRINTABLE = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
DEEPEST = 100  # elements within each other; files of people have below 20


def parse_xml(text: str) -> Element:
    """Root of the document.

    Raises
    ------
    FileFormatError
        For text that is no XML, declares an entity or the initial value of an attribute, or is
        nested beyond `DEEPEST`.
    """
    # Whatever encoding it says: it has been decoded already. Nor does it matter what stands before
    # the declaration, as long as that is blank.
    text = _DECLARATION.sub(lambda match: "\n" * match[0].count("\n"), text, count=1)
    parser = DefusedXMLParser(target=_Builder(), encoding="utf-8")
    parser.parser.AttlistDeclHandler = _refuse_initial_value
    try:
        parser.feed(text.encode("utf-8", errors="replace"))
        root: Element = parser.close()
    except EntitiesForbidden as error:
        raise FileFormatError(
            f"declares the entity {error.name!r}", "write its text where it is used"
        ) from None
    except ParseError as error:
        raise FileFormatError(f"is no XML: {error}", "mend that line") from None
    return root


def printable(text: str) -> str:
    r"""Return a text with a mark in the place of each character that no XML may hold.

    >>> printable("a\x1bb")
    'a\ufffdb'
    """
    return _UNPRINTABLE.sub("\ufffd", text)


class _Builder(TreeBuilder):
    """A tree that grows no deeper than `DEEPEST`."""

    def __init__(self) -> None:
        super().__init__()
        self._depth = 0

    def start(self, tag: str, attrs: dict[Any, Any], /) -> Element:
        self._depth += 1
        if self._depth > DEEPEST:
            raise FileFormatError(
                f"more than {DEEPEST} elements lie within each other", "take them apart"
            )
        return super().start(tag, attrs)

    def end(self, tag: str, /) -> Element:
        self._depth -= 1
        return super().end(tag)


def _refuse_initial_value(element: str, name: str, kind: str, value: str | None, *_: Any) -> None:
    if value is not None:
        raise FileFormatError(
            f"gives the attribute {name!r} of <{element}> an initial value",
            "write the attribute where it is used",
        )
