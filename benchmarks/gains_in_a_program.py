"""What rules gained in a program, against what samples said they would.

    python -m benchmarks.gains_in_a_program FOLDER

FOLDER is one that `benchmarks.tuned` has filled, of which the first rounds on emulated networks
count, before anything is taken back. Of each rule and n whose calls were of one size: the gain in
the program over that of the samples, as a geometric mean and as the standard deviation of its
logarithm, and the share of gains that were within the interval of 90 % which `contend choose` gives
them. Its doubt beyond the samples was chosen with these networks in view: the share is no test of
it.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from contend.base.statistics.student import NORMAL_90
from contend.base.units import format_bytes
from contend.cli.output import markdown
from contend.models.network import Network
from contend.samples.setting import own_name
from contend.tune.choose.safe import IN_A_PROGRAM


def said(network: Network) -> pd.DataFrame:
    """Gains of samples: rows of operation, algorithm, n, m, gain and error."""
    parts = [
        pd.DataFrame(one.gains.model_dump()).assign(
            operation=one.operation, algorithm=own_name(one.algorithm)
        )
        for one in network.operations
        if one.gains
    ]
    return pd.concat(parts, ignore_index=True)


def gained(folder: Path) -> Iterator[dict[str, object]]:
    """Gains in the program, of rules and n whose calls were of one size."""
    for path in sorted(folder.glob("verified-1-*.json")):
        found = json.loads(path.read_text())
        for cell in found["gains"]["cells"]:
            sizes = {
                m
                for call in found["calls"]
                if all(call[key] == cell[key] for key in ("operation", "n", "rule"))
                for m in (call["m"], call["m_last"])
            }
            if len(sizes) == 1:
                yield {
                    "operation": cell["operation"],
                    "algorithm": cell["rule"]["algorithm"],
                    "n": cell["n"],
                    "m": sizes.pop(),
                    "in the program": cell["gain"],
                }


def both(folder: Path) -> pd.DataFrame:
    """Of one place and library, rules that samples know."""
    samples = said(Network.load(folder / "network.json"))
    samples = samples.sort_values("gain").drop_duplicates(
        ["operation", "algorithm", "n", "m"], keep="last"
    )  # of several options those that gain the most
    return pd.DataFrame(gained(folder)).merge(samples, on=["operation", "algorithm", "n", "m"])


def table(folders: list[Path]) -> pd.DataFrame:
    """A row for each size."""
    rows = pd.concat([both(folder) for folder in folders], ignore_index=True)
    rows["off"] = np.log(rows["in the program"] / rows["gain"])
    reach = NORMAL_90 * np.hypot(rows["error"], IN_A_PROGRAM)
    rows["inside"] = rows["off"].abs() <= reach
    return pd.DataFrame(
        {
            "m": format_bytes(m),
            "gains": len(own),
            "in the program / said": f"{np.exp(own['off'].mean()):.3f}",
            "deviation": f"{own['off'].std(ddof=1):.3f}",
            "smallest": f"{np.exp(own['off'].min()):.2f}",
            "largest": f"{np.exp(own['off'].max()):.2f}",
            "inside 90 %": f"{own['inside'].mean():.0%}",
        }
        for m, own in rows.groupby("m")
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    folders = sorted(path.parent for path in given.folder.glob("lab-*/network.json"))
    print(markdown(table(folders)))


if __name__ == "__main__":
    main()
