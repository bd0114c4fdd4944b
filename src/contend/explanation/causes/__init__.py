"""Suspected causes, one a file: each says what in the times speaks for it."""
