"""Options of algorithms for people."""

from collections.abc import Mapping

from contend.base.units import format_bytes


def option_text(name: str, value: int) -> str:
    """Value of an option, never rounded.

    >>> option_text("segment", 4096), option_text("segment", 1500), option_text("degree", 3)
    ('4 KiB', '1500 B', '3')
    """
    if name != "segment":
        return str(value)
    return f"{value} B" if value % 1024 else format_bytes(value)


def options_text(values: Mapping[str, int]) -> str:
    """All options.

    >>> options_text({"degree": 3, "segment": 4096})
    'degree 3, segment 4 KiB'
    """
    return ", ".join(f"{name} {option_text(name, value)}" for name, value in values.items())
