"""What if all ranks computed as long as the mean of them, or half as long."""

from collections.abc import Iterator

from contend.base.units import format_seconds
from contend.programs.replay.replay import Replay
from contend.programs.replay.setting import Setting, computation
from contend.programs.replay.whatif import Candidate, Change, most_saved


class Balance(Change):
    """The computation of each rank scaled to the mean."""

    name = "balance"

    def candidates(self, setting: Setting, replay: Replay) -> Iterator[Candidate]:
        """Where ranks compute, and not all as long."""
        if setting.trace.requires_offsets.size:
            return
        seconds = computation(setting.trace) * setting.compute
        slowest = int(seconds.argmax())
        if seconds.max() <= 0:
            return
        if not setting.is_balanced and seconds.max() > seconds.mean() * (1 + 1e-9):
            changed = setting.changed({"--balanced": True}, is_balanced=True)
            yield Candidate(
                f"computation balanced over the ranks: {format_seconds(float(seconds.mean()))} "
                f"each, where rank {slowest} has {format_seconds(float(seconds.max()))} now",
                changed,
                most=most_saved(replay, "computing"),
            )
        factor = setting.compute / 2
        changed = setting.changed({"--compute": f"{factor:g}"}, compute=factor)
        most = most_saved(replay, "computing", share=0.5)
        yield Candidate("computation twice as fast on all ranks", changed, most=most)
