"""Structure of an operation of a network file, computed from the points that it holds."""

from contend.network import Network, Operation
from contend.signature import EXCHANGES
from contend.structure.exchange import exchange_in
from contend.structure.finding import Analysis


def analysis(network: Network, operation: Operation) -> Analysis | None:
    """What is found of it; None where it is no all-to-all or the file holds no points of it."""
    if operation.operation not in EXCHANGES:
        return None
    exchange = exchange_in(network, operation)
    return Analysis(exchange) if exchange and exchange.is_measured.any() else None


def sentences(network: Network, operation: Operation) -> list[str]:
    """Each finding in words."""
    found = analysis(network, operation)
    return [one.sentence for one in found.findings] if found else []
