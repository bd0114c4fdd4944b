"""Tables in a log: titles, names of columns, rows, and all other text around them.

Idea: a log is several tables and other text. A layout says by which lines a benchmark's tables are
known; whatever stands before such a line (the label of a rank, a time, a mark of quotation, blanks)
is taken off all lines that begin alike, which makes a stream of lines of its own. In a stream a
table goes on until the next one begins. Text amid its rows is passed over; rows after such text
are its rows only where they go on with larger sizes, and never below the heading of another table.
A line that begins like a row and is none, and a row that was cut off, are kept with the reason.
It reads no format; readers share it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from contend.samples.readers._text import Line

_CONTROL = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07]*\x07|[\x00-\x08\x0e-\x1f]")
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?")
_NAME = re.compile(r"#?\s*[A-Za-z][\w()/#%.\[\]-]*(?: [\w()/#%.\[\]-]+)?")
_OF_TABLES = re.compile(
    r"size|bytes|latency|bandwidth|usec|\(us\)|\bms\b|time|[MG]B/s|count|benchmark|\btest\b", re.I
)
_IN_SECONDS = re.compile(r"[\[(][mun]?s(?:ec)?[\])]$")
_DATE = re.compile(r"\d+[-/:]\d")
_DAY, _MONTH = (
    "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)",
    ("(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"),
)
_CLOCK = r"\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d+)?"
_CHANGES = re.compile(  # times, which differ from line to line
    rf"(?:{_DAY},?\s+)?(?:{_MONTH}\s+\d+|\d+\s+{_MONTH})(?:\s+\d{{4}})?\s+{_CLOCK}(?:\s+\d{{4}}\b)?"
    rf"|\d{{4}}[-/]\d\d[-/]\d\d(?:[T ]{_CLOCK})?(?:Z|[-+]\d\d:?\d\d)?"
    rf"|(?<![\w:]){_CLOCK}(?![\w:])|(?<![\w.])(?:\d+\.\d+|1\d{{9}})(?![\w.])"
)
_QUOTES = ("'", '"', "`", "=")  # before a title they make it a word of a command
_QUOTED = re.compile(r"""\s*(["'])(?P<text>(?:(?!\1).)*)\1,?\s*""")  # a string of JSON or a CSV
_LOOK_AHEAD = 50  # lines in which a prefix has to occur again


class Layout:
    """How a benchmark prints its tables."""

    opening: ClassVar[re.Pattern[str] | None] = None  # first line; None where columns begin it
    columns: ClassVar[re.Pattern[str]]
    between: ClassVar[re.Pattern[str]] = re.compile("")  # line amid tables that share a title
    first_word: ClassVar[re.Pattern[str]] = re.compile(r"\d")  # how a row begins
    has_fixed_decimals: ClassVar[bool] = True

    def names(self, text: str) -> list[str]:
        return text.lstrip("# ").split()

    def fits(self, words: Sequence[str], names: Sequence[str]) -> bool:
        """Whether the words are a whole row."""
        return len(words) == len(names)

    def order(self, words: Sequence[str], names: Sequence[str]) -> int | None:
        """What grows from row to row; None where rows have no order."""
        return int(words[0]) if words[0].isdecimal() else None

    def goes_on(self, words: Sequence[str], last: Sequence[str], names: Sequence[str]) -> bool:
        """Whether a row after other text is of the same table as the last row before it."""
        before, after = self.order(last, names), self.order(words, names)
        return before is not None and after is not None and after > before

    def flaw(self, text: str, names: Sequence[str]) -> str:
        """Why a line that begins like a row is none."""
        return f"{len(text.split())} columns where {', '.join(names)} are due"


@dataclass
class Table:
    """What one run of a benchmark printed under one line of columns."""

    layout: Layout
    title: Line
    stream: str
    names: list[str] = field(default_factory=list)
    before: list[Line] = field(default_factory=list)  # text since the columns of the table above
    after: list[Line] = field(default_factory=list)  # text up to the columns of the next one
    rows: list[Line] = field(default_factory=list)
    flaws: list[tuple[Line, str]] = field(default_factory=list)
    amid: list[Line] = field(default_factory=list)  # other text between its rows


@dataclass
class Log:
    """Tables in the order of their titles, and rows of numbers that belong to none of them."""

    tables: list[Table] = field(default_factory=list)
    loose: list[list[Line]] = field(default_factory=list)


def cleaned(text: str) -> str:
    """The line without colours, and of what a progress bar overwrites only the last."""
    return _CONTROL.sub("", text.rstrip("\r").rpartition("\r")[2])


def _unquoted(text: str) -> str:
    match = _QUOTED.fullmatch(text)
    return match["text"] if match else text


def scan(lines: Sequence[Line], layouts: Sequence[Layout]) -> Log:
    """All tables of the layouts, whichever prefix stands before their lines."""
    log = Log()
    lines = [Line(line.path, line.number, _unquoted(cleaned(line.text))) for line in lines]
    end = lines[-1].number if lines and lines[-1].text else None  # of a line without a break
    for prefix, stream in _streams(lines, layouts).items():
        _Scan(log, layouts, prefix, end).run(stream)
    log.tables.sort(key=lambda table: table.title.number)
    return log


def _streams(lines: Sequence[Line], layouts: Sequence[Layout]) -> dict[str, list[Line]]:
    """Lines by the pattern of their prefix, which is taken off."""
    anchor = re.compile(
        "|".join(f"(?:{_bare((each.opening or each.columns).pattern)})" for each in layouts)
    )
    prefixes: dict[str, re.Pattern[str]] = {}
    cut: dict[int, str] = {}
    for index, line in enumerate(lines):
        match = anchor.search(line.text)
        if match is None or (before := line.text[: match.start()]).endswith(_QUOTES):
            continue
        if before.strip() and not any(each.fullmatch(before) for each in prefixes.values()):
            pattern = _prefix(before, lines[index + 1 : index + 1 + _LOOK_AHEAD])
            if pattern is None:
                cut[index] = line.text[match.start() :]
            else:
                prefixes[pattern.pattern] = pattern
    streams: dict[str, list[Line]] = {"": [], **{key: [] for key in prefixes}}
    patterns = sorted(prefixes.values(), key=lambda each: -len(each.pattern))
    for index, line in enumerate(lines):
        text = cut.get(index, line.text)
        start = next((each for each in patterns if each.match(text)), None)
        key, rest = ("", text) if start is None else (start.pattern, start.sub("", text, count=1))
        streams[key].append(Line(line.path, line.number, rest.strip()))
    return streams


def _landmark(layouts: Sequence[Layout]) -> re.Pattern[str]:
    """Any line by which a layout knows its tables, from its begin."""
    patterns = [
        each.pattern for layout in layouts for each in (layout.opening, layout.columns) if each
    ]
    return re.compile("|".join(f"(?:{_bare(each)})" for each in patterns))


def _bare(pattern: str) -> str:
    return re.sub(r"\(\?P<\w+>", "(?:", pattern)


def _prefix(text: str, following: Sequence[Line]) -> re.Pattern[str] | None:
    """Pattern of the prefix: of the same number where that occurs again, else of any number."""
    for is_number_kept in (True, False):
        pattern = re.compile(_generalised(text, is_number_kept=is_number_kept))
        if any(pattern.match(line.text) for line in following):
            return pattern
    return None


def _generalised(text: str, *, is_number_kept: bool) -> str:
    """Pattern of a prefix, in which a time is any time and blanks are any number of blanks."""
    parts, position = [], 0
    for match in [*_CHANGES.finditer(text), None]:
        literal = re.escape(text[position : match.start() if match else len(text)])
        parts.append(literal if is_number_kept else re.sub(r"\d+", r"\\d+", literal))
        if match is not None:
            time = re.sub(r"\d+", r"\\d+", re.escape(match[0]))
            parts.append(re.sub(rf"{_DAY}|{_MONTH}", "[A-Z][a-z]{2}", time))
            position = match.end()
    pattern = re.sub(r"(?:\\?\s)+", r"\\s+", "".join(parts))
    pattern = pattern.removeprefix(r"\s+").removesuffix(r"\s+")
    ends_in_word = re.search(r"\w$|\\d\+$", pattern) is not None
    return rf"\s*{pattern}" + (r"(?:\s+|$)" if ends_in_word else r"\s*")


class _Scan:
    """One stream, line by line."""

    def __init__(
        self, log: Log, layouts: Sequence[Layout], prefix: str, unterminated: int | None
    ) -> None:
        self.log = log
        self.layouts = layouts
        self.landmark = _landmark(layouts)
        self.prefix = prefix
        self.unterminated = unterminated
        self.table: Table | None = None
        self.is_closed = True
        self.is_interrupted = False
        self.ends: set[int] = set()  # numbers of rows that something else follows
        self.text: list[Line] = []  # since the last line of columns
        self.since_row: list[Line] = []
        self.loose: list[Line] | None = None

    def run(self, lines: Sequence[Line]) -> None:
        for line in lines:
            layout = None
            if self.landmark.match(line.text):
                layout = self._opened(line) or self._with_columns(line)
            if layout is None and self._row(line):
                continue
            self._end_row()
            if layout is None:
                self._pass(line)
        self._finish()

    def _opened(self, line: Line) -> Layout | None:
        for layout in self.layouts:
            if layout.opening is not None and layout.opening.match(line.text):
                self._begin(Table(layout, line, self.prefix))
                self.text.append(line)
                return layout
        return None

    def _with_columns(self, line: Line) -> Layout | None:
        for layout in self.layouts:
            if layout.columns.match(line.text) is None:
                continue
            if layout.opening is not None and not self._is_titled(layout):
                continue
            before = self.text
            if self.table is None or layout.opening is None:
                self._begin(Table(layout, line, self.prefix))
            elif self.table.names:  # a title stands above several tables
                before = [*self.table.before, *self.text]
                self._begin(Table(layout, self.table.title, self.prefix))
            assert self.table is not None
            self.text = []
            self.table.before, self.table.after = before, self.text
            self.table.names = layout.names(line.text)
            self.is_closed = False
            return layout
        return None

    def _is_titled(self, layout: Layout) -> bool:
        if self.table is None or self.table.layout is not layout:
            return False
        return not self.table.names or any(layout.between.match(line.text) for line in self.text)

    def _begin(self, table: Table) -> None:
        self._finish()
        self.log.tables.append(table)
        self.table, self.is_closed, self.is_interrupted = table, True, False
        self.ends, self.since_row = set(), []

    def _row(self, line: Line) -> bool:
        """Take up a row, or note that it is none; whether the line is settled."""
        table, words = self.table, line.text.split()
        if table is None or self.is_closed or not _is_like_row(table, line.text):
            return False
        if self.is_interrupted and table.rows and _is_loose(line.text, None):
            self.is_closed = not table.layout.fits(words, table.names)
            if self.is_closed:
                return False
        if not table.layout.fits(words, table.names):
            table.flaws.append((line, table.layout.flaw(line.text, table.names)))
            self._end_row()
            self.is_interrupted = True
            return True
        last = table.rows[-1].text.split() if self.is_interrupted and table.rows else None
        if last is not None and not table.layout.goes_on(words, last, table.names):
            self.is_closed = True
            return False
        table.rows.append(line)
        table.amid += self.since_row
        self.is_interrupted, self.since_row, self.loose = False, [], None
        return True

    def _end_row(self) -> None:
        if self.table is not None and self.table.rows:
            self.ends.add(self.table.rows[-1].number)

    def _pass(self, line: Line) -> None:
        """Pass over a line that is no row of an open table."""
        self.text.append(line)
        if self.table is not None and self.table.rows:
            self.is_interrupted = True
            self.since_row += [line] if line.text else []
            self.is_closed = self.is_closed or _is_heading(line.text)
        if not _is_loose(line.text, self.table):
            self.loose = None
        elif self.is_closed:
            if self.loose is None:
                self.loose = []
                self.log.loose.append(self.loose)
            self.loose.append(line)

    def _finish(self) -> None:
        table = self.table
        self._end_row()
        if table is None or not table.layout.has_fixed_decimals:
            return
        follows = self.since_row[0].number - 1 if self.since_row else None
        for row in [row for row in table.rows if row.number in self.ends]:
            others = [other for other in table.rows if other is not row]
            if _is_shorter(row, others) or (
                not others
                and row.number in (self.unterminated, follows)
                and _is_short(row, table.names)
            ):
                table.rows.remove(row)
                table.flaws.append((row, "the row was cut off"))


def _begins_row(layout: Layout, text: str) -> bool:
    return layout.first_word.match(text) is not None and _DATE.match(text) is None


def _is_like_row(table: Table, text: str) -> bool:
    words = text.split()
    return _begins_row(table.layout, text) or (
        len(words) > 1
        and table.layout.fits(words, table.names)
        and any((decimals(word) or 0) > 0 for word in words[1:])
    )


def _is_heading(text: str) -> bool:
    """Whether the line may name the columns, or be the title, of a table of another program."""
    if _OF_TABLES.search(text) is None:
        return False
    cells = re.split(r"\s{2,}|\t|,", text)
    return text.startswith("#") or (
        len(cells) > 1 and all(map(_NAME.fullmatch, filter(None, cells)))
    )


def _is_loose(text: str, table: Table | None) -> bool:
    words = text.split()
    if len(words) > 1 and all(map(_NUMBER.fullmatch, words)):
        return True
    return (
        table is not None
        and bool(table.names)
        and _begins_row(table.layout, text)
        and table.layout.fits(words, table.names)
    )


def decimals(word: str) -> int | None:
    """Characters after the point, also of an exponent; -1 of a point without any.

    None of a word that is no number.
    """
    if _NUMBER.fullmatch(word) is None:
        return None
    _, point, behind = word.partition(".")
    return (len(behind) or -1) if point else 0


def _is_shorter(row: Line, others: Sequence[Line]) -> bool:
    """Whether a number of the row has fewer decimals than in all others."""
    for index, count in enumerate(map(decimals, row.text.split())):
        if count is None or index == 0:  # the size has no decimals
            continue
        usual = {
            decimals(words[index]) for other in others if len(words := other.text.split()) > index
        }
        if count < 0 or (len(usual) == 1 and (least := usual.pop()) is not None and count < least):
            return True
    return False


def _is_short(row: Line, names: Sequence[str]) -> bool:
    """Whether the last time of a single row has fewer decimals than the two of benchmarks."""
    words = row.text.split()
    times = [word for name, word in zip(names, words, strict=False) if _IN_SECONDS.search(name)]
    count = decimals((times or words)[-1])
    return count is not None and count < 2
