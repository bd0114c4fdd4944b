"""Routings, one file each: which of the paths of a topology a flow takes."""
