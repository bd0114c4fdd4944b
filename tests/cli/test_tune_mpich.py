"""contend tune export for MPICH: its own rules are needed, and two files belong together."""

import json

import pytest

from contend.schedules.libraries import LIBRARIES
from support.decisions import decided, rule

DEVICE = {
    "collective=bcast": {
        "comm_hierarchy=parent": {"composition=MPIDI_Bcast_intra_composition_alpha": {}},
        "comm_hierarchy=any": {"composition=MPIDI_Bcast_intra_composition_gamma": {}},
    }
}
OWN = {"collective=bcast": {"comm_type=intra": {"algorithm=MPIR_Bcast_intra_binomial": {}}}}


@pytest.fixture
def decisions(tmp_path):
    path = tmp_path / "decisions.json"
    decided(
        rule("bcast", "scatter_ring_allgather", m=65536, gain=1.5, points=4),
        library="mpich",
        library_version="5.0.2",
    ).save(path)
    return path


@pytest.fixture
def library(tmp_path):
    path = tmp_path / "libmpi.so.12"
    texts = (
        json.dumps(DEVICE),
        json.dumps(OWN),
        "algorithm=MPIR_Bcast_intra_scatter_ring_allgather",
    )
    path.write_bytes(b"\x7fELF\0" + b"\0".join(text.encode() for text in texts) + b"\0")
    return path


def test_two_files_and_their_variables_are_written(contend, decisions, library, tmp_path):
    rules = tmp_path / "rules.json"
    words = ["tune", "export", decisions, "--library", "mpich", "--default", library]
    told = contend(*words, "-o", rules)
    told.prints(f"export MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE={rules}\n")
    device = f"{rules}.device.json"
    assert f"export MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE={device}\n" in told.out
    level = json.loads(rules.read_text())["collective=bcast"]["comm_type=intra"]["comm_size=any"]
    assert list(level) == ["avg_msg_size<=65535", "avg_msg_size=any"]
    for name, value in LIBRARIES.get("mpich").alongside.items():
        assert f"export {name}={value}\n" in told.out
    about = (tmp_path / "rules.json.about.txt").read_text()
    assert "65536 bytes and more: scatter_ring_allgather, 1.5 times as fast" in about


def test_the_second_file_goes_with_the_rules_that_need_it(contend, decisions, library, tmp_path):
    rules = tmp_path / "rules.json"
    words = ("--library", "mpich", "--default", library, "-o", rules)
    contend("tune", "export", decisions, *words)
    device = tmp_path / "rules.json.device.json"
    assert device.is_file()
    rules.unlink()
    held = tmp_path / "held.json"
    decided(rule("bcast", "default"), library="mpich", library_version="5.0.2").save(held)
    told = contend("tune", "export", held, *words)
    assert told.code == 0
    assert not device.exists()
    assert "CH4_COLL_SELECTION" not in told.out


def test_without_a_library_the_error_says_how_to_name_it(contend, decisions, monkeypatch, tmp_path):
    monkeypatch.setattr(
        "contend.tune.exports.csel.library_trees._folders", lambda mpicc: [tmp_path / "none"]
    )
    contend("tune", "export", decisions, "--library", "mpich").fails("--default FILE")
