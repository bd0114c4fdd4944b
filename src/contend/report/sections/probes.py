"""Section of the page: which further measurements would narrow predictions beyond those made."""

from collections.abc import Iterator

from contend.base.errors import InvalidInputError
from contend.measure.probes.cost import Cost, cost_of
from contend.measure.probes.propose import propose
from contend.measure.probes.text import sentences, text_table
from contend.models.network import Network, Operation
from contend.report.canvas.markup import Html, element, paragraphs, raw, table
from contend.report.figures.figure import Findings
from contend.report.section import remark
from contend.report.text import sentence

LEAD = (
    "How wide an interval is depends on where points were measured, not on their times, so that "
    "it is known for points to come. Targets are twice and four times as many processes as were "
    "measured; 'contend design' takes others, and a time that there is for it."
)


def probes(findings: Findings) -> Iterator[Html]:
    if findings.exchanges:
        cost = cost_of(findings.samples)
        yield remark(LEAD)
        yield from (_proposal(findings.network, exchange, cost) for exchange in findings.exchanges)


def _proposal(network: Network, operation: Operation, cost: Cost) -> Html:
    heading = element("h3", operation.title)
    try:
        proposal = propose(network, operation, cost=cost)
    except InvalidInputError as problem:
        words = f"{sentence(problem.message)} {sentence(problem.remedy)}"
        return raw(heading, element("p", words))
    rows = text_table(proposal)
    points = table([*rows.columns], rows.to_numpy().tolist())
    return raw(
        heading,
        paragraphs(sentences(proposal)),
        points if proposal.steps and proposal.is_worth_it else "",
    )
