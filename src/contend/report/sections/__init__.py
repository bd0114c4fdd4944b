"""Sections of the page, one file each, every one from data to markup."""
