"""The library's own algorithms, each forced in turn, beside its default."""
