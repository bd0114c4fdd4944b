"""Where the lab's compiled programs lie, and the folder that a lab covers."""

from importlib.resources import files
from pathlib import Path

PROGRAMS = Path(str(files(__package__).joinpath("bin")))
PLACE = Path(__file__).parent / "place"
MARKS = "clocks"  # folder of a lab for the marks of programs that see its clocks
SHIM = PROGRAMS / "libcontend-shim.so"  # what every program of a lab preloads
