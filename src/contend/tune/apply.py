"""From a network to rules that a program was seen to gain by: decided, written, checked, tried.

What is slower in the program is taken back, until nothing is.
"""

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from contend.base.result import Line, Part, Result
from contend.base.textfile import read_text
from contend.base.wholefile import make_folder, require_place
from contend.measure.build import cache_folder
from contend.measure.launcher import LaunchCommand, parse_launch
from contend.measure.mpi import MPI
from contend.measure.preload import fitting_library
from contend.measure.runner import SILENT, Listener
from contend.measure.scratch import scratch
from contend.models.network import Network
from contend.tune.choose.decide import decide, require_rivals
from contend.tune.choose.rules import Decisions
from contend.tune.choose.verified_gains import VerifiedGains
from contend.tune.exports import Export, Finding, Format, Request, worst
from contend.tune.exports.rulesfile import loading, loading_parts, requested, with_old, write_rules
from contend.tune.verification.library_rules import decided
from contend.tune.verification.reasons import Failure, Reason, reasons_of, recorded
from contend.tune.verification.summary import gained, result_of
from contend.tune.verification.trial import SEED, format_of, require_seen, run_trial
from contend.tune.verification.verify import Trial, Verified

ROUNDS = 5  # of taking back what was slower
FAILURES = frozenset((Failure.ignored, Failure.unknown, Failure.reordered, Failure.slower))


@dataclass(frozen=True)
class Attempt:
    """Rules as they were decided, written and checked; `verified` is None where none departs."""

    decisions: Decisions
    form: Format
    request: Request
    exported: Export
    findings: list[Finding]
    verified: Verified | None

    @property
    def gains(self) -> VerifiedGains | None:
        """What the program gained, where departures are significantly slower than the default."""
        if self.verified is None:
            return None
        gains = recorded(self.verified)
        is_loss = self.verified.slower_departures or any(
            program.is_slower for program in gains.programs
        )
        return gains if is_loss else None

    @property
    def reasons(self) -> list[Reason]:
        faults = [str(finding) for finding in self.findings if finding.level == "error"]
        failed = [] if self.verified is None else reasons_of(self.verified, FAILURES)
        return [*(Reason("lint", fault) for fault in faults), *failed]


@dataclass(frozen=True)
class Task:
    """What rules are for, and how they are tried."""

    network: Network
    launch: LaunchCommand
    library: Path
    mpi: MPI
    file: Path
    target: str | None
    processes_per_node: int | None
    library_rules: str | Path | None
    pairs: int
    timeout: float
    all_commute: bool
    listener: Listener

    def attempt(self, gains: Sequence[VerifiedGains]) -> Attempt:
        """Decide, write to a folder that all hosts see, check, and run the program in pairs."""
        decisions = decide(self.network, verified=gains, all_commute=self.all_commute)
        form, request = requested(
            decisions, self.target, self.processes_per_node, self.library_rules,
            all_commute=self.all_commute, note=self.listener.note,
        )  # fmt: skip
        parent = cache_folder()
        make_folder(parent)
        with scratch(parent, "apply-") as folder:
            path = folder / self.file.name
            if self.file.is_file():  # its other rules stay, and are tried too
                shutil.copyfile(self.file, path)
            request = with_old(request, path, form)
            exported = write_rules(path, form, form.write(request), request)
            text = read_text(path)
            findings = form.lint(text, request.version)
            verified = None
            if worst(findings) != "error" and self._departs(text, form, request):
                verified = run_trial(self._trial(path, text, exported), self.listener)
            return Attempt(decisions, form, request, exported, findings, verified)

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


@dataclass(frozen=True)
class Applied:
    """The last attempt, how often rules were taken back before, and how the file is loaded.

    The file is written where there are no `reasons` against it.
    """

    path: Path
    attempt: Attempt
    taken_back: int
    reasons: list[Reason]
    settings: dict[str, str] = field(default_factory=dict)

    def result(self) -> Result:
        """Return what lint says, what ran and what was gained, and the verdict at the end."""
        attempt, reasons = self.attempt, self.reasons
        verified = result_of(attempt.verified, reasons) if attempt.verified else None
        data = {
            "file": None if reasons else str(self.path),
            "reasons": [reason.text for reason in reasons],
            "taken_back": self.taken_back,
            "settings": self.settings,
            "lint": attempt.findings,
            "verified": verified and verified.data,
        }
        return Result(data, self._parts(verified), code=bool(reasons))

    def _parts(self, verified: Result | None) -> Iterator[Part]:
        attempt, reasons = self.attempt, self.reasons
        yield from (f"note: {note}" for note in attempt.exported.notes)
        yield from (f"{finding.level}: {finding}" for finding in attempt.findings)
        if self.taken_back:
            times = "once" if self.taken_back == 1 else f"{self.taken_back} times"
            yield f"taken back {times}: what was slower in the program than the default"
        if verified is not None:
            yield from verified.parts
        elif reasons:
            yield f"failed: {'; '.join(reason.text for reason in reasons)}"
        if reasons:
            yield f"{self.path} is left as it was"
            return
        yield from loading_parts(self.settings)
        if attempt.verified is None:
            yield Line(f"leave it: nothing beats the library's default, and {self.path} says so")
        else:
            yield Line(f"{self.path}: {gained(attempt.verified)}")


def apply_rules(
    network_file: str | Path,
    program: list[str],
    output_file: str | Path,
    *,
    target: str | None = None,
    pairs: int = 5,
    processes_per_node: int | None = None,
    own: str | Path | None = None,
    timeout: float = 1800.0,
    all_commute: bool = False,
    mpicc: str | None = None,
    listener: Listener = SILENT,
) -> Applied:
    """Write rules that are in effect in a program and lose nowhere, or none where they are not.

    `target` is a format (default that of the library measured), `own` the library that shall
    obey, or its own rules, which MPICH needs.

    >>> apply_rules("network.json", ["mpiexec", "./my_app"], "rules", pairs=2).path.name
    'rules'

    Raises
    ------
    ContendError
        Where nothing can be decided on, written or run.
    """
    output_file = Path(output_file)
    require_place(output_file)
    network = Network.load(network_file)
    require_rivals(network)
    launch = parse_launch(program)
    library = fitting_library(launch, mpicc)
    task = Task(
        network, launch, library.path, library.mpi, output_file, target, processes_per_node, own,
        pairs, timeout, all_commute, listener,
    )  # fmt: skip
    gains: list[VerifiedGains] = []
    attempt = task.attempt(gains)
    while (lost := attempt.gains) and len(gains) < ROUNDS:
        gains.append(lost)
        attempt = task.attempt(gains)
    if reasons := attempt.reasons:
        return Applied(output_file, attempt, len(gains), reasons)
    form, request = attempt.form, attempt.request
    request = with_old(request, output_file, form)
    exported = write_rules(output_file, form, form.write(request), request)
    return Applied(
        output_file, attempt, len(gains), [], loading(output_file, form, exported, request)
    )
