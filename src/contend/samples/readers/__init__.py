"""Readers of other benchmarks' output, one format a file."""
