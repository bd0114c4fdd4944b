"""Contention signatures and other forms: time of an operation over n and m, and its fit."""

from contend.models.signature.form import DEFAULT_FORM, FORMS, FittedForm, Form, PointToPoint
from contend.models.signature.operations import (
    EXCHANGES,
    OPERATIONS,
    require_exchange,
    require_operation,
)

__all__ = [
    "DEFAULT_FORM",
    "EXCHANGES",
    "FORMS",
    "OPERATIONS",
    "FittedForm",
    "Form",
    "PointToPoint",
    "require_exchange",
    "require_operation",
]
