"""A network as an object: fitted to samples, it predicts, chooses, is validated and drawn."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd

from contend.api.amounts import Amounts, counts, option, sizes
from contend.api.arguments import NONE, NUMBER, OPERATION, PATH, SAMPLES, TEXT, WHOLE, takes
from contend.api.reasons import and_errors, reasons
from contend.api.samples import Samples
from contend.base.errors import InvalidInputError
from contend.base.near_names import operation_of
from contend.base.records import line_of
from contend.base.units import parse_latency, parse_seconds, parse_seconds_per_byte
from contend.measure.probes.cost import cost_of
from contend.measure.probes.greedy import Limits
from contend.measure.probes.propose import propose
from contend.measure.probes.text import sentences
from contend.models.explanation.table import analysis, table_of
from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.models.network import Network as Document
from contend.models.network.merge import Merged
from contend.models.prediction import timeouts, validate
from contend.models.prediction.catalogue import parameters_of, wanted_algorithm
from contend.models.prediction.library_default import predicted_as_run
from contend.samples import Sample
from contend.samples.origin import Unsaved
from contend.schedules import Algorithm
from contend.schedules.groups import grouping_of
from contend.schedules.pointtopoint import hockney
from contend.schedules.timing import predict as schedule
from contend.tune.choose import rank
from contend.tune.choose.decide import decide
from contend.tune.choose.rules import Decisions
from contend.tune.choose.timing import Placement, extrapolated, timing_of
from contend.tune.choose.verified_gains import VerifiedGains

Ports = Literal["auto", "single", "shared", "fitted", "levels"]
COLUMNS = ("n", "m", "seconds", "low", "high", "lower_bound", "extrapolates", "why")
OF_TIMEOUTS = timeouts.COLUMNS  # of operations whose repetitions wait for time-outs


class Network:
    """What was learnt of a network; `document` is the network file, immutable.

    `validate` puts another document in its place, which knows the errors too.
    """

    def __init__(self, document: Document) -> None:
        self.document = document

    @takes(
        operation=OPERATION, algorithm=TEXT | NONE, processes_per_node=WHOLE | NONE,
        form=TEXT | NONE, groups=TEXT | NONE, ports=TEXT,
    )  # fmt: skip
    def predict(
        self,
        operation: str = "alltoall",
        n: Amounts = (),
        m: Amounts = (),
        *,
        algorithm: str | None = None,
        processes_per_node: int | None = None,
        form: str | None = None,
        groups: str | None = None,
        ports: Ports = "auto",
        **options: int | str,
    ) -> pd.DataFrame:
        """Times of an operation for every `n` and `m`: a row each, columns `COLUMNS`.

        An operation that was measured is predicted by the form that fits it best, any other by the
        schedule of an `algorithm` of the catalogue.

        Parameters
        ----------
        n, m
            Processes, and bytes: numbers, texts such as "16,32" and "1MiB", or lists of them.
        form
            Signature form; default the best on points that none has seen.
        groups, ports, options
            Of schedules: which ranks are close ("0-2/3-7"), what messages meet on their way
            (`contend.tune.choose.timing`), and segment, degree, window, leaders.

        Returns
        -------
        DataFrame
            seconds with low and high (NaN where unknown), lower_bound; `extrapolates` names what
            was not seen (n, m, regime), `why` what predicted it and where the interval is from.
            Where repetitions wait for time-outs, these are of those that do not, and the columns
            `OF_TIMEOUTS` tell the share of the others (0 to 1) and what they take, mean and median.

        >>> network = read_network("network.json")
        >>> network.predict("alltoall", n=[16, 64], m="64KiB")["extrapolates"].tolist()
        ['', 'n']
        """
        given_options = {name: option(value) for name, value in options.items()}
        grid = np.meshgrid(counts(n), sizes(m), indexing="ij")
        n_of, m_of = (values.ravel() for values in grid)
        scheduled = wanted_algorithm(
            self.document, operation, algorithm, bool(given_options or groups)
        )
        if scheduled is not None:
            placement = Placement(processes_per_node, grouping_of(groups))
            return self._by_schedule(scheduled, n_of, m_of, placement, ports, given_options)
        measured = self.document.find(operation, algorithm, processes_per_node)
        rows = pd.DataFrame(predicted_as_run(self.document, measured, n_of, m_of, form))
        more = [name for name in OF_TIMEOUTS if name in rows]
        return rows.assign(why=reasons(measured, form, rows))[[*COLUMNS, *more]]

    def _by_schedule(
        self,
        algorithm: Algorithm,
        n: np.ndarray,
        m: np.ndarray,
        placement: Placement,
        ports: Ports,
        options: dict[str, int],
    ) -> pd.DataFrame:
        if placement.grouping and (algorithm.needs_groups or not self.document.links):
            algorithm = algorithm.grouped(placement.grouping)
        parameters = parameters_of(self.document, algorithm.collective)
        timing = timing_of(self.document, algorithm.collective, ports, placement)
        rows = schedule.predict(algorithm, parameters.of(algorithm), n, m, timing, **options)
        name = f"{algorithm.collective}/{algorithm.name}"
        return rows.assign(
            lower_bound=np.nan,
            extrapolates=extrapolated(parameters, timing, rows),
            why=[
                f"schedule of {name}, {claim}; parameters of {parameters.title(algorithm)}, whose "
                f"bounds{and_errors(timing)} are the interval"
                for claim in rows["claim"]
            ],
        )[list(COLUMNS)]

    @takes(
        operation=OPERATION, points=WHOLE | NONE, budget=NUMBER | TEXT | NONE, until=NUMBER | NONE,
        algorithm=TEXT | NONE, processes_per_node=WHOLE | NONE, samples=SAMPLES,
    )  # fmt: skip
    def plan(
        self,
        operation: str = "alltoall",
        n: Amounts | None = None,
        m: Amounts | None = None,
        *,
        points: int | None = None,
        budget: float | str | None = None,
        until: float | None = None,
        at: Amounts | None = None,
        largest: bool = False,
        algorithm: str | None = None,
        processes_per_node: int | None = None,
        samples: Sequence[Sample] = (),
    ) -> pd.DataFrame:
        """Points to measure next for predictions at every `n` and `m`, the most helpful first.

        Parameters
        ----------
        n, m
            Targets; default twice and four times the largest n measured, and the sizes measured.
        points, budget, until
            Most points (default 6 if no other limit is given), seconds (or a text such as "60s"),
            and high/low of the intervals that is narrow enough.
        at
            Numbers of processes that can be had.
        largest
            Whether the widest interval is to become less, not the mean one.
        samples
            They tell what launches cost, and how often to repeat.

        Returns
        -------
        DataFrame
            n, m, seconds (of one repetition), repetitions, cost and spent (seconds on the clock),
            before and after: high/low of the targets in the median. What that means is in
            `attrs["said"]`, sentences.

        >>> read_network("network.json").plan("alltoall", n=64, points=2)["n"].tolist()
        [64, 64]
        """
        seconds = parse_seconds(budget) if isinstance(budget, str) else budget
        proposal = propose(
            self.document,
            self.document.find(operation, algorithm, processes_per_node),
            [] if n is None else counts(n),
            [] if m is None else sizes(m),
            Limits.of(seconds, points, until),
            at=[] if at is None else counts(at),
            cost=cost_of(samples) if samples else None,
            criterion="largest" if largest else "mean",
        )
        table = proposal.table()
        table.attrs["said"] = sentences(proposal)
        return table

    @takes(collective=OPERATION, groups=TEXT | NONE, processes_per_node=WHOLE | NONE, ports=TEXT)
    def choose(
        self,
        collective: str,
        n: Amounts,
        m: Amounts = 0,
        *,
        groups: str | None = None,
        processes_per_node: int | None = None,
        ports: Ports = "auto",
    ) -> pd.DataFrame:
        """All algorithms of an operation for every `n` and `m`, the fastest first.

        `groups` names the ranks that are close, `processes_per_node` how many share a node, and
        `ports` what messages meet on their way (`contend.tune.choose.timing`).

        Columns n, m, place (from 1), algorithm, options, seconds, low, high, ratio (to the
        fastest), is_told_from_best (None where that is unknown), why. Those that cannot serve a
        call are in `attrs["refused"]`, by (n, m), with the reason.

        >>> read_network("network.json").choose("bcast", n=40, m="1MiB")["place"].tolist()[:3]
        [1, 2, 3]
        """
        parameters = parameters_of(self.document, collective)
        placement = Placement(processes_per_node, grouping_of(groups))
        timing = timing_of(self.document, collective, ports, placement)
        rankings = [
            rank(collective, parameters, count, size, timing, placement.groups)
            for count in counts(n)
            for size in sizes(m)
        ]
        rows = [
            {
                "n": ranking.n, "m": ranking.m, "place": place, "algorithm": candidate.algorithm,
                "options": candidate.options, "seconds": candidate.seconds, "low": candidate.low,
                "high": candidate.high, "ratio": candidate.ratio,
                "is_told_from_best": candidate.is_told_from_best if place > 1 else None,
                "why": f"{candidate.claim}; parameters of {candidate.parameters}"
                       f"{and_errors(timing)}",
            }
            for ranking in rankings
            for place, candidate in enumerate(ranking.ranked, start=1)
        ]  # fmt: skip
        table = pd.DataFrame(rows)
        table.attrs["refused"] = {(ranking.n, ranking.m): ranking.refused for ranking in rankings}
        return table

    def decisions(
        self,
        *operations: str,
        n: Amounts | None = None,
        m: Amounts | None = None,
        verified: Sequence[VerifiedGains] = (),
        all_commute: bool = False,
    ) -> Decisions:
        """What to take in the place of the library's default, and where: rules over n and m.

        Of `operations`, or of every one whose default was measured; the default stays unless
        an algorithm is significantly better.

        Parameters
        ----------
        n, m
            What is decided on; default the numbers of processes and the sizes that were measured.
        verified
            Gains in programs: where one was slower by a rule, the default stays.
        all_commute
            All reduction operations of the programs commute. Otherwise algorithms that reorder
            operands are left out.

        Returns
        -------
        Decisions
            `rules`, `rule(operation, n, m)` for a call, and `save(path)`.

        >>> read_network("network.json").decisions("bcast").rule("bcast", 16, 1024).algorithm
        'chain'
        """
        return decide(
            self.document,
            list(map(operation_of, operations)),
            [] if n is None else counts(n),
            [] if m is None else sizes(m),
            verified,
            all_commute=all_commute,
        )

    @takes(samples=SAMPLES)
    def validate(self, samples: Sequence[Sample], *, include_flagged: bool = False) -> pd.DataFrame:
        """Errors of every form on points that its fit has not seen; kept, for the intervals.

        Columns operation, form, regime, points, median, percentile_90, worst, factor_90,
        factor_worst; errors are absolute and relative to what was measured.

        >>> network = fit(read_samples("samples.jsonl"), at=16)
        >>> network.validate(read_samples("samples.jsonl"))["operation"].unique().tolist()
        ['alltoall/native', 'alltoall/rotated']
        """
        self.document = validate.record(self.document, samples, include_flagged=include_flagged)
        return self.errors()

    def errors(self) -> pd.DataFrame:
        """The errors that the network knows of, as `validate` returns them.

        >>> read_network("network.json").errors().columns.tolist()[:3]
        ['operation', 'form', 'regime']
        """
        columns = ["operation", *validate.COLUMNS]
        parts = [
            validate.summary(operation).assign(operation=operation.title)
            for operation in self.document.operations
        ]
        return (
            pd.concat(parts, ignore_index=True)[columns]
            if parts
            else pd.DataFrame([], columns=columns)
        )

    def parameters(self) -> pd.DataFrame:
        """A row per fitted number: of (level, or operation and form), value, low, high, unit.

        Tables over sizes (pLogP) are in `document`.

        >>> read_network("network.json").parameters()["parameter"].tolist()[:2]
        ['alpha', 'beta']
        """
        rows = [
            (f"{level.name}: hockney", name, getattr(level.hockney, name))
            for level in self.document.levels
            if level.hockney
            for name in ("alpha", "beta")
        ] + [
            (f"{operation.title}: {form}", name, value)
            for operation in self.document.operations
            for form, fit in operation.forms.items()
            for name, value in fit.parameters.items()
        ]
        return pd.DataFrame(
            [
                (of, name, value.value, value.low, value.high, value.unit)
                for of, name, value in rows
                if not isinstance(value.value, tuple)
            ],
            columns=["of", "parameter", "value", "low", "high", "unit"],
        )

    @takes(operation=OPERATION, algorithm=TEXT | NONE, processes_per_node=WHOLE | NONE)
    def structure(
        self,
        operation: str = "alltoall",
        *,
        algorithm: str | None = None,
        processes_per_node: int | None = None,
    ) -> pd.DataFrame:
        """What changes with n and m in a measured all-to-all: a row per finding.

        Columns kind, m_from, m_to (bytes), n (tuple), what, value, low, high (of the first number
        that it has; all are in `values`), error and error_without (standard deviation of log time
        with the finding and without it), times_better (their ratio), sentence.

        >>> read_network("network.json").structure("alltoall")["kind"].tolist()[:1]
        ['level jump']
        """
        entry = self.document.find(operation, algorithm, processes_per_node)
        if entry.measured is None:
            raise InvalidInputError(
                f"no measured point of {entry.title} to find a structure in", "validate first"
            )
        return table_of(analysis(self.document, entry))

    @takes(
        operation=OPERATION, samples=SAMPLES, algorithm=TEXT | NONE, processes_per_node=WHOLE | NONE
    )
    def plot(
        self,
        operation: str = "alltoall",
        samples: Sequence[Sample] = (),
        *,
        algorithm: str | None = None,
        processes_per_node: int | None = None,
    ) -> Any:
        """Measured and predicted times over the size, a panel for each n: a figure of matplotlib.

        Points are those of `samples`, or those that it was validated on.

        >>> read_network("network.json").plot().savefig("times.svg")
        """
        from contend.report.figures.curves import curve_drawing

        entry = self.document.find(operation, algorithm, processes_per_node)
        if not samples and entry.measured is None:
            raise InvalidInputError(
                f"no measured point of {entry.title} to draw", "give samples, or validate first"
            )
        return curve_drawing(self.document, entry, samples).figure()

    def save(self, path: str | Path) -> Merged:
        """Merge into a network file, which keeps its other parts; says what was replaced.

        >>> fit(read_samples("samples.jsonl"), at=16).save("new.json").replaced
        ()
        """
        return self.document.merge_into(path)

    @property
    def name(self) -> str:
        """As the file has it."""
        return self.document.name

    @property
    def warnings(self) -> list[str]:
        """What speaks against the fits or the samples, in words."""
        warnings = (*self.document.warnings, *self.document.sample_warnings)
        return [f"{warning.where}: {warning.message}" for warning in warnings]

    def __repr__(self) -> str:
        parts = [operation.title for operation in self.document.operations]
        parts += [f"schedules of {len(self.document.schedules)}"] * bool(self.document.schedules)
        parts += ["sharing models"] * bool(self.document.sharing)
        parts += [f"links of {link.name}" for link in self.document.links]
        return f"<Network {self.name!r}: {', '.join(parts) or 'messages alone'}>"

    def _repr_html_(self) -> str:
        return str(self.parameters().to_html(index=False))


@takes(
    samples=SAMPLES, at=WHOLE | NONE, operation=OPERATION, second=WHOLE | NONE,
    alpha=NUMBER | TEXT | NONE, beta=NUMBER | TEXT | NONE, name=TEXT,
)  # fmt: skip
def fit(
    samples: Sequence[Sample],
    at: int | None = None,
    *,
    operation: str = "alltoall",
    second: int | None = None,
    m: Amounts | None = None,
    alpha: float | str | None = None,
    beta: float | str | None = None,
    name: str = "network",
    include_flagged: bool = False,
) -> Network:
    """Network with every model and form that the samples allow.

    Parameters
    ----------
    at
        n', the number of processes to fit at; default the largest of those with most sizes.
    second
        A second n for the baselines that need two.
    m
        Sizes to fit to; default all.
    alpha, beta
        Known start-up (seconds, or a text such as "1.3us") and seconds per byte (or "12.5GB/s"), in
        the place of a ping-pong.

    Raises
    ------
    InvalidInputError
        When nothing can be fitted, or `at` was not measured.

    >>> fit(read_samples("samples.jsonl"), at=16).parameters()["parameter"].tolist()[:2]
    ['alpha', 'beta']
    """
    if (alpha is None) != (beta is None):
        raise InvalidInputError("one of alpha and beta without the other", "give both or none")
    message = None
    if alpha is not None and beta is not None:
        message = hockney.given(
            parse_latency(alpha) if isinstance(alpha, str) else float(alpha),
            parse_seconds_per_byte(beta) if isinstance(beta, str) else float(beta),
        )
    options = FitOptions(
        operation=operation,
        n_fit=at,
        n_second=second,
        sizes=tuple(sizes(m)) if m is not None else None,
        known_hockney=message,
        name=name,
    )
    given_name = samples.source if isinstance(samples, Samples) else "Python"
    source = Unsaved(given_name, b"".join(line_of(sample) for sample in samples))
    return Network(fit_network(list(samples), source, options, include_flagged=include_flagged))


@takes(path=PATH)
def read_network(path: str | Path) -> Network:
    """Network of a file; FileFormatError says what is wrong with it.

    >>> read_network("lassen.json")
    <Network 'lassen': alltoall/native, alltoall/rotated>
    """
    return Network(Document.load(path))
