"""Estimators, one a module: samples to a part of a network."""
