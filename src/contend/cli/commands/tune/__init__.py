"""contend tune: rules for MPI libraries; one command per file of this folder."""

ORDER = 2
PANEL = "Act"
EXAMPLE = "contend tune export decisions.json --library openmpi-5 -o rules.conf"
HELP = "Write decisions of contend choose as rules that an MPI library obeys, and check them."
