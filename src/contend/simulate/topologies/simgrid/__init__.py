"""SimGrid platform files, version 4."""
