"""Probes: which further measurements of an exchange would narrow its predictions the most."""
