"""Experiments and operations of the MPI library, measured into a file of samples."""

from collections.abc import Sequence
from pathlib import Path

from contend.base.result import Result, next_step
from contend.measure.build import build
from contend.measure.campaigns.options import MeasureOptions, measured
from contend.measure.design import EXPERIMENTS, Design, design, launches_of, measure
from contend.measure.duration import expected_seconds, in_words, remaining
from contend.measure.selection.measure import named_experiments
from contend.samples import SampleStore


def measure_collectives(
    path: Path,
    options: MeasureOptions,
    n: Sequence[int] | None = None,
    m: Sequence[int] | None = None,
    *,
    experiments: Sequence[str] = (),
    operations: Sequence[str] = (),
    extra_sizes: int = 4,
) -> Result:
    """Measure what the samples file does not hold yet, and append every point to it.

    Parameters
    ----------
    n, m
        Numbers of processes and bytes; default those of this machine or of the lab.
    experiments, operations
        Programs, and the library's own operations; default `EXPERIMENTS`.
    extra_sizes
        Sizes added to pLogP where interpolation is worst.

    >>> options = MeasureOptions(launches=1, min_repetitions=2, max_repetitions=2)
    >>> native = ["alltoall_native"]
    >>> measure_collectives(Path("new.jsonl"), options, [2], [64], experiments=native).code
    0
    """
    mpi = options.mpi
    with SampleStore(path) as store:
        existing = store.existing()
        place = options.place(existing)
        usual = design(hosts=place.room(options.processes_per_node))
        wanted = list(experiments)
        if operations:
            wanted += named_experiments(build(mpi), operations)
        chosen = Design(
            counts=tuple(n or usual.counts), sizes=tuple(m or usual.sizes),
            message_sizes=() if m else usual.message_sizes,
            launches=options.launches or place.launches, extra_sizes=extra_sizes, seed=options.seed,
            experiments=tuple(dict.fromkeys(wanted)) or tuple(sorted(EXPERIMENTS)),
        )  # fmt: skip
        launched = options.launch_options(place)
        pending = remaining(launches_of(mpi, chosen), existing)
        expected = expected_seconds(pending, launched, place.lab, extra_sizes)
        options.listener.note(in_words(expected))
        with options.running(place, path, launched) as runner:
            done = measure(runner, chosen, store)
    return measured(path, len(existing), len(done.samples), next_step("contend", "fit", path))
