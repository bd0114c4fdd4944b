"""contend lab: emulated networks."""

import json
import os
import signal
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from contend.base.units import format_bytes, format_seconds
from contend.base.wholefile import write_whole
from contend.cli import completion, output
from contend.cli.folder import example
from contend.cli.options import argument, option
from contend.cli.result import Cell, Result, Table, picture
from contend.cli.signature import prepared
from contend.measure.lab import Lab, read_lab
from contend.measure.lab import profiles as shipped
from contend.measure.lab.clocks import meaning, watched
from contend.measure.lab.links import links_of
from contend.measure.lab.session import start
from contend.measure.lab.text import backbone_lines, buffer_text, rate_text
from contend.samples import LabConditions

ORDER = 8
PANEL = "Measure"
EXAMPLE = "contend lab profiles"
HELP = "Run MPI programs on an emulated network."

command = typer.Typer(help=HELP, no_args_is_help=True)

Name = Annotated[
    str,
    typer.Argument(
        help="Name of a profile, or a TOML file.",
        metavar="NAME_OR_FILE",
        autocompletion=completion.lab_names,
    ),
]


@command.command(epilog=example("contend lab profiles"))
@prepared
def profiles() -> Result:
    """List the networks that can be emulated by name."""
    labs = list(shipped().values())
    return Result(labs, [Table(labs, COLUMNS), "to look at one: contend lab draw NAME"])


def _alike(texts: Iterable[str]) -> str:
    """What the clusters have, said once where they have the same."""
    return " + ".join(dict.fromkeys(texts))


COLUMNS: dict[str, Cell] = {
    "lab": "name",
    "hosts": lambda lab: " + ".join(str(cluster.hosts) for cluster in lab.clusters),
    "rate": lambda lab: _alike(rate_text(cluster.rate) for cluster in lab.clusters),
    "buffers": lambda lab: _alike(buffer_text(cluster.buffer) for cluster in lab.clusters),
    "backbones": lambda lab: "\n".join(
        ", ".join(backbone_lines(backbone)[:2]) for backbone in lab.backbones
    ),
    "stands for": "description",
}


@command.command(epilog=example("contend lab shell two-clusters"))
def shell(lab: Name) -> None:
    """Open a shell inside: mpiexec uses its hosts, 'ssh HOST' enters one; leaving removes all."""
    wanted = read_lab(lab)
    hosts = [host.name for host in wanted.hosts]
    output.note(f"a shell in {wanted.name}: hosts {hosts[0]} to {hosts[-1]}, 'exit' removes it")
    raise typer.Exit(_run(wanted, [os.environ.get("SHELL", "/bin/sh")]))


@command.command(
    epilog=example("contend lab run two-clusters -- mpiexec -n 16 ./my_app"),
    context_settings={"ignore_unknown_options": True},
)
def run(
    lab: Name,
    program: list[str] = argument("What to run.", metavar="COMMAND..."),
) -> None:
    """Run a command inside, then say what the network did to its messages."""
    raise typer.Exit(_run(read_lab(lab), program))


def _run(wanted: Lab, program: list[str]) -> int:
    """Exit code of a command inside the lab."""
    with start(wanted) as running, watched(running, program) as clocks:
        for note in running.notes:
            output.note(note)
        if said := meaning(wanted):
            output.note(said)
            for path in clocks.static:
                output.note(f"{path} is statically linked: it sees real time, not these clocks")
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # the command decides what it means
        try:
            environment = {**os.environ, **running.variables}
            done = subprocess.run([*running.command(), *program], env=environment, check=False)
        finally:
            signal.signal(signal.SIGINT, before)
        running.require_alive()
        for path in clocks.unseen_by() if said else ():
            output.note(
                f"{path} did not see the clocks of {wanted.name}: divide the times that it "
                f"prints by {wanted.time_dilation:g}, or link it dynamically"
            )
        conditions = LabConditions.from_counters(running.counters(), running.lab.time_dilation)
    output.note(_summary(conditions))
    return done.returncode if done.returncode >= 0 else 128 - done.returncode


def _summary(conditions: LabConditions) -> str:
    text = (
        f"{conditions.frames} frames ({format_bytes(conditions.bytes)}), {conditions.drops} "
        f"dropped, {conditions.retransmissions} sent again ({conditions.timeouts} after a "
        f"time-out); {format_seconds(conditions.lateness_mean_s)} late on average"
    )
    if conditions.paused_s:
        text += f"; links stood still for {format_seconds(conditions.paused_s)} for want of room"
    return f"{text}; not valid: {conditions.limits_text}" if conditions.is_over_limits else text


@command.command(epilog=example("contend lab links two-clusters -o links.json"))
def links(
    lab: Name,
    output_file: Path | None = option("Topology file; default NAME.links.json.", "-o", "--output"),
) -> None:
    """Write the links of a network, with their buffers, as a topology for contend replay."""
    wanted = read_lab(lab)
    path = output_file or Path(f"{wanted.name}.links.json")
    write_whole(path, json.dumps(links_of(wanted), indent=1) + "\n")
    output.note(f"written to {path}; next: contend replay trace --network FILE --topology {path}")


@command.command(epilog=example("contend lab draw two-clusters -o two-clusters.svg"))
@prepared
def draw(
    lab: Name,
    output_file: Path | None = option(
        ".svg, .png, .pdf, .html; default NAME.svg.", "-o", "--output"
    ),
) -> Result:
    """Draw a network: hosts, switches, rates, latencies and buffers."""
    from contend.report.canvas.files import (  # programs do not wait for it
        check_picture,
        write_picture,
    )
    from contend.report.figures.lab import lab_drawing

    wanted = read_lab(lab)
    path = check_picture(output_file or Path(f"{wanted.name}.svg"))
    write_picture(lab_drawing(wanted), path)
    return picture(path)
