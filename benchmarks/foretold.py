"""Algorithms of a library that nobody ran, foretold by schedules and those that were run.

    python -m benchmarks.foretold SAMPLES MESSAGES [LEVELS]

SAMPLES are of `contend measure library --collective ...`, MESSAGES of the experiments
plogp and pingpong on the same network, LEVELS of `contend measure links` where a node has
several processes.

Each schedule in turn is taken for one that was not run: its times are foretold with what single
messages take, each alone or sharing ports, and in the way that the other algorithms bear out
(`contend.tune.choose.validation`); that also where the largest n was not measured.
Errors are |foretold / measured - 1|. A second table has what a choice of the algorithm that is
foretold to be the fastest costs: its measured time over the least one of the call. There every
algorithm that was run tells which way to take, and the factor that all have in common.
"""

import sys
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd
from benchmarks.decided_beyond import known
from scipy.stats import gmean

from contend.cli.output import markdown
from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.models.links.fit import fit_links
from contend.models.network import Network
from contend.models.prediction.catalogue import parameters_of, timings
from contend.samples import read_samples
from contend.samples.messages import OF_LINKS, read_messages
from contend.samples.origin import Unsaved
from contend.schedules.fitting.record import Parameters
from contend.schedules.timing.predict import Timing
from contend.tune.choose.runs import Run, runs
from contend.tune.choose.timing import Placement
from contend.tune.choose.validation import validated

ALL = "all operations"  # of errors those with algorithms enough to foretell one by the others
AS_RUN, BEYOND = "by the others that were run", "by the others at smaller n"
CHOSEN = "by all that were run"  # with one factor for all algorithms of a call


class Told(NamedTuple):
    """What was foretold of a run; bounds are NaN where there are none."""

    way: str
    operation: str
    setting: str
    n: int
    m: int
    measured: float
    seconds: float
    low: float
    high: float


def network_of(paths: Sequence[Path]) -> Network:
    """What the file of the network would hold."""
    found = known(read_samples(paths[0]))
    messages = fit_network(read_samples(paths[1]), Unsaved("messages", b""), FitOptions())
    links = (
        fit_links(read_messages(paths[2], OF_LINKS), Unsaved("levels", b"")) if paths[2:] else ()
    )
    return found.model_copy(update={"levels": messages.levels, "links": links})


def foretold(network: Network) -> Iterator[Told]:
    """Each run of each operation in all ways."""
    for operation in sorted({one.operation for one in network.operations}):
        own = [one for one in network.operations if one.operation == operation]
        where = Placement(max(one.processes_per_node or 1 for one in own))
        ways = timings(network, where.groups, where.links(network))
        parameters, found = parameters_of(network, operation), runs(network, own)
        for name, timing in ways.items():
            yield from told(f"{name} ports", operation, found, timing, parameters)
        timing = validated(operation, parameters, ways, found)
        yield from told(CHOSEN, operation, found, timing, parameters)
        largest = max(run.n for run in found)
        for schedule in sorted({run.algorithm.name for run in found}):
            these = [run for run in found if run.algorithm.name == schedule]
            others = [run for run in found if run.algorithm.name != schedule]
            smaller = [run for run in others if run.n < largest]
            there = [run for run in these if run.n == largest]
            for way, seen, wanted in ((AS_RUN, others, these), (BEYOND, smaller, there)):
                timing = validated(operation, parameters, ways, seen)
                if timing.is_validated:
                    yield from told(way, operation, wanted, timing, parameters)


def told(
    way: str, operation: str, found: Sequence[Run], timing: Timing, parameters: Parameters
) -> Iterator[Told]:
    """What a timing says of runs."""
    for run in found:
        plogp = parameters.of(run.algorithm)
        times, _ = timing(run.algorithm, plogp, run.n, run.m, **run.options)
        bounds = float(times.seconds), float(times.low), float(times.high)
        name = " ".join([run.algorithm.name, *map(str, run.options.values())])
        yield Told(way, operation, name, run.n, run.m, run.seconds, *bounds)


def errors(rows: pd.DataFrame) -> pd.DataFrame:
    """The first table: a row for each operation and way."""
    lines = []
    rows = rows[rows["way"] != CHOSEN]
    has_others = rows["operation"].isin(rows[rows["way"] == AS_RUN]["operation"])
    everything = rows[has_others].assign(operation=ALL)
    for (operation, way), own in pd.concat([rows, everything]).groupby(
        ["operation", "way"], sort=False
    ):
        error = (own["seconds"] / own["measured"] - 1).abs()
        inside = (own["low"] <= own["measured"]) & (own["measured"] <= own["high"])
        lines.append(
            {"operation": operation, "way": way, "points": len(own),
             "median": f"{error.median():.3f}", "90 %": f"{error.quantile(0.9):.3f}",
             "inside 90 %": f"{inside.mean():.0%}" if way in (AS_RUN, BEYOND) else "",
             "high/low": f"{(own['high'] / own['low']).median():.2f}"
             if way in (AS_RUN, BEYOND) else ""}
        )  # fmt: skip
    return pd.DataFrame(lines)


def regrets(rows: pd.DataFrame) -> pd.DataFrame:
    """The second table: what choosing by each way costs, geometric mean and worst."""
    found = []
    asked = rows[~rows["way"].isin([AS_RUN, BEYOND])]
    for (operation, way, *_), own in asked.groupby(["operation", "way", "n", "m"], sort=False):
        if own["setting"].nunique() > 1:
            taken = own["measured"][own["seconds"].idxmin()]
            found.append((operation, way, taken / own["measured"].min()))
    table = pd.DataFrame(found, columns=["operation", "way", "regret"])
    lines = []
    for operation in [*table["operation"].unique(), ALL]:
        own = table if operation == ALL else table[table["operation"] == operation]
        by_way = own.groupby("way", sort=False)["regret"]
        line = {"operation": operation, "calls": len(own) // by_way.ngroups}
        lines.append(line | {way: f"{gmean(one):.3f} ({one.max():.2f})" for way, one in by_way})
    return pd.DataFrame(lines)


def main(paths: Sequence[Path]) -> None:
    """Print both tables."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rows = pd.DataFrame(foretold(network_of(paths)))
    print(markdown(errors(rows)))
    print()
    print(markdown(regrets(rows)))


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        raise SystemExit(__doc__)
    main([Path(word) for word in sys.argv[1:]])
