"""Which algorithm, with which options, is the fastest on a measured network."""

from contend.choose.decisions import DecisionMap, decision_map, map_counts, map_sizes
from contend.choose.ranking import Ranked, Ranking, rank
from contend.choose.segment import SegmentChoice, best_segment, best_segments

__all__ = [
    "DecisionMap",
    "Ranked",
    "Ranking",
    "SegmentChoice",
    "best_segment",
    "best_segments",
    "decision_map",
    "map_counts",
    "map_sizes",
    "rank",
]
