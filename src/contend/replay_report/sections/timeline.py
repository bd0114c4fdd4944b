"""Section: what each rank does when, and how many messages are under way."""

from collections.abc import Iterator

from contend.canvas.markup import Html, element
from contend.replay_report.section import Account, Section
from contend.timelines.widget import timeline_part


class TimelineSection(Section):
    """The timeline of the replay."""

    name = "timeline"
    title = "What each rank does when"
    order = 20

    def content(self, account: Account) -> Iterator[Html]:
        """Always."""
        yield element(
            "p",
            "Ranks from above, time to the right; the curve above them is the number of messages "
            "under way.",
            class_="remark",
        )
        yield timeline_part(account.timeline)
