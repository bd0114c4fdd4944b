"""What the library that was decided on runs by itself where a rule is for."""

from contend.choose.rules import Decisions, Rule
from contend.libraries import LIBRARIES, Version, version_of
from contend.libraries.span import default_words


def default_of_rule(rule: Rule, decisions: Decisions, version: Version = ()) -> str:
    """In words, with the next n at which it is another; empty where it is not known.

    `version` is that of the library, () for the one of the decisions.
    """
    name = decisions.library
    if name not in LIBRARIES.names() or not (version or decisions.library_version):
        return ""
    version = version or version_of(decisions.library_version)
    return default_words(LIBRARIES.get(name), rule.operation, rule.n, rule.m, rule.m_to, version,
                         rule.processes_per_node)  # fmt: skip
