"""contend watch: what the collective calls of programs in production cost; a command per file."""

ORDER = 8
PANEL = "Measure"
EXAMPLE = "contend watch -o site.jsonl -- mpiexec -n 16 ./my_app"
HELP = "Note what collective calls of programs cost, in a file of all jobs. Default command: run."
DEFAULT = "run"
