"""Formats of other tools, one file each."""
