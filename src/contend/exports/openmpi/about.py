"""What a file of rules is and how it is loaded, in words for the user who finds it."""

import re
from collections.abc import Iterable, Mapping

from contend.exports.format import Request
from contend.exports.told import head_lines, note_lines

_EXPORTED = re.compile(
    r"^#\s*export (OMPI_MCA_coll_(?!tuned_dynamic_rules_filename)\w+)=(\S+)$", re.MULTILINE
)


def about_text(
    title: str,
    request: Request,
    settings: Mapping[str, str],
    notes: Iterable[str],
    further: Iterable[str] = (),
) -> str:
    """The lines; `settings` are all variables that the file needs, `further` is for its readers."""
    lines = [
        *head_lines(title, request),
        "To load them:",
        *(f"  export {name}={value}" for name, value in settings.items()),
        *further,
        *note_lines(notes),
    ]
    return "\n".join(lines)


def exported(text: str) -> dict[str, str]:
    """Variables of collectives that comments of a file tell its reader to export.

    >>> exported("# export OMPI_MCA_coll_tuned_bcast_algorithm_knomial_radix=8")
    {'OMPI_MCA_coll_tuned_bcast_algorithm_knomial_radix': '8'}
    """
    return dict(_EXPORTED.findall(text))
