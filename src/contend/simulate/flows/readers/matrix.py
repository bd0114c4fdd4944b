"""Matrices: a line per source, a column per destination, bytes between them.

Source: the traffic matrices of profilers and of papers.
Idea: names of hosts may stand above the columns, before the rows, or both; spaces, tabs, commas or
semicolons between.
Restrictions: as many rows as columns; nothing says when a message starts, all start together.
"""

import pandas as pd

from contend.simulate.flows.matrix import matrix_table
from contend.simulate.flows.reader import FlowReader


class MatrixReader(FlowReader):
    name = "matrix"
    title = "square matrix of bytes, a line per source"
    suffixes = (".matrix",)

    def read(self, text: str) -> pd.DataFrame:
        return matrix_table(text)
