"""All-gather algorithms, m bytes of each rank."""
