"""Links between groups of hosts: what is measured over them, and what is learnt from it."""
