"""Base of everything that is written to a file: typed, immutable, checked when it is read.

pydantic checks and describes (JSON Schema) both formats from one definition; this module turns
its complaints into one line that names the place, the rule and the remedy.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from contend.base.errors import FileFormatError
from contend.base.kinds import mistaken
from contend.base.textfile import read_text
from contend.base.units import MOST_BYTES, MOST_PROCESSES
from contend.base.wholefile import write_whole

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Columns = dict[str, NDArray[Any]]  # a table: arrays (k,) by name
Frame: TypeAlias = "pd.DataFrame"  # of pandas, which is imported where one is made
Column: TypeAlias = "pd.Series[Any]"
Unit = Literal["s", "B", "s/B", "B/s", "1"]
Bounds = Literal["95 % over launches", "95 % within one launch"]
LONGEST = 1e9  # seconds: nothing of 30 years was timed
Processes = Annotated[int, Field(ge=2, le=MOST_PROCESSES)]  # of an operation
Size = Annotated[int, Field(ge=0, le=MOST_BYTES)]  # of a message, bytes
Time = Annotated[float, Field(gt=0, le=LONGEST)]  # that something took, seconds


class Record(BaseModel):
    """An immutable part of a document; unknown keys and non-finite numbers are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Former(NamedTuple):
    """A schema that a document once had: what it did not say, and new names of its fields."""

    fields: Mapping[str, Any] = {}
    renamed: Mapping[str, str] = {}


class Document(Record):
    """A record that is stored by itself and therefore says its schema and version.

    `schema_name` and `schema_version` are the constants that a file of this kind carries; files of
    a `former` schema, of the same version, are read too.
    """

    schema_name: ClassVar[str]
    schema_version: ClassVar[int]
    former: ClassVar[Mapping[str, Former]] = {}

    def to_json(self) -> dict[str, Any]:
        """JSON object, schema and version first; unset fields are left out."""
        head = {"schema": self.schema_name, "version": self.schema_version}
        return head | self.model_dump(mode="json", exclude_none=True)

    def save(self, path: str | Path) -> None:
        """Write the file in one step: a reader sees the old one or the new one, whole."""
        write_whole(path, json.dumps(self.to_json(), indent=1) + "\n")


class Quantity(Record):
    """A value in a unit, with bounds where they are known; a tuple is a table over sizes."""

    value: float | tuple[float, ...]
    unit: Unit = Field(description="s, B, s/B, B/s, or 1 for a pure number")
    low: float | tuple[float, ...] | None = None
    high: float | tuple[float, ...] | None = None
    bounds: Bounds | None = Field(None, description="what low and high are; absent: not kept")

    @model_validator(mode="after")
    def _has_one_shape(self) -> "Quantity":
        if self.value == ():
            raise ValueError("a table of no values")
        for bound in (self.low, self.high):
            if bound is not None and np.shape(bound) != np.shape(self.value):
                raise ValueError("low and high have as many values as value")
        return self

    @property
    def array(self) -> Floats:
        """The value as an array, shape (1,) for a scalar."""
        return np.atleast_1d(np.asarray(self.value, dtype=np.float64))

    def __float__(self) -> float:
        if isinstance(self.value, tuple):
            raise TypeError("a table of values is not one number")
        return float(self.value)


def require_numbers(**quantities: Quantity | None) -> None:
    """Raise ValueError, which pydantic reports, where one of the named is a table."""
    for name, quantity in quantities.items():
        if quantity is not None and isinstance(quantity.value, tuple):
            raise ValueError(f"{name} is a table where one number is due")


def require_tables(over: str, tables: Mapping[str, Quantity | None]) -> None:
    """Raise ValueError unless all tables are as long as that named `over`, which ascends."""
    given = {name: table.array for name, table in tables.items() if table is not None}
    for name, values in given.items():
        if values.size != given[over].size:
            raise ValueError(f"{name} has {values.size} values where {over} has {given[over].size}")
    if (np.diff(given[over]) <= 0).any() or given[over][0] < 0:
        raise ValueError(f"{over} does not ascend from 0 or more")


AnyDocument = TypeVar("AnyDocument", bound=Document)


def read_document(kind: type[AnyDocument], text: str, where: str) -> AnyDocument:
    """The document in `text`; `where` names the file (and line) in errors."""
    if not text.strip():
        raise FileFormatError(f"{where} is empty", "name another file, or write it anew")
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise FileFormatError(
            f"{where} is not JSON: {error.msg.removesuffix(' at')} at column {error.colno}",
            "name a file that contend wrote ('contend import' reads those of others), or restore "
            "what is broken",
        ) from None
    except (ValueError, RecursionError) as error:  # a number or a nesting beyond Python's limits
        raise FileFormatError(f"{where} is not a document: {error}", "restore the line") from None
    return from_object(kind, data, where)


def read_document_file(kind: type[AnyDocument], path: str | Path, remedy: str) -> AnyDocument:
    """The document of a file; FileFormatError says what is wrong with it, or what else it is."""
    try:
        text = read_text(Path(path))
    except FileFormatError as error:
        raise FileFormatError(error.message, remedy) from None
    try:
        return read_document(kind, text, str(path))
    except FileFormatError as error:
        raise mistaken(str(path), text, kind.schema_name) or error from None


def from_object(kind: type[AnyDocument], data: object, where: str) -> AnyDocument:
    """The document that a parsed JSON value holds, after its schema and version are checked."""
    wanted = f"{kind.schema_name!r} version {kind.schema_version}"
    declared = data.get("schema") if isinstance(data, dict) else None
    former = kind.former.get(declared) if isinstance(declared, str) else None
    if not isinstance(data, dict) or (declared != kind.schema_name and former is None):
        problem = f"is {declared!r}" if declared else "does not say what it is"
        raise FileFormatError(
            f"{where} {problem}, not {wanted}", "check that this is the right file"
        )
    if data.get("version") != kind.schema_version:
        raise FileFormatError(
            f"{where} has schema version {data.get('version')!r}, this contend reads {wanted}",
            "read it with the contend that wrote it, or measure or fit again",
        )
    fields, renamed = former or Former()
    given = {key: value for key, value in data.items() if key not in ("schema", "version")}
    content = {**fields, **{renamed.get(key, key): value for key, value in given.items()}}
    try:
        return kind.model_validate(content)
    except ValidationError as error:
        raise FileFormatError(f"{where}: {first_problem(error)}", _REMEDY) from None


_REMEDY = "'contend list schema' prints the rules of all formats"


def first_problem(error: ValidationError) -> str:
    """The first complaint of pydantic in a line: the place, the rule and what was given."""
    first = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
    if first["type"] == "missing":
        return f"{place} is missing{more}"
    rule = first["msg"].removeprefix("Value error, ").lower()
    return f"{place}: {rule}, got {first['input']!r:.60}{more}"


def json_schema(kind: type[Record]) -> Mapping[str, Any]:
    """JSON Schema (2020-12) of a document kind, or of another record that is stored by itself."""
    schema = kind.model_json_schema()
    head, title = dict[str, Any](), kind.model_config.get("title")
    if issubclass(kind, Document):
        title = kind.schema_name
        head = {
            "schema": {"const": kind.schema_name},
            "version": {"const": kind.schema_version},
        }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        **{key: value for key, value in schema.items() if key != "title"},
        "properties": head | schema["properties"],
        "required": [*head, *schema.get("required", [])],
    }
