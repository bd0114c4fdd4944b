"""Text of DUMPI traces: calls, datatypes and communicators of each rank, and what they do."""
