"""What the collective calls of production cost: records of jobs, and their sums over a site."""
