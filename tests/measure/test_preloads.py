"""What ranks of a comparison preload, whatever the user's environment has."""

from pathlib import Path

import pytest

from contend.measure.exchange.bench import preloaded, unset

LIBRARY = Path("/cache/new/libcontend.so")
OLD = "/cache/old/libcontend.so"


@pytest.mark.parametrize(
    ("there", "is_wanted", "found"),
    [
        (None, False, {}),
        (None, True, {"LD_PRELOAD": str(LIBRARY)}),
        ("/lib/tool.so", False, {}),  # it stays as it is
        ("/lib/tool.so", True, {"LD_PRELOAD": f"{LIBRARY}:/lib/tool.so"}),
        (f"{OLD} /lib/tool.so", False, {"LD_PRELOAD": "/lib/tool.so"}),
        (f"/lib/tool.so:{OLD}", True, {"LD_PRELOAD": f"{LIBRARY}:/lib/tool.so"}),
        (OLD, False, {"LD_PRELOAD": ""}),
    ],
)
def test_the_library_is_there_for_those_alone_who_need_it(monkeypatch, there, is_wanted, found):  # type: ignore[no-untyped-def]
    if there is None:
        monkeypatch.delenv("LD_PRELOAD", raising=False)
    else:
        monkeypatch.setenv("LD_PRELOAD", there)
    assert preloaded(LIBRARY, is_wanted, lab=None) == found


def test_the_users_wishes_are_not_those_of_a_comparison(monkeypatch):  # type: ignore[no-untyped-def]
    monkeypatch.setenv("CONTEND_EXCHANGE_CHECK", "0")
    monkeypatch.setenv("CONTEND_EXCHANGE_MEMORY", "1")
    monkeypatch.setenv("CONTEND_EXCHANGE_HOST", "a1")
    assert unset() == ["-u", "CONTEND_EXCHANGE_CHECK", "-u", "CONTEND_EXCHANGE_MEMORY"]
