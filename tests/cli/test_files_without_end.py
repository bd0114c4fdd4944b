"""What has no end, or never begins, is refused by every command that reads a file."""

import os

import pytest

from support import networks

COMMANDS = """
bound FILE messages.csv
choose FILE bcast -n 4 -m 64
list groups FILE
measure hosts --on FILE
validate FILE messages.csv --schedules
validate network.json FILE --schedules
diff FILE network.json
diff network.json FILE
alltoall plan FILE -o new
alltoall plan network.json --groups FILE -o new
alltoall bench --on FILE
explain FILE -n 4
export csv FILE
fit FILE
fit FILE --at 8 --schedules
validate FILE
draw FILE --bandwidth 1Gbit/s -o new.svg
fit FILE -o new
import FILE -o new
measure messages FILE -o new
solve FILE --bandwidth 1Gbit/s --format csv
solve FILE --bandwidth 1Gbit/s --format json
solve messages.csv --network FILE
solve messages.csv --bandwidth 1Gbit/s --topology FILE
import FILE -o new
import FILE --as reader=osu -o new
import FILE --as reader=pico_archive -o new
plan FILE -n 4
predict FILE -n 4 -m 64
replay FILE --network network.json
replay trace.txt --network FILE
replay trace.txt --network network.json --topology FILE
report FILE -o new
report network.json FILE -o new
sweep FILE --network network.json -o new
sweep trace.txt --network FILE -o new
sweep trace.txt --cases FILE -o new
sweep trace.txt --network network.json --hosts 4 --placement FILE -o new
trace convert FILE --to ti -o new
trace show FILE
trace show FILE -o new.html
tune export FILE --library openmpi-5 -o new
tune lint FILE --library openmpi-5
tune verify FILE -- true
validate FILE messages.csv
validate network.json FILE
""".strip().splitlines()


@pytest.mark.timeout(60)
@pytest.mark.parametrize("kind", ["device", "pipe"])
@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_refuses_it_at_once(contend, tmp_path, monkeypatch, line, kind):
    monkeypatch.chdir(tmp_path)
    networks.write(tmp_path / "network.json", networks.plogp())
    (tmp_path / "messages.csv").write_text("src,dst,bytes\n0,1,8\n")
    (tmp_path / "trace.txt").write_text("0 send 1 0 8\n1 recv 0 0 8\n")
    if kind == "pipe":
        os.mkfifo("endless")  # to which nothing writes
    else:
        (tmp_path / "endless").symlink_to(os.devnull)
    outcome = contend(*line.replace("FILE", "endless").split())
    assert outcome.code in (1, 2), outcome
    assert "endless" in outcome.err
    assert "Traceback" not in outcome.err
