"""Traces: what each rank of a program did, call by call, whatever tool wrote it."""
