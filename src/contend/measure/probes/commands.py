"""Commands that measure a proposal, for whoever measures by hand or in batch jobs."""

from pathlib import Path

from contend.measure.build import program_names
from contend.measure.lab.specification import PREFIX, profiles
from contend.measure.probes.proposal import Proposal
from contend.samples.setting import NATIVE
from contend.schedules import algorithms
from contend.schedules.collective import COLLECTIVES


def experiment_of(operation: str, algorithm: str) -> str | None:
    """The experiment that times an operation by an algorithm; None where there is none.

    >>> experiment_of("alltoall", "rotated"), experiment_of("bcast", "native")
    ('alltoall_rotated', 'bcast')
    """
    names = [f"{operation}_{algorithm}", *([operation] if algorithm == NATIVE else [])]
    return next((name for name in names if name in program_names()), None)


def commands(proposal: Proposal, samples: Path) -> list[list[str]]:
    """Words of a command for each n; none for an algorithm that contend does not run itself."""
    start = _start(proposal)
    if start is None:
        return []
    cost = proposal.cost
    repeat = f"min={cost.repetitions},max={cost.repetitions},warmup={cost.warmup}"
    placed = _placed(proposal)
    return [
        [
            *start, "-n", str(n), "-m", ",".join(map(str, sizes)), *placed,
            "--launches", str(cost.launches), "--repeat", repeat, "-o", str(samples),
        ]
        for n, sizes in proposal.counts.items()
    ]  # fmt: skip


def _placed(proposal: Proposal) -> list[str]:
    per_node = proposal.processes_per_node
    options = ["--ppn", str(per_node)] if per_node and not (proposal.lab and per_node == 1) else []
    return [*(["--on", _lab(proposal.lab)] if proposal.lab else []), *options]


def _lab(name: str) -> str:
    """As --on takes it; one of a file has to be named by its file."""
    return f"{PREFIX}{name}" if name.partition(",")[0] in profiles() else "FILE.toml"


def _start(proposal: Proposal) -> list[str] | None:
    name = experiment_of(proposal.operation, proposal.algorithm)
    if name is not None:
        return ["contend", "measure", "-e", name]
    if proposal.operation not in COLLECTIVES:
        return None
    entry = algorithms(proposal.operation)
    if proposal.algorithm not in entry.names() or entry.get(proposal.algorithm).needs_groups:
        return None
    return ["contend", "measure", "collectives", proposal.operation, proposal.algorithm]
