"""Signature forms and the baselines they are compared with, one file each."""
