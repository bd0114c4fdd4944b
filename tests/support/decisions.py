"""Decisions for tests: rules of which only what matters is said."""

from typing import Any

from contend.tune.choose.rules import Decisions, Rule


def rule(operation: str, algorithm: str, **further: Any) -> Rule:
    """A rule from 2 processes and 0 bytes on, unless said otherwise."""
    about = {"operation": operation, "n": 2, "m": 0, "algorithm": algorithm, "why": ""}
    return Rule(**about | further)


def decided(*rules: Rule, **further: Any) -> Decisions:
    """Decisions on a network that is not there."""
    about = {"network": "test", "date": "2026-11-24", "contend": "1.0", "library": "openmpi"}
    return Decisions(**about | further, rules=rules)
