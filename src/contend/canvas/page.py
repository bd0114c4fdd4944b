"""A page of HTML in need of nothing else."""

from importlib.resources import files

from contend.canvas.inline import SHAPES, numbered
from contend.canvas.markup import Html
from contend.canvas.style import variables


def whole(title: str, body: Html) -> str:
    """A page with drawings in its body."""
    from jinja2 import Environment

    template = Environment(autoescape=True).from_string(_asset("page.html"))
    style = f"{variables(':root')}\nfigure svg, .entry svg {{ {SHAPES} }}\n{_asset('page.css')}"
    script = Html(_asset("tips.js"))
    return numbered(template.render(title=title, style=Html(style), body=body, script=script))


def _asset(name: str) -> str:
    return files(__package__).joinpath("assets").joinpath(name).read_text(encoding="utf-8")
