"""The reference of the Python interface, from `contend.api` itself: every public name by its kind.

It takes the place of a line `<!-- door -->` of a document.
"""

import inspect
from typing import TYPE_CHECKING

import contend
from contend.api import places

if TYPE_CHECKING:
    from sphinx.application import Sphinx

MARK = "<!-- door -->"
KINDS = (
    "Functions", "Objects", "Options", "Results of commands", "Sizes, rates and times as text",
    "Errors",
)  # fmt: skip
OF_MODULE = {"contend.base.result": KINDS[3], "contend.base.units": KINDS[4]}
OPTIONS = ("Options", "Request", "Wishes")  # how names of classes end


def kind_of(name: str) -> str:
    """Return the section that a public name stands in."""
    value = getattr(contend, name)
    if places()[name] in OF_MODULE:
        return OF_MODULE[places()[name]]
    if not inspect.isclass(value):
        return "Functions"
    if issubclass(value, Exception):
        return "Errors"
    return "Options" if name.endswith(OPTIONS) else "Objects"


def directive(name: str) -> str:
    """Return what makes the signature, the docstring and the example of a name."""
    value = getattr(contend, name)
    if inspect.isfunction(value):
        return f".. autofunction:: contend.{name}"
    if not inspect.isclass(value):  # another name for types, which has no docstring
        return f".. py:type:: contend.{name}\n\n   ``{value}``"
    kind = "exception" if issubclass(value, Exception) else "class"
    return f".. auto{kind}:: contend.{name}\n   :members:"


def page() -> str:
    """Return Markdown: a section per kind, in it the names in the order of the alphabet."""
    lines = []
    for kind in KINDS:
        lines += [f"## {kind}", "", "```{eval-rst}"]
        for name in contend.__all__:
            if kind_of(name) == kind:
                lines += [directive(name), ""]
        lines += ["```", ""]
    return "\n".join(lines)


def setup(app: "Sphinx") -> dict[str, bool]:
    """Put the reference where a document has the mark."""

    def fill(_: "Sphinx", __: str, source: list[str]) -> None:
        if MARK in source[0]:
            source[0] = source[0].replace(MARK, page())

    app.connect("source-read", fill)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
