"""The algorithms of an all-to-all compared, as a table and as a picture."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from contend.measure.campaigns.options import MeasureOptions
from contend.measure.exchange.comparison import ExchangeComparison, compare_exchanges


def bench_exchange(
    path: str | Path,
    options: MeasureOptions,
    sizes: Sequence[int],
    n: int | None = None,
    *,
    drawing: str | Path | None = None,
    **others: Any,
) -> ExchangeComparison:
    """Compare exchanges (see `compare_exchanges`), and draw their times if a picture is named.

    >>> options = MeasureOptions(launches=1, min_repetitions=2, max_repetitions=2)
    >>> names = "native,auto"
    >>> bench_exchange("exchange.jsonl", options, [256], 4, algorithms=names).samples.name
    'exchange.jsonl'
    """
    if drawing is None:
        return compare_exchanges(path, options, sizes, n, **others)
    from contend.report.canvas.files import check_picture, write_picture
    from contend.report.figures.exchange import exchange_drawing

    picture = check_picture(Path(drawing))
    comparison = compare_exchanges(path, options, sizes, n, **others)
    write_picture(exchange_drawing(comparison.rows, comparison.title), picture)
    return comparison
