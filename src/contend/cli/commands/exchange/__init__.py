"""contend exchange: an all-to-all that knows slow links; one command per file of this folder."""

ORDER = 7
PANEL = "Apply"
EXAMPLE = "contend exchange library"
HELP = "An all-to-all that knows slow links: library, plan, bench."
