"""The contention signature of several kinds of networks, and how far it holds at other n.

    python -m benchmarks.kinds_of_networks FOLDER...

Each FOLDER is one that `contend study` wrote, and the network's name in the tables. All of its
forms are fitted at one n' (`growth` at a second n too) and predict the others, as figures 2 to 4 of
Steffenel, Martinasso, Trystram 2007 show it. First the signature of the rotated exchange, then the
error of what it predicts by n and m (in brackets of sizes that it leaves out as too small), then
how both stand beside `growth` on points at n that neither saw.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd

from contend.base.document import Quantity
from contend.base.number_text import percent, with_bounds
from contend.base.units import format_bytes, parse_bytes
from contend.cli.output import markdown
from contend.models.network import Network, Operation
from contend.models.prediction.predict import predict

ALGORITHM = "rotated"
SIGNATURE, GROWTH = "hockney_2007", "growth"


def known(folder: Path) -> tuple[Network, Operation]:
    """What a study found out about the rotated exchange."""
    network = Network.load(folder / "network.json")
    return network, network.find("alltoall", ALGORITHM)


def signature(name: str, network: Network, operation: Operation) -> dict[str, str]:
    """The parameters with their bounds, and where they were fitted."""
    fit, line = operation.forms[SIGNATURE], network.point_to_point.hockney
    messages = {} if line is None else {"alpha": line.alpha, "beta": line.beta}
    parameters = {**messages, **{key: fit.parameters.get(key) for key in ("gamma", "delta", "M")}}
    return {
        "network": name,
        "n'": ", ".join(map(str, fit.n_fitted)),
        **{key: _shown(value) for key, value in parameters.items()},
        "off where fitted": percent(fit.relative_residual),
    }


def _shown(value: Quantity | None) -> str:
    return with_bounds(value) if value is not None and float(value) else "none"


def errors(network: Network, operation: Operation, form: str) -> pd.DataFrame:
    """Measured points (n, m, seconds) with `error`, `is_inside` and `is_unseen`."""
    assert operation.measured is not None
    rows, fit = operation.measured.table(), operation.forms[form]
    told = predict(network, operation, rows["n"], rows["m"], form, is_anchored=False)
    times = rows["seconds"].to_numpy()
    return rows.assign(
        error=told["seconds"].to_numpy() / times - 1,
        is_inside=(told["low"].to_numpy() <= times) & (times <= told["high"].to_numpy()),
        is_unseen=~(rows["n"].isin(fit.n_fitted) & rows["m"].isin(fit.m_fitted)),
    )


def grid(name: str, network: Network, operation: Operation) -> Iterator[dict[str, str]]:
    """A row per n with the signature's error at each size; an asterisk where it was fitted."""
    rows, least = errors(network, operation, SIGNATURE), smallest(operation)
    for n, own in rows.groupby("n"):
        cells = {}
        for m, error, is_unseen in zip(own["m"], own["error"], own["is_unseen"], strict=True):
            said = f"{error:+.0%}{'' if is_unseen else '*'}"
            cells[format_bytes(m)] = said if m >= least else f"({said})"
        yield {"network": name, "n": str(n), **cells}


def smallest(operation: Operation) -> float:
    """Bytes from which on the signature describes the exchange."""
    return float(operation.forms[SIGNATURE].parameters.get("smallest", 0.0))


def beside(name: str, network: Network, operation: Operation) -> Iterator[dict[str, str]]:
    """Errors at n that no form has seen: of sizes that the signature describes, and of all."""
    seen = {n for form in (SIGNATURE, GROWTH) for n in operation.forms[form].n_fitted}
    least = smallest(operation)
    for form, sizes in ((SIGNATURE, "described"), (GROWTH, "described"), (GROWTH, "all")):
        rows = errors(network, operation, form)
        far = rows[~rows["n"].isin(seen) & ((rows["m"] >= least) | (sizes == "all"))]
        off = far["error"].abs()
        yield {
            "network": name,
            "form": form,
            "sizes": sizes,
            "points": str(len(far)),
            "median": f"{off.median():.1%}",
            "90th percentile": f"{off.quantile(0.9):.1%}",
            "in the interval": f"{far['is_inside'].mean():.0%}",
        }


def by_size(rows: Sequence[dict[str, str]]) -> pd.DataFrame:
    """The grids of all networks, sizes in order, empty where one was not measured."""
    table = pd.DataFrame(rows).fillna("")
    order = sorted(table.columns[2:], key=parse_bytes)
    return table[["network", "n", *order]]


def main(folders: Sequence[Path]) -> None:
    """Print the three tables."""
    found = [(folder.name, *known(folder)) for folder in folders]
    print(markdown(pd.DataFrame([signature(*one) for one in found])), end="\n\n")
    print(markdown(by_size([row for one in found for row in grid(*one)])), end="\n\n")
    print(markdown(pd.DataFrame([row for one in found for row in beside(*one)])))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    main([Path(one) for one in sys.argv[1:]])
