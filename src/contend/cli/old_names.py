"""Commands that had other names before: they still run, and say the new name."""

from collections.abc import Sequence
from itertools import takewhile

from contend.cli import output

# Words that a command line begins with, and those that stand for them now.
OLD_NAMES = {
    "exchange library": "alltoall run --library",
    "exchange": "alltoall",
    "graph draw": "draw",
    "graph solve": "solve",
    "run": "alltoall run",
    "sweep": "replay --vary",
    "trace info": "trace show",
}


def renewed(words: Sequence[str]) -> list[str]:
    """Return a command line by its new names, and say so where it had an old one.

    >>> renewed(["sweep", "trace"])
    ['replay', '--vary', 'trace']
    """
    before = list(takewhile(lambda word: word.startswith("-"), words))
    after = list(words[len(before) :])
    for count in (2, 1):
        old = " ".join(after[:count])
        if new := OLD_NAMES.get(old):
            output.note(f"'contend {old}' is 'contend {new}' now; the old name will go")
            return [*before, *new.split(), *after[count:]]
    return list(words)
