"""By what messages of a replay can share a network: sharing models, ports, TCP, or nothing.

Apart from the replay, which takes longer to import than a command has to show its options.
"""

from contend.simulate.flows import models

ALONE, PORTS, TCP = "alone", "ports", "tcp"


def carriage_names() -> list[str]:
    """Names of all of them; penalties that were measured need a table, which no name has.

    >>> carriage_names()[:3]
    ['alone', 'ports', 'tcp']
    """
    return [ALONE, PORTS, TCP, *(name for name in models.names() if name != models.MEASURED)]
