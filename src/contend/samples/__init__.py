"""Samples: raw repetitions with their provenance, one JSON object a line."""

from contend.samples.lab import LabConditions
from contend.samples.sample import Provenance, Sample
from contend.samples.store import SampleStore, read_samples

__all__ = ["LabConditions", "Provenance", "Sample", "SampleStore", "read_samples"]
