"""Flows that share a network, and the end time of each under a sharing model."""
