"""Algorithms of a total exchange against each other: who runs, where, and what came of it."""
