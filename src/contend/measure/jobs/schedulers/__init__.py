"""Batch systems, one file each."""
