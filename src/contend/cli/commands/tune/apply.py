"""contend tune apply: from a network file to rules that a program was seen to gain by."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from contend.base.textfile import read_text
from contend.base.wholefile import make_folder, require_place
from contend.cli import options, verified
from contend.cli.commands.tune.export import loading, loading_lines, requested, write_rules
from contend.cli.commands.tune.verify import Failure, format_of, reasons_of, require_seen, run_trial
from contend.cli.options import argument, option
from contend.cli.result import Line, Part, Result
from contend.cli.verified import Reason
from contend.measure.build import cache_folder
from contend.measure.launcher import LaunchCommand, parse_launch
from contend.measure.mpi import MPI
from contend.measure.preload import fitting_library
from contend.measure.scratch import scratch
from contend.models.network import Network
from contend.tune.choose.decide import decide
from contend.tune.choose.rules import Decisions
from contend.tune.choose.verified import VerifiedGains
from contend.tune.exports import Export, Finding, Format, Request, worst
from contend.tune.verification.record import recorded
from contend.tune.verification.shipped import decided
from contend.tune.verification.verify import Trial, Verified

ORDER = 0
EXAMPLE = "contend tune apply network.json --for openmpi-5 -o rules.conf -- mpiexec -n 16 ./my_app"
ROUNDS = 5  # of taking back what was slower
SEED = 1  # of the order within pairs
FAILURES = frozenset((Failure.ignored, Failure.unknown, Failure.reordered, Failure.slower))


@dataclass(frozen=True)
class Attempt:
    """Rules as they were decided, written and checked; `found` is None where none departs."""

    decisions: Decisions
    form: Format
    request: Request
    exported: Export
    findings: list[Finding]
    found: Verified | None

    @property
    def gains(self) -> VerifiedGains | None:
        """What the program gained, where departures are surely slower than the default."""
        if self.found is None:
            return None
        gains = recorded(self.found)
        is_loss = self.found.slower_departures or any(one.is_slower for one in gains.programs)
        return gains if is_loss else None

    @property
    def reasons(self) -> list[Reason]:
        """Why the rules are not written."""
        faults = [str(one) for one in self.findings if one.level == "error"]
        found = [] if self.found is None else reasons_of(self.found, set(FAILURES))
        return [*(Reason("lint", fault) for fault in faults), *found]


@dataclass(frozen=True)
class Job:
    """What rules are for, and how they are tried."""

    network: Network
    launch: LaunchCommand
    library: Path
    mpi: MPI
    file: Path
    target: str | None
    processes_per_node: int | None
    own: Path | None
    pairs: int
    timeout: float
    all_commute: bool

    def attempt(self, gains: Sequence[VerifiedGains]) -> Attempt:
        """Decide, write to a folder that all hosts see, check, and run the program in pairs."""
        decisions = decide(self.network, verified=gains, all_commute=self.all_commute)
        form, request = requested(
            decisions, self.target, self.processes_per_node, self.own, all_commute=self.all_commute
        )
        parent = cache_folder()
        make_folder(parent)
        with scratch(parent, "apply-") as folder:
            path = folder / self.file.name
            if self.file.is_file():  # its other rules stay, and are tried too
                shutil.copyfile(self.file, path)
            exported = write_rules(path, form, form.write(request), request)
            text = read_text(path)
            findings = form.lint(text, request.version)
            found = None
            if worst(findings) != "error" and self._departs(text, form, request):
                found = run_trial(self._trial(path, text, exported))
            return Attempt(decisions, form, request, exported, findings, found)

    def _departs(self, text: str, form: Format, request: Request) -> bool:
        rules = decided(text, form, request.version, self.library)
        return any(not rule.is_default for rule in rules)

    def _trial(self, path: Path, text: str, exported: Export) -> Trial:
        require_seen(text, path, self.target)
        form, version = format_of(text, self.mpi, path, self.target)
        return Trial(
            self.launch, self.library, self.mpi, path, form, version, self.pairs, SEED,
            self.timeout, exported.settings,
        )  # fmt: skip


def command(
    network_file: options.NetworkFile,
    program: list[str] = argument("Launcher, program and arguments.", metavar="COMMAND..."),
    output_file: Path = option(
        "File of rules; one that exists keeps what nothing was decided on.", "-o", "--output"
    ),
    target: options.RuleFormat = None,
    pairs: int = option("Runs with and without the rules, in turn.", default=5, min=2),
    processes_per_node: options.DecidedPerNode = None,
    own: options.OwnRules = None,
    timeout: float = option(
        "After which a run hangs.", default=1800.0, parser=options.duration(1.0), metavar="TIME"
    ),
    all_commute: options.AllCommute = False,
    mpicc: options.MpiccOfProgram = None,
) -> Result:
    """Choose, export, lint and verify in one: rules that a program was seen to gain by, or none.

    What is slower in the program is taken back, until nothing is. The file is written last, and
    whole: rules that are in effect, or that leave all to the library where nothing beats its
    default. Exit code 1 where rules are not in effect; then nothing is written.
    """
    require_place(output_file)
    launch = parse_launch(program)
    library = fitting_library(launch, mpicc)
    job = Job(
        Network.load(network_file), launch, library.path, library.mpi, output_file, target,
        processes_per_node, own, pairs, float(timeout), all_commute,
    )  # fmt: skip
    gains: list[VerifiedGains] = []
    attempt = job.attempt(gains)
    while (lost := attempt.gains) and len(gains) < ROUNDS:
        gains.append(lost)
        attempt = job.attempt(gains)
    reasons = attempt.reasons
    settings: dict[str, str] = {}
    if not reasons:
        exported = write_rules(
            output_file, attempt.form, attempt.form.write(attempt.request), attempt.request
        )
        settings = loading(output_file, attempt.form, exported, attempt.request)
    data = {
        "file": None if reasons else str(output_file),
        "reasons": [one.text for one in reasons],
        "taken_back": len(gains),
        "settings": settings,
        "lint": attempt.findings,
        "verified": attempt.found and verified.verified(attempt.found, reasons).data,
    }
    parts = _parts(attempt, len(gains), reasons, settings, output_file)
    return Result(data, parts, code=bool(reasons))


def _parts(
    attempt: Attempt,
    taken_back: int,
    reasons: Sequence[Reason],
    settings: Mapping[str, str],
    path: Path,
) -> Iterator[Part]:
    """Show notes, what lint says, what ran and what was gained, and the verdict at the end."""
    yield from (f"note: {note}" for note in attempt.exported.notes)
    yield from (f"{one.level}: {one}" for one in attempt.findings)
    if taken_back:
        times = "once" if taken_back == 1 else f"{taken_back} times"
        yield f"taken back {times}: what was slower in the program than the default"
    if attempt.found is not None:
        yield from verified.verified(attempt.found, reasons).parts
    elif reasons:
        yield f"failed: {'; '.join(one.text for one in reasons)}"
    if reasons:
        yield f"{path} is left as it was"
        return
    yield from loading_lines(settings)
    if attempt.found is None:
        yield Line(f"leave it: nothing beats the library's default, and {path} says so")
    else:
        yield Line(f"{path}: {verified.gained(attempt.found)}")
