"""Extra-P: measurements over parameters, from which it fits how times grow.

Source: Calotoiu, Hoefler, Poke, Wolf, "Using automated performance modeling to find scalability
bugs in complex codes", SC 2013; JSON as the documentation of Extra-P 4 describes it
(docs/file-formats.md), read back with 4.2.
Idea: p is the number of processes, m the bytes of a message; a call path is an operation and below
it an algorithm, the metric is `time` in seconds. The values of a point are its repetitions of all
launches, or by point the medians of launches, of which contend takes the median.
Restrictions: empty messages are left out, as Extra-P takes the logarithm of its parameters; so are
processes per node, so that one placement has to be named. Extra-P refuses a file whose call paths
were not measured at the same points, and asks for five values of a parameter.
"""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence

from contend.base.errors import InvalidInputError
from contend.export.format import SamplesFormat, Wanted, Written
from contend.samples import Sample

PARAMETERS = ("p", "m")
FEWEST = 5  # values of a parameter, by the documentation of Extra-P

Point = tuple[int, int]
Values = dict[str, dict[Point, list[float]]]


class ExtraP(SamplesFormat):
    name = "extrap"
    title = "Extra-P's JSON, with the parameters p (processes) and m (bytes)"
    takes = frozenset({"operation", "algorithm", "processes_per_node", "by"})
    example = "samples.jsonl --operation alltoall -o alltoall.json"

    def of_samples(self, samples: Sequence[Sample], wanted: Wanted) -> Written:
        timed = [sample for sample in samples if sample.m > 0]
        if not timed:
            raise InvalidInputError(
                "Extra-P takes the logarithm of m, which is 0 in all samples", "name others"
            )
        _require_one_placement(timed)
        values: Values = defaultdict(lambda: defaultdict(list))
        for sample in timed:
            times = [sample.median] if wanted.by == "point" else list(sample.times_s)
            values[f"{sample.experiment}->{sample.setting}"][sample.n, sample.m] += times
        _require_same_points(values)
        notes = _notes(samples, timed, values)
        usage = ("extrap --json FILE",)
        return Written(json.dumps(_document(values), indent=1) + "\n", tuple(notes), usage)

    def recognises(self, text: str) -> bool:
        """Whether it is a JSON object of parameters and measurements."""
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            return False
        return isinstance(data, dict) and {*data} == {"parameters", "measurements"}


def _document(values: Mapping[str, Mapping[Point, list[float]]]) -> dict[str, object]:
    return {
        "parameters": list(PARAMETERS),
        "measurements": {
            path: {"time": [{"point": list(at), "values": points[at]} for at in sorted(points)]}
            for path, points in values.items()
        },
    }


def _require_one_placement(samples: Sequence[Sample]) -> None:
    """Raise an error where a point was measured with several numbers of processes per node."""
    placed: defaultdict[tuple[str, str, int, int], set[int | None]] = defaultdict(set)
    for sample in samples:
        placed[sample.experiment, sample.setting, sample.n, sample.m].add(sample.processes_per_node)
    for (experiment, setting, n, m), per_node in placed.items():
        if len(per_node) > 1:
            counts = ", ".join(sorted(str(count) for count in per_node))
            raise InvalidInputError(
                f"{experiment}/{setting} of n={n} m={m} has {counts} processes per node, which "
                "would be one point of p and m",
                "name one by --ppn",
            )


def _require_same_points(values: Values) -> None:
    """Raise an error where call paths have different points, which Extra-P does not read."""
    points = {path: frozenset(grid) for path, grid in values.items()}
    if len(set(points.values())) > 1:
        paths = ", ".join(f"{path} ({len(grid)} points)" for path, grid in points.items())
        raise InvalidInputError(
            f"Extra-P reads call paths with the same p and m alone, unlike {paths}",
            "name one by --operation, and --algorithm",
        )


def _notes(samples: Sequence[Sample], timed: Sequence[Sample], values: Values) -> list[str]:
    notes = []
    if len(timed) < len(samples):
        notes.append(f"{len(samples) - len(timed)} samples of empty messages are left out")
    if {sample.statistic for sample in timed} != {"repetition"}:
        notes.append("some values are means, medians or minima, and count like repetitions")
    for path, points in values.items():
        for place, name in enumerate(PARAMETERS):
            count = len({point[place] for point in points})
            if count < FEWEST:
                notes.append(
                    f"{path}: {count} value{'s' if count > 1 else ''} of {name}, where Extra-P "
                    f"asks for {FEWEST}"
                )
    return notes
