"""Traces of any tool: readers turn the calls of each rank into operations to replay."""
