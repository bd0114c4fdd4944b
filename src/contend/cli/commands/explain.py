"""contend explain: what the times of a benchmark lose, by which suspected cause."""

from contend.api import explain_files
from contend.cli import completion
from contend.cli.options import argument, option
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
    bandwidth: str | None = option("Of a node's network card, e.g. 12.5GB/s or 100Gbit/s."),
    latency: str | None = option("Of a small message between two nodes, e.g. 1.3us."),
    operation: str | None = option(
        "Operation, where the files hold several.", autocompletion=completion.operations
    ),
    at: int | None = option("The n to explain, of several; default the largest.", min=2),
) -> Result:
    """Explain measured times: against a bound, against what was expected, why, and what to try.

    Any output that 'contend import' reads will do. The bound needs what a message alone takes: from
    a file of osu_latency or IMB PingPong beside, a network file, or --bandwidth and --latency.
    """
    return explain_files(
        files, form.options, reader=form.reader, bandwidth=bandwidth, latency=latency,
        operation=operation, at=at,
    )  # fmt: skip
