"""Broadcast algorithms."""
