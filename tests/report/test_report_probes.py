"""What to measure next, as the page says it."""

from contend.measure.probes.cost import cost_of
from contend.measure.probes.propose import propose
from contend.measure.probes.text import summary
from contend.report.figures.figure import Findings
from contend.report.page import SECTIONS
from contend.report.section import parts_of


def shown(found) -> str:
    """The section."""
    (part,) = (one for one in parts_of(found, SECTIONS) if one.anchor == "probes")
    return str(part.content)


def test_the_page_proposes_what_the_command_does(measure) -> None:
    found = measure()
    network = found.network
    html = shown(Findings(network, found.samples))
    (operation,) = network.operations
    proposal = propose(network, operation, cost=cost_of(found.samples))
    assert proposal.is_worth_it
    assert sorted(set(proposal.targets.n)) == [16, 32]
    assert summary(proposal) in html
    assert html.count("<tr>") == 1 + len(proposal.steps)


def test_a_file_without_growth_names_what_adds_it(measure) -> None:
    found = measure()
    (operation,) = found.network.operations
    forms = {name: fit for name, fit in operation.forms.items() if name != "growth"}
    old = operation.model_copy(update={"forms": forms})
    network = found.network.model_copy(update={"operations": (old,)})
    assert "Fit its samples again: contend fit" in shown(Findings(network, found.samples))


def test_a_network_without_an_exchange_has_no_such_section(measure) -> None:
    found = measure()
    network = found.network.model_copy(update={"operations": ()})
    assert all(
        one.anchor != "probes" for one in parts_of(Findings(network, found.samples), SECTIONS)
    )
