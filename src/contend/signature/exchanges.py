"""Which operations are exchanges: each process has a message of m bytes for each other one."""

from contend.errors import InvalidInputError

EXCHANGES = ("alltoall", "alltoallv")


def require_exchange(operation: str, what: str) -> None:
    """Raise an error unless `operation` is an all-to-all, which `what` is for.

    Forms of the literature count n-1 messages of m bytes for each process. Of a broadcast or a
    reduction their parameters would mean nothing.
    """
    if operation not in EXCHANGES:
        raise InvalidInputError(
            f"{what} describes an all-to-all, which {operation} is not", "name an all-to-all"
        )
