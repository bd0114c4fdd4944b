"""Which algorithm, with which options, is the fastest on a measured network."""

from contend.tune.choose.decisions import DecisionMap, decision_map, map_counts, map_sizes
from contend.tune.choose.ranking import Ranked, Ranking, rank
from contend.tune.choose.tuning import best_segments

__all__ = [
    "DecisionMap",
    "Ranked",
    "Ranking",
    "best_segments",
    "decision_map",
    "map_counts",
    "map_sizes",
    "rank",
]
