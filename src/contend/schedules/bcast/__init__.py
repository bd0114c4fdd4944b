"""Broadcast algorithms, m bytes of one rank."""
