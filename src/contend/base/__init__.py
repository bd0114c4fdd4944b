"""What every room stands on: errors, units, documents, files, registries, statistics."""
