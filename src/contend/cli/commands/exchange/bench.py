"""contend exchange bench: every algorithm, the MPI library's own included, at every size."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from contend.alltoall.clusters.file import GroupsFile, read_groups
from contend.alltoall.clusters.groups import NODE
from contend.alltoall.clusters.plan import Plan, groups_of, plan_of, read_plan
from contend.base.errors import InvalidInputError
from contend.base.units import format_bytes, format_seconds, parse_bytes_list
from contend.cli import options, output
from contend.cli.campaigns.places import Where
from contend.cli.options import option
from contend.cli.result import Part, Result, Table
from contend.measure.calls import CallCampaign
from contend.measure.design import named
from contend.measure.emulation import require_hosts
from contend.measure.exchange.bench import Bench, hosts_of_ranks
from contend.measure.exchange.contenders import native_names, parse_contenders, usual
from contend.measure.exchange.placement import bound_of_links, bound_on_lab, placed
from contend.measure.exchange.table import CUT, LATE, RATIOS, Cell, Row, algorithms, means, rows
from contend.measure.lab import Lab
from contend.measure.lab.levels import declared as declared_of
from contend.measure.lab.levels import links
from contend.measure.limits import Limits
from contend.report.canvas.files import check_picture, write_picture
from contend.report.figures.exchange import exchange_drawing
from contend.samples import SampleStore

ORDER = 3
EXAMPLE = "contend exchange bench --on lab:two-clusters,buffer=24KiB --plot bench.svg"
SEED = 1  # of the order in which they are measured
SIZES = "64,256,1KiB,4KiB,16KiB,64KiB,256KiB"

_TITLES = {
    "default_over_auto": "native\n/ auto",
    "native_over_auto": "best native\n/ auto",
    "auto_over_bound": "auto\n/ bound",
    "default_over_bound": "native\n/ bound",
}
_FACTOR = "{:.2f}".format
_LONG = 12  # letters of a word that is folded


def command(
    where: Where,
    output_file: Path = option(
        "Samples file; continued if it exists.", "-o", "--output", default=Path("exchange.jsonl")
    ),
    groups_file: Path | None = option(
        "Groups file of 'contend clusters'; a lab's own are known.", "--groups"
    ),
    plan_file: Path | None = option(
        "Plan that the automatic choice reads; its links count too.", "--plan"
    ),
    n: int | None = option("Processes; default on a lab all hosts.", "-n", "--processes", min=2),
    sizes: str = option("Bytes that each sends each other.", "-m", "--sizes", default=SIZES),
    algorithms: str | None = option(
        "Who takes part: native, native:pairwise, auto, 'lg window=2', ...; default all that suit "
        "the groups, with windows that suit the slow link."
    ),
    launches: int = option("Launches that share the repetitions.", default=2, min=1),
    repetitions: int = option("Of each algorithm and size.", default=20, min=1),
    max_seconds: options.MaxSeconds = 120.0,
    max_minutes: float | None = option(
        "Most minutes to measure; go on by the same command.", min=0.1
    ),
    warmup: options.Warmup = None,
    plot: Path | None = option("Picture of the times: SVG, PNG or PDF."),
) -> Result:
    """Measure all algorithms of a total exchange against each other, and show what came of it.

    Each is an unmodified program that calls MPI_Alltoall and checks what it receives. A measurement
    that was stopped continues when the same command is given again.
    """
    asked = where.asked()
    mpi, wanted = asked.mpi, sorted(parse_bytes_list(sizes))
    if not wanted or wanted[0] < 1:
        raise InvalidInputError("an exchange of no bytes", f"give -m, e.g. {SIZES}")
    if plot:
        check_picture(plot)
    with SampleStore(output_file) as store:
        place, ppn = asked.place(store.existing()), where.ppn
        count = n or place.room(ppn)
        if count is None:
            raise InvalidInputError("the number of processes is not known", "give it with -n")
        if place.lab:
            require_hosts(place.lab, (count,), ppn)
        declared, plan = _declared_and_plan(groups_file, plan_file, place.lab)
        launch_options = place.launch_options(
            0.05,
            1,
            warmup,
            max_seconds=max_seconds,
            processes_per_node=ppn,
            timeout=asked.timeout or 60.0,
        )
        chosen = parse_contenders(algorithms, mpi) if algorithms else None
        if chosen is None and not native_names(mpi):
            output.note(
                f"how to force algorithms of the library under {mpi.title} is not known: of its "
                "own, what it chooses is measured alone"
            )
        placement = placed(declared, hosts_of_ranks(mpi, count, launch_options, place.lab))
        known = [link for link in plan.links if link.level == placement.dividing.name]
        slow = next(iter(known), None)
        bench = Bench(
            {m: chosen or usual(mpi, placement, slow, m) for m in wanted},
            count, declared, plan, launches, repetitions, SEED,
        )  # fmt: skip
        limits = Limits.of(max_minutes, bears_losses=True)
        with asked.running(place, output_file) as (lab, progress):
            campaign = bench.measure(mpi, store, launch_options, progress, lab, limits)

    def bound(m: int) -> float | None:
        if place.lab:
            return bound_on_lab(place.lab, placement, m)
        return bound_of_links(plan.links, placement, m)

    found = [row for row in rows(campaign.samples, count, bound) if row.m in wanted]
    title = f"{mpi.title}, {count} processes, {place.lab.name if place.lab else 'here'}"
    if plot:
        write_picture(exchange_drawing(found, title), plot)
    data = {
        "samples": output_file,
        "title": title,
        "rows": [row.record() for row in found],
        "geometric_means": means(found),
        "lost": named(campaign.lost),
    }
    return Result(data, _parts(found, title, campaign))


def _declared_and_plan(
    groups_file: Path | None, plan_file: Path | None, lab: Lab | None
) -> tuple[GroupsFile, Plan]:
    """The groups that all contenders know, and the plan that the automatic choice reads.

    Groups are those of a file, else of the plan, else of the lab; where no plan is given, it has
    what is known of the lab's links.
    """
    plan = read_plan(plan_file) if plan_file else None
    if groups_file:
        declared = read_groups(groups_file)
    elif plan:
        declared = groups_of(plan)
    else:
        declared = declared_of(lab) if lab else GroupsFile()
    if plan is None:
        levels = {NODE, *(level.name for level in declared.levels)}
        known = links(lab) if lab else ()
        plan = plan_of(declared, [link for link in known if link.level in levels])
    elif plan.levels != plan_of(declared).levels:
        raise InvalidInputError(
            f"{plan_file} and {groups_file} name other groups",
            "make the plan with the same groups, or leave out --groups",
        )
    return declared, plan


def _parts(rows: Sequence[Row], title: str, campaign: CallCampaign) -> Iterator[Part]:
    """Show the rows, their geometric means, and what is missing."""
    columns = columns_of(rows)
    width = 12 + sum(_widest([name, *column]) + 3 for name, column in columns.items())
    yield Table(columns, title=f"{title}: median, 90 % of the repetitions", width=width)
    cells = [cell for row in rows for cell in row.cells.values()]
    if any(cell.is_flagged for cell in cells):
        yield f"{LATE}: the emulated network was late; the same command measures it again"
    if any(cell.is_cut for cell in cells):
        yield (
            f"{CUT}: fewer repetitions than were asked for, since a launch may take no longer for "
            "a size; measure it with a larger --max-seconds, into another file"
        )
    if campaign.lost:
        yield f"lost: {', '.join(named(campaign.lost))}: {campaign.loss}"


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
    folded = (one if len(one) < _LONG else one.replace("_", "_\n", 1) for one in words)
    return "\n".join(folded)


def _text(cell: Cell | None) -> str:
    if cell is None:
        return "–"
    return f"{cell.marked}\n{format_seconds(cell.high)}"


def _or_dash(value: float | None, text: Callable[[float], str]) -> str:
    return "–" if value is None else text(value)


def _widest(cells: Sequence[str]) -> int:
    return max(len(line) for cell in cells for line in cell.splitlines() or [""])
