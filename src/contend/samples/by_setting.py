"""Samples with their whole setting as the algorithm's name, so that no two settings are mixed."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from contend.samples.sample import Sample
from contend.samples.setting import (
    OF_LIBRARY,
    conditions_of,
    memory_of,
    nearest,
    split_conditions,
    split_setting,
)


def by_setting(samples: Iterable[Sample]) -> list[Sample]:
    """The same samples; options and conditions become part of the algorithm's name."""
    return [_named(sample) for sample in samples]


def fields_of_setting(setting: str) -> dict[str, Any]:
    algorithm, options = split_setting(setting)
    conditions = conditions_of(split_conditions(setting)[1])
    return {
        "algorithm": algorithm,
        "parameters": dict(options) or None,
        "conditions": conditions or None,
    }


def conditions_in(samples: Iterable[Sample]) -> list[str]:
    return sorted({split_conditions(sample.setting)[1] for sample in samples})


def under_conditions(samples: Iterable[Sample], conditions: str) -> list[Sample]:
    return [sample for sample in samples if split_conditions(sample.setting)[1] == conditions]


def usual(samples: Sequence[Sample]) -> tuple[list[Sample], list[str]]:
    """Samples of one set of conditions for each experiment, and the other series by name.

    That is the default, or what is most like it; all are of one memory.
    """
    groups: defaultdict[str, dict[str, list[Sample]]] = defaultdict(dict)
    for sample in samples:
        conditions = split_conditions(sample.setting)[1]
        groups[sample.experiment].setdefault(conditions, []).append(sample)
    first = nearest("", [name for group in groups.values() for name in group] or [""])
    kept: list[Sample] = []
    for group in groups.values():
        taken = nearest(first, group)
        if memory_of(taken) == memory_of(first):
            kept += group[taken]
    names = {f"{sample.experiment}/{sample.setting}" for sample in samples}
    return kept, sorted(names - {f"{sample.experiment}/{sample.setting}" for sample in kept})


def _named(sample: Sample) -> Sample:
    setting = sample.setting
    if setting == sample.algorithm:
        return sample
    options = None if OF_LIBRARY in sample.algorithm else sample.parameters
    return sample.model_copy(
        update={"algorithm": setting, "parameters": options, "conditions": None}
    )
