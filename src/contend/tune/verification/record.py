"""What was verified, as the file that decisions heed."""

from contend.schedules.libraries import library_of, version_text
from contend.tune.choose.verified_gains import VerifiedCalls, VerifiedGains, VerifiedProgram
from contend.tune.verification.verify import Verified


def recorded(found: Verified) -> VerifiedGains:
    """The gains of all calls that a rule was for, and of all collective calls together."""
    library, version = library_of(found.library)
    return VerifiedGains(
        library=library.name,
        library_version=version_text(version),
        calls=tuple(_calls(found)),
        programs=tuple(_programs(found)),
    )


def _calls(found: Verified) -> list[VerifiedCalls]:
    rows = []
    for cell, gain in found.cells.items():
        served = [one for one in found.served if one.cell == cell]
        if cell.rule is None or not served:
            continue
        rows.append(
            VerifiedCalls(
                operation=cell.operation,
                n=cell.n,
                processes_per_node=found.watched[0].per_node,
                m=min(one.m_low for one in served),
                m_last=max(one.m_high for one in served),
                algorithm=cell.rule.algorithm,
                options=dict(cell.rule.options),
                gain=gain.value,
                gain_low=gain.low,
                gain_high=gain.high,
                pairs=gain.pairs,
                is_slower=cell in found.slower,
            )
        )
    return rows


def _programs(found: Verified) -> list[VerifiedProgram]:
    """One for each n of departures, where none alone is to blame: that one is mended first."""
    departures: dict[int, dict[str, set[str]]] = {}
    for cell, rule in found.departures.items():
        departures.setdefault(cell.n, {}).setdefault(cell.operation, set()).add(rule.algorithm)
    gain = found.collectives
    if gain is None or not departures or found.slower_departures:
        return []
    return [
        VerifiedProgram(
            n=n,
            ranks=found.watched[0].ranks,
            processes_per_node=found.watched[0].per_node,
            gain=gain.value,
            gain_low=gain.low,
            gain_high=gain.high,
            pairs=gain.pairs,
            is_slower=found.is_slower_together,
            departures={
                name: tuple(sorted(algorithms)) for name, algorithms in sorted(own.items())
            },
        )
        for n, own in sorted(departures.items())
    ]
