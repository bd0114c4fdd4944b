"""Every algorithm of a total exchange measured against the others, resumed where it was stopped.

Idea: one unmodified program, which calls MPI_Alltoall and checks what it receives, is launched for
each contender with what forces it in the environment of its ranks. Launches of one number come in
random order, as do the sizes of each, so that a slow drift favours nobody; a sample is stored for
each contender, size and launch.
Restrictions: the online choice checks during the first calls of a size, which are therefore
warm-up: WARMUP_OF_CHOICE of them.
"""

import os
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from contend.alltoall.clusters.file import GroupsFile
from contend.alltoall.clusters.plan import Plan, plan_of, plan_text
from contend.base.wholefile import write_whole
from contend.measure.build import Program, build, built_folder, choose, preloaded_library
from contend.measure.calls import CallCampaign
from contend.measure.command import LaunchOptions
from contend.measure.exchange.contenders import AUTO, MODE, is_linked, is_preloaded, variables
from contend.measure.exchange.placement import hosts_on_lab
from contend.measure.lab.programs import SHIM
from contend.measure.lab.session import RunningLab
from contend.measure.lab.specification import Lab
from contend.measure.launcher import PRELOAD
from contend.measure.mpi import MPI
from contend.measure.plan import Launch
from contend.measure.points import points_of
from contend.measure.runner import Runner
from contend.measure.scratch import scratch
from contend.samples import SampleStore

PROGRAM = "alltoall_native"
WARMUP_OF_CHOICE = 13  # it looks once, and tries four at most three times each
NEVER = 1e-9  # precision: every repetition that was asked for is made
OWN_HOST = f"{MODE}_HOST"  # says which host a rank is on


@dataclass(frozen=True)
class Bench:
    """What is measured: the contenders of each size, `n` ranks, and how often.

    `declared` are the groups; `plan` is what the automatic choice reads.
    """

    contenders: Mapping[int, Sequence[str]]
    n: int
    declared: GroupsFile
    plan: Plan
    launches: int = 2
    repetitions: int = 20
    seed: int = 1

    @property
    def repetitions_of_launch(self) -> int:
        """So many that all launches together have those wanted at least."""
        return -(-self.repetitions // self.launches)

    def sizes_of(self) -> dict[str, list[int]]:
        sizes: dict[str, list[int]] = {}
        for m, names in self.contenders.items():
            for name in names:
                sizes.setdefault(name, []).append(m)
        return sizes

    def measure(self, runner: Runner, store: SampleStore) -> CallCampaign:
        """The campaign, carried out; what an emulated network disturbed is measured again."""
        campaign = CallCampaign(replace(runner, options=self._counted(runner.options)), store)
        names = list(self.sizes_of())
        with programs_of(runner.mpi, names, self.declared, self.plan, runner.lab) as programs:
            launches = self.launches_of(programs)
            campaign.carry_out(launches)
            campaign.again(launches)
        return campaign

    def _counted(self, options: LaunchOptions) -> LaunchOptions:
        count = self.repetitions_of_launch
        return replace(options, precision=NEVER, min_repetitions=count, max_repetitions=count)

    def launches_of(self, programs: Mapping[str, Program]) -> list[Launch]:
        order, sizes = np.random.default_rng(self.seed), self.sizes_of()
        launches = []
        for number in range(self.launches):
            for index in order.permutation(len(sizes)):
                name = list(sizes)[index]
                shuffled = tuple(order.permutation(sizes[name]).tolist())
                launches.append(Launch(programs[name], self.n, number, shuffled))
        return launches


@contextmanager
def programs_of(
    mpi: MPI, names: Sequence[str], declared: GroupsFile, plan: Plan, lab: RunningLab | None = None
) -> Iterator[dict[str, Program]]:
    """The program of each contender, while the context lasts.

    What is forced knows the groups, but no link, from which it would set a window of its own,
    unless it cannot do without. Links are given in the time of the ranks' clocks, which a lab that
    dilates time does not slow. The plans are in the cache folder, which every host that starts the
    programs sees.
    """
    base = choose(build(mpi), PROGRAM)
    slowed = tuple(link.slowed(lab.lab.time_dilation if lab else 1.0) for link in plan.links)
    plans = {
        "forced": plan_of(declared),
        "linked": plan_of(declared, slowed),
        AUTO: replace(plan, links=slowed),
    }
    texts = {file: plan_text(plan) for file, plan in plans.items()}
    with scratch(built_folder(mpi).parent, "exchange-") as folder:
        for file, text in texts.items():
            write_whole(folder / file, text)
        programs = {}
        for name in names:
            is_ours = is_preloaded(name)
            file = AUTO if name == AUTO else "linked" if is_ours and is_linked(name) else "forced"
            wanted = variables(mpi, name) | preloaded(preloaded_library(mpi), is_ours, lab)
            if is_ours:
                wanted[MODE] = "1"
                wanted["CONTEND_EXCHANGE_PLAN"] = str(folder / file)
            words = ("env", *unset(), *(f"{key}={value}" for key, value in wanted.items()))
            programs[name] = replace(
                base, before=words if len(words) > 1 else (), algorithms=(name,), is_renamed=True,
                warmup=WARMUP_OF_CHOICE if name == AUTO else 0,
                setup=zlib.crc32(texts[file].encode()) if is_ours else None,
            )  # fmt: skip
        yield programs


def preloaded(library: Path, is_wanted: bool, lab: RunningLab | None) -> dict[str, str]:
    """LD_PRELOAD of ranks: the exchange library where wanted, what else the user has, and a lab's.

    Nothing where the user has none and none is wanted.
    """
    preloads = re.split("[: ]+", os.environ.get(PRELOAD, ""))
    others = [path for path in preloads if path and Path(path).name != library.name]
    libraries = [*([str(library)] if is_wanted else []), *others]
    if not is_wanted and len(others) == len([path for path in preloads if path]):
        return {}
    return {PRELOAD: ":".join([*([str(SHIM)] if lab else []), *libraries])}


def unset() -> list[str]:
    """Words of env without what would tell the library of the user's own wishes."""
    names = [name for name in os.environ if name.startswith(MODE) and name != OWN_HOST]
    return [word for name in sorted(names) for word in ("-u", name)]


def hosts_of_ranks(mpi: MPI, n: int, options: LaunchOptions, lab: Lab | None) -> list[str]:
    """Return the host of each rank: a lab's, else as a launch without measurement reports."""
    if lab:
        return hosts_on_lab(lab, n, options.processes_per_node)
    hosts: list[str] = []

    def accept(data: Mapping[str, Any], _: object) -> None:
        hosts.extend(data["hosts"][index] for index in data["host_of"])

    once = replace(options, min_repetitions=1, max_repetitions=1, warmup=0)
    program = choose(build(mpi), PROGRAM)
    runner = Runner(mpi, once)
    for _ in points_of(runner, program, n, (1,), accept, f"a launch of {n} processes"):
        continue
    return hosts
