"""Contention signatures: how far an all-to-all is from the contention-free bound."""

from contend.signature.form import FORMS, FittedForm, Form, PointToPoint

__all__ = ["FORMS", "FittedForm", "Form", "PointToPoint"]
