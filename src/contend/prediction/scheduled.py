"""Which algorithm of the catalogue a prediction is of, and what its times are made from."""

from contend.errors import InvalidInputError
from contend.network import Network
from contend.pointtopoint import PLogP
from contend.schedules import COLLECTIVES, Algorithm, algorithms
from contend.schedules.fitting.record import Parameters
from contend.schedules.timing.predict import Known, Times, Timing, nearest_times


def _shared_ports(
    algorithm: Algorithm, plogp: PLogP, n: int, m: int, **options: int
) -> tuple[Times, Known]:
    from contend.flows.schedule_ends import shared_ports

    return shared_ports(algorithm, plogp, n, m, **options)


TIMINGS: dict[str, Timing] = {"single": nearest_times, "shared": _shared_ports}  # by what ports are


def wanted_algorithm(
    network: Network, operation: str, algorithm: str | None, has_options: bool
) -> Algorithm | None:
    """The algorithm of the catalogue that is meant; None where the file has a fit that is meant."""
    fitted = [known for known in network.operations if known.operation == operation and known.forms]
    names = [known.algorithm for known in fitted]
    if operation not in COLLECTIVES and not has_options:
        return None  # of operations that were measured, the network knows what there is
    others = {known.operation for known in network.operations if known.forms} - {operation}
    if algorithm is None and not fitted and others:
        raise InvalidInputError(
            f"{network.name!r} has no fit of {operation}, but of {', '.join(sorted(others))}",
            f"name the operation, e.g. contend predict NETWORK {min(others)}, or the --algorithm",
        )
    if algorithm is None and (has_options or not fitted):
        raise InvalidInputError(
            f"{operation} without an algorithm, and {network.name!r} has no fit of it"
            if not fitted
            else "an option of an algorithm without the algorithm",
            f"give --algorithm: {', '.join(algorithms(operation).names())}",
        )
    if algorithm is None or (algorithm in names and not has_options):
        return None
    return algorithms(operation).get(algorithm)


def parameters_of(network: Network, operation: str) -> Parameters:
    """The parameters that times of an operation's schedules take."""
    found = network.parameters(operation)
    if found is None:
        has_fit = any(one.operation == operation for one in network.operations)
        raise InvalidInputError(
            f"{network.name!r} holds no pLogP parameters"
            + ("" if has_fit else f", and no times of {operation}"),
            (
                ""
                if has_fit
                else f"fit what was measured of it (contend fit --operation {operation}), or "
            )
            + "measure the experiment plogp, then fit; or 'contend fit-schedules' takes times of "
            "algorithms: schedules need a gap and a latency",
        )
    return found
