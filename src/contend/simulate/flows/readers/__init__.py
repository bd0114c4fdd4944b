"""Readers of contention graphs, one format a file."""
