"""Kinds of finding, one file each."""
