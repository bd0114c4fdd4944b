"""The library's own algorithms measured beside its default: a design carried out."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from contend.base.errors import InvalidInputError, LaunchError
from contend.base.near_names import choose_from, operation_of
from contend.base.records import RecordStore
from contend.measure.build import Program, build, built_folder
from contend.measure.mpi import MPI
from contend.measure.plan import Launch
from contend.measure.runner import Runner
from contend.measure.selection.campaign import ForcedCampaign
from contend.measure.selection.controls import Controls, InstalledLibrary
from contend.measure.selection.exclusions import LeftOut, path_beside
from contend.measure.selection.offer import Offer, Setting, plan_forced, settings_of
from contend.samples import SampleStore
from contend.samples.setting import NATIVE
from contend.schedules.libraries import library_of


@dataclass(frozen=True)
class ForcedDesign:
    """What of which operations is measured.

    `segments` are in bytes; they and `fanouts` are for algorithms that take them.
    """

    operations: tuple[str, ...]
    counts: tuple[int, ...]
    sizes: tuple[int, ...]
    segments: tuple[int, ...] = ()
    fanouts: tuple[int, ...] = ()
    launches: int = 3
    seed: int = 1


@dataclass(frozen=True)
class ForcedPlan:
    """Launches, what they force, and settings that the library refuses before any launch."""

    launches: list[Launch]
    offers: list[Offer]
    refused: dict[str, str]  # operation and setting, or all of an operation: why


def operations_of(programs: dict[str, Program]) -> dict[str, str]:
    """Operations of which the library's default can be timed, and the program that times it."""
    return {
        program.experiment: name
        for name, program in programs.items()
        if program.algorithms == (NATIVE,)
    }


def named_experiments(programs: dict[str, Program], operations: Sequence[str]) -> list[str]:
    """The programs that time the library's default; the error for an unknown one lists all."""
    names = operations_of(programs)
    operations = list(map(operation_of, operations))
    for operation in operations:
        if operation not in names:
            raise InvalidInputError(
                f"no experiment times the collective operation {operation!r}",
                choose_from(operation, names),
            )
    return [names[operation] for operation in operations]


def plan_of(mpi: MPI, chosen: ForcedDesign, *, is_for_rules: bool = False) -> ForcedPlan:
    """The plan of a design, its programs built and the library asked what it takes.

    `is_for_rules`: all launches have the variables that stand beside rules. Times of the default
    are then no longer those of other campaigns.
    """
    experiments = named_experiments(build(mpi), chosen.operations)
    path = built_folder(mpi) / "forced"
    installed = InstalledLibrary(path)
    try:
        library, version = library_of(installed.version)
    except InvalidInputError as error:
        raise InvalidInputError(
            error.message, f"{error.remedy}; 'contend measure --collective' measures its default"
        ) from None
    alongside = library.added_to(os.environ) if is_for_rules else {}
    offers, refused = [], {}
    has_algorithms = {*chosen.operations} & {*library.operations(version)}
    for operation, experiment in zip(chosen.operations, experiments, strict=True):
        controls: dict[str, Controls] = {}
        kept: list[Setting] = []
        settings = [Setting(NATIVE)]
        if operation in has_algorithms or not has_algorithms:
            settings = settings_of(library, version, operation, chosen.segments, chosen.fanouts)
        else:
            refused[operation] = (
                "the library has no algorithms of it; its default alone is measured"
            )
        for setting in settings:
            try:
                controls[setting.name] = installed.controls(setting.variables)
            except LaunchError as error:
                refused[f"{operation} {setting.name}"] = error.message
                continue
            kept.append(setting)
        offers.append(Offer(operation, experiment, tuple(kept), controls, alongside))
    launches = plan_forced(offers, path, chosen.counts, chosen.sizes, chosen.launches, chosen.seed)
    return ForcedPlan(launches, offers, refused)


def measure_forced(runner: Runner, plan: ForcedPlan, store: SampleStore) -> ForcedCampaign:
    """The plan carried out; its samples include those that the store held before.

    What an emulated network disturbed is measured again, within the limits.
    """
    beside: Path = path_beside(store.path)
    try:
        with RecordStore(LeftOut, beside) as failures:
            campaign = ForcedCampaign(plan.offers, failures, runner, store)
            campaign.carry_out(plan.launches)
            campaign.again(plan.launches)
    finally:
        if beside.exists() and not beside.stat().st_size:
            beside.unlink()
    return campaign
