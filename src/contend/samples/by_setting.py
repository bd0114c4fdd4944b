"""Samples with their whole setting as the algorithm's name, so that no two settings are mixed."""

from collections.abc import Iterable

from contend.samples.sample import Sample
from contend.samples.setting import setting_of


def by_setting(samples: Iterable[Sample]) -> list[Sample]:
    """The same samples; options and conditions become part of the algorithm's name."""
    return [_named(sample) for sample in samples]


def _named(sample: Sample) -> Sample:
    setting = setting_of(sample.algorithm, sample.parameters, sample.conditions)
    if setting == sample.algorithm:
        return sample
    return sample.model_copy(update={"algorithm": setting, "parameters": None, "conditions": None})
