"""Files of measured graphs: a line each, kept as samples are."""

from pathlib import Path

from contend.samples.store import RecordStore
from contend.sharing.sample import GraphSample


class GraphStore(RecordStore[GraphSample]):
    """A file of measured graphs open for appending, by one process at a time."""

    def __init__(self, path: str | Path) -> None:
        super().__init__(GraphSample, path)
