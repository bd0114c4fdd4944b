"""Lines of a tuner's CSV, and what the readers of NCCL and RCCL make of each.

A reading is collective, bytes from, bytes to, algorithm, protocol, channels, nodes, ranks,
numPipeOps, regBuff. Where RCCL's is another than NCCL's, it stands behind it.
"""

from typing import NamedTuple

ALL = 2**64 - 1
Reading = tuple[str, int, int, str, str, int, int, int, int, int]


class Line(NamedTuple):
    """A text, and the readings of NCCL and of RCCL."""

    text: str
    nccl: tuple[Reading, ...]
    rccl: tuple[Reading, ...]


def reading(*changed: tuple[int, object]) -> Reading:
    """The reading of `PLAIN`, but for some places."""
    values: list[object] = ["allreduce", 0, 65536, "tree", "ll128", 4, 2, 16, -1, -1]
    for place, value in changed:
        values[place] = value
    return tuple(values)  # type: ignore[return-value]


def alike(text: str, *made: Reading) -> Line:
    """A line that both read alike."""
    return Line(text, made, made)


def refused(text: str, *made: Reading) -> Line:
    """A line of which RCCL makes nothing."""
    return Line(text, made, ())


PLAIN = "allreduce,0,65536,tree,ll128,4,2,16"
LONG = "#" + "x" * 254  # as long as fgets takes at once
LINES = {
    # as they should be
    "eight fields": alike(PLAIN, reading()),
    "nine fields": alike(f"{PLAIN},3", reading((8, 3))),
    "ten fields": alike(f"{PLAIN},3,1", reading((8, 3), (9, 1))),
    "any of all": alike(f"{PLAIN},-1,-1", reading()),
    "blanks and tabs around": alike(" allreduce , 0,\t65536 ,tree ,ll128, 4,2,16\t", reading()),
    "broadcast": alike("broadcast" + PLAIN[9:], reading((0, "bcast"))),
    "reduce": alike("reduce" + PLAIN[9:], reading((0, "reduce"))),
    "allgather": alike("allgather" + PLAIN[9:], reading((0, "allgather"))),
    "reducescatter": alike("reducescatter" + PLAIN[9:], reading((0, "reduce_scatter"))),
    **{
        name: alike(PLAIN.replace("tree", name), reading((3, name)))
        for name in ("ring", "collnet_direct", "collnet_chain", "nvls", "nvls_tree", "pat")
    },
    "ll": alike(PLAIN.replace("ll128", "ll"), reading((4, "ll"))),
    "simple": alike(PLAIN.replace("ll128", "simple"), reading((4, "simple"))),
    "the largest size": alike(PLAIN.replace("65536", str(ALL)), reading((2, ALL))),
    "size of the README": alike(PLAIN.replace("65536", "4294967295"), reading((2, 2**32 - 1))),
    "beyond 4 GiB": alike(PLAIN.replace("65536", "17179869184"), reading((2, 2**34))),
    "any nodes and ranks": alike(PLAIN[:-4] + "-1,-1", reading((6, -1), (7, -1))),
    "any nodes": alike(PLAIN[:-4] + "-1,16", reading((6, -1))),
    "channels of NCCL": alike(PLAIN.replace("4,2,16", "0,2,16"), reading((5, 0))),
    "channels -1": alike(PLAIN.replace("4,2,16", "-1,2,16"), reading((5, -1))),
    "end of a line of DOS": alike(PLAIN + "\r", reading()),
    "comment": alike("# " + PLAIN),
    "nothing": alike(""),
    # odd
    "a comment behind": alike(PLAIN + " # for small ones", reading()),
    "a comment behind, with commas": refused(
        PLAIN + ",1,0 # small, old, odd", reading((8, 1), (9, 0))
    ),
    "plus": alike(PLAIN.replace("65536", "+65536"), reading()),
    "leading zeros": alike(PLAIN.replace("65536", "0065536"), reading()),
    "bytes to -1": alike(PLAIN.replace("65536", "-1"), reading((2, ALL))),
    "bytes from -1": alike(PLAIN.replace(",0,", ",-1,"), reading((1, ALL))),
    "size beyond 2^64": alike(PLAIN.replace("65536", "9" * 30), reading((2, ALL))),
    "size below -2^64": alike(PLAIN.replace("65536", "-" + "9" * 30), reading((2, ALL))),
    "size -65536": alike(PLAIN.replace("65536", "-65536"), reading((2, 2**64 - 65536))),
    "channels 2^32": alike(PLAIN.replace("4,2,16", "4294967296,2,16"), reading((5, 0))),
    "channels 2^32 - 1": alike(PLAIN.replace("4,2,16", "4294967295,2,16"), reading((5, -1))),
    "ranks beyond a long": alike(PLAIN[:-2] + "9" * 25, reading((7, -1))),
    "ranks far below": alike(PLAIN[:-2] + "-" + "9" * 25, reading((7, 0))),
    "reversed": alike("allreduce,65536,0,tree,ll128,4,2,16", reading((1, 65536), (2, 0))),
    # broken
    "seven fields": alike(PLAIN[:-3]),
    "one word": alike("allreduce"),
    "commas alone": alike(",,,,,,,,,,,"),
    "eleven fields": Line(
        f"{PLAIN},3,1,spx", (reading((8, 3), (9, 1)),), (reading((8, 3), (9, 1)),)
    ),
    "eleven fields, the last odd": refused(f"{PLAIN},3,1,7", reading((8, 3), (9, 1))),
    "thirteen fields": alike(f"{PLAIN},3,1,any,2,5", reading((8, 3), (9, 1))),
    "an empty field": alike(PLAIN.replace("0,65536", "0,,65536"), reading()),
    "an empty field that shifts": refused(
        f"{PLAIN.replace(',65536', ',')},-1", reading((2, 0), (3, "ring"), (4, "simple"),
        (5, 2), (6, 16), (7, -1)),
    ),
    "empty fields in front": alike(",," + PLAIN, reading()),
    "a comma at the end": alike(PLAIN + ",,", reading()),
    "a field of blanks": refused(
        PLAIN.replace(",4,2,16", ", ,2,16"), reading((5, 0))
    ),
    "blanks for numPipeOps": refused(f"{PLAIN}, ,1", reading((8, 0), (9, 1))),
    "upper case": refused("AllReduce,0,65536,Tree,LL128,4,2,16",
                          reading((3, "ring"), (4, "simple"))),
    "alltoall": refused("alltoall" + PLAIN[9:], reading()),
    "bcast": refused("bcast" + PLAIN[9:], reading()),
    "an algorithm that is none": refused(PLAIN.replace("tree", "treee"), reading((3, "ring"))),
    "a protocol that is none": refused(
        PLAIN.replace("ll128", "LL128"), reading((4, "simple"))
    ),
    "quoted": refused('"allreduce"' + PLAIN[9:].replace("tree", '"tree"'), reading((3, "ring"))),
    "units": alike(PLAIN.replace("65536", "64K"), reading((2, 64))),
    "a power": alike(PLAIN.replace("65536", "1e6"), reading((2, 1))),
    "hexadecimal": alike(PLAIN.replace("65536", "0x10000"), reading((2, 0))),
    "a fraction": alike(PLAIN.replace("4,2,16", "4.9,2,16"), reading()),
    "words for numbers": alike(PLAIN.replace("4,2,16", "auto,any,all"),
                               reading((5, 0), (6, 0), (7, 0))),
    "heading": refused(
        "collective_type,min_bytes,max_bytes,algorithm,protocol,channels,nNodes,nRanks,numPipeOps,"
        "regBuff", ("allreduce", 0, 0, "ring", "simple", 0, 0, 0, 0, 0),
    ),
    "a comment behind a blank": Line(
        f" # {PLAIN}", (reading(),), ()
    ),
    "semicolons": alike(PLAIN.replace(",", ";")),
    "NCCLX": alike("allreduce,*,tree,ll128,4,2,8"),
    "a comment that is too long": alike(LONG + PLAIN, reading()),
    "a comment that just fits": alike(LONG[:-1] + "\n" + PLAIN, reading()),
    "a line that is cut": alike(
        PLAIN + "," + "-1,-1" + " " * (255 - len(PLAIN) - 6) + PLAIN, reading(), reading()
    ),
    "a zero byte": alike(PLAIN + "\0,1,1", reading()),
    "no ASCII": refused(PLAIN.replace("tree", "tr\u00e9e"), reading((3, "ring"))),
}  # fmt: skip
