"""All-gather algorithms."""
