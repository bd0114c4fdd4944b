"""Section of the page: the answer, before everything else."""

from collections.abc import Iterator

from contend.canvas.markup import element, paragraphs
from contend.figures.figure import Findings, drawings_of
from contend.report.answer import answer
from contend.report.section import Part, Section, shown


class FirstScreen(Section):
    """Sentences, one picture, one command."""

    name = "answer"
    order = 0

    def parts(self, findings: Findings) -> Iterator[Part]:
        """Where anything was fitted."""
        found = answer(findings)
        if found is None:
            return
        first, *others = found.sentences
        html = element(
            "section",
            element("p", element("strong", first), class_="answer"),
            element("div", paragraphs(others), class_="lead"),
            element("p", "Next: ", element("code", found.command), class_="next"),
            shown(drawings_of(findings, self.name)),
            id=self.name,
        )
        yield Part(self.name, "In short", html)
