import itertools
import sys
from abc import ABC, abstractmethod
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import contend
import layout
from contend.base import registry
from contend.base.errors import InvalidInputError
from contend.base.registry import Registry
from contend.models.signature import FORMS
from contend.samples.reader import READERS


class Animal(ABC):
    """The kind of plug-in that these tests are about."""

    name: str

    @abstractmethod
    def sound(self): ...


class Foreign(Animal):
    """A plug-in of another package."""

    name = "foreign"

    def sound(self):
        return "moo"


PLUG_IN = """
from test_registry import Animal

class {kind}(Animal):
    name = "{name}"

    def sound(self):
        return "{name}"
"""
package_numbers = itertools.count()


class Zoo:
    """A package of plug-ins, one file each."""

    def __init__(self, folder):
        self.package = f"zoo{next(package_numbers)}"
        self.folder = folder / self.package
        self.folder.mkdir()
        (self.folder / "__init__.py").touch()

    def add(self, file, name, text=PLUG_IN):
        (self.folder / f"{file}.py").write_text(text.format(kind=file.capitalize(), name=name))

    def registry(self):
        return Registry("animal", Animal, self.package)


@pytest.fixture
def zoo(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    made = Zoo(tmp_path)
    made.add("dog", "dog")
    made.add("cat", "cat")
    return made


def test_one_file_is_one_entry_and_names_are_in_order(zoo):
    assert zoo.registry().names() == ["cat", "dog"]
    assert [animal.sound() for animal in zoo.registry().all()] == ["cat", "dog"]
    zoo.add("bee", "bee")
    animals = zoo.registry()
    assert animals.names() == ["bee", "cat", "dog"]
    assert animals.get("dog") is animals.get("dog") is animals.all()[2]  # made once
    with pytest.raises(InvalidInputError, match="no animal is named 'cow'; choose from bee, cat"):
        animals.get("cow")


def test_abstract_imported_and_unrelated_classes_are_no_entries(zoo):
    zoo.add("bird", "bird", PLUG_IN + "\nclass Wings:\n    name = 'wings'\n")
    zoo.add("fish", "", "from abc import ABC\nfrom test_registry import Animal, Foreign\n"
            "class Fish(Animal, ABC):\n    name = 'fish'\n")  # fmt: skip
    assert zoo.registry().names() == ["bird", "cat", "dog"]


def test_two_of_a_name_are_an_error_that_names_both_modules(zoo):
    zoo.add("wolf", "dog")
    with pytest.raises(
        InvalidInputError, match=rf"two animals are named 'dog': {zoo.package}\.dog and .*\.wolf"
    ):
        zoo.registry().names()


def serve(monkeypatch, group, *values):
    """Pretend that an installed package offers `values` in an entry point group."""
    points = [EntryPoint(value.rpartition(":")[2], value, group) for value in values]

    def entry_points(group):
        return [point for point in points if point.group == group]

    monkeypatch.setattr(registry, "entry_points", entry_points)


def test_another_package_adds_an_entry_by_an_entry_point(zoo, monkeypatch):
    serve(monkeypatch, zoo.package, "test_registry:Foreign")
    assert zoo.registry().names() == ["cat", "dog", "foreign"]
    assert zoo.registry().get("foreign").sound() == "moo"
    serve(monkeypatch, "another.group", "test_registry:Foreign")
    assert zoo.registry().names() == ["cat", "dog"]
    serve(monkeypatch, zoo.package, f"{zoo.package}.cat:Cat")  # which the folder holds already
    assert zoo.registry().names() == ["cat", "dog"]
    monkeypatch.setattr(Foreign, "name", "cat")  # which is taken
    serve(monkeypatch, zoo.package, "test_registry:Foreign")
    with pytest.raises(InvalidInputError, match="two animals are named 'cat'"):
        zoo.registry().names()


@pytest.mark.parametrize("found", [READERS, FORMS], ids=lambda found: found.kind)
def test_every_file_of_a_plug_in_folder_is_an_entry(found):
    folder = Path(contend.__file__).parent.joinpath(*found.package.split(".")[1:])
    files = sorted(file.stem for file in folder.glob("[!_]*.py"))
    assert [type(entry).__module__.rpartition(".")[2] for entry in found.all()] == files
    assert found.names() == files


def test_what_others_registered_is_found_wherever_our_own_stands(zoo, monkeypatch):
    serve(monkeypatch, "animals", "test_registry:Foreign")
    assert zoo.registry().names() == ["cat", "dog"]
    found = Registry("animal", zoo.registry().base, zoo.package, group="animals")
    assert found.names() == ["cat", "dog", "foreign"]


def test_the_groups_of_entry_points_stay():
    """Other packages name them."""
    assert {one.group.removeprefix("contend.") for one in layout.registries()} == {
        "explanation.kinds", "exports.formats", "fitting.estimators", "flows.readers",
        "interchange.formats", "jobs.schedulers", "libraries", "replay.whatifs",
        "samples.readers", "signature.forms", "topologies.kinds", "topologies.routings",
        "traces.readers", "traces.writers",
    }  # fmt: skip
