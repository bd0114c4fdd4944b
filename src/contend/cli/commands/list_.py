"""contend list: what there is of algorithms, emulated networks, formats, models and groups."""

from contend.api import describe
from contend.cli import completion
from contend.cli.options import argument, option
from contend.cli.result import Result

ORDER = 2
PANEL = "Start"
EXAMPLE = "contend list algorithms bcast"


def command(
    kind: str = argument(
        "algorithms, labs, groups, schema, forms, readers, libraries, operations, topologies or "
        "traces.",
        metavar="KIND",
        autocompletion=completion.kinds,
    ),
    name: str | None = argument(
        "Of algorithms the operation, of labs one or its TOML file (default all); of groups the "
        "file; of schema the format: samples, network, topology, decisions, sweep, verified or "
        "watch.",
        default=None,
        autocompletion=completion.collectives,
    ),
    hosts: str | None = option("Also say the groups of these, e.g. a1,b2.", "--hosts"),
) -> Result:
    """List what there is of a kind.

    Algorithms: source, restrictions, closed form, ids in the MPI libraries; the form says what the
    closed form is to the time of the schedule without contention. Groups: the levels of a file, and
    whether each host is in one of each. Schema: the JSON Schema of a line of a file.
    """
    return describe(kind, name, [each.strip() for each in (hosts or "").split(",") if each.strip()])
