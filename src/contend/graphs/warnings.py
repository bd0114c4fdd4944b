"""Typed warnings about what was learnt from measured contention graphs.

The rule about the network as a whole goes by one figure, the average error of a graph by the
closest model, which has not seen its shape: up to 15 % is acceptable (Martinasso, Méhaut, Euro-Par
2011), up to 50 % no model understands the network, and beyond it none is usable.
"""

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from contend.flows import models
from contend.graphs.measured import bandwidth_alone
from contend.graphs.parameters import ModelFit
from contend.graphs.penalties import Shape
from contend.graphs.repeats import bounds_by
from contend.samples.messages import MessageSample
from contend.samples.quality import FEWEST, QualityWarning, about_start, group, split_modes
from contend.statistics.launches import WITHIN_LAUNCH
from contend.statistics.regression import UNUSABLE
from contend.units import format_bytes, format_rate, format_seconds

FEWEST_SHAPES = 10  # all graphs of up to two edges are eight shapes, some of them disconnected
BANDWIDTH_RATIO = 1.1
ACCEPTABLE = 0.15  # average error of a graph that the source calls acceptable
_LOOK_FOR = "look for loss, time-outs, more than one switch, or links that one message cannot fill"


def about_samples(
    samples: Sequence[MessageSample], kept: Sequence[MessageSample]
) -> Iterator[QualityWarning]:
    """Doubts about the measured graphs; those of one kind are one, with their number."""
    if len(kept) < len(samples):
        yield QualityWarning(
            kind="flagged_left_out",
            where="graphs",
            message=f"{len(samples) - len(kept)} of {len(samples)} samples were left out: the "
            "emulated network could not keep up",
            hint="measure them with fewer nodes, a lower rate or time dilation, or give "
            "--include-flagged",
        )
    if bounds_by(kept) == WITHIN_LAUNCH:
        yield QualityWarning(
            kind="one_launch",
            where="graphs",
            message="all graphs are of one launch: what other launches would give is not known",
            hint="measure more launches: contend graph measure --launches 3",
        )
    yield from group(chain.from_iterable(map(_about_one, kept)))
    yield from _about_bandwidths(kept)


def _about_one(sample: MessageSample) -> Iterator[QualityWarning]:
    where = sample.where
    repetitions = len(sample.times_s)
    last = sample.times.max(axis=1)
    if repetitions >= FEWEST and (modes := split_modes(last)) is not None:
        low, high, share = modes
        yield QualityWarning(
            kind="bimodal",
            where=where,
            message=f"its last end has two modes, {format_seconds(low)} and "
            f"{format_seconds(high)} ({share:.0%} of the repetitions)",
            hint="the median stands for one of them; look for time-outs or a busy core",
        )
    yield from about_start(sample, where, repetitions, float(np.median(last)))
    if sample.lab and sample.lab.timeouts:
        yield QualityWarning(
            kind="lab_timeouts",
            where=where,
            message=f"{sample.lab.timeouts} retransmission time-outs in {repetitions} repetitions",
            hint="no model of shared bandwidth holds while a sender waits for a time-out",
        )


def _about_bandwidths(samples: Sequence[MessageSample]) -> Iterator[QualityWarning]:
    of_size = {
        m: found.value
        for m in sorted({sample.m for sample in samples})
        if (found := bandwidth_alone([sample for sample in samples if sample.m == m]))
    }
    if of_size and max(of_size.values()) > BANDWIDTH_RATIO * min(of_size.values()):
        slow, fast = (choose(of_size, key=lambda m: of_size[m]) for choose in (min, max))
        yield QualityWarning(
            kind="bandwidths_disagree",
            where="graphs",
            message=f"alone, a message of {format_bytes(slow)} reaches "
            f"{format_rate(8 * of_size[slow])}, one of {format_bytes(fast)} "
            f"{format_rate(8 * of_size[fast])}: start-up counts",
            hint="measure larger messages, whose time is that of their bytes",
        )


def about_fit(
    shapes: Sequence[Shape],
    failed: Sequence[tuple[Shape, str]],
    fits: Sequence[ModelFit],
    fallback: str,
    average_error: float,
    is_alone_known: bool,
) -> Iterator[QualityWarning]:
    """Doubts about the models and penalties."""
    if len(shapes) < FEWEST_SHAPES:
        yield QualityWarning(
            kind="few_graphs",
            where="graphs",
            message=f"{len(shapes)} connected shapes were measured",
            hint="measure more graphs: all of up to three edges, and random ones",
        )
    for shape, reason in failed[:1]:
        yield QualityWarning(
            kind="contradicting_steps",
            where=f"graph {shape.graphs[0]}",
            message=f"its penalties are left out: {reason}",
            hint="measure the shapes of its later steps too, or more repetitions",
            count=len(failed),
        )
    for known in fits:
        yield from _about_parameters(known, known.name == fallback)
    if not is_alone_known:
        yield QualityWarning(
            kind="bandwidth_not_alone",
            where="graphs",
            message="no message was measured alone, so the bandwidth was fitted with the model",
            hint="measure a graph of one message",
        )
    if average_error > UNUSABLE:
        yield QualityWarning(
            kind="sharing_unusable",
            where="graphs",
            message=f"the closest model is off by {average_error:.0%} on average, beyond "
            f"{UNUSABLE:.0%}: none is usable, and parameters and penalties mean nothing",
            hint=_LOOK_FOR,
        )
    elif average_error > ACCEPTABLE:
        yield QualityWarning(
            kind="sharing_not_understood",
            where="graphs",
            message=f"the closest model is off by {average_error:.0%} on average, beyond "
            f"{ACCEPTABLE:.0%}",
            hint=_LOOK_FOR,
        )


def _about_parameters(known: ModelFit, is_chosen: bool) -> Iterator[QualityWarning]:
    """Doubts about parameters that no graph determines."""
    before = models.get(known.model).parameters
    unseen = [name for name in known.undetermined if known.parameters[name] == before[name]]
    if unseen:
        yield QualityWarning(
            kind="parameter_not_seen",
            where=known.model,
            message=f"no measured graph depends on {', '.join(unseen)}: kept as it is",
            hint="measure graphs with more messages into, out of, and between the same nodes",
        )
    others = [name for name in known.undetermined if name not in unseen]
    if others and is_chosen:  # a model that does not suit the network often has some
        yield QualityWarning(
            kind="parameter_not_determined",
            where=known.model,
            message=f"the measured graphs do not determine {', '.join(others)}: other values give "
            "the same ends, or the closest is at the limit of the search",
            hint="measure graphs with more messages into, out of, and between the same nodes",
        )


def about_comparison(left_out: Sequence[str]) -> Iterator[QualityWarning]:
    """Models and graphs that were not compared, and why."""
    for said in left_out:
        yield QualityWarning(
            kind="not_compared",
            where="graphs",
            message=said,
            hint="the errors are those of the other graphs, the same for every model",
        )
