"""Kinds of finding, one a file: what in the times speaks for it, and its remedy."""
