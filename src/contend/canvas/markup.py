"""HTML in which text from data cannot become markup.

Only `element` and `raw` make `Html`; every other text is escaped when it becomes a child or an
attribute of an element.
"""

from collections.abc import Iterable, Sequence

from markupsafe import Markup, escape

Html = Markup  # text that is markup already


def raw(*parts: object) -> Html:
    """Parts one after the other; those that are not `Html` are escaped.

    >>> print(raw("1 < 2", Html("<br>")))
    1 &lt; 2<br>
    """
    return Html("").join(map(escape, parts))


def element(name: str, *children: object, **attributes: object) -> Html:
    """Element with its children; `class_` stands for class, `aria_label` for aria-label.

    >>> print(element("p", "a & b", class_="lead"))
    <p class="lead">a &amp; b</p>
    """
    written = "".join(
        f' {key.strip("_").replace("_", "-")}="{escape(value)}"'
        for key, value in attributes.items()
    )
    return Html(f"<{name}{written}>{raw(*children)}</{name}>")


def paragraphs(sentences: Iterable[object], **attributes: object) -> Html:
    """A paragraph for each sentence."""
    return raw(*(element("p", sentence, **attributes) for sentence in sentences))


def row(cells: Sequence[object], heading: str = "") -> Html:
    """Table row whose first cell heads it, or with `heading` "col" a row of column headings."""
    if heading:
        return element("tr", *(element("th", cell, scope=heading) for cell in cells))
    first, *others = cells
    return element(
        "tr", element("th", first, scope="row"), *(element("td", cell) for cell in others)
    )


def table(head: Html, rows: Iterable[Html], class_: str = "numbers") -> Html:
    """Table in a box of its own that scrolls when the page is narrow."""
    body = element("table", element("thead", head), element("tbody", *rows), class_=class_)
    return element("div", body, class_="scroll", tabindex="0", role="region", aria_label="table")


def details(summary: object, *children: object) -> Html:
    """Content that is folded until it is asked for."""
    return element("details", element("summary", summary), *children)
