"""Links from documents to what lies outside of their folder.

A link to Markdown leads to a copy of that file. One to a folder, which a site has not, becomes its
text. Source files need nothing: what is no document and is there, Sphinx copies by itself.
"""

import re
from pathlib import Path

from sphinx.application import Sphinx

LINK = re.compile(r"\[([^\]]*)\]\(((?:\.\./)+[^)#:]+)\)")


def setup(app: Sphinx) -> dict[str, bool]:
    """Change such links when a document is read."""

    def mark(_: Sphinx, document: str, source: list[str]) -> None:
        folder = Path(app.srcdir, document).parent

        def led(link: re.Match[str]) -> str:
            target = (folder / link[2]).resolve()
            if target.is_relative_to(app.srcdir):
                return link[0]
            if target.is_dir():
                return link[1]
            return f"[{link[1]}](path:{link[2]})" if target.suffix == ".md" else link[0]

        source[0] = LINK.sub(led, source[0])

    app.connect("source-read", mark)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
