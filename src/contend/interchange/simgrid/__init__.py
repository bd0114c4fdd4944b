"""SimGrid: platforms written, and what SMPI has to be told of single messages."""
