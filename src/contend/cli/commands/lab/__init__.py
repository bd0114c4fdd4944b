"""contend lab: emulated networks; one command per file of this folder."""

ORDER = 6
PANEL = "Measure"
EXAMPLE = "contend lab run two-clusters -- mpiexec -n 16 ./my_app"
HELP = "Run MPI programs on an emulated network; 'contend list labs' names them."
