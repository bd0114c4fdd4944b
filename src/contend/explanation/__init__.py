"""What the times of a benchmark lose, by which suspected cause, and what to try next."""
