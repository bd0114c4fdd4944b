"""Gather algorithms, m bytes of each rank to one."""
