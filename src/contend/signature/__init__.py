"""Contention signatures: how far an all-to-all is from the contention-free bound."""

from contend.signature.exchanges import EXCHANGES, require_exchange
from contend.signature.form import DEFAULT_FORM, FORMS, FittedForm, Form, PointToPoint

__all__ = [
    "DEFAULT_FORM",
    "EXCHANGES",
    "FORMS",
    "FittedForm",
    "Form",
    "PointToPoint",
    "require_exchange",
]
