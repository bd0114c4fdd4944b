"""Ranks whose record ends before the program does: killed, a full disk, or a damaged file."""

from collections import defaultdict
from collections.abc import Iterable

NO_FINALIZE = "MPI_Finalize is missing, as after a kill or on a full disk"


def cut_of(has_init: Iterable[object], has_finalize: Iterable[object]) -> tuple[str, ...]:
    """`Trace.cut` of ranks that begin by MPI_Init, which a program ends by MPI_Finalize."""
    return tuple(
        NO_FINALIZE if is_begun and not is_ended else ""
        for is_begun, is_ended in zip(has_init, has_finalize, strict=True)
    )


def early_ends(cut: Iterable[str]) -> str:
    """Which ranks end early, and why, from the reason of each; empty where all are whole.

    >>> early_ends([NO_FINALIZE, "", NO_FINALIZE])
    'ranks 0, 2: MPI_Finalize is missing, as after a kill or on a full disk'
    """
    ranks = defaultdict(list)
    for rank, why in enumerate(cut):
        if why:
            ranks[why].append(rank)
    return "; ".join(
        f"{'rank' if len(given) == 1 else 'ranks'} {_runs(given)}: {why}"
        for why, given in ranks.items()
    )


def _runs(ranks: Iterable[int]) -> str:
    """Numbers that rise, those that follow each other as first-last.

    >>> _runs([0, 2, 3, 4])
    '0, 2-4'
    """
    runs: list[list[int]] = []
    for rank in ranks:
        if runs and runs[-1][1] == rank - 1:
            runs[-1][1] = rank
        else:
            runs.append([rank, rank])
    return ", ".join(str(low) if low == high else f"{low}-{high}" for low, high in runs)
