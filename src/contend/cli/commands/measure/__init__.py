"""contend measure: measurements into files; a command for each kind of thing that is measured."""

ORDER = 1
PANEL = "Measure"
EXAMPLE = "contend measure -n 2,4,8 -m 64,4KiB,256KiB -o samples.jsonl"
HELP = """Measure, and append every point to a file as soon as it is known.

A campaign that was stopped continues when the same command is given again. Without a word for what
is measured: collectives."""
DEFAULT = "collectives"
