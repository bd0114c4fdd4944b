"""Which operations the forms describe: each process has a message of m bytes for each other one."""

from contend.errors import InvalidInputError
from contend.schedules.collective import COLLECTIVES

EXCHANGES = ("alltoall", "alltoallv")


def require_exchange(operation: str) -> None:
    """Raise an error that says what to do instead, unless `operation` is an all-to-all.

    The forms count n-1 messages of m bytes for each process. Of a broadcast or a reduction their
    parameters would mean nothing, and their lower bound lies above what it takes.
    """
    if operation in EXCHANGES:
        return
    remedy = (
        f"time its algorithms by 'contend run-schedule {operation}', learn from them by 'contend "
        f"fit-schedules', and predict by 'contend predict NETWORK {operation} --algorithm'"
        if operation in COLLECTIVES
        else "if it is an all-to-all, import it with --experiment alltoall"
    )
    raise InvalidInputError(
        f"signature forms describe an all-to-all, which {operation} is not", remedy
    )
