"""Barrier algorithms, which move no bytes."""
