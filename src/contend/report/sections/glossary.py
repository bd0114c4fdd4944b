"""Sections of the page: the words it uses, and what to cite."""

from collections.abc import Iterator

from contend import __version__
from contend.models.signature import FORMS
from contend.report.canvas.markup import Html, element, facts
from contend.report.figures.figure import Findings

TERMS = {
    "n": "Number of processes that take part.",
    "m": "Bytes of one message: in an all-to-all, what each process sends to each other one.",
    "alpha": "Time to start one message between two processes that have the network to themselves.",
    "beta": "Time of each byte of such a message; one over beta is the bandwidth.",
    "gamma": "Contention factor: how many times longer a byte takes when everybody sends at once "
    "than when two processes are alone. 1 means that messages do not slow each other down.",
    "delta": "Time that contention adds to each message from a certain size on.",
    "M": "That size: the smallest m for which delta applies.",
    "regime": "A range of sizes that one formula covers: m < M or m ≥ M.",
    "contention signature": "gamma, delta and M of a network, fitted at one number of processes "
    "and meant to hold for others: an exchange takes (n − 1)(alpha + gamma beta m), and "
    "(n − 1)(alpha + gamma beta m + delta) from M on.",
    "time-out": "A wait of TCP before it sends again what was lost, whatever the size; repetitions "
    "of an exchange with and without one are two modes, and forms are fitted to those without.",
    "lower bound": "(n − 1)(alpha + beta m): the least time of an exchange in which each process "
    "sends each message by itself and one at a time.",
    "95 % over launches": "Bounds within which other launches would put the value; within one "
    "launch: other repetitions of that launch alone, which says nothing of another. Of a "
    "prediction the interval is widened to what validation found for 90 % of the points (for all "
    "of them where they are fewer than 9), where that is more.",
    "unseen point": "A measured n and m that a fit did not use, so that its prediction is a test.",
}

CITATION = (
    "L. A. Steffenel, M. Martinasso, D. Trystram: Assessing Contention Effects on MPI_Alltoall "
    "Communications. Grid and Pervasive Computing (GPC 2007), LNCS 4459, pp. 424–435, 2007."
)


def glossary(findings: Findings) -> Iterator[Html]:
    """Show what each word of the page means."""
    yield facts(TERMS.items(), class_="terms")


def citation(findings: Findings) -> Iterator[Html]:
    """Show what to cite, with the sources of the forms that the network has."""
    names = {name for operation in findings.network.operations for name in operation.forms}
    sources = sorted({FORMS.get(name).source for name in names} - {"common practice"})
    forms = f"Forms of this page: {'; '.join(sources)}."
    yield element("p", f"contend {__version__}; for the signature: {CITATION} {forms}")
