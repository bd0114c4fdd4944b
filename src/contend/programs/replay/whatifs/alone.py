"""What if no message shared the network with another one: a bound, which no network reaches."""

from collections.abc import Iterator

from contend.programs.replay.replay import Replay
from contend.programs.replay.setting import Setting
from contend.programs.replay.whatif import Candidate, Change
from contend.simulate.flows.models import ALONE


class NoContention(Change):
    name = "alone"

    def candidates(self, setting: Setting, replay: Replay) -> Iterator[Candidate]:
        """Where messages share it now."""
        if setting.model != ALONE:
            changed = setting.changed({"--model": ALONE}, model=ALONE, parameters=None)
            yield Candidate("no contention: every message alone", changed, is_bound=True)
