"""What if every link were twice as fast."""

from collections.abc import Iterator

from contend.programs.replay.replay import Replay
from contend.programs.replay.setting import Setting
from contend.programs.replay.whatif import Candidate, Change, most_saved


class FasterLinks(Change):
    """Links that carry twice the bytes a second, latencies as they are."""

    name = "links"

    def candidates(self, setting: Setting, replay: Replay) -> Iterator[Candidate]:
        factor = 2.0 * setting.faster
        changed = setting.changed({"--faster": f"{factor:g}"}, faster=factor)
        most = most_saved(replay, "bytes", share=0.5)
        yield Candidate("links that carry twice as many bytes a second", changed, most=most)
