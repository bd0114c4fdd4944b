"""Where the lab's compiled programs lie, and the folder that a lab covers."""

from pathlib import Path

from contend import _core

PROGRAMS = Path(_core.__file__).parent / "measure" / "lab" / "bin"
PLACE = Path(__file__).parent / "place"
MARKS = "clocks"  # folder of a lab for the marks of programs that see its clocks
SHIM = PROGRAMS / "libcontend-shim.so"  # what every program of a lab preloads
