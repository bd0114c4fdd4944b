"""Readers of traces, one file per format."""
