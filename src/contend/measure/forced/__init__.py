"""The library's own algorithms, each forced in turn, and its default: which, how, in which order."""
