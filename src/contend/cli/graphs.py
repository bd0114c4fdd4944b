"""Sharing models of a network file."""

from contend.report.sharing import sharing_of, unusable

__all__ = ["sharing_of", "unusable"]
