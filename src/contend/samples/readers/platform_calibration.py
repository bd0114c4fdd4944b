"""Platform calibration: point-to-point files from which SMPI platforms are calibrated.

Source: SimGrid's platform-calibration; what the values are for: Degomme, Legrand, Markomanolis,
Quinson, Stillwell, Suter, "Simulating MPI Applications: The SMPI Approach", IEEE TPDS, 2017.

Layout: no header; `operation,bytes,start s,duration s`, plain or gzipped; one experiment a file:
PingPong has pairs of rows MPI_Send, MPI_Recv with the same start; Isend has MPI_Isend, and Recv
has MPI_Recv of a message that is there already.

One value is a repetition, in seconds. The reply is received when the send has returned, so the two
durations of a pair make up a round trip, and half their sum is half a round trip (`pingpong`).
MPI_Isend and MPI_Recv are the overheads o_s and o_r of PLogP (`plogp`), which last as long as the
call. Sizes ascend; the repetitions of a size are in order of their start.

Restrictions: two processes; Iprobe, Test and Wtime files carry no message and are refused.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from contend.base.document import Frame
from contend.base.errors import FileFormatError
from contend.base.textfile import read_words
from contend.samples.reader import Reader, ReadOptions
from contend.samples.readers._table import decimals, wholes
from contend.samples.readers._text import agreed, sample_at
from contend.samples.sample import Sample

KINDS = {
    frozenset({"MPI_Send", "MPI_Recv"}): ("pingpong", "half_round_trip"),
    frozenset({"MPI_Isend"}): ("plogp", "send_overhead"),
    frozenset({"MPI_Recv"}): ("plogp", "receive_overhead"),
}
_NUMBER = r"\d+(?:\.\d*)?(?:[eE][+-]?\d+)?"
_ROW = re.compile(rf"\s*MPI_\w+,\d+,{_NUMBER},{_NUMBER}\s*")


class PlatformCalibrationReader(Reader):
    name = "platform_calibration"
    title = "SMPI platform-calibration: PingPong, Isend and Recv files"

    def recognises(self, head: str) -> bool:
        return _ROW.fullmatch(head.partition("\n")[0]) is not None

    def read(self, path: Path, options: ReadOptions) -> Iterator[Sample]:
        rows = _rows(path)
        kind = frozenset(rows["operation"])
        if kind not in KINDS:
            raise FileFormatError(
                f"{path} holds {', '.join(sorted(kind))}", "name a PingPong, Isend or Recv file"
            )
        experiment, algorithm = KINDS[kind]
        if experiment == "pingpong":
            rows = _half_round_trips(rows, path)
        ppn = options.processes_per_node
        fields = agreed(str(path), options, experiment, algorithm, 2, ppn) | {
            "provenance": {"source": f"{self.name}: {path.name}"}
        }
        for m, repetitions in rows.sort_values("start", kind="stable").groupby("m"):
            yield sample_at(
                f"{path} line {repetitions.index[0]}",
                **fields,
                m=m,
                times_s=repetitions["seconds"].tolist(),
            )


def _rows(path: Path) -> Frame:
    import pandas as pd

    words = read_words(path, errors="replace")
    if len(words.columns) != 4:
        raise FileFormatError(
            f"{path} line 1: {len(words.columns)} columns where operation, bytes, start and "
            "duration are due",
            "name a file of platform-calibration",
        )
    table: pd.DataFrame = pd.DataFrame(
        {
            "operation": words[0],
            "m": wholes(words[1], path, "bytes"),
            "start": decimals(words[2], path, "start"),
            "seconds": decimals(words[3], path, "duration"),
        },
        index=words.index,
    )
    return table


def _half_round_trips(rows: Frame, path: Path) -> Frame:
    """A row per pair of MPI_Send and MPI_Recv, at the line of the send."""
    sends = rows.iloc[0::2]
    receives = rows.iloc[1::2].set_axis(sends.index[: len(rows) // 2]).reindex(sends.index)
    is_pair = sends["operation"].eq("MPI_Send") & receives["operation"].eq("MPI_Recv")
    is_pair &= sends["m"].eq(receives["m"]) & sends["start"].eq(receives["start"])
    if not is_pair.all():
        raise FileFormatError(
            f"{path} line {is_pair.idxmin()}: no MPI_Send followed by an MPI_Recv of the same "
            "size and start",
            "restore the pair or remove the line",
        )
    halves: Frame = sends.assign(seconds=(sends["seconds"] + receives["seconds"]) / 2)
    return halves
