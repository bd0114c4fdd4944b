"""What if no message shared the network with another one: a bound, which no network reaches."""

from collections.abc import Iterator

from contend.flows.carriages import ALONE
from contend.replay.replay import Replay
from contend.replay.setting import Setting
from contend.replay.whatif import Candidate, Change


class NoContention(Change):
    """Every message as if it were alone."""

    name = "alone"

    def candidates(self, setting: Setting, found: Replay) -> Iterator[Candidate]:
        """Where messages share it now."""
        if setting.model != ALONE:
            changed = setting.changed({"--model": ALONE}, model=ALONE, parameters=None)
            yield Candidate("no contention: every message alone", changed, is_bound=True)
