"""What was found, how sure that is, and what to do next: where the page and a study's end begin.

It is about what users have, the exchange by the library's own choice: where contention costs it
most, what spares that, and the command that follows.
"""

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from contend.base.number_text import percent
from contend.base.result import command_line
from contend.base.units import format_bytes, format_seconds
from contend.models.network import Operation
from contend.models.prediction.per_call import Call, measured_calls
from contend.report import text
from contend.report.figures.figure import Findings
from contend.report.figures.overview import beside, shown_operation
from contend.report.text import counts, sizes
from contend.samples.setting import OF_LIBRARY, own_name
from contend.tune.choose.rules import Rule

DECISIONS = "decisions.json"  # beside the page
LITTLE = 1.5  # times the bound: what is below is hardly contention
OFTEN = 0.05  # of the calls with a time-out, from which on it is reported


@dataclass(frozen=True)
class Answer:
    """Sentences, the most important one first, and the command to run next."""

    sentences: tuple[str, ...]
    command: str


def answer(findings: Findings, folder: Path = Path()) -> Answer | None:
    """None where nothing was fitted; the command names files of a study in `folder`."""
    operation = shown_operation(findings)
    if operation is None:
        return None
    rules = _rules(findings)
    worst_call, sure = _worst_call(findings, operation), text.accuracy(operation)
    remedy = [*_apart(findings, operation), *_remedy(rules, operation), *_left_out(findings)]
    if not worst_call:
        remedy.append(text.signature_sentence(operation))
    sentences = (*worst_call, *remedy, sure, *_emulated(findings))
    return Answer(sentences, _command(findings, operation, rules, folder))


def _rules(findings: Findings) -> list[Rule]:
    """What is decided of operations whose algorithms were compared."""
    compared = {
        operation.operation
        for operation in findings.network.operations
        if OF_LIBRARY in operation.algorithm
    }
    decided = findings.decisions.rules if findings.decisions else ()
    return [rule for rule in decided if rule.operation in compared]


def _worst_call(findings: Findings, operation: Operation) -> list[str]:
    """The call that is farthest above the bound; nothing where none is known.

    Of those that algorithms of the library were compared at, where there are such.
    """
    calls = measured_calls(findings.network, operation)
    ranked = [(call.over_bound, call) for call in calls if call.over_bound is not None]
    if not ranked:
        return []
    rivals = (
        measured_calls(findings.network, rival) for rival in beside(findings.network, operation)
    )
    compared = {(call.n, call.m) for calls in rivals for call in calls}
    ranked = [pair for pair in ranked if (pair[1].n, pair[1].m) in compared] or ranked
    ratio, worst = max(ranked, key=lambda pair: pair[0])
    call = f"{_named(operation)} of {format_bytes(worst.m)} among {worst.n} processes"
    clause = f"takes {format_seconds(worst.seconds)}, {ratio:.2g} times what its messages need"
    if ratio < LITTLE:
        return [
            f"Contention costs little here: {call}, where it costs most, {clause} by themselves."
        ]
    return [f"{call} {clause} by themselves.", *_lost(operation, worst)]


def _lost(operation: Operation, worst: Call) -> list[str]:
    if operation.timeouts is None or worst.late < OFTEN:
        return []
    cost = format_seconds(float(operation.timeouts.cost))
    return [
        f"Messages are lost on the way: {percent(worst.late)} of the calls wait for a time-out of "
        f"{cost}."
    ]


def _emulated(findings: Findings) -> list[str]:
    labs = _labs(findings)
    if not labs:
        return []
    return [
        f"All of this is of the emulated network {' and '.join(labs)}: 'contend study' on a "
        "cluster says it of that one."
    ]


def _labs(findings: Findings) -> list[str]:
    return sorted({sample.provenance.lab for sample in findings.samples if sample.provenance.lab})


def _apart(findings: Findings, operation: Operation) -> list[str]:
    """The call at which algorithms of the library are farthest apart, and by how much."""
    calls: defaultdict[tuple[int, int], list[tuple[float, str]]] = defaultdict(list)
    for rival in beside(findings.network, operation):
        for call in measured_calls(findings.network, rival):
            calls[call.n, call.m].append((call.seconds, own_name(rival.algorithm)))
    spans = [
        (max(times)[0] / min(times)[0], point) for point, times in calls.items() if len(times) > 1
    ]
    if not spans:
        return []
    ratio, (n, m) = max(spans)
    (least, fastest), (_, slowest) = min(calls[n, m]), max(calls[n, m])
    return [
        f"It matters which algorithm is taken: {format_bytes(m)} among {n} processes take "
        f"{format_seconds(least)} by {fastest}, and {ratio:.2g} times as long by {slowest}."
    ]


def _remedy(rules: list[Rule], operation: Operation) -> list[str]:
    """What is significantly faster, of this operation if any; nothing if none was compared."""
    better = [rule for rule in rules if not rule.is_default and rule.gain is not None]
    if not better:
        return ["No other algorithm of the library is significantly faster."] if rules else []
    of_operation = [rule for rule in better if rule.operation == operation.operation]
    best = max(of_operation or better, key=lambda rule: (not rule.extrapolates, rule.gain or 0.0))
    interval = f" ({best.gain_low:.3g} to {best.gain_high:.3g})" if best.gain_low else ""
    faster = f"{best.gain:.3g} times faster{interval}, call by call, than the library's own choice"
    best_text = (
        f"The algorithm {best.algorithm} of {best.operation} is {faster} for {counts(best)} "
        f"processes and {sizes(best)}"
    )
    others = len(better) - 1
    more = f"; {others} more rule{'s take' if others > 1 else ' takes'} another for other calls"
    return [f"{best_text}{more if others else ''}."]


def _left_out(findings: Findings) -> list[str]:
    """What is not recommended whatever its times, as it reorders operands."""
    left_out = findings.decisions.left_out if findings.decisions else ()
    return [text.sentence(algorithm.words) for algorithm in left_out]


def _command(findings: Findings, operation: Operation, rules: list[Rule], folder: Path) -> str:
    if any(not rule.is_default for rule in rules):
        words = ["contend", "tune", "export", folder / DECISIONS, "-o", folder / "rules"]
    elif not rules and operation.is_default:
        words = ["contend", "measure", "library", "--collective", operation.operation]
        where = [word for lab in _labs(findings)[:1] for word in ("--on", f"lab:{lab}")]
        words += [*where, "-o", folder / "samples.jsonl"]
    else:
        most = max((sample.n for sample in findings.samples), default=max(operation.fitted_at[0]))
        words = ["contend", "predict", folder / "network.json", "-n", 2 * most, "-m", "64KiB"]
    return command_line(*words)


def _named(operation: Operation) -> str:
    if operation.is_default:
        name = f"MPI_{operation.operation.capitalize()}"
    else:
        name = f"The {own_name(operation.algorithm)} {operation.operation}"
    return f"{name} ({operation.conditions})" if operation.conditions else name
