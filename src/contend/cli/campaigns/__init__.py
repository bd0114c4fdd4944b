"""What commands measure: where, for how long, and what they say meanwhile."""
