"""The files of `contend record`: read block by block, and turned into operations."""

from contend.traces.recorded.files import RankFile, Title, read_rank, read_title

__all__ = ["RankFile", "Title", "read_rank", "read_title"]
