"""contend trace: traces of whole programs; one command per file of this folder."""

ORDER = 4
PANEL = "Simulate"
EXAMPLE = "contend trace show trace"
HELP = "Show and convert traces of whole programs."
