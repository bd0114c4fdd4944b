"""How Sphinx makes the site of the documents: `make site`."""

import sys
from pathlib import Path

from contend import __version__

sys.path.insert(0, str(Path(__file__).parent / "site"))

project = "contend"
copyright = "The contend developers"
release = version = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "commands_page",
    "door_page",
    "examples",
    "mathml",
    "outside",
]
nitpicky = False  # names of numpy and pandas in signatures lead nowhere without a network
smartquotes = False  # --option stays what one types
highlight_language = "sh"  # a block of the documents without a language is one of a shell

# Links between documents are checked with their anchors, those of GitHub.
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
default_role = "literal"  # docstrings quote names with single marks
napoleon_google_docstring = False

html_theme = "furo"
html_title = "contend"
html_math_renderer = "mathml"
html_static_path = ["site/static"]
html_css_files = ["contend.css"]
html_copy_source = False
html_show_sphinx = False
