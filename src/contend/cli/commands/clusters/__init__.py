"""contend clusters: which hosts sit behind slower links; one command per file of this folder."""

ORDER = 8
PANEL = "Measure"
EXAMPLE = "contend clusters discover --on lab:two-clusters"
HELP = "Find which hosts are groups behind slower links."
