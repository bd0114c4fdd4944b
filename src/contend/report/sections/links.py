"""Section: the links where messages lose time, and how busy they are."""

from collections.abc import Iterator

import numpy as np

from contend.canvas.inline import on_page
from contend.canvas.markup import Html, element, table
from contend.figures.link_load import link_load_drawing
from contend.number_text import percent
from contend.report.replay import Account
from contend.report.section import Section, remark
from contend.units import format_seconds

SHOWN = 12
HEAD = ("Link", "Busy, mean", "Busy, most", "Time lost", "Share of it")


class Links(Section):
    """The worst links: a table, and their load over time."""

    name = "links"
    title = "Where messages share the network"
    page = "replay"
    order = 30

    def content(self, account: Account) -> Iterator[Html]:
        """Where a message went over a link."""
        traffic = account.found.traffic
        if traffic is None or not traffic.names:
            return
        found = traffic.links(account.found.seconds)
        total, there = float(traffic.lost.sum()), len(found)
        worst = found.head(SHOWN)
        yield element("p", _lead(total, worst.iloc[0]["link"], float(worst.iloc[0]["share"])))
        drawing = link_load_drawing(
            [str(name).partition(", ")[0] for name in worst["link"]],
            traffic.load[worst["number"].to_numpy()],
            float(traffic.bin) * np.arange(traffic.load.shape[1] + 1),
        )
        yield on_page(drawing)
        left_out = f" {there - SHOWN} more links carried messages." if there > SHOWN else ""
        yield remark(f"{drawing.remark}{left_out}")
        rows = (
            [one.link, *(percent(float(share)) for share in (one.busy, one.highest)),
             format_seconds(float(one.lost)), percent(float(one.share))]
            for one in worst.itertuples()
        )  # fmt: skip
        yield table(HEAD, rows, class_="counts")


def _lead(total: float, worst: str, share: float) -> str:
    if total <= 0:
        return "No message takes longer in the network than alone."
    return (
        f"In the network all messages together take {format_seconds(total)} longer than each "
        f"alone. Most of it at one link, {percent(share)}: {worst}. The run loses less where ranks "
        "do something else meanwhile, and more where they wait for each other."
    )
