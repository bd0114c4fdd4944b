"""contend explain: what the times of a benchmark lose, by which suspected cause."""

from contend.api import explain_files
from contend.cli import completion
from contend.cli.options import argument, option
from contend.cli.pairs import named_pairs
from contend.cli.result import Result
from contend.cli.sources import Form

ORDER = 4
PANEL = "Learn"
EXAMPLE = "contend explain osu_alltoall.txt -n 128 --ppn 96 osu_latency.txt"


def command(
    form: Form,
    files: list[str] = argument(
        "Output of benchmarks, samples, and a network file where there is one; - for standard "
        "input."
    ),
    assume: list[str] | None = option(
        "What no file has: latency=1.3us of a small message between two nodes, bandwidth=12.5GB/s "
        "or 100Gbit/s of a node's network card.",
        metavar="NAME=VALUE,...",
    ),
    operation: str | None = option(
        "Operation, where the files hold several.", autocompletion=completion.operations
    ),
    at: int | None = option("The n to explain, of several; default the largest.", min=2),
) -> Result:
    """Explain measured times: against a bound, against what was expected, why, and what to try.

    Any output that 'contend import' reads will do. The bound needs what a message alone takes: from
    a file of osu_latency or IMB PingPong beside, a network file, or --assume.
    """
    return explain_files(
        files, form.options, reader=form.reader, operation=operation, at=at,
        **named_pairs(assume, "--assume", ("latency", "bandwidth")),
    )  # fmt: skip
