"""Typed warnings about what was learnt from measured contention graphs.

The rule about the network as a whole goes by one figure, the average error of a graph by the
closest model, which has not seen its shape: up to 15 % is acceptable (Martinasso, Méhaut, Euro-Par
2011), up to 50 % no model understands the network, and beyond it none is usable.
"""

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from contend.base.statistics.launches import WITHIN_LAUNCH
from contend.base.statistics.regression import UNUSABLE
from contend.base.units import format_bytes, format_rate
from contend.samples.messages import MessageSample
from contend.samples.quality import FEWEST, about_start, bimodal, split_modes
from contend.samples.warnings import QualityWarning, group, warning
from contend.simulate.flows import models
from contend.simulate.graphs.measurements import bandwidth_alone
from contend.simulate.graphs.parameters import ModelFit
from contend.simulate.graphs.penalties import Shape
from contend.simulate.graphs.repeats import bounds_by

FEWEST_SHAPES = 10  # all graphs of up to two edges are eight shapes, some of them disconnected
BANDWIDTH_RATIO = 1.1
ACCEPTABLE = 0.15  # average error of a graph that the source calls acceptable


def about_samples(
    samples: Sequence[MessageSample], kept: Sequence[MessageSample]
) -> Iterator[QualityWarning]:
    """Doubts about the measured graphs; those of one kind are one, with their number."""
    if left_out := len(samples) - len(kept):
        total = len(samples)
        yield warning("flagged_left_out:graphs", "graphs", left_out=left_out, total=total)
    if bounds_by(kept) == WITHIN_LAUNCH:
        yield warning("one_launch:graphs", "graphs")
    yield from group(chain.from_iterable(map(_about_one, kept)))
    yield from _about_bandwidths(kept)


def _about_one(sample: MessageSample) -> Iterator[QualityWarning]:
    where, repetitions = sample.where, len(sample.times_s)
    last = sample.times.max(axis=1)
    if repetitions >= FEWEST and (modes := split_modes(last)) is not None:
        yield bimodal(where, modes, what="its last end has ")
    yield from about_start(sample, where, repetitions, float(np.median(last)))
    if sample.lab and sample.lab.timeouts:
        timeouts = sample.lab.timeouts
        yield warning("lab_timeouts:graph", where, timeouts=timeouts, repetitions=repetitions)


def _about_bandwidths(samples: Sequence[MessageSample]) -> Iterator[QualityWarning]:
    of_size = {
        m: alone.value
        for m in sorted({sample.m for sample in samples})
        if (alone := bandwidth_alone([sample for sample in samples if sample.m == m]))
    }
    if of_size and max(of_size.values()) > BANDWIDTH_RATIO * min(of_size.values()):
        slow, fast = (choose(of_size, key=lambda m: of_size[m]) for choose in (min, max))
        slow_rate, fast_rate = (format_rate(8 * of_size[m]) for m in (slow, fast))
        yield warning(
            "bandwidths_disagree", "graphs", slow=format_bytes(slow), slow_rate=slow_rate,
            fast=format_bytes(fast), fast_rate=fast_rate,
        )  # fmt: skip


def about_fit(
    shapes: Sequence[Shape],
    failed: Sequence[tuple[Shape, str]],
    fits: Sequence[ModelFit],
    fallback: str,
    average_error: float,
    is_alone_known: bool,
) -> Iterator[QualityWarning]:
    if len(shapes) < FEWEST_SHAPES:
        yield warning("few_graphs", "graphs", count=len(shapes))
    for shape, reason in failed[:1]:
        where = f"graph {shape.graphs[0]}"
        yield warning("contradicting_steps", where, len(failed), reason=reason)
    for fit in fits:
        yield from _about_parameters(fit, fit.name == fallback)
    if not is_alone_known:
        yield warning("bandwidth_not_alone", "graphs")
    if average_error > UNUSABLE:
        yield warning("sharing_unusable", "graphs", error=average_error, most=UNUSABLE)
    elif average_error > ACCEPTABLE:
        yield warning("sharing_not_understood", "graphs", error=average_error, most=ACCEPTABLE)


def _about_parameters(fit: ModelFit, is_chosen: bool) -> Iterator[QualityWarning]:
    before = models.get(fit.model).parameters
    unseen = [name for name in fit.undetermined if fit.parameters[name] == before[name]]
    if unseen:
        yield warning("parameter_not_seen", fit.model, names=", ".join(unseen))
    others = [name for name in fit.undetermined if name not in unseen]
    if others and is_chosen:  # a model that does not suit the network often has some
        yield warning("parameter_not_determined", fit.model, names=", ".join(others))


def about_comparison(left_out: Sequence[str]) -> Iterator[QualityWarning]:
    """Models and graphs that were not compared, and why."""
    for reason in left_out:
        yield warning("not_compared", "graphs", what=reason)
