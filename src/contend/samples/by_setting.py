"""Samples of an algorithm of a library, apart by the options that it was told to take."""

from collections.abc import Iterable

from contend.samples.sample import Sample
from contend.samples.setting import setting_of


def by_setting(samples: Iterable[Sample]) -> list[Sample]:
    """The same samples; where options were set, these are part of the algorithm's name."""
    return [_named(sample) for sample in samples]


def _named(sample: Sample) -> Sample:
    setting = setting_of(sample.algorithm, sample.parameters)
    if setting == sample.algorithm:
        return sample
    return sample.model_copy(update={"algorithm": setting, "parameters": None})
