"""Kinds of what-ifs, one file each."""
