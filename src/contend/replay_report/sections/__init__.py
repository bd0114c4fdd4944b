"""Sections of the page of a replay, one file each."""
