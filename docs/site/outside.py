"""Links from documents to Markdown outside of their folder: to a copy of that file.

Source files need nothing: what is no document and is there, Sphinx copies by itself.
"""

import re
from pathlib import Path

from sphinx.application import Sphinx

LINK = re.compile(r"\]\(((?:\.\./)+[^)#:]+\.md)\)")


def setup(app: Sphinx) -> dict[str, bool]:
    """Mark such links as paths when a document is read."""

    def mark(_: Sphinx, document: str, source: list[str]) -> None:
        folder = Path(app.srcdir, document).parent

        def path(link: re.Match[str]) -> str:
            is_document = (folder / link[1]).resolve().is_relative_to(app.srcdir)
            return link[0] if is_document else f"](path:{link[1]})"

        source[0] = LINK.sub(path, source[0])

    app.connect("source-read", mark)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
