"""Figures for papers, PNG and SVG, a file per operation and subject; captions are the author's.

matplotlib is used through its `Figure` alone, so that nothing global changes.
"""

from contend.report.figures.write import file_names, write_figures

__all__ = ["file_names", "write_figures"]
