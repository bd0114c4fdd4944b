"""What a network file has learnt, as a table: a row per value, with its unit and bounds.

Idea: every parameter of messages, forms, links and sharing models; a table over sizes has a row per
size.
Restrictions: values alone; errors of validation and what a fit saw stay in the network file.
"""

from collections.abc import Iterator, Mapping

from contend.document import Quantity, Record
from contend.interchange.format import NetworkFormat, Wanted, Written
from contend.interchange.table import begins_with, csv_text
from contend.network import Network

NAMES = (
    "part", "operation", "algorithm", "processes_per_node", "model", "parameter", "size_bytes",
    "value", "unit", "low", "high", "bounds",
)  # fmt: skip
Row = dict[str, object]


class NetworkValues(NetworkFormat):
    """The table of values."""

    name = "network"
    title = "what a network file has learnt, as CSV"
    example = "network.json -o network.csv"

    def of_network(self, network: Network, wanted: Wanted) -> Written:
        """Rows of all parts."""
        return Written(csv_text(NAMES, _rows(network)))

    def recognises(self, text: str) -> bool:
        """Whether the columns are these."""
        return begins_with(text, NAMES)


def _rows(network: Network) -> Iterator[Row]:
    for level in network.levels:
        for model in ("hockney", "plogp"):
            yield from _of_record({"part": level.name, "model": model}, getattr(level, model))
    for operation in network.operations:
        about: Row = {
            "part": "operation",
            "operation": operation.operation,
            "algorithm": operation.algorithm,
            "processes_per_node": operation.processes_per_node,
        }
        for name, form in operation.forms.items():
            yield from _of_values(about | {"model": name}, form.parameters)
    for one in network.schedules:
        about = {"part": "schedules", "operation": one.operation, "algorithm": one.algorithm}
        yield from _of_record(about | {"model": "plogp"}, one.plogp)
    for link in network.links:
        yield from _of_record({"part": link.title, "model": "link"}, link)
        for model in ("inside", "between"):
            yield from _of_record({"part": link.title, "model": model}, getattr(link, model))
    for known in network.sharing.models if network.sharing else ():
        values = {"bandwidth": known.bandwidth} | known.parameters
        yield from _of_values({"part": "sharing", "model": known.name}, values)


def _of_record(about: Row, record: Record | None) -> Iterator[Row]:
    """Of the fields of a record that are quantities."""
    if record is None:
        return
    fields = {name: getattr(record, name) for name in type(record).model_fields}
    found = {name: value for name, value in fields.items() if isinstance(value, Quantity)}
    yield from _of_values(about, found)


def _of_values(about: Row, values: Mapping[str, Quantity]) -> Iterator[Row]:
    sizes = values["size"].array.tolist() if "size" in values else None
    for name, quantity in values.items():
        if sizes is not None and name == "size":
            continue
        row = about | {"parameter": name, "unit": quantity.unit, "bounds": quantity.bounds}
        if not isinstance(quantity.value, tuple):
            yield row | {"value": quantity.value, "low": quantity.low, "high": quantity.high}
            continue
        for place, value in enumerate(quantity.value):
            low, high = (
                bound[place] if isinstance(bound, tuple) else None
                for bound in (quantity.low, quantity.high)
            )
            at = {"size_bytes": sizes[place]} if sizes is not None else {}
            yield row | at | {"value": value, "low": low, "high": high}
