"""Ranges of a rule in words."""

from contend.choose.rules import Rule
from contend.units import format_bytes


def counts(rule: Rule) -> str:
    """Its numbers of processes."""
    if rule.n_to is None:
        return f"{rule.n} and more"
    return str(rule.n) if rule.n_to == rule.n + 1 else f"{rule.n} to {rule.n_to - 1}"


def sizes(rule: Rule) -> str:
    """Its sizes, to two digits: rules end between sizes that were measured."""
    if rule.m_to is None:
        return f"{_about(rule.m)} and more"
    first, last = _about(rule.m), _about(rule.m_to - 1)
    return first if first == last else f"{first} to {last}"


def _about(size: int) -> str:
    """A size to two digits of its unit.

    >>> _about(23171), _about(131072), _about(0)
    ('23 KiB', '128 KiB', '0 B')
    """
    unit = 1024 ** max((size.bit_length() - 1) // 10, 0)
    in_units = size / unit
    return format_bytes(unit * (round(in_units) if in_units >= 10 else round(in_units, 1)))
