"""All algorithms of a total exchange, measured against each other and against the bound."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from contend.alltoall.clusters.file import GroupsFile, read_groups
from contend.alltoall.clusters.groups import NODE
from contend.alltoall.clusters.plan import Plan, groups_of, plan_of, read_plan
from contend.base.errors import InvalidInputError
from contend.base.result import Part, Result, Table
from contend.base.units import format_bytes, format_seconds
from contend.measure.campaigns.options import MeasureOptions
from contend.measure.design import named
from contend.measure.emulation import require_hosts
from contend.measure.exchange.bench import Bench, hosts_of_ranks
from contend.measure.exchange.contenders import native_variables, parse_contenders, usual
from contend.measure.exchange.placement import bound_of_links, bound_on_lab, placed
from contend.measure.exchange.table import CUT, LATE, RATIOS, Cell, Row, algorithms, means, rows
from contend.measure.lab import Lab
from contend.measure.lab.levels import declared as declared_of
from contend.measure.lab.levels import links
from contend.samples import SampleStore

SIZES = "64,256,1KiB,4KiB,16KiB,64KiB,256KiB"
MAX_SECONDS = 120.0  # for one size of one launch
_TITLES = {
    "default_over_auto": "native\n/ auto",
    "native_over_auto": "best native\n/ auto",
    "auto_over_bound": "auto\n/ bound",
    "default_over_bound": "native\n/ bound",
}
_FACTOR = "{:.2f}".format
_LONG = 12  # letters of a word that is folded


@dataclass(frozen=True)
class ExchangeComparison:
    """Rows by size, what they are of, the file of their samples, and what was lost and why."""

    samples: Path
    title: str
    rows: list[Row]
    lost: list[str]
    loss: str

    def result(self) -> Result:
        data = {
            "samples": self.samples,
            "title": self.title,
            "rows": [row.record() for row in self.rows],
            "geometric_means": means(self.rows),
            "lost": self.lost,
        }
        return Result(data, bench_parts(self.rows, self.title, self.lost, self.loss))


def compare_exchanges(
    path: str | Path,
    options: MeasureOptions,
    sizes: Sequence[int],
    n: int | None = None,
    *,
    groups: str | Path | None = None,
    plan: str | Path | None = None,
    algorithms: str | None = None,
    repetitions: int = 20,
) -> ExchangeComparison:
    """Measure every algorithm at every size, the MPI library's own included, into a samples file.

    Parameters
    ----------
    groups, plan
        Files of groups, and of the plan that the automatic choice reads; default what is known of
        a lab.
    algorithms
        Who takes part, apart by commas; default all that suit the groups.
    """
    path, mpi, wanted = Path(path), options.mpi, sorted(sizes)
    if not wanted or wanted[0] < 1:
        raise InvalidInputError("an exchange of no bytes", f"give -m, e.g. {SIZES}")
    with SampleStore(path) as store:
        place, ppn = options.place(store.existing()), options.processes_per_node
        count = n or place.room(ppn)
        if count is None:
            raise InvalidInputError("the number of processes is not known", "give it with -n")
        if place.lab:
            require_hosts(place.lab, (count,), ppn)
        declared, made = _declared_and_plan(groups, plan, place.lab)
        launch_options = place.launch_options(
            0.05, 1, options.warmup, max_seconds=options.max_seconds or MAX_SECONDS,
            processes_per_node=ppn, timeout=options.timeout or 60.0,
        )  # fmt: skip
        chosen = parse_contenders(algorithms, mpi) if algorithms else None
        if chosen is None and not native_variables(mpi):
            options.listener.note(
                f"how to force algorithms of the library under {mpi.title} is not known: of its "
                "own, what it chooses is measured alone"
            )
        placement = placed(declared, hosts_of_ranks(mpi, count, launch_options, place.lab))
        slow = next((link for link in made.links if link.level == placement.dividing.name), None)
        bench = Bench(
            {m: chosen or usual(mpi, placement, slow, m) for m in wanted},
            count, declared, made, options.launches or 2, repetitions, options.seed,
        )  # fmt: skip
        with options.running(place, path, launch_options, bears_losses=True) as runner:
            campaign = bench.measure(runner, store)

    def bound(m: int) -> float | None:
        if place.lab:
            return bound_on_lab(place.lab, placement, m)
        return bound_of_links(made.links, placement, m)

    comparison = [row for row in rows(campaign.samples, count, bound) if row.m in wanted]
    title = f"{mpi.title}, {count} processes, {place.lab.name if place.lab else 'here'}"
    return ExchangeComparison(path, title, comparison, named(campaign.lost), campaign.loss)


def _declared_and_plan(
    groups_file: str | Path | None, plan_file: str | Path | None, lab: Lab | None
) -> tuple[GroupsFile, Plan]:
    """The groups that all contenders know, and the plan that the automatic choice reads.

    Groups are those of a file, else of the plan, else of the lab; where no plan is given, it has
    what is known of the lab's links.
    """
    plan = read_plan(Path(plan_file)) if plan_file else None
    if groups_file:
        declared = read_groups(Path(groups_file))
    elif plan:
        declared = groups_of(plan)
    else:
        declared = declared_of(lab) if lab else GroupsFile()
    if plan is None:
        levels = {NODE, *(level.name for level in declared.levels)}
        lab_links = links(lab) if lab else ()
        plan = plan_of(declared, [link for link in lab_links if link.level in levels])
    elif plan.levels != plan_of(declared).levels:
        raise InvalidInputError(
            f"{plan_file} and {groups_file} name other groups",
            "make the plan with the same groups, or leave out --groups",
        )
    return declared, plan


def bench_parts(rows: Sequence[Row], title: str, lost: Sequence[str], loss: str) -> Iterator[Part]:
    columns = columns_of(rows)
    width = 12 + sum(_widest([name, *column]) + 3 for name, column in columns.items())
    yield Table(columns, title=f"{title}: median, 90 % of the repetitions", width=width)
    cells = [cell for row in rows for cell in row.cells.values()]
    if any(cell.is_flagged for cell in cells):
        yield f"{LATE}: the emulated network was late; the same command measures it again"
    if any(cell.is_cut for cell in cells):
        yield (
            f"{CUT}: fewer repetitions than were asked for, since a launch may take no longer for "
            "a size; measure it with a larger --repeat time=, into another file"
        )
    if lost:
        yield f"lost: {', '.join(lost)}: {loss}"


def columns_of(rows: Sequence[Row]) -> dict[str, list[str]]:
    """Return the text of the table: a line for each size, at its end the geometric means."""
    of_all = means(rows)
    return {
        "m": [*(format_bytes(row.m) for row in rows), "mean"],
        **{
            _folded(name): [*(_text(row.cells.get(name)) for row in rows), ""]
            for name in algorithms(rows)
        },
        "bound": [*(_or_dash(row.bound, format_seconds) for row in rows), ""],
        **{
            _TITLES[name]: [
                *(_or_dash(row.ratios[name], _FACTOR) for row in rows),
                _or_dash(of_all[name], _FACTOR),
            ]
            for name in RATIOS
        },
    }


def _folded(name: str) -> str:
    """Over several lines, so that the column is hardly wider than its times."""
    words = name.replace(":", ": ").split()
    folded = (word if len(word) < _LONG else word.replace("_", "_\n", 1) for word in words)
    return "\n".join(folded)


def _text(cell: Cell | None) -> str:
    if cell is None:
        return "–"
    return f"{cell.marked}\n{format_seconds(cell.high)}"


def _or_dash(value: float | None, text: Callable[[float], str]) -> str:
    return "–" if value is None else text(value)


def _widest(cells: Sequence[str]) -> int:
    return max(len(line) for cell in cells for line in cell.splitlines() or [""])
