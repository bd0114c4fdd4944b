"""A case of a sweep: what is different from the run that was recorded, in words that files keep.

All is text or numbers, as it is typed: a case goes to other processes, and into files.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationError

from contend.base.document import Record, first_problem
from contend.base.errors import InvalidInputError

Scaling = Literal["weak", "strong"]


def _words(given: object) -> object:
    """Algorithms in one order, from a text, a mapping, or a list."""
    if isinstance(given, str):
        given = [word for word in re.split(r"[\s,;+]+", given) if word]
    if isinstance(given, Mapping):
        given = [f"{operation}={name}" for operation, name in given.items()]
    return tuple(sorted(map(str, given))) if isinstance(given, list | tuple) else given


class Case(Record):
    """A network, how messages share it, where ranks are, and what the program does otherwise.

    >>> Case(network="line:20us:1Gbit/s", algorithms="bcast=chain").algorithms
    ('bcast=chain',)
    """

    network: str = Field(
        min_length=1,
        description="network file with pLogP parameters, line:LATENCY:BANDWIDTH[:OVERHEAD], or "
        "loggops:L:o:g:G[:O[:S]]",
    )
    model: str = Field("", description="how messages share it; empty: maxmin, or the network's")
    topology: str = Field("switch", description="word or file: links between hosts")
    hosts: int | None = Field(None, ge=1, description="absent: one for each rank")
    placement: str = Field(
        "block",
        description="block, round-robin, random:SEED, a file, or the host of each rank: 0,0,1,1",
    )
    algorithms: Annotated[tuple[str, ...], BeforeValidator(_words)] = Field(
        (), description="OPERATION=ALGORITHM, where the replay's own rule shall not hold"
    )
    compute: float = Field(1.0, ge=0, description="factor for all computation")
    eager: str = Field("", description="largest message sent without asking; empty: all are")
    ranks: int | None = Field(None, ge=1, description="of the program; absent: as recorded")
    scaling: Scaling = Field("weak", description="what stays where ranks are others")
    baseline: Literal["alone", "ports"] = Field(
        "alone", description="what contention is the difference to"
    )

    def but(self, **changes: Any) -> "Case":
        """The same case with other values, which are checked.

        >>> Case(network="a.json").but(compute=0.5).compute
        0.5
        """
        return case_of(self.model_dump() | changes)


FIELDS = tuple(Case.model_fields)


def case_of(given: Mapping[str, Any], where: str = "a case") -> Case:
    try:
        return Case.model_validate(dict(given))
    except ValidationError as error:
        raise InvalidInputError(
            f"{where}: {first_problem(error)}", f"a case has: {', '.join(FIELDS)}"
        ) from None
