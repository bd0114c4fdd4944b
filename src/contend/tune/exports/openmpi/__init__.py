"""What the formats of rules for Open MPI share."""
