"""Whole programs: their traces, replayed on a network, and swept over many cases."""
