"""Estimates and their intervals, whatever was measured."""
