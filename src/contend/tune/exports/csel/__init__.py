"""MPICH's selection of collective algorithms: its trees, and rules in them."""
