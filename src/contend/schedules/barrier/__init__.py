"""Barrier algorithms."""
