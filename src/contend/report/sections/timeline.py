"""Section: what each rank does when, and how many messages are under way."""

from collections.abc import Iterator

from contend.canvas.inline import on_page
from contend.canvas.markup import Html
from contend.figures.timeline import timeline_drawing
from contend.report.replay import Account
from contend.report.section import Section, remark


class TimelineSection(Section):
    """The timeline of the replay."""

    name = "timeline"
    title = "What each rank does when"
    page = "replay"
    order = 20

    def content(self, account: Account) -> Iterator[Html]:
        """Always."""
        drawing = timeline_drawing(account.timeline, self.title)
        yield on_page(drawing)
        yield remark(drawing.remark)
