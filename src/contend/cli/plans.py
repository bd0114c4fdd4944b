"""Measurements that are planned: what is asked for, what is proposed, and a plan carried out."""

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from contend.base.errors import InvalidInputError
from contend.base.units import parse_counts, parse_seconds, parse_seconds_per_byte
from contend.cli import completion, options, output
from contend.cli.options import option
from contend.cli.result import Line, Part, Result, Table
from contend.measure.probes.commands import commands
from contend.measure.probes.cost import Cost, cost_of
from contend.measure.probes.file import plan_of, write_plan
from contend.measure.probes.first import SIZES, Assumed, FirstDesign
from contend.measure.probes.greedy import Limits, Narrowed
from contend.measure.probes.places import Places, doublings
from contend.measure.probes.proposal import Proposal
from contend.measure.probes.propose import propose
from contend.measure.probes.text import sentences, summary, text_table
from contend.models.network import Network
from contend.models.prediction.verdict import verdict
from contend.models.signature import EXCHANGES
from contend.models.signature.forms.growth import Growth
from contend.samples import Sample, read_samples

_DOUBLINGS = re.compile(r"\s*(\d+)\.\.(\d+)\s*")


@dataclass(frozen=True)
class PlanRequest:
    """Targets, numbers of processes that can be had, limits, and of which operation."""

    processes: str | None = option(
        "Numbers of processes to predict, e.g. 64,128, or 4..64 for each doubling; default twice "
        "and four times as many as were measured.",
        "-n",
        "--processes",
    )
    sizes: str | None = option("Sizes to predict; default those measured.", "-m", "--sizes")
    at: str | None = option(
        "Numbers of processes that can be had; default those measured, those of -n, and doublings "
        "between.",
        metavar="N,N",
    )
    budget: float | None = option(
        "Time to measure in.", parser=options.duration(0.001), metavar="TIME"
    )
    points: int | None = option("Most points; default 6, of a first design no limit.", min=1)
    until: float | None = option(
        "Stop where intervals are so narrow, e.g. 1.5.", metavar="HIGH/LOW"
    )
    largest: bool = option(
        "Narrow the widest interval, not the mean one.", "--largest", default=False
    )
    operation: str = option("Operation.", default="alltoall", autocompletion=completion.operations)
    algorithm: options.Algorithm = None
    ppn: options.PerNode = None
    launches: int = option("Launches of each point.", default=1, min=1)

    @cached_property
    def n(self) -> list[int]:
        """Return the numbers of processes to predict."""
        return counts_of(self.processes)

    @cached_property
    def m(self) -> list[int]:
        """Return the sizes to predict."""
        return options.named_sizes(self.sizes) or []

    @property
    def limits(self) -> Limits | None:
        """Return the limits that were given."""
        return Limits.of(self.budget, self.points, self.until)

    @property
    def narrowed(self) -> Narrowed:
        """Return which interval is to become narrow."""
        return "largest" if self.largest else "mean"

    def cost(self, samples: Path | None) -> Cost:
        """As samples tell, with as many launches as are wanted."""
        told = cost_of(read_samples(samples)) if samples else Cost()
        return replace(told, launches=self.launches)


def counts_of(text: str | None) -> list[int]:
    """Numbers of processes; of 4..64 each doubling from 4 on, and 64.

    >>> counts_of("4..40,50"), counts_of(None)
    ([4, 8, 16, 32, 40, 50], [])
    """
    found: set[int] = set()
    for part in (text or "").split(","):
        if (ends := _DOUBLINGS.fullmatch(part)) is None:
            found.update(parse_counts(part))
            continue
        between = parse_counts(ends[1])[0], parse_counts(ends[2])[0]
        if between[0] > between[1]:
            raise InvalidInputError(
                f"{part!r} goes down", f"give the smaller number first: {ends[2]}..{ends[1]}"
            )
        found.update(doublings(*between))
    if text and not found:
        raise InvalidInputError(f"{text!r} holds no number of processes", "give e.g. 4,8 or 4..64")
    return sorted(found)


