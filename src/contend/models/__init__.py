"""Models: what samples tell of a network, what it foretells, and what stands out."""
