"""What a file of rules is, for the library of a program, and whether it can be seen to work."""

from pathlib import Path

from contend.base.errors import InvalidInputError
from contend.measure.launcher import parse_launch
from contend.measure.mpi import MPI
from contend.measure.preload import fitting_library
from contend.schedules.libraries import Version, library_of, version_text
from contend.tune.exports import FORMATS, Format, format_named
from contend.tune.exports.marks import unmarked
from contend.tune.verification.verify import Trial, Verified, verify

SEED = 1  # of the order within pairs


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


def verify_rules(
    rules_file: str | Path,
    program: list[str],
    *,
    pairs: int = 5,
    target: str | None = None,
    timeout: float = 1800.0,
    mpicc: str | None = None,
) -> Verified:
    """Run a program with rules and without, in `pairs` (0: once with them), and judge each call.

    `target` is the format of the rules, where that is not evident from them; `timeout` seconds
    after which a run hangs.

    >>> verify_rules("rules.conf", ["mpiexec", "./app"]).cells  # doctest: +SKIP

    Raises
    ------
    ContendError
        Where no rules of the program's library are in the file, or nothing shows what they do.
    """
    return verify(
        trial_of(rules_file, program, pairs=pairs, target=target, timeout=timeout, mpicc=mpicc)
    )


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
    fitting = [form for form in forms if target or form.recognises(text)]
    if fitting and all(one.by_hand for one in fitting):
        raise InvalidInputError(
            f"{path} is {fitting[0].title}, and what that does is not seen here", fitting[0].by_hand
        )
