"""Scatter algorithms."""
