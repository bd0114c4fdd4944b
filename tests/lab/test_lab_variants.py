"""Labs with settings of their own behind a comma."""

import pytest

from contend.base.errors import ContendError
from contend.measure.lab import profiles, read_lab


def test_a_buffer_is_that_of_all_backbones():
    lab = read_lab("lab:three-clusters,buffer=24KiB")
    assert {backbone.buffer for backbone in lab.backbones} == {24 * 1024}
    assert lab.clusters == read_lab("three-clusters").clusters
    assert lab.name == "three-clusters,buffer=24KiB"
    ports = read_lab("fast-ethernet,hosts=4,buffer=16KiB,time_dilation=8")  # without backbones
    assert (ports.clusters[0].hosts, ports.clusters[0].buffer, ports.time_dilation) == (4, 16384, 8)


def test_a_file_can_be_varied_and_may_have_a_comma_in_its_name(tmp_path):
    path = tmp_path / "a,b.toml"
    path.write_text(
        '[[clusters]]\nname = "node"\nhosts = 2\nrate = "8Mbit/s"\nbuffer = "64KiB"\n'
        'latency = "1ms"\n'
    )
    assert read_lab(str(path)).name == "a,b"
    plain = path.rename(tmp_path / "c.toml")
    assert read_lab(f"{plain},hosts=3").clusters[0].hosts == 3


def test_a_lab_with_flow_control_is_had_of_each_that_ships():
    for name in profiles():
        lab = read_lab(f"{name},flow_control=credits")
        assert lab.has_credits
        assert lab.clusters == read_lab(name).clusters


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("two-clusters,speed=4", "'speed=4' is no setting of a lab"),
        ("two-clusters,buffer", "'buffer' is no setting of a lab"),
        ("two-clusters,hosts=many", "two-clusters,hosts=many: .*hosts"),
        ("two-clusters,buffer=many", "two-clusters,buffer=many: buffer"),
        ("two-clusters,flow_control=pause", "flow_control: input should be 'none' or 'credits'"),
        ("no-clusters,hosts=2", "no lab is named 'no-clusters'"),
    ],
)
def test_a_wrong_setting_is_named(name, reason):
    with pytest.raises(ContendError, match=reason):
        read_lab(name)
