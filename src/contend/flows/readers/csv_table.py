"""CSV: a line of names, then a line per flow.

Source: RFC 4180, with comma, semicolon or tab between.
Restrictions: every line has as many values as the first.
"""

import io

import pandas as pd

from contend.errors import FileFormatError
from contend.flows.reader import FlowReader
from contend.textfile import require_few_columns


class CsvReader(FlowReader):
    """Reader of CSV files."""

    name = "csv"
    title = "CSV with the columns source, destination, bytes"
    suffixes = (".csv", ".tsv")

    def read(self, text: str) -> pd.DataFrame:
        """Columns of text."""
        head = text.lstrip().partition("\n")[0]
        delimiter = max(",;\t", key=head.count)
        require_few_columns(text, delimiter)
        try:
            words = pd.read_csv(
                io.StringIO(text),
                sep=delimiter,
                header=None,
                dtype=str,
                keep_default_na=False,
                skipinitialspace=True,
            )
        except (ValueError, pd.errors.ParserError) as error:
            problem = " ".join(str(error).split())
            raise FileFormatError(problem, "give every line a value for each column") from None
        words = words.fillna("")
        return words.iloc[1:].set_axis(words.iloc[0], axis="columns").reset_index(drop=True)
