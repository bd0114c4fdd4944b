"""contend tune verify: which algorithm really ran, against the rules, and what they gained."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from contend.base.errors import ContendError, InvalidInputError
from contend.base.wholefile import require_place
from contend.cli import completion, options, output, verification
from contend.cli.junit import CHECKS, Case, cases_of, write_junit
from contend.cli.options import argument, option
from contend.cli.result import Result
from contend.schedules.libraries import version_text
from contend.tune.choose.verified_gains import VerifiedGains
from contend.tune.verification.reasons import Failure, reasons_of
from contend.tune.verification.trial import trial_of
from contend.tune.verification.verify import Trial, Verified, verify

ORDER = 3
EXAMPLE = "contend tune verify rules.conf -- mpiexec -n 16 ./my_app"


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
        trial = trial_of(
            rules_file, program, pairs=pairs, target=target, timeout=float(timeout), mpicc=mpicc
        )
        if output_file and output_file.exists():  # nor what cannot be added to
            VerifiedGains.load(output_file).require(
                trial.form.library_name, version_text(trial.version), str(output_file)
            )
        found = run_trial(trial)
    reasons = reasons_of(found, failures)
    if output_file:
        verification.save(found, output_file)
    if junit:
        write_junit(junit, str(rules_file), cases_of(found, reasons, failures))
        output.note(f"JUnit: {junit}")
    return verification.verified(found, reasons)


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
    with verification.progress(trial.pairs) as advance:
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
