"""The report: one page that works offline, and figures for papers, from a network and samples."""

from contend.report.page import write_report

__all__ = ["write_report"]
