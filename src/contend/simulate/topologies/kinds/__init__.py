"""Topologies that can be written by a word or in a topology file, one file each."""
