"""Sizes of DUMPI's datatypes, by their numbers: MPI's own, and those that the program made.

Sizes of MPI's own are those of 64-bit Linux, unless the file has them (dumpi2ascii -X).
"""

from math import prod

from contend.base.errors import FileFormatError
from contend.programs.traces.dumpi.text import Call

# In the order of dumpi/common/constants.h, from MPI_DATATYPE_NULL (1) to MPI_LONG_DOUBLE_INT (27):
# char, signed char, unsigned char, byte, wchar, short, unsigned short, int, unsigned, long,
# unsigned long, float, double, long double, long long int, unsigned long long, long long, packed,
# lb, ub, and the pairs float int, double int, long int, short int, 2int, long double int.
_OWN = [0, 1, 1, 1, 1, 4, 2, 2, 4, 4, 8, 8, 4, 8, 16, 8, 8, 8, 1, 0, 0, 8, 12, 12, 6, 8, 20]

# Parameters whose product is the number of elements.
_FACTORS: dict[str, tuple[str, ...]] = {
    "contiguous": ("count",),
    **dict.fromkeys(("vector", "hvector"), ("count", "blocklength")),
    **dict.fromkeys(("indexed", "hindexed"), ("lengths",)),
    **dict.fromkeys(("dup", "resized"), ()),
}


class Datatypes:
    """Sizes, while the calls of a rank are read; `given` are those that the file tells."""

    def __init__(self, given: dict[int, int]) -> None:
        self._given = given
        self._sizes = dict(enumerate(_OWN, start=1)) | given

    def size(self, call: Call, number: int) -> int:
        if number not in self._sizes:
            problem = f"datatype {number} has no known size: print sizes too (dumpi2ascii -S -X)"
            raise call.error(problem)
        return self._sizes[number]

    def take(self, call: Call) -> None:
        """Note a datatype that is made, or whose size is asked for."""
        if call.name == "MPI_Type_size" and call.values.keys() >= {"datatype", "size"}:
            self._sizes[call.number("datatype")] = max(call.number("size"), 0)
        if "newtype" not in call.values:
            return
        number = call.number("newtype")
        try:
            size = self._made(call)
        except (FileFormatError, KeyError):  # of what it does not tell, or of an unknown one
            size = -1
        self._sizes.pop(number, None)
        if size >= 0:
            self._sizes[number] = size
        elif number in self._given:
            self._sizes[number] = self._given[number]

    def _made(self, call: Call) -> int:
        name = call.name.removeprefix("MPI_Type_").removeprefix("create_")
        if name == "struct":
            lengths, types = call.numbers("lengths"), call.numbers("oldtypes")
            if len(lengths) != len(types):
                return -1
            return sum(
                n * self._sizes[datatype] for n, datatype in zip(lengths, types, strict=True)
            )
        factors = [sum(call.numbers(name)) for name in _FACTORS[name]]
        return prod(factors) * self._sizes[call.number("oldtype")]
