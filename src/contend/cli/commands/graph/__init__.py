"""contend graph: messages that share a network; one command per file of this folder."""

ORDER = 7
PANEL = "Simulate"
EXAMPLE = "contend solve flows.csv --bandwidth 1Gbit/s"
HELP = "Say when each of many concurrent messages ends."
