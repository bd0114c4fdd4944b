"""Batch jobs: one script for one allocation in which a whole campaign is measured."""
