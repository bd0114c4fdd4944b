"""Lower bound of the messages of an exchange, which no schedule without forwarding can beat.

Source: Steffenel, Martinasso, Trystram, GPC 2007, claims 1 to 3.
Idea: each process sends on one port and receives on one port; its messages pass one by one.
Cost: at least max(out-degree, in-degree) start-ups, and at least the bytes of the busiest port.
Restrictions: a network of equal links. The sum of both bounds (claim 3) needs a synchronous model,
or one port that attains both maxima: the paper asks for one process only, which is not enough when
it sends many small messages and receives few large ones. `seconds` is the time of the busiest
port, which holds always.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from contend import _core
from contend.base.document import Frame
from contend.base.errors import FileFormatError, InvalidInputError
from contend.base.textfile import columns_of, read_words
from contend.schedules.pointtopoint import Hockney

MOST_PROCESSES = 1 << 24  # ranks without a message take memory too


@dataclass(frozen=True)
class ExchangeBound:
    """Bounds of one exchange, seconds and bytes; see `contend._core.LowerBound`."""

    processes: int
    messages: int
    startups: int
    bytes: float
    startup_seconds: float
    bandwidth_seconds: float
    synchronous_seconds: float
    is_simultaneous: bool
    holds_claim_3: bool
    seconds: float


def exchange_bound(
    src: ArrayLike, dst: ArrayLike, size: ArrayLike, hockney: Hockney, n: int | None = None
) -> ExchangeBound:
    """Bounds of the messages src[i] -> dst[i] of size[i] bytes among ranks 0..n-1.

    >>> from contend.schedules.pointtopoint.hockney import given
    >>> exchange_bound([0, 1, 2], [1, 2, 0], [8, 8, 8], given(1e-6, 1e-9)).startups
    1
    """
    ranks = [_ranks(src, "src"), _ranks(dst, "dst")]
    processes = n if n is not None else int(max((r.max(initial=-1) for r in ranks), default=-1)) + 1
    sizes = np.ascontiguousarray(size, dtype=np.float64)
    bound = _core.lower_bound(
        _core.port_loads(processes, src=ranks[0], dst=ranks[1], bytes=sizes),
        alpha=float(hockney.alpha),
        beta=float(hockney.beta),
    )
    names = [name for name in ExchangeBound.__dataclass_fields__ if hasattr(bound, name)]
    values = {name: getattr(bound, name) for name in names}
    return ExchangeBound(processes=processes, messages=sizes.size, **values)


def _ranks(values: ArrayLike, name: str) -> np.ndarray:
    ranks = np.asarray(values)
    if ranks.ndim != 1 or (ranks.size and not np.issubdtype(ranks.dtype, np.integer)):
        raise InvalidInputError(f"{name} is not a list of whole numbers", "give ranks from 0")
    for rank in (ranks.min(initial=0), ranks.max(initial=0)):
        if not 0 <= rank < MOST_PROCESSES:
            raise InvalidInputError(
                f"{name} holds rank {rank}", f"give ranks from 0 to {MOST_PROCESSES - 1}"
            )
    return np.ascontiguousarray(ranks, dtype=np.int32)


def read_messages(path: Path, columns: Sequence[str] = ("src", "dst", "bytes")) -> Frame:
    """Messages of a CSV file with the columns src, dst and bytes."""
    import pandas as pd

    table = columns_of(read_words(path))
    missing = [name for name in columns if name not in table.columns]
    if missing or table.empty:
        raise FileFormatError(
            f"{path} has {'no row' if not missing else f'no column {missing[0]!r}'}",
            f"its first line is {','.join(columns)}, then a line per message",
        )
    numbers = table[list(columns)].apply(pd.to_numeric, errors="coerce")
    if numbers.isna().any(axis=None):
        line = int(numbers.index[numbers.isna().any(axis=1)][0])
        raise FileFormatError(f"{path} line {line} is not three numbers", "mend the line")
    return numbers
