"""JSON: a list of objects, one per flow, or an object of lists, one per column.

Source: RFC 8259.
Restrictions: an object names each member once.
"""

import json
from typing import Any

import pandas as pd

from contend.base.errors import FileFormatError
from contend.simulate.flows.reader import FlowReader

_REMEDY = 'write [{"source": "a", "destination": "b", "bytes": 1024}, ...]'


class JsonReader(FlowReader):
    name = "json"
    title = "JSON, a list of objects or an object of lists"
    suffixes = (".json",)

    def read(self, text: str) -> pd.DataFrame:
        try:
            content = json.loads(text, object_pairs_hook=_once)
            return pd.DataFrame(content)
        except RecursionError:
            raise FileFormatError("lists within lists, too deep to read", _REMEDY) from None
        except (ValueError, TypeError, AttributeError) as error:
            raise FileFormatError(f"cannot be read: {error}", _REMEDY) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"an object names {twice!r} twice")
    return values
