"""Section of the page: the answer, before everything else."""

from collections.abc import Iterator

from contend.canvas.markup import Html, element, paragraphs
from contend.figures.figure import Findings, drawings_of
from contend.report.answer import answer
from contend.report.section import Section, lead, shown


class FirstScreen(Section):
    """Sentences, one picture, one command."""

    name = "answer"
    title = "In short"
    heading = ""
    order = 0

    def content(self, findings: Findings) -> Iterator[Html]:
        """Where anything was fitted."""
        if found := answer(findings):
            first, *others = found.sentences
            yield element("p", element("strong", first), class_="answer")
            yield lead(paragraphs(others))
            yield element("p", "Next: ", element("code", found.command), class_="next")
            yield shown(drawings_of(findings, self.name))
