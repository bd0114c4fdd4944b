"""The files of `contend record`: read block by block, and turned into operations."""
