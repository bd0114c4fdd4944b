"""Retransmission time-outs: what one costs an exchange, and how often one has to be waited for."""

from contend.models.timeouts.record import TimeoutErrors, TimeoutPoints, Timeouts

__all__ = ["TimeoutErrors", "TimeoutPoints", "Timeouts"]
