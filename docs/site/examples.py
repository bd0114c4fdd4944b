"""Examples in docstrings, which stand behind the sections without a head: they get one."""

from sphinx.application import Sphinx

HEAD = ["Examples", "--------"]
BEFORE_NAPOLEON = 400  # which reads sections, and has priority 500


def with_head(lines: list[str]) -> list[str]:
    """The lines of a docstring, a head before the first line that begins with >>>."""
    at = next((n for n, line in enumerate(lines) if line.startswith(">>>")), None)
    if at is None or lines[max(at - 2, 0) : at] == HEAD:
        return lines
    return [*lines[:at], *HEAD, *lines[at:]]


def setup(app: Sphinx) -> dict[str, bool]:
    """Do so for all that autodoc reads."""

    def add(_: Sphinx, __: str, ___: str, ____: object, _____: object, lines: list[str]) -> None:
        lines[:] = with_head(lines)

    app.connect("autodoc-process-docstring", add, priority=BEFORE_NAPOLEON)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
