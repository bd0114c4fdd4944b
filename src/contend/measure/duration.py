"""How long a campaign will take, from its plan, and a smaller design where that is too long.

On an emulated network an exchange takes as long as its most loaded link, which the lab's routes
tell, and the constants below stand for what is not link: they were fitted to the times of studies
on the shipped labs. Elsewhere nothing is known before the first message, and a point is taken to
last a part of the time that it may.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from contend.measure.command import LaunchOptions
from contend.measure.design import Design
from contend.measure.lab.specification import FULL_FRAME, Lab
from contend.measure.plan import Launch, planned_point
from contend.samples import Sample

LAUNCH_SECONDS = 1.2  # to start the ranks of a launch, to let them meet, and to end them
POINT_SECONDS = 0.15  # to check a point and to repeat it where repetitions are short
PART_OF_MAX = 0.5  # of the seconds that a point may take, where nothing is known of the network
# Times that a message passes for one point of an experiment between two: round trips of all
# repetitions, and for pLogP the search for the length of a train, shared by its four algorithms.
PASSES = {"pingpong": 14.0, "plogp": 17.0}
REPETITIONS = 7.0  # of an exchange that lasts: five, a warm-up and a check
REPETITIONS_WITH_LOSSES = 12.0
TIMEOUTS = 0.7  # in a repetition with losses
LOSS_FRAMES = 4  # of each sender are under way at once: more than fit in a port's buffer are lost
WIRE = 1538 / 1448  # bytes on the wire for each of a message
ROUND_TRIPS = 2.0  # that an exchange waits besides


def expected_seconds(
    launches: Sequence[Launch], options: LaunchOptions, lab: Lab | None, extra_sizes: int = 0
) -> float:
    return sum(_launch_seconds(launch, options, lab, extra_sizes) for launch in launches)


def in_words(seconds: float) -> str:
    """The time expected, for people.

    >>> in_words(20), in_words(290)
    ('expected to take less than a minute', 'expected to take about 5 minutes')
    """
    minutes = round(seconds / 60)
    if minutes < 1:
        return "expected to take less than a minute"
    return f"expected to take about {minutes} minute{'s' if minutes > 1 else ''}"


def remaining(launches: Sequence[Launch], done: Sequence[Sample]) -> list[Launch]:
    points = {planned_point(sample) for sample in done if not sample.is_flagged}
    pending = [launch.without(points) for launch in launches]
    return [launch for launch in pending if launch.sizes]


def smaller(chosen: Design) -> Iterator[Design]:
    """Designs that take ever less time: first without the largest sizes for validation."""
    while chosen.check_sizes:
        chosen = replace(chosen, check_sizes=chosen.check_sizes[:-1])
        yield chosen
    while others := [n for n in chosen.counts[:-1] if n != chosen.n_fit]:
        chosen = replace(chosen, counts=tuple(n for n in chosen.counts if n != others[-1]))
        yield chosen


def _launch_seconds(
    launch: Launch, options: LaunchOptions, lab: Lab | None, extra_sizes: int
) -> float:
    points = len(launch.program.algorithms)
    sizes = list(launch.sizes)
    if launch.program.experiment == "plogp" and sizes:
        sizes += [round(sum(sizes) / len(sizes))] * extra_sizes
    if lab is None:
        return LAUNCH_SECONDS + len(sizes) * points * (PART_OF_MAX * options.max_seconds)
    hosts = -(-launch.n // (options.processes_per_node or 1))
    seconds = sum(_point_seconds(launch.program.experiment, hosts, m, lab) for m in sizes)
    return LAUNCH_SECONDS + points * (len(sizes) * POINT_SECONDS + seconds)


def _point_seconds(experiment: str, hosts: int, m: int, lab: Lab) -> float:
    """Seconds that messages are under way for a point, real ones."""
    passes = PASSES.get(experiment)
    if passes is not None:
        return passes * exchange_seconds(lab, 2, m)
    once = exchange_seconds(lab, hosts, m)
    if not _loses(lab, hosts, m):
        return REPETITIONS * once
    return REPETITIONS_WITH_LOSSES * (once + TIMEOUTS * lab.real_minimum_rto)


def exchange_seconds(lab: Lab, hosts: int, m: int) -> float:
    """Seconds in which the first hosts of a lab can exchange messages of `m` bytes, real ones."""
    names = [host.name for host in lab.hosts[:hosts]]
    routes = lab.routes()
    paths = [routes[src, dst] for src in names for dst in names if src != dst]
    flows = Counter(link for path in paths for link in path)
    busiest = max(
        (count * 8 / link.rate_bits for link, count in flows.items() if link.rate_bits), default=0.0
    )
    delay = max((sum(link.delay_s for link in path) for path in paths), default=0.0)
    return busiest * (m * WIRE + FULL_FRAME / 10) + 2 * ROUND_TRIPS * delay


def _loses(lab: Lab, hosts: int, m: int) -> bool:
    """Whether all messages to one host at once overrun the buffer of its port."""
    if lab.has_credits:
        return False
    buffers = [cluster.buffer for cluster in lab.clusters if cluster.buffer is not None]
    return bool(buffers) and (hosts - 1) * min(m, LOSS_FRAMES * FULL_FRAME) > min(buffers)
