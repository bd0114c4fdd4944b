"""contend watch: what the collective calls of programs in production cost; a command per file."""

ORDER = 8
PANEL = "Measure"
EXAMPLE = "contend watch -o site.jsonl -- mpiexec -n 16 ./my_app"
HELP = """Note what each collective call of a program costs, in a site's file of all jobs.

'contend watch [OPTIONS] -- COMMAND' is short for 'contend watch run [OPTIONS] -- COMMAND'.
"""
DEFAULT = "run"
