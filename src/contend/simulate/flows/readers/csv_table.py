"""CSV: a line of names, then a line per flow.

Source: RFC 4180, with comma, semicolon or tab between.
Restrictions: every line has as many values as the first.
"""

import pandas as pd

from contend.base.textfile import columns_of, words_of
from contend.simulate.flows.reader import FlowReader


class CsvReader(FlowReader):
    name = "csv"
    title = "CSV with the columns source, destination, bytes"
    suffixes = (".csv", ".tsv")
    may_be_matrix = True
    has_head = True

    def read(self, text: str) -> pd.DataFrame:
        head = text.lstrip().partition("\n")[0]
        delimiter = max(",;\t", key=head.count)
        return columns_of(words_of(text.lstrip(), delimiter)).reset_index(drop=True)
