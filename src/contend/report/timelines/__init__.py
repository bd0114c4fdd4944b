"""Timelines: what each rank of a program did when, as recorded or as replayed, for pictures."""
