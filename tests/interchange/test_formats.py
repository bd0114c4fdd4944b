"""A format is one file in a folder."""

import sys
from pathlib import Path

import pytest

import contend.export.formats
from contend.base.registry import Registry
from contend.export import FORMATS, Wanted
from contend.samples import SampleStore
from support.measurement import Measure
from support.networks import network, saved

DUMMY = '''
from contend.export.format import NetworkFormat, Written


class Dummy(NetworkFormat):
    """The name alone."""

    name = "dummy"
    title = "Dummy"
    example = "network.json"

    def of_network(self, network, wanted):
        return Written(network.name)

    def recognises(self, text):
        return True
'''


def test_a_format_added_as_one_file_is_listed_and_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dummy.py").write_text(DUMMY)
    package = contend.export.formats
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])
    registry = Registry(FORMATS.kind, FORMATS.base, FORMATS.package)
    file = saved(tmp_path / "network.json", network(None, name="its name"))
    try:
        assert registry.names() == sorted([*FORMATS.names(), "dummy"])
        assert registry.get("dummy").write(file, Wanted()).text == "its name"
    finally:
        sys.modules.pop(f"{package.__name__}.dummy", None)
        vars(package).pop("dummy", None)


@pytest.mark.parametrize("name", FORMATS.names())
def test_a_format_says_what_it_is_and_takes_only_what_there_is(name: str) -> None:
    format = FORMATS.get(name)
    assert format.title
    assert format.example.startswith(("samples.jsonl", "network.json"))
    assert format.takes <= set(Wanted.__dataclass_fields__)


@pytest.mark.parametrize("name", FORMATS.names())
def test_a_format_recognises_what_it_writes(name: str, measure: Measure, tmp_path) -> None:
    known, format = measure(), FORMATS.get(name)
    with SampleStore(tmp_path / "samples.jsonl") as store:
        store.extend(known.samples)
    known.network.save(tmp_path / "network.json")
    file = "samples.jsonl" if name in ("csv", "extrap") else "network.json"
    operation = "alltoall" if name == "extrap" else None
    written = format.write(tmp_path / file, Wanted(operation=operation))
    assert format.recognises(written.text)
    assert not any(
        format.recognises((tmp_path / f).read_text()) for f in ("samples.jsonl", "network.json")
    )
    assert not format.recognises("")
