"""Section: the changes that pay most, each replayed, with the command that repeats it."""

from collections.abc import Iterator

from contend.canvas.markup import Html, details, element, raw, table
from contend.number_text import percent
from contend.replay.whatif import WhatIf, paying
from contend.report.replay import Account
from contend.report.section import Section
from contend.units import format_seconds

SHORT = 36  # letters of a word that fits on a narrow screen


class WhatIfs(Section):
    """The three that pay most; all others folded."""

    name = "what-ifs"
    title = "What would pay most"
    page = "replay"
    order = 10

    def content(self, account: Account) -> Iterator[Html]:
        """Where any was replayed."""
        measured = account.what_ifs
        if not measured:
            return
        best = paying(measured)
        if bound := next((one for one in measured if one.candidate.is_bound), None):
            yield element(
                "p",
                f"Without any contention, which no network reaches, it would take "
                f"{format_seconds(bound.seconds)}."
                + " Of the changes that were replayed these save most:"
                * bool(best),
            )
        if best:
            yield element("ol", *(_one(one) for one in best))
        else:
            yield element("p", "None of the changes that were tried makes the run shorter.")
        yield details(f"All {len(measured)} that were replayed", _table(measured))


def _one(found: WhatIf) -> Html:
    return element(
        "li",
        element("strong", f"{_capital(found.candidate.title)}: "),
        f"{format_seconds(found.seconds)}, {percent(found.share)} less.",
        Html("<br>"),
        command(found.candidate.setting.command),
    )


def command(text: str) -> Html:
    """A command that breaks between its words, not at a hyphen."""
    words = (
        element("span", word, style="white-space: nowrap") if len(word) <= SHORT else word
        for word in text.split(" ")
    )
    return element("code", *(part for word in words for part in (word, " ")))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _table(measured: list[WhatIf]) -> Html:
    bound = raw(" ", element("small", "a bound"))
    rows = (
        [
            raw(one.candidate.title, bound if one.candidate.is_bound else ""),
            format_seconds(one.seconds),
            percent(one.share).replace("-", "−"),
            command(one.candidate.setting.command),
        ]
        for one in measured
    )
    return table(["Change", "Time", "Saved", "Command"], rows, class_="")
