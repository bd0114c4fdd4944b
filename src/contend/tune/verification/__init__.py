"""Verifying: whether rules are in effect in a program, and what the program gains by them."""
