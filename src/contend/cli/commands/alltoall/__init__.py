"""contend alltoall: programs whose all-to-all knows slow links; one command per file."""

ORDER = 3
PANEL = "Act"
EXAMPLE = "contend alltoall run --explain -- mpiexec -n 24 -f hosts ./my_app"
HELP = "Run programs with the fastest all-to-all for groups of hosts behind slower links."
