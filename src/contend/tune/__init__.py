"""Tuning of MPI libraries: which algorithm, in which file, and what it brings."""
