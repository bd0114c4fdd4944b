"""JSON Schemas of the formats, generated from their definitions."""

import json
from importlib.resources import files

from contend.base.document import Record, json_schema
from contend.models.network import Network
from contend.programs.sweeps.record import Swept
from contend.samples import Sample
from contend.samples.watch.record import JobRecord
from contend.simulate.topologies.file import TopologyFile
from contend.tune.choose.rules import Decisions
from contend.tune.choose.verified_gains import VerifiedGains

FORMATS: dict[str, type[Record]] = {
    "samples": Sample,
    "network": Network,
    "topology": TopologyFile,
    "decisions": Decisions,
    "sweep": Swept,
    "verified": VerifiedGains,
    "watch": JobRecord,
}


def schema_text(name: str) -> str:
    """Text of the published schema of a format."""
    return files(__name__).joinpath(f"{name}.schema.json").read_text()


def generate(name: str) -> str:
    """Text of the schema that the definition of a format gives now."""
    return json.dumps(json_schema(FORMATS[name]), indent=1) + "\n"
