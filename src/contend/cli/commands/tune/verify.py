"""contend tune verify: which algorithm really ran, against the rules, and what they gained."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path

from contend.base.errors import ContendError, InvalidInputError
from contend.base.wholefile import require_place
from contend.cli import completion, options, output, verified
from contend.cli.junit import CHECKS, Case, cases_of, write_junit
from contend.cli.options import argument, option
from contend.cli.result import Result
from contend.cli.verified import Reason
from contend.measure.launcher import parse_launch
from contend.measure.mpi import MPI
from contend.measure.preload import fitting_library
from contend.schedules.libraries import Version, library_of, version_text
from contend.tune.choose.verified import VerifiedGains
from contend.tune.exports import FORMATS, Format, format_named
from contend.tune.exports.marks import unmarked
from contend.tune.verification.verdict import Verdict
from contend.tune.verification.verify import Trial, Verified, verify

ORDER = 3
EXAMPLE = "contend tune verify rules.conf -- mpiexec -n 16 ./my_app"
SEED = 1  # of the order within pairs


class Failure(StrEnum):
    """What the exit code tells."""

    ignored = "ignored"
    unknown = "unknown"
    unused = "unused"
    slower = "slower"
    reordered = "reordered"


def command(
    rules_file: Path = argument("File of rules, of 'contend tune export'.", metavar="RULES"),
    program: list[str] = argument("Launcher, program and arguments.", metavar="COMMAND..."),
    pairs: int = option(
        "Runs with and without the rules, in turn; 0: one run with them alone.", default=5, min=0
    ),
    fail_on: str = option(
        "What ends with exit code 1: ignored (a rule that is used is not in effect), unknown (that "
        "cannot be told), unused (a rule is never used), slower (a rule, the program, or all its "
        "collective calls are slower than by default beyond chance), reordered (an operation that "
        "does not commute met an algorithm that reorders operands: its results are wrong).",
        default="ignored,unknown,slower,reordered",
        metavar="WHAT,...",
    ),
    target: str | None = option(
        "Format of the rules, e.g. openmpi-5.",
        "--for",
        metavar="LIBRARY",
        autocompletion=completion.rule_formats,
    ),
    timeout: float = option(
        "After which a run hangs.", default=1800.0, parser=options.duration(1.0), metavar="TIME"
    ),
    output_file: Path | None = option(
        "Gains of each rule, for 'contend choose --verified'; added to what is there.",
        "-o",
        "--output",
    ),
    junit: Path | None = option(
        "The same as JUnit XML, for a CI server: a testcase for each rule and each check.",
        "--junit",
        metavar="FILE",
    ),
    mpicc: options.MpiccOfProgram = None,
) -> Result:
    """Run a program with rules and without, and say what ran, call by call, and what was gained.

    The program is not changed. Exit code 0: all rules that the program uses are in effect, and
    nothing is slower; see --fail-on.
    """
    failures = _failures(fail_on)
    if output_file and not pairs:
        raise InvalidInputError("-o is for gains, and one run has none", "leave --pairs 0 out")
    for path in filter(None, (output_file, junit)):  # what cannot be written, before anything runs
        require_place(path)
    with _said_to_server(junit, rules_file):
        launch = parse_launch(program)
        text = unmarked(rules_file)
        require_seen(text, rules_file, target)
        library = fitting_library(launch, mpicc)
        form, version = format_of(text, library.mpi, rules_file, target)
        if output_file and output_file.exists():  # nor what cannot be added to
            VerifiedGains.load(output_file).require(
                form.library_name, version_text(version), str(output_file)
            )
        trial = Trial(
            launch, library.path, library.mpi, rules_file, form, version, pairs, SEED,
            float(timeout),
        )  # fmt: skip
        found = run_trial(trial)
    reasons = reasons_of(found, failures)
    if output_file:
        verified.save(found, output_file)
    if junit:
        write_junit(junit, str(rules_file), cases_of(found, reasons, failures))
        output.note(f"JUnit: {junit}")
    return verified.verified(found, reasons)


@contextmanager
def _said_to_server(junit: Path | None, rules_file: Path) -> Iterator[None]:
    """A context of which an error stands in the file for a CI server too."""
    try:
        yield
    except ContendError as error:
        if junit:
            write_junit(junit, str(rules_file), [Case(CHECKS, "runs", error=str(error))])
        raise


def run_trial(trial: Trial) -> Verified:
    """Verify, with a bar of the runs, after what stands in the way was shown."""
    for one in trial.obstacles:
        output.warn(f"{one.message}: {one.remedy}")
    with verified.progress(trial.pairs) as advance:
        return verify(trial, advance)


def _failures(text: str) -> set[Failure]:
    words = [word.strip() for word in text.split(",") if word.strip()]
    known = [one.value for one in Failure]
    for word in words:
        if word not in known:
            raise InvalidInputError(
                f"--fail-on {word!r} is no reason", f"choose from {', '.join(known)}"
            )
    return {Failure(word) for word in words}


def format_of(text: str, mpi: MPI, path: Path, target: str | None) -> tuple[Format, Version]:
    """The format of the rules, and the version of the library that the program has."""
    library, version = library_of(mpi.title)
    if target:
        form, _ = format_named(target)
        fitting = [form] if form.library_name == library.name else []
    else:
        own = [form for form in FORMATS.all() if form.library_name == library.name]
        fitting = [form for form in own if form.serves(version) and form.recognises(text)]
    if fitting and not fitting[0].names_algorithms:
        raise InvalidInputError(
            f"{path} has {fitting[0].title}, which name no algorithm that could be seen",
            "verify the file of coll/tuned that it is beside",
        )
    if not fitting:
        raise InvalidInputError(
            f"{path} is no file of rules for {library.title} {version_text(version)}, which the "
            "program uses",
            "make one with 'contend tune export --for', or name its format with --for",
        )
    return fitting[0], version


def require_seen(text: str, path: Path, target: str | None) -> None:
    """Raise an error where nothing shows what the rules do."""
    forms = [format_named(target)[0]] if target else FORMATS.all()
    fitting = [one for one in forms if target or one.recognises(text)]
    if fitting and all(one.by_hand for one in fitting):
        raise InvalidInputError(
            f"{path} is {fitting[0].title}, and what that does is not seen here", fitting[0].by_hand
        )


def reasons_of(found: Verified, failures: set[Failure]) -> list[Reason]:
    """Why the exit code is not 0, in words."""
    reasons = []
    by_verdict = (
        (Failure.ignored, (Verdict.not_in_effect, Verdict.in_part), "not in effect"),
        (Failure.unknown, (Verdict.unknown,), "of which it cannot be told"),
        (Failure.unused, (Verdict.unused,), "never used"),
    )
    for failure, verdicts, words in by_verdict:
        if failure in failures and (count := len(found.ruled_as(*verdicts))):
            reasons.append(Reason(failure, f"{count} of {len(found.ruled)} rules {words}"))
    unused = found.ruled_as(Verdict.unused)
    if found.ruled and len(unused) == len(found.ruled) and Failure.unused not in failures:
        reasons.append(Reason(Failure.unused, "no rule is ever used by the program"))
    if Failure.slower in failures and found.slower:
        reasons.append(Reason(Failure.slower, f"{len(found.slower)} slower than by default"))
    if Failure.reordered in failures and found.reordered:
        calls = sum(one.calls for one in found.reordered) / len(found.watched)
        text = f"{calls:.4g} calls compute wrong numbers, as operands are reordered"
        reasons.append(Reason(Failure.reordered, text))
    if Failure.slower in failures and found.is_slower_together:
        text = "all collective calls together take longer than by default"
        reasons.append(Reason(Failure.slower, text))
    return reasons
