"""A selection tree that asks what belongs to a communicator before what belongs to a call.

Idea: the library follows the questions on a communicator once, when it is made, as far as the first
question on a call; what stands below that is asked at every call. A default that is written below
sizes brings its own questions on the communicator with it: on two local ranks these made calls of
256 B, of half a microsecond, 4 % slower (MPICH 4.0.2). So they go above the sizes, and sizes that
then run the same become one.
Restrictions: levels that end with "any", so that every communicator takes one of their branches.
"""

from contend.exports.csel.keys import key_of
from contend.exports.csel.narrow import is_leaf
from contend.exports.csel.shipped import Tree


def hoisted(sizes: Tree) -> Tree:
    """The level `sizes` of questions on calls with those on communicators above it.

    >>> hoisted({"avg_msg_size<=8": {"comm_hierarchy=parent": {"algorithm=A": {}},
    ...                              "comm_hierarchy=any": {"algorithm=B": {}}},
    ...          "avg_msg_size=any": {"algorithm=B": {}}})["comm_hierarchy=any"]
    {'algorithm=B': {}}
    """
    level = next((tuple(below) for below in sizes.values() if _is_of_communicator(below)), None)
    if level is None:
        return _merged(sizes)
    return {
        answer: hoisted(
            {
                size: below[answer] if tuple(below) == level else below
                for size, below in sizes.items()
            }
        )
        for answer in level
    }


def _is_of_communicator(tree: Tree) -> bool:
    """Whether a level asks of the communicator alone, and every one takes one of its branches."""
    keys = [key_of(text) for text in tree]
    return not is_leaf(tree) and keys[-1].is_any and not any(key.is_of_call for key in keys)


def _merged(sizes: Tree) -> Tree:
    """The level with neighbours that run the same as one; what they run where all do."""
    found: Tree = {}
    last = ""
    for size, below in sizes.items():
        if last and found[last] == below:
            del found[last]
        found[size], last = below, size
    return next(iter(found.values())) if len(found) == 1 else found
