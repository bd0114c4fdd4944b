"""The report: one page that works offline, and figures for papers, from a network and samples."""
