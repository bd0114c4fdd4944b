"""Gather algorithms."""
