"""The site's plan: what the exchange library knows of a machine by default.

Where: $CONTEND_SITE, else contend/site.plan in the user's folder of configurations, which is
$XDG_CONFIG_HOME or ~/.config; the library (mpi/interpose/exchange/choose/plan.c) looks there too.
It counts only on hosts that it names. $CONTEND_SITE is "0" or empty for none.
"""

import os
from dataclasses import replace
from pathlib import Path

from contend.alltoall.clusters.plan import Plan, plan_text, read_plan
from contend.base.errors import InvalidInputError
from contend.base.wholefile import locked, make_folder, write_whole

VARIABLE = "CONTEND_SITE"
NAME = Path("contend", "site.plan")


def site_file() -> Path | None:
    """Return where the plan of this site is, or would be; None where none is wanted."""
    named = os.environ.get(VARIABLE)
    if named is not None:
        return None if named in ("", "0") else Path(named)
    folder = os.environ.get("XDG_CONFIG_HOME", "")
    return (Path(folder) if folder.startswith("/") else Path.home() / ".config") / NAME


def keep(plan: Plan) -> Path | None:
    """Put a plan where the site's is, and return that place; None where none is wanted.

    Links and choices of its levels that it says nothing of stay.

    Raises
    ------
    InvalidInputError
        Where the file is of other hosts.
    """
    path = site_file()
    if path is None:
        return None
    make_folder(path.parent)
    with locked(path):
        before = read_plan(path) if path.exists() else Plan()
        if before.levels and _patterns(plan).isdisjoint(_patterns(before)):
            raise InvalidInputError(
                f"{path} is of other hosts, {min(_patterns(before))} among them",
                f"name a file for these: export {VARIABLE}=FILE",
            )
        write_whole(path, plan_text(_merged(before, plan)))
    return path


def _patterns(plan: Plan) -> set[str]:
    return {group.pattern for level in plan.levels for group in level.groups}


def _merged(before: Plan, plan: Plan) -> Plan:
    """Return the plan with what only the one before says of the levels of both."""
    if {level.name for level in before.levels} != {level.name for level in plan.levels}:
        return plan
    linked, chosen = ({line.level for line in lines} for lines in (plan.links, plan.choices))
    links = (link for link in before.links if link.level not in linked)
    choices = (choice for choice in before.choices if choice.level not in chosen)
    return replace(plan, links=(*plan.links, *links), choices=(*plan.choices, *choices))
