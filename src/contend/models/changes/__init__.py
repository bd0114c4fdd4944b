"""What changed between two campaigns or two networks, and what of it is significantly worse."""
