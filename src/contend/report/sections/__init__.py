"""Sections of the pages, one file each, every one from data to markup."""
