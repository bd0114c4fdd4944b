"""Findings in measured times: what changes with n and m, what is lost and why, what to try."""
