"""Structure of a measured all-to-all: what changes with the size and with the processes."""
