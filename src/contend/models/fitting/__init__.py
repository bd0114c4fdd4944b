"""Samples to network: every model and form that the samples allow."""
