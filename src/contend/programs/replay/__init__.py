"""Replay of whole programs, message by message: traces on a network that is shared."""

from contend.programs.replay.message_times import Line, LogGOPS, MessageTimes, Plogp
from contend.programs.replay.replay import Replay, replay

__all__ = ["Line", "LogGOPS", "MessageTimes", "Plogp", "Replay", "replay"]
