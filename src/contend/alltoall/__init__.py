"""Exchanges between joined clusters: groups of hosts, and the plan of a library."""
