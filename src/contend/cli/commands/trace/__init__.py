"""contend trace: traces of whole programs; one command per file of this folder."""

ORDER = 7
PANEL = "Inspect"
EXAMPLE = "contend trace info trace"
HELP = "Show and convert traces of whole programs."
