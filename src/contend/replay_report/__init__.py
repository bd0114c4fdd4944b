"""The page of a replay: what contention costs a program, where, and what would pay most."""
