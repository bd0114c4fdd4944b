"""Calls as dumpi2ascii prints them."""

from __future__ import annotations

NANOSECONDS = 1_000_000_000


def status(source: int, tag: int, size: int, *, cancelled: int = 0) -> str:
    return f"{{bytes={size}, cancelled={cancelled}, source={source}, tag={tag}, error=0}}"


class RankText:
    """The text of one rank; a call takes 1 us, and comes 1 us after the one before."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.time = 5 * NANOSECONDS
        self.call("MPI_Init", "int argc=0", "string argv[0]=<IGNORED>")

    def call(self, name: str, *parameters: str, seconds: float = 1e-6, gap: float = 1e-6) -> None:
        self.time += round(gap * NANOSECONDS)
        self._edge(name, "entering")
        self.lines += parameters
        self.time += round(seconds * NANOSECONDS)
        self._edge(name, "returning")

    def message(
        self, name: str, peer: int, count: int, *more: str, tag: int = 0, comm: int = 2
    ) -> None:
        side = "dest" if "send" in name.lower() else "source"
        self.call(
            name,
            f"int count={count}",
            "MPI_Datatype datatype=9 (MPI_INT)",
            f"int {side}={peer}" + (" (MPI_ANY_SOURCE)" if side == "source" and peer < 0 else ""),
            f"int tag={tag}",
            f"MPI_Comm comm={comm} (MPI_COMM_WORLD)",
            *more,
        )

    def text(self) -> str:
        """All calls, and MPI_Finalize."""
        lines, time = self.lines.copy(), self.time
        self.call("MPI_Finalize")
        whole = self.lines
        self.lines, self.time = lines, time
        return "\n".join(whole) + "\n"

    def _edge(self, name: str, what: str) -> None:
        wall = f"{self.time // NANOSECONDS}.{self.time % NANOSECONDS:09d}"
        self.lines.append(
            f"{name} {what} at walltime {wall}, cputime 0.000000100 seconds in thread 0."
        )
