"""What to measure next, or first: points, what they bring, and the commands that measure them."""

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from contend.base.errors import InvalidInputError
from contend.base.result import Line, Part, Result, Table, next_step
from contend.base.units import parse_counts, parse_latency, parse_seconds_per_byte
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


def design_file(
    network_file: Path | None,
    samples_file: Path | None = None,
    plan_file: Path | None = None,
    *,
    n: str | None = None,
    m: Sequence[int] | None = None,
    at: str | None = None,
    budget: float | None = None,
    points: int | None = None,
    until: float | None = None,
    largest: bool = False,
    operation: str = "alltoall",
    algorithm: str | None = None,
    processes_per_node: int | None = None,
    launches: int = 1,
    alpha: str | None = None,
    beta: str | None = None,
) -> Result:
    """Propose the measurements that would narrow predictions most per second.

    Parameters
    ----------
    network_file
        Without, a first design for predictions at `n`, assuming `alpha` and `beta` of a message.
    samples_file
        Its samples, which tell what launches cost and how often to repeat.
    plan_file
        Where the plan is written.
    n, at
        Numbers of processes to predict, and that can be had, as texts: "64,128" or "4..64".
    budget, points, until, largest
        As of `Network.plan`.

    >>> len(design_file(Path("network.json"), n="64", points=2).data["points"])
    2
    """
    wanted, had = _counts(n), _counts(at)
    limits = Limits.of(budget, points, until)
    criterion: Narrowed = "largest" if largest else "mean"
    cost = cost_of(read_samples(samples_file)) if samples_file else Cost()
    cost, notes = replace(cost, launches=launches), list[str]()
    if network_file is None:
        if not wanted:
            raise InvalidInputError(
                "neither a network file nor -n", "give the file, or e.g. -n 4..64 to begin with"
            )
        usual = Assumed()
        assumed = Assumed(
            parse_latency(alpha) if alpha else usual.alpha,
            parse_seconds_per_byte(beta) if beta else usual.beta,
        )
        proposal = FirstDesign(
            Places.grid(wanted, m or SIZES), had or wanted, limits, operation,
            algorithm or "native", processes_per_node, replace(Cost(), launches=launches),
            assumed=assumed, criterion=criterion,
        ).proposal()  # fmt: skip
    elif alpha or beta:
        raise InvalidInputError(
            "--assume with a network file, which holds the start-up and the time per byte",
            "leave it out",
        )
    else:
        network = Network.load(network_file)
        measured = network.find(operation, algorithm, processes_per_node)
        proposal = propose(
            network, measured, wanted, m or [], limits, at=had, cost=cost, criterion=criterion
        )
        if (form := verdict(measured).form) != Growth.name:
            notes.append(
                f"these are intervals of {Growth.name}; {form}, which validation chose, predicts "
                "with others"
            )
    return _proposed(
        proposal, samples_file or Path("samples.jsonl"), network_file, plan_file, notes
    )


def _counts(text: str | None) -> list[int]:
    """Numbers of processes; of 4..64 each doubling from 4 on, and 64.

    >>> _counts("4..40,50"), _counts(None)
    ([4, 8, 16, 32, 40, 50], [])
    """
    counts: set[int] = set()
    for part in (text or "").split(","):
        if (ends := _DOUBLINGS.fullmatch(part)) is None:
            counts.update(parse_counts(part))
            continue
        between = parse_counts(ends[1])[0], parse_counts(ends[2])[0]
        if between[0] > between[1]:
            raise InvalidInputError(
                f"{part!r} goes down", f"give the smaller number first: {ends[2]}..{ends[1]}"
            )
        counts.update(doublings(*between))
    if text and not counts:
        raise InvalidInputError(f"{text!r} holds no number of processes", "give e.g. 4,8 or 4..64")
    return sorted(counts)


def next_parts(
    network: Network, samples: Sequence[Sample], path: Path, samples_path: Path
) -> Iterator[str]:
    """Show what to measure next for more processes than were measured, of each exchange."""
    is_any, cost = False, cost_of(samples)
    for operation in network.operations:
        if operation.operation in EXCHANGES and Growth.name in operation.forms:
            proposal = propose(network, operation, cost=cost)
            yield f"{operation.title}, next: {summary(proposal)}"
            is_any |= bool(proposal.steps) and proposal.is_worth_it
    if is_any:
        yield next_step("contend", "design", path, samples_path)


def _proposed(
    proposal: Proposal, samples: Path, network: Path | None, path: Path | None, notes: list[str]
) -> Result:
    """Return the points, what they bring, how they are measured; write the plan to `path`."""
    is_plan = bool(proposal.steps) and proposal.is_worth_it
    if path and is_plan:
        write_plan(plan_of(proposal), path)
    elif path:
        notes.append(f"{path} was not written: there is no point that is worth it")
    words = commands(proposal, samples) if is_plan else []
    counts, sizes = (
        sorted(set(map(int, part))) for part in (proposal.targets.n, proposal.targets.m)
    )
    data = {
        "operation": proposal.operation,
        "algorithm": proposal.algorithm,
        "targets": {"n": counts, "m": sizes},
        "before": None if proposal.is_first else proposal.before,
        "after": proposal.after,
        "seconds": proposal.seconds,
        "is_worth_it": proposal.is_worth_it,
        "points": proposal.table(),
        "said": sentences(proposal),
        "commands": [shlex.join(line) for line in words],
    }

    def parts() -> Iterator[Part]:
        if proposal.steps:
            yield Table(text_table(proposal))
        yield from map(Line, sentences(proposal))
        if is_plan:
            yield from _how(proposal, words, samples, network, path)

    return Result(data, parts(), notes=notes)


def _how(
    proposal: Proposal,
    words: Sequence[Sequence[str]],
    samples: Path,
    network: Path | None,
    path: Path | None,
) -> Iterator[str]:
    if path:
        yield next_step("contend", "measure", "--plan", path, "-o", samples)
    elif words:
        yield "to measure it, where and by whatever launcher the samples were taken:"
        for line in words:
            yield f"  {shlex.join(line)}"
    else:
        yield "measure these points as the others were, and import them"
    at = ["--at", proposal.n_fit] if proposal.n_fit and not proposal.is_first else []
    fit = ["contend", "fit", samples, *at, "-o", network or "network.json"]
    yield f"then: {shlex.join(map(str, fit))}"
