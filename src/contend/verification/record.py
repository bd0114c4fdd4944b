"""What was verified, as the file that decisions heed."""

from contend.choose.verified import VerifiedCalls, VerifiedGains
from contend.libraries import library_of, version_text
from contend.verification.verify import Verified


def recorded(found: Verified) -> VerifiedGains:
    """The gains of all calls that a rule was for."""
    library, version = library_of(found.library)
    return VerifiedGains(
        library=library.name,
        library_version=version_text(version),
        calls=tuple(_calls(found)),
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
