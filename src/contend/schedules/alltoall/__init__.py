"""All-to-all algorithms, m bytes per pair of ranks."""
