"""What a campaign measures: process counts, sizes, and which of them a fit may see."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from contend.base.errors import InvalidInputError
from contend.base.units import format_bytes
from contend.measure import machine
from contend.measure.build import build, choose
from contend.measure.calls import CallCampaign
from contend.measure.mpi import MPI
from contend.measure.plan import Launch, Point, plan, planned_point
from contend.measure.runner import Runner
from contend.models.signature.form import FEWEST_SIZES
from contend.samples import Sample, SampleStore

EXPERIMENTS = ("pingpong", "plogp", "alltoall_native", "alltoall_rotated")
SIZES = (1, 64, 1024, 4096, 16384, 65536, 262144, 1048576)

# Below 4 KiB an exchange on a lab is bound by processors; above 128 KiB it only takes longer.
SIZES_OF_LAB = (4096, 8192, 32768, 131072)
SHARE_OF_LAB = 2 / 3  # of the hosts, at n': a lab is small, and half of it may not be saturated


@dataclass(frozen=True)
class Design:
    """What is measured, and which part of it the fit may see.

    The fit sees `sizes` at `n_fit`; `check_sizes`, and every other number of processes, are for
    validation alone. A second n is given to the baselines that need two. `message_sizes` are added
    for single messages, whose cost has to be known from the smallest on.
    """

    counts: tuple[int, ...]
    n_fit: int | None = None
    sizes: tuple[int, ...] = SIZES
    check_sizes: tuple[int, ...] = ()
    message_sizes: tuple[int, ...] = ()
    launches: int = 3
    extra_sizes: int = 4
    seed: int = 1
    experiments: tuple[str, ...] = EXPERIMENTS


def design(
    counts: Sequence[int] | None = None,
    n_fit: int | None = None,
    sizes: Sequence[int] | None = None,
    launches: int = 3,
    extra_sizes: int = 4,
    seed: int = 1,
    hosts: int | None = None,
) -> Design:
    """A design with defaults filled in, for this machine or for a lab with room for so many.

    Process counts suit the cores of this machine, or the hosts of the lab. n' is the largest count
    of at most half the largest, so that the prediction is checked at twice the n' and more; on a
    lab of at most two thirds. The sizes for validation lie half-way (geometrically) between those
    of the fit.
    """
    chosen = tuple(sorted(set(counts))) if counts else _counts(hosts)
    share = 0.5 if hosts is None else SHARE_OF_LAB
    fit_at = n_fit or max((n for n in chosen if n <= share * max(chosen)), default=max(chosen))
    if fit_at not in chosen:
        raise InvalidInputError(
            f"n' = {fit_at} is not measured", f"choose among {', '.join(map(str, chosen))}"
        )
    fit_sizes = tuple(sorted(set(sizes))) if sizes else SIZES if hosts is None else SIZES_OF_LAB
    if len([size for size in fit_sizes if size > 0]) < FEWEST_SIZES:
        raise InvalidInputError(
            f"{len(fit_sizes)} sizes for a contention signature",
            f"give at least {FEWEST_SIZES}, larger than 0",
        )
    single = SIZES if hosts is None else _with_middles(SIZES[:7])
    middles = tuple(size for size in _with_middles(fit_sizes) if size not in fit_sizes)
    return Design(chosen, fit_at, fit_sizes, middles, single, launches, extra_sizes, seed)


def _counts(hosts: int | None) -> tuple[int, ...]:
    """Return process counts for a lab of so many hosts, or for the cores of this machine.

    Here up to all cores; up to 8 on a smaller machine, all of them oversubscribed. Two processes
    disturb nobody, and counts below and above the number of cores are different machines, so
    neither is mixed in.
    """
    if hosts is None:
        most = max(machine.cores(), 8)
        return tuple(sorted({most, 3 * most // 4, most // 2, 3 * most // 8}))
    shares = {hosts * sixths // 6 for sixths in (2, 3, 4, 5, 6)}
    return tuple(sorted(n for n in shares if n > 2)) or (hosts,)


def _with_middles(sizes: Sequence[int]) -> tuple[int, ...]:
    middles = {round(float(np.sqrt(max(a, 1) * b))) for a, b in pairwise(sorted(sizes))}
    return tuple(sorted(middles | set(sizes)))


def launches_of(mpi: MPI, chosen: Design) -> list[Launch]:
    programs = build(mpi)
    wanted = [choose(programs, name) for name in chosen.experiments]
    sizes = [*chosen.sizes, *chosen.check_sizes]
    single = chosen.message_sizes
    return plan(wanted, chosen.counts, sizes, chosen.launches, chosen.seed, single)


def measure(runner: Runner, chosen: Design, store: SampleStore) -> CallCampaign:
    """A design carried out; its samples include those that the store held before.

    What an emulated network disturbed is measured again, within the limits.
    """
    launches = launches_of(runner.mpi, chosen)
    campaign = CallCampaign(runner, store)
    campaign.announce(launches, chosen.extra_sizes)
    campaign.carry_out(launches)
    campaign.refine(launches, chosen.extra_sizes)
    campaign.again(campaign.refined(launches))
    return campaign


def unmeasured(launches: Sequence[Launch], samples: Sequence[Sample]) -> set[Point]:
    """Points that no undisturbed sample has, of a plan and of what was added to it."""
    good = {planned_point(sample) for sample in samples if not sample.is_flagged}
    planned = {point for launch in launches for point in launch.points()}
    return (planned | {planned_point(sample) for sample in samples}) - good


def named(points: Collection[Point]) -> list[str]:
    """Points in words, in order.

    >>> named({("alltoall", "native", 4, 65536, 0)})
    ['alltoall/native n=4 64 KiB']
    """
    return [
        f"{experiment}/{algorithm} n={n} {format_bytes(m)}"
        for experiment, algorithm, n, m, _ in sorted(points)
    ]
