"""contend explain: what the times of a benchmark lose, by which suspected cause."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from contend.cli import completion
from contend.cli.explained import Form, given
from contend.cli.explanation_tables import OVERVIEW, Explained, sizes_of
from contend.cli.options import argument, option
from contend.cli.result import Line, Part, Result, Table
from contend.errors import InvalidInputError
from contend.explanation.case import Case, cases
from contend.explanation.finding import Finding, suspected
from contend.explanation.message import known_message
from contend.explanation.summary import bound_said, gaps, rates_said, shown
from contend.samples.setting import split_conditions
from contend.units import parse_seconds, seconds_per_byte_at

ORDER = 4
PANEL = "Decide"
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
    algorithm, chosen = form.algorithm, form.options
    if not form.columns and form.reader != "csv_columns":
        chosen = replace(chosen, algorithm=None)
    samples, network, network_file = given(files, chosen, form.reader)
    message = known_message(
        samples,
        network,
        parse_seconds(latency) if latency else None,
        seconds_per_byte_at(bandwidth) if bandwidth else None,
    )
    found = [
        one
        for one in cases(samples, message, network, at)
        if operation in (None, one.operation)
        and algorithm in (None, one.algorithm, split_conditions(one.algorithm)[0])
    ]
    if not found:
        there = ", ".join(f"{one.operation}/{one.algorithm}" for one in cases(samples, message))
        raise InvalidInputError(
            f"no times of {'/'.join(filter(None, (operation, algorithm)))}", f"there is {there}"
        )
    explained = [(one, suspected(one)) for one in found]
    return Result(
        [_data(case, causes, network_file) for case, causes in explained],
        _parts(explained, network_file),
    )


def _parts(explained: Sequence[Explained], network_file: str | None) -> Iterator[Part]:
    if len(explained) > 1:
        yield Table(explained, OVERVIEW, "operations, at their worst size")
        yield "--operation, --algorithm and --at choose one, with its sizes"
    else:
        yield from _one_case(*explained[0], network_file)


def _one_case(case: Case, causes: Sequence[Finding], network_file: str | None) -> Iterator[Part]:
    """Show one case, on one screen."""
    chosen = shown(case, causes)
    yield Table(chosen, sizes_of(chosen, has_bound=case.has_bound), case.title)
    if left := len(case.rows) - len(chosen):
        yield f"{len(chosen)} of {len(case.rows)} sizes; --json has the other {left} too"
    lines = [bound_said(case), rates_said(case), ""]
    if not causes:
        lines.append("No cause is suspected: nothing in these times stands out.")
    for number, one in enumerate(causes, start=1):
        lines.append(f"{number}. {one.kind}: {one.sentence}")
        lines += [f"   try: {each.command}\n        {each.why}" for each in one.tries]
    unknown = list(gaps(case, network_file))
    if unknown:
        lines += ["", "Not known:"]
        lines += [f" - {one.what}: {one.how.command} ({one.how.why})" for one in unknown]
    yield Line("\n".join(lines))


def _data(case: Case, causes: Sequence[Finding], network_file: str | None) -> dict[str, Any]:
    return {
        "operation": case.operation,
        "algorithm": case.algorithm,
        "n": case.n,
        "processes_per_node": case.processes_per_node,
        "bound_from": case.message.source or None,
        "bound": bound_said(case),
        "rates": rates_said(case),
        "sizes": case.rows,
        "causes": [
            {
                "cause": found.kind,
                "sizes": found.sizes,
                "sentence": found.sentence,
                "factor": found.factor,
                "tries": found.tries,
            }
            for found in causes
        ],
        "not_known": list(gaps(case, network_file)),
    }