def next_points(path: Path, samples: Path | None, asked: PlanRequest) -> Proposal:
    """What to measure next for a network file."""
    network = Network.load(path)
    operation = network.find(asked.operation, asked.algorithm, asked.ppn)
    found = propose(
        network, operation, asked.n, asked.m, asked.limits, at=counts_of(asked.at),
        cost=asked.cost(samples), what=asked.narrowed,
    )  # fmt: skip
    if (form := verdict(operation).form) != Growth.name:
        output.note(
            f"these are intervals of {Growth.name}; {form}, which validation chose, predicts "
            "with others"
        )
    return found


def next_parts(
    network: Network, samples: Sequence[Sample], path: Path, samples_path: Path
) -> Iterator[str]:
    """Show what to measure next for more processes than were measured, of each exchange."""
    is_any, cost = False, cost_of(samples)
    for operation in network.operations:
        if operation.operation in EXCHANGES and Growth.name in operation.forms:
            found = propose(network, operation, cost=cost)
            yield f"{operation.title}, next: {summary(found)}"
            is_any |= bool(found.steps) and found.is_worth_it
    if is_any:
        yield output.following("contend", "plan", path, samples_path)


def first_points(asked: PlanRequest, alpha: str | None, beta: str | None) -> Proposal:
    """What to measure where nothing is known, on a network of which a message is guessed."""
    if not asked.n:
        raise InvalidInputError(
            "neither a network file nor -n", "give the file, or e.g. -n 4..64 to begin with"
        )
    usual = Assumed()
    return FirstDesign(
        Places.grid(asked.n, asked.m or SIZES),
        counts_of(asked.at) or asked.n,
        asked.limits,
        asked.operation,
        asked.algorithm or "native",
        asked.ppn,
        asked.cost(None),
        assumed=Assumed(
            parse_seconds(alpha) if alpha else usual.alpha,
            parse_seconds_per_byte(beta) if beta else usual.beta,
        ),
        what=asked.narrowed,
    ).proposal()


def proposed(found: Proposal, samples: Path, network: Path | None, path: Path | None) -> Result:
    """Return the points, what they bring, how they are measured; write the plan to `path`."""
    is_plan = bool(found.steps) and found.is_worth_it
    if path and is_plan:
        write_plan(plan_of(found), path)
    elif path:
        output.note(f"{path} was not written: there is no point that is worth it")
    words = commands(found, samples) if is_plan else []
    counts, sizes = (sorted(set(map(int, part))) for part in (found.targets.n, found.targets.m))
    data = {
        "operation": found.operation,
        "algorithm": found.algorithm,
        "targets": {"n": counts, "m": sizes},
        "before": None if found.is_first else found.before,
        "after": found.after,
        "seconds": found.seconds,
        "is_worth_it": found.is_worth_it,
        "points": found.table(),
        "said": sentences(found),
        "commands": [shlex.join(one) for one in words],
    }

    def parts() -> Iterator[Part]:
        if found.steps:
            yield Table(text_table(found))
        yield from map(Line, sentences(found))
        if is_plan:
            yield from _how(found, words, samples, network, path)

    return Result(data, parts())


def _how(
    found: Proposal,
    words: Sequence[Sequence[str]],
    samples: Path,
    network: Path | None,
    path: Path | None,
) -> Iterator[str]:
    """Show the commands that measure it, and that learn from it."""
    if path:
        yield output.following("contend", "measure", "--plan", path, "-o", samples)
    elif words:
        yield "to measure it, where and by whatever launcher the samples were taken:"
        for one in words:
            yield f"  {shlex.join(one)}"
    else:
        yield "measure these points as the others were, and import them"
    at = ["--at", found.n_fit] if found.n_fit and not found.is_first else []
    fit = ["contend", "fit", samples, *at, "-o", network or "network.json"]
    yield f"then: {shlex.join(map(str, fit))}"
