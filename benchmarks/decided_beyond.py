"""Decisions at a number of processes that was not measured, against what was measured there.

    python -m benchmarks.decided_beyond SAMPLES

SAMPLES are of `contend measure library --collective ...`, at three numbers of
processes or more. All but the largest are fitted and decided on as `contend fit` and `contend
choose --table` do, at the largest. A row for each call in which a rule departs from the library's
default, or the fastest algorithm measured there is 10 % faster than that; then the geometric means
of all calls.
"""

import sys
import warnings
from collections.abc import Sequence

import pandas as pd
from benchmarks.safe_choice import measured
from scipy.stats import gmean

from contend.base.units import format_bytes, format_seconds
from contend.cli.output import markdown
from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.models.network import Network
from contend.samples import Sample, quality, read_samples
from contend.samples.origin import Unsaved
from contend.samples.setting import NATIVE, OF_LIBRARY, own_name, setting_of
from contend.tune.choose.decide import decide
from contend.tune.choose.rules import Decisions, Rule

WORTH = 1.10  # of the default over the fastest


def known(samples: Sequence[Sample]) -> Network:
    """What the file of a network would hold of every operation."""
    parts = [
        fit_network(samples, Unsaved("samples", b""), FitOptions(operation))
        for operation in sorted({one.experiment for one in samples})
    ]
    every = tuple(one for part in parts for one in part.operations)
    return parts[0].model_copy(update={"operations": every})


def chosen(decisions: Decisions, rule: Rule) -> str:
    """The setting that the rule takes."""
    if rule.is_default:
        return NATIVE
    return setting_of(f"{decisions.library}{OF_LIBRARY}{rule.algorithm}", rule.options)


def calls(samples: Sequence[Sample]) -> pd.DataFrame:
    """Of each call at the largest n: seconds of the default, of what is decided, of the fastest."""
    n = max(one.n for one in samples)
    there = measured(samples, n)
    sizes = tuple(sorted({int(m) for m in there["m"]}))
    decisions = decide(
        known([one for one in samples if one.n < n]), n=(n,), m=sizes, all_commute=True
    )
    rows = []
    for (operation, m), own in there.groupby(["operation", "m"]):
        times = own.set_index("setting")["seconds"]
        rule = next(one for one in decisions.rules if one.holds(str(operation), n, int(m)))
        taken = chosen(decisions, rule)
        rows.append(
            {"operation": operation, "m": m, "decided": own_name(taken),
             "default": times[NATIVE], "seconds": times[taken],
             "fastest": times.min(), "by": own_name(times.idxmin()),
             "foretold": rule.gain, "low": rule.gain_low, "high": rule.gain_high}
        )  # fmt: skip
    return pd.DataFrame(rows)


def shown(found: pd.DataFrame) -> pd.DataFrame:
    """The table of the document."""
    departs = found["decided"] != NATIVE
    rows = []
    for one in found[departs | (found["default"] >= WORTH * found["fastest"])].to_dict("records"):
        interval = f"{one['foretold']:.2f} ({one['low']:.2f} to {one['high']:.2f})"
        is_departure = one["decided"] != NATIVE
        rows.append(
            {"operation": one["operation"], "m": format_bytes(one["m"]),
             "default": format_seconds(one["default"]),
             "decided": one["decided"] if is_departure else "default",
             "gain foretold": interval if is_departure else "",
             "gain": f"{one['default'] / one['seconds']:.2f}",
             "fastest": one["by"], "default / fastest": f"{one['default'] / one['fastest']:.2f}",
             "decided / fastest": f"{one['seconds'] / one['fastest']:.2f}"}
        )  # fmt: skip
    mean = {name: gmean(found[name] / found["fastest"]) for name in ("default", "seconds")}
    gain = gmean(found["default"] / found["seconds"])
    rows.append(
        {"operation": f"all {len(found)} calls", "decided": f"{departs.sum()} departures",
         "gain": f"{gain:.2f}", "default / fastest": f"{mean['default']:.2f}",
         "decided / fastest": f"{mean['seconds']:.2f}"}
    )  # fmt: skip
    return pd.DataFrame(rows).fillna("")


def main(path: str) -> None:
    """Print the table."""
    samples = read_samples(path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        trusted = quality.trusted(samples, {one.experiment for one in samples})
        print(markdown(shown(calls(trusted))))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])
