"""Formats of rules for MPI libraries, one file each."""
