"""Plug-ins found by looking: one module in a folder, or an entry point of another package.

A kind of plug-in (a reader, a signature form) is a base class and a folder. Every concrete
subclass that a module of the folder defines is an entry, under its `name`. Nothing is listed by
hand, so adding one costs one file.
"""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from functools import cached_property
from importlib.metadata import entry_points
from typing import Any, Generic, TypeVar

from contend.base.errors import InvalidInputError
from contend.base.near_names import choose_from

T = TypeVar("T")


class Registry(Generic[T]):
    """The entries of one kind, by name, in alphabetical order.

    `package` is the folder of ours; `group` the entry points of others, which stays when the
    folder moves.
    """

    def __init__(self, kind: str, base: type[Any], package: str, *, group: str = "") -> None:
        self.kind = kind
        self.base = base
        self.package = package
        self.group = group or package

    @cached_property
    def _entries(self) -> dict[str, T]:
        entries: dict[str, T] = {}
        for member in self._subclasses():
            name: str = member.name
            if name in entries and type(entries[name]) is not member:
                raise InvalidInputError(
                    f"two {self.kind}s are named {name!r}: "
                    f"{type(entries[name]).__module__} and {member.__module__}",
                    "rename one",
                )
            entries[name] = member()
        return dict(sorted(entries.items()))

    def _subclasses(self) -> Iterator[type[Any]]:
        package = importlib.import_module(self.package)
        for submodule in pkgutil.iter_modules(package.__path__):
            module = importlib.import_module(f"{self.package}.{submodule.name}")
            for _, member in inspect.getmembers(module, inspect.isclass):
                is_entry = issubclass(member, self.base) and not inspect.isabstract(member)
                if member.__module__ == module.__name__ and is_entry:
                    yield member
        for point in entry_points(group=self.group):
            yield point.load()

    def names(self) -> list[str]:
        return list(self._entries)

    def all(self) -> list[T]:
        """Return all entries in the order of their names."""
        return list(self._entries.values())

    def get(self, name: str) -> T:
        """The entry of that name; the error for an unknown one lists those there are."""
        try:
            return self._entries[name]
        except KeyError:
            raise InvalidInputError(
                f"no {self.kind} is named {name!r}", choose_from(name, self._entries)
            ) from None
