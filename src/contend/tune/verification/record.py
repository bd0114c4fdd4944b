"""What was verified, as the file that decisions heed."""

from contend.schedules.libraries import library_of, version_text
from contend.tune.choose.verified_gains import VerifiedCalls, VerifiedGains, VerifiedProgram
from contend.tune.verification.verify import Verified


def recorded(verified: Verified) -> VerifiedGains:
    """The gains of all calls that a rule was for, and of all collective calls together."""
    library, version = library_of(verified.library)
    return VerifiedGains(
        library=library.name,
        library_version=version_text(version),
        calls=tuple(_calls(verified)),
        programs=tuple(_programs(verified)),
    )


def _calls(verified: Verified) -> list[VerifiedCalls]:
    rows = []
    for cell, gain in verified.cells.items():
        served = [call for call in verified.served if call.cell == cell]
        if cell.rule is None or not served:
            continue
        rows.append(
            VerifiedCalls(
                operation=cell.operation,
                n=cell.n,
                processes_per_node=verified.watched[0].per_node,
                m=min(call.m_low for call in served),
                m_last=max(call.m_high for call in served),
                algorithm=cell.rule.algorithm,
                options=dict(cell.rule.options),
                gain=gain.value,
                gain_low=gain.low,
                gain_high=gain.high,
                pairs=gain.pairs,
                is_slower=cell in verified.slower,
            )
        )
    return rows


def _programs(verified: Verified) -> list[VerifiedProgram]:
    """One for each n of departures, where none alone is to blame: that one is mended first."""
    departures: dict[int, dict[str, set[str]]] = {}
    for cell, rule in verified.departures.items():
        departures.setdefault(cell.n, {}).setdefault(cell.operation, set()).add(rule.algorithm)
    gain = verified.collectives
    if gain is None or not departures or verified.slower_departures:
        return []
    return [
        VerifiedProgram(
            n=n,
            ranks=verified.watched[0].ranks,
            processes_per_node=verified.watched[0].per_node,
            gain=gain.value,
            gain_low=gain.low,
            gain_high=gain.high,
            pairs=gain.pairs,
            is_slower=verified.is_slower_together,
            departures={
                name: tuple(sorted(algorithms)) for name, algorithms in sorted(operations.items())
            },
        )
        for n, operations in sorted(departures.items())
    ]
