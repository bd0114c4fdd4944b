"""What a file of rules is, for the library of a program, and whether it can be seen to work."""

import itertools
from dataclasses import dataclass, replace
from pathlib import Path

from contend.base.errors import InvalidInputError
from contend.base.result import Result
from contend.base.wholefile import require_place
from contend.measure.launcher import parse_launch
from contend.measure.mpi import MPI
from contend.measure.preload import fitting_library
from contend.measure.runner import SILENT, Listener, Progress
from contend.schedules.libraries import Version, library_of, version_text
from contend.tune.choose.verified_gains import VerifiedGains
from contend.tune.exports import FORMATS, Format, format_named
from contend.tune.exports.marks import unmarked
from contend.tune.verification.junit import cases_of, errors_in, write_junit
from contend.tune.verification.reasons import Failure, Reason, reasons_of, recorded
from contend.tune.verification.summary import result_of
from contend.tune.verification.verify import Trial, Verified, verify

SEED = 1  # of the order within pairs
FAIL_ON = "ignored,unknown,slower,reordered"


def trial_of(
    rules_file: str | Path,
    program: list[str],
    *,
    pairs: int = 5,
    target: str | None = None,
    timeout: float = 1800.0,
    mpicc: str | None = None,
) -> Trial:
    """What `verify_rules` runs, checked but not run."""
    rules_file, launch = Path(rules_file), parse_launch(program)
    text = unmarked(rules_file)
    require_seen(text, rules_file, target)
    library = fitting_library(launch, mpicc)
    form, version = format_of(text, library.mpi, rules_file, target)
    return Trial(launch, library.path, library.mpi, rules_file, form, version, pairs, SEED, timeout)


def run_trial(trial: Trial, listener: Listener = SILENT) -> Verified:
    """Verify, after what stands in the way was noted, and say what begins."""
    for obstacle in trial.obstacles:
        listener.note(f"warning: {obstacle.message}: {obstacle.remedy}")
    with listener.progress("running") as show:
        begun = itertools.count()

        def advance(step: str) -> None:
            if show is not None:
                show(Progress(step, 0.0, next(begun), 2 * trial.pairs or 1))

        return verify(trial, advance)


@dataclass(frozen=True)
class Verification:
    """What was found, the reasons against the rules, and what was written where."""

    verified: Verified
    reasons: list[Reason]
    notes: tuple[str, ...] = ()

    def result(self) -> Result:
        """Return what ran, what it gained, and the verdict: exit code 1 where it failed."""
        return replace(result_of(self.verified, self.reasons), notes=self.notes)


def verify_rules(
    rules_file: str | Path,
    program: list[str],
    *,
    pairs: int = 5,
    target: str | None = None,
    timeout: float = 1800.0,
    mpicc: str | None = None,
    fail_on: str = FAIL_ON,
    gains_file: str | Path | None = None,
    junit: str | Path | None = None,
    listener: Listener = SILENT,
) -> Verification:
    """Run a program with rules and without, in `pairs` (0: once with them), and judge each call.

    Parameters
    ----------
    target
        Format of the rules, where that is not evident from them.
    timeout
        Seconds after which a run hangs.
    fail_on
        Kinds of reasons that make it fail, apart by commas: of `Failure`.
    gains_file
        Where gains are added to, for `Network.decisions`.
    junit
        Where the same is written for a CI server.

    >>> verify_rules("rules.conf", ["mpiexec", "./my_app"], pairs=0).reasons
    []

    Raises
    ------
    ContendError
        Where no rules of the program's library are in the file, or nothing shows what they do.
    """
    failures = _failures(fail_on)
    rules_file, gains_path, page = Path(rules_file), _path(gains_file), _path(junit)
    if gains_path and not pairs:
        raise InvalidInputError(
            "-o is for gains, and one run has none", "leave --repeat pairs=0 out"
        )
    for path in filter(None, (gains_path, page)):  # what cannot be written, before anything runs
        require_place(path)
    with errors_in(page, str(rules_file)):
        trial = trial_of(
            rules_file, program, pairs=pairs, target=target, timeout=timeout, mpicc=mpicc
        )
        if gains_path and gains_path.exists():  # nor what cannot be added to
            VerifiedGains.load(gains_path).require(
                trial.form.library_name, version_text(trial.version), str(gains_path)
            )
        verified = run_trial(trial, listener)
    reasons, notes = reasons_of(verified, failures), []
    if gains_path:
        gains = recorded(verified)
        gains.added_to(gains_path).save(gains_path)
        notes.append(f"gains: {gains_path}")
        if verified.slower_departures or any(program.is_slower for program in gains.programs):
            notes.append(
                "to leave to the library what was slower: contend choose NETWORK --table "
                f"--verified {gains_path} -o DECISIONS, then export and verify again"
            )
    if page:
        write_junit(page, str(rules_file), cases_of(verified, reasons, failures))
        notes.append(f"JUnit: {page}")
    return Verification(verified, reasons, tuple(notes))


def _path(name: str | Path | None) -> Path | None:
    return None if name is None else Path(name)


def _failures(text: str) -> set[Failure]:
    words = [word.strip() for word in text.split(",") if word.strip()]
    names = [failure.value for failure in Failure]
    for word in words:
        if word not in names:
            raise InvalidInputError(
                f"--fail-on {word!r} is no reason", f"choose from {', '.join(names)}"
            )
    return {Failure(word) for word in words}


def format_of(text: str, mpi: MPI, path: Path, target: str | None) -> tuple[Format, Version]:
    """The format of the rules, and the version of the library that the program has."""
    library, version = library_of(mpi.title)
    if target:
        form, _ = format_named(target)
        fitting = [form] if form.library_name == library.name else []
    else:
        formats = [form for form in FORMATS.all() if form.library_name == library.name]
        fitting = [form for form in formats if form.serves(version) and form.recognises(text)]
    if fitting and not fitting[0].names_algorithms:
        raise InvalidInputError(
            f"{path} has {fitting[0].title}, which name no algorithm that could be seen",
            "verify the file of coll/tuned that it is beside",
        )
    if not fitting:
        raise InvalidInputError(
            f"{path} is no file of rules for {library.title} {version_text(version)}, which the "
            "program uses",
            "make one with 'contend tune export --library', or name its format with --library",
        )
    return fitting[0], version


def require_seen(text: str, path: Path, target: str | None) -> None:
    """Raise an error where nothing shows what the rules do."""
    forms = [format_named(target)[0]] if target else FORMATS.all()
    fitting = [form for form in forms if target or form.recognises(text)]
    if fitting and all(form.by_hand for form in fitting):
        raise InvalidInputError(
            f"{path} is {fitting[0].title}: which algorithm it makes run is not seen here",
            fitting[0].by_hand,
        )
