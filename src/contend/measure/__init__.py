"""Measuring: which MPI, how it is built and launched, what is measured in which order."""
