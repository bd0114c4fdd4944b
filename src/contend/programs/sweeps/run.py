"""One case replayed: what a worker does.

Trace, networks and topologies are read once in each process that runs cases, and kept. Whatever
goes wrong in a case is its result: what a worker raises is never the case's fault but its own.
"""

import warnings
from functools import lru_cache
from pathlib import Path
from typing import Any

from contend.base.errors import ContendError, InvalidInputError
from contend.models.network import Network
from contend.programs.replay import MessageTimes, replay
from contend.programs.replay.choice import parse_choices
from contend.programs.replay.common_prefix import reached, shortfall
from contend.programs.sweeps.case import Case, Scaling
from contend.programs.sweeps.patterns import pattern_of
from contend.programs.sweeps.record import Swept
from contend.programs.sweeps.scaling import scaled
from contend.programs.sweeps.setting import carriage_of, library_beside, sharing_of, times_of
from contend.programs.sweeps.source import Source
from contend.programs.traces.trace import Trace
from contend.simulate.topologies import Topology, topology_of

Files = tuple[tuple[str, str], ...]  # name and SHA-256 of each file of a case


def run_case(source: Source, case: Case, files: Files = ()) -> Swept:
    """The time of a case, or why it has none.

    >>> source = Source("ring", "0" * 64, "pattern:ring:1MB")
    >>> run_case(source, Case(network="line:0s:1MB/s", ranks=4)).seconds  # 2 MB by each port
    2.0
    """
    try:
        return record_of(source, case, files, **_replayed(source, case, files))
    except ContendError as error:
        return record_of(source, case, files, error=str(error))
    except MemoryError:
        return record_of(source, case, files, error="out of memory: give it fewer workers")
    except Exception as error:  # a defect, of which the others shall not suffer
        return record_of(source, case, files, error=f"{type(error).__name__}: {error}")


def record_of(source: Source, case: Case, files: Files, **outcome: Any) -> Swept:
    return Swept(
        trace=source.name, trace_sha256=source.sha256, case=case, files=dict(files), **outcome
    )


def _replayed(source: Source, case: Case, files: Files) -> dict[str, Any]:
    names = dict(files)
    case = case.model_copy(
        update={
            field: str(Path(source.folder, getattr(case, field)))
            for field in ("network", "topology", "placement")
            if getattr(case, field) in names
        }
    )
    times, network = _times(case.network, case.eager, files)
    model, parameters = sharing_of(network, case.model or None)
    trace, missing = _program(source, case.ranks, case.scaling)
    links = _links(case.topology, times.bandwidth, files)
    replayed = replay(
        trace, times, model,
        carriage=carriage_of(trace.ranks, times.bandwidth, links, case.hosts, case.placement),
        parameters=parameters, algorithms=parse_choices(list(case.algorithms)),
        library=library_beside(trace, network), compute=case.compute, baseline=case.baseline,
    )  # fmt: skip
    ran = replayed.trace
    return {
        "ranks": trace.ranks,
        "seconds": replayed.seconds,
        "recorded": float(ran.end.max() - ran.start.min()) if ran.start.size else None,
        "shortfall": replayed.shortfall or missing or None,
        "lost": replayed.lost,
        "computing": float(replayed.computing.mean()),
        "messages": replayed.messages,
        "unreceived": replayed.unreceived,
        "algorithms": {name: tuple(sorted(used)) for name, used in replayed.algorithms.items()},
    }


# Files are part of what is remembered by their checksums: one that changes is read again.


@lru_cache(maxsize=64)
def _times(word: str, eager: str, files: Files) -> tuple[MessageTimes, Network | None]:
    return times_of(word, eager)


@lru_cache(maxsize=16)
def _links(topology: str, bandwidth: float, files: Files) -> Topology | None:
    return topology_of(topology, bandwidth)


@lru_cache(maxsize=1)
def _recorded(source: Source) -> Trace:
    with warnings.catch_warnings():  # results say it
        warnings.simplefilter("ignore")
        return source.read()


@lru_cache(maxsize=2)
def _program(source: Source, ranks: int | None, scaling: Scaling) -> tuple[Trace, str]:
    """The program, and what is missing where it is made from a trace that ends early."""
    if not source.is_pattern:
        trace = _recorded(source)
        if ranks is None:
            return trace, ""
        part = reached(trace)
        return scaled(part, ranks, scaling), shortfall(trace, part)
    if ranks is None:
        raise InvalidInputError(f"{source.name} has no number of ranks", "give --ranks 16,64")
    if scaling == "strong":
        raise InvalidInputError(
            "a pattern has the same messages on any number of ranks", "sweep it with weak scaling"
        )
    return pattern_of(source.path).trace(ranks), ""
