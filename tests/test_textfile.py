import pytest

from contend.bounds import read_messages
from contend.errors import FileFormatError
from contend.flows.reader import read_flows
from contend.graphs.reader import read_contention_graphs
from contend.samples.reader import ReadOptions
from contend.samples.readers.csv_columns import CsvColumnsReader
from contend.textfile import MOST_COLUMNS, words_of

WIDE = "src,dst,bytes" + ",more" * MOST_COLUMNS + "\n"


def test_a_line_is_too_wide_not_a_long_file():
    rows = "1,2,3\n" * MOST_COLUMNS
    assert words_of(rows).shape == (MOST_COLUMNS, 3)
    with pytest.raises(FileFormatError, match=f"line 2 has {MOST_COLUMNS + 3} columns"):
        words_of("src,dst\n" + WIDE)


@pytest.mark.parametrize(
    "read",
    [
        read_messages,
        read_flows,
        read_contention_graphs,
        lambda path: list(
            CsvColumnsReader().read(
                path,
                ReadOptions("alltoall", "native", n=4, columns={"m": "bytes", "time": "src"}),
            )
        ),
    ],
)
def test_every_reader_of_tables_refuses_a_line_that_is_too_wide(tmp_path, read):
    path = tmp_path / "wide.csv"
    path.write_text(WIDE)
    with pytest.raises(FileFormatError, match=r"wide\.csv.* columns, where"):
        read(path)
