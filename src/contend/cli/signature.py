"""A command's function as typer takes it: options in bundles, and a result that is printed."""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from inspect import Parameter
from typing import Annotated, Any, get_type_hints

import typer

from contend.api import operation_of
from contend.cli import output
from contend.cli.result import Result, show

AS_JSON = "as_json"
OPERATIONS = {"operation", "collective", "collectives"}  # parameters that name some
_JSON = Parameter(
    AS_JSON,
    Parameter.KEYWORD_ONLY,
    default=False,
    annotation=Annotated[bool, typer.Option("--json", hidden=True)],  # `contend --help` shows it,
)


def prepared(function: Callable[..., Any]) -> Callable[..., None]:
    """Return the function for typer.

    A parameter that is a dataclass stands for its fields, each an option or an argument. Where
    the function returns a `Result`, it is printed, as JSON where --json is given.
    """
    hints = get_type_hints(function, include_extras=True)
    bundles: dict[str, Any] = {
        name: hint for name, hint in hints.items() if is_dataclass(hint) and name != "return"
    }
    parameters = [
        parameter.replace(annotation=hints[name], kind=Parameter.KEYWORD_ONLY)
        for name, parameter in inspect.signature(function).parameters.items()
        if name not in bundles
    ]
    parameters += [parameter for bundle in bundles.values() for parameter in _fields(bundle)]
    has_result = hints.get("return") is Result
    if has_result:
        parameters.append(_JSON)

    @wraps(function)
    def run(**given: Any) -> None:
        as_json = has_result and (given.pop(AS_JSON) or output.is_json)
        for name, bundle in bundles.items():
            taken = {field.name: given.pop(field.name) for field in fields(bundle)}
            given[name] = bundle(**taken)
        for name in OPERATIONS & given.keys():
            given[name] = _operations(given[name])
        result = function(**given)
        if has_result:
            show(result, as_json=as_json)

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _operations(named: Any) -> Any:
    """Return operations that are named as in MPI by contend's names."""
    if isinstance(named, list):
        return list(map(operation_of, named))
    return operation_of(named) if isinstance(named, str) else named


def _fields(bundle: Any) -> Iterator[Parameter]:
    """The fields of a bundle, those of its bases last."""
    hints = get_type_hints(bundle, include_extras=True)
    declared = {field.name: field for field in fields(bundle)}
    names = (name for base in bundle.__mro__ for name in vars(base).get("__annotations__", ()))
    for name in dict.fromkeys(name for name in names if name in declared):
        default = Parameter.empty if declared[name].default is MISSING else declared[name].default
        yield Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=hints[name])
