"""Topology files: JSON with one member, whose name says which kind of topology it describes."""

from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import create_model, model_validator

from contend.base.document import Document
from contend.simulate.topologies.kind import KINDS, Member
from contend.simulate.topologies.topology import Topology


class _TopologyFile(Document):
    schema_name: ClassVar[str] = "contend.topology"
    schema_version: ClassVar[int] = 1

    @property
    def _members(self) -> list[Member]:
        return [member for name in KINDS.names() if (member := getattr(self, name)) is not None]

    @model_validator(mode="after")
    def _is_one(self) -> "_TopologyFile":
        if len(self._members) != 1:
            raise ValueError(f"give one of {', '.join(KINDS.names())}")
        return self

    def topology(self) -> Topology:
        return self._members[0].topology()


if TYPE_CHECKING:
    TopologyFile = _TopologyFile
else:
    _FIELDS: dict[str, Any] = {kind.name: (kind.member | None, None) for kind in KINDS.all()}
    TopologyFile = create_model(
        "TopologyFile",
        __base__=_TopologyFile,
        __doc__="A topology: exactly one of its members says which.",
        __module__=__name__,
        **_FIELDS,
    )
