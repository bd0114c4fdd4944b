"""Sizes of DUMPI's datatypes, by their numbers: MPI's own, and those that the program made.

Sizes of MPI's own are those of 64-bit Linux, unless the file has them (dumpi2ascii -X).
"""

from contend.traces.dumpi.text import Call, WrongCallError

# In the order of dumpi/common/constants.h, from MPI_DATATYPE_NULL (1) to MPI_LONG_DOUBLE_INT (27):
# char, signed char, unsigned char, byte, wchar, short, unsigned short, int, unsigned, long,
# unsigned long, float, double, long double, long long int, unsigned long long, long long, packed,
# lb, ub, and the pairs float int, double int, long int, short int, 2int, long double int.
_OWN = [0, 1, 1, 1, 1, 4, 2, 2, 4, 4, 8, 8, 4, 8, 16, 8, 8, 8, 1, 0, 0, 8, 12, 12, 6, 8, 20]


class Datatypes:
    """Sizes, while the calls of a rank are read."""

    def __init__(self, told: dict[int, int]) -> None:
        self.told = told
        self.sizes = dict(enumerate(_OWN, start=1)) | told

    def __call__(self, number: int) -> int:
        """Return the bytes of a datatype by its number."""
        if number not in self.sizes:
            raise WrongCallError(
                f"datatype {number} has no known size: print sizes too (dumpi2ascii -S -X)"
            )
        return self.sizes[number]

    def take(self, call: Call) -> None:
        """Note a datatype that is made."""
        if call.name == "MPI_Type_size" and call.values.keys() >= {"datatype", "size"}:
            self.sizes[call.number("datatype")] = max(call.number("size"), 0)
        if "newtype" not in call.values:
            return
        number = call.number("newtype")
        try:
            size = self._elements(call)
        except WrongCallError:
            size = None
        if size is None or size < 0:
            size = self.told.get(number)
        self.sizes.pop(number, None)
        if size is not None:
            self.sizes[number] = size

    def _elements(self, call: Call) -> int | None:
        """Bytes of what is made; none where the call does not tell them."""
        name = call.name.removeprefix("MPI_Type_").removeprefix("create_")
        if name == "struct":
            lengths, types = call.numbers("lengths"), call.numbers("oldtypes")
            if len(lengths) != len(types) or not all(one in self.sizes for one in types):
                return None
            return sum(n * self.sizes[one] for n, one in zip(lengths, types, strict=True))
        if "oldtype" not in call.values or call.number("oldtype") not in self.sizes:
            return None
        size = self.sizes[call.number("oldtype")]
        if name == "contiguous":
            return call.number("count") * size
        if name in ("vector", "hvector"):
            return call.number("count") * call.number("blocklength") * size
        if name in ("indexed", "hindexed"):
            return sum(call.numbers("lengths")) * size
        return size if name in ("dup", "resized") else None
