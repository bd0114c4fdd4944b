"""Packed blocks: how large they are, and that they hold what was recorded."""

from __future__ import annotations

import tarfile
import warnings
from dataclasses import replace

import numpy as np
import pytest
from benchmarks.trace_size import (
    KEPT,
    RUN,
    bytes_per_call,
    compile_words,
    copy_trace,
    seconds,
    written_anew,
)

from contend.base.errors import FileFormatError
from contend.programs.traces.reader import read_trace
from contend.programs.traces.recording.blocks import sums_of
from contend.programs.traces.recording.files import RankFile, read_rank, read_title
from contend.programs.traces.recording.shapes import RECORD, Unpacker, UnsoundError

SANITIZED = ("-O1", "-Wall", "-Werror", "-fsanitize=address,undefined", "-fno-sanitize-recover")
KINDS = ("Send", "Isend", "Recv", "Irecv", "Wait", "Waitall", "Test", "Barrier", "Allreduce",
         "File_write", "Alltoallv", "Start", "Send_init", "communicator", "clock")  # fmt: skip
WAITS = [KINDS.index(name) for name in ("Wait", "Waitall", "Test")]
POLL, ENDS = 256, 16384
STEPS = 10_000
TICK = 16  # ns
MARK = b"contbl3\n"


@pytest.fixture(scope="session")
def recode(mpi, compiled):
    """The recorder's own files as a program that writes records anew."""
    return compiled(*compile_words(mpi.mpicc, *SANITIZED))


def random_file(seed: int, path) -> RankFile:
    """Records as no program makes them, some of them in patterns, of several threads."""
    random = np.random.default_rng(seed)
    shapes, count = int(random.choice([1, 3, 40, 5000])), int(random.integers(1, 5000))
    if seed == 5:  # groups that just have columns of their own
        shapes, count = 40, 40 * 16 + 1
    if seed == 6:  # more shapes than are kept
        shapes = count = 30_000
    if seed == 7:
        shapes, count = 8, 3000
    table = np.zeros(shapes, RECORD)
    for name, most in (("bytes", 1 << 40), ("received", 1 << 20), ("comm", 9), ("tag", 1 << 31)):
        table[name] = (most ** random.random(shapes)).astype(np.int64) - 1
    table["peer"] = random.integers(-4, 100, shapes)
    table["kind"] = random.integers(len(KINDS), size=shapes)
    table["flags"] = random.integers(1 << 13, size=shapes) & ~POLL
    table["flags"][table["kind"] == KINDS.index("Test")] |= POLL
    table["received"][table["kind"] == KINDS.index("Start")] %= len(KINDS)
    table["thread"] = random.integers(3, size=shapes)
    is_wait = np.isin(table["kind"], WAITS)
    has_words = random.random(shapes) < 0.3
    table["words"] = np.where(is_wait, 4, 1) * np.where(has_words, random.integers(0, 9, shapes), 0)
    if seed == 7:  # shapes that differ in one field
        table = np.repeat(table[:1], shapes)
        table["kind"] = table["flags"] = table["words"] = 0
        for row, name in enumerate(("kind", "comm", "peer", "tag", "bytes", "received", "thread")):
            table[name][row] += 1
    order = (
        np.arange(count) % shapes if seed % 2 and seed < 7 else random.integers(shapes, size=count)
    )
    records = table[order]
    asks = (random.random(count) < 0.4) & (seed != 5)
    polls = records["flags"] & POLL != 0  # those in a row and alike become one
    records["comm"][polls] = np.arange(int(polls.sum())) % 7
    requests = np.cumsum(asks) + random.integers(0, 3, count) + (1 << 32) - count // 8
    records["request"] = np.where(asks, requests % (1 << 32), 0)  # which begin anew at 0
    took = (10 ** random.uniform(0, 7, count)).astype(np.int64)
    gap = (10 ** random.uniform(0, random.choice([3, 7]), count)).astype(np.int64)
    if seed == 5:
        took, gap = took // 100, gap // 100  # in one block, which a second would end
    records["end"] = 10**12 + np.cumsum(gap + np.where(records["thread"] > 0, 1, took))
    records["end"] -= np.where(random.random(count) < 0.1, 2000, 0)  # threads note in any order
    records["start"] = records["end"] - took
    sizes = records["words"].astype(np.int64)
    first = np.cumsum(sizes) - sizes
    words = (2.0 ** random.uniform(0, 40, int(sizes.sum()))).astype(np.int64)
    words *= random.choice([-1, 1], words.size)
    words[np.repeat(np.isin(records["kind"], WAITS), sizes)] %= 1 << 20
    return RankFile(path, 0, "here", KINDS, records, first, words)


def read_anew(recode, file: RankFile, folder) -> RankFile:
    folder.mkdir(exist_ok=True)
    written_anew(recode, file, 1, folder)
    (folder / "trace.txt").write_text(f"contend trace 3\nranks 1\nrun {RUN}\nlibrary none\n")
    return read_rank(folder, 0, read_title(folder))


@pytest.mark.parametrize("seed", range(8))
def test_records_are_read_as_they_were(recode, tmp_path, seed):
    before = random_file(seed, tmp_path)
    after = read_anew(recode, before, tmp_path / "trace")
    assert not after.damage
    ours = after.records[~after.is_kind("flush")]  # which the recorder adds where it writes
    theirs = before.records.copy()
    assert [after.kinds[kind] for kind in ours["kind"]] == [KINDS[kind] for kind in theirs["kind"]]
    theirs["flags"][np.isin(theirs["kind"], WAITS) & (theirs["words"] > 0)] |= ENDS
    is_start = theirs["kind"] == KINDS.index("Start")
    for name in ("flags", "comm", "peer", "tag", "bytes", "request", "words", "thread"):
        assert ours[name].tolist() == theirs[name].tolist(), name
    for name in ("start", "end"):
        assert ours[name].tolist() == (theirs[name] // TICK * TICK).tolist(), name
    assert ours["received"][~is_start].tolist() == theirs["received"][~is_start].tolist()
    makers = [after.kinds.index(KINDS[kind]) if KINDS[kind] in after.kinds else -1
              for kind in theirs["received"][is_start]]  # fmt: skip
    assert all(maker in (-1, given) for maker, given in zip(
        makers, ours["received"][is_start].tolist(), strict=True))  # fmt: skip
    assert after.words.tolist() == before.words.tolist()


def small(recode, folder):
    """A trace of one rank in several blocks, as bytes."""
    file = random_file(2, folder)
    records = file.records[:12].copy()
    records["end"] += np.arange(12) * 400_000_000
    records["start"] += np.arange(12) * 400_000_000
    whole = read_anew(recode, replace(file, records=records, first=file.first[:12]), folder)
    data = (folder / "rank-0.trace").read_bytes()
    assert data.count(MARK) >= 4
    return whole, data


def test_a_file_cut_anywhere_has_the_records_before(recode, tmp_path):
    whole, data = small(recode, tmp_path)
    counts = []
    for length in range(0, len(data), 3):
        (tmp_path / "rank-0.trace").write_bytes(data[:length])
        part = read_rank(tmp_path, 0, read_title(tmp_path))
        assert part.cut
        assert part.records.tobytes() == whole.records[: part.records.size].tobytes()
        assert part.words.tobytes() == whole.words[: part.words.size].tobytes()
        counts.append(part.records.size)
    assert counts == sorted(counts)
    assert len(set(counts)) >= 4


def test_damage_anywhere_ends_the_file_or_is_an_error(recode, tmp_path):
    whole, data = small(recode, tmp_path)
    for at in range(0, len(data), 3):
        damaged = bytearray(data)
        damaged[at] ^= 1 << at % 8
        (tmp_path / "rank-0.trace").write_bytes(bytes(damaged))
        try:
            part = read_rank(tmp_path, 0, read_title(tmp_path))
        except FileFormatError:
            continue
        assert part.damage
        assert part.records.tobytes() == whole.records[: part.records.size].tobytes()


def first_block(data: bytes) -> tuple[int, bytes]:
    """How many records the first block has, and its content."""
    begin = data.index(MARK)
    count, size = np.frombuffer(data, "u4", 2, begin + 8)
    return int(count), data[begin + 40 : begin + 40 + 8 * int(size)]


def test_content_that_sums_up_and_makes_no_sense_is_no_block(recode, tmp_path):
    _, data = small(recode, tmp_path)
    count, content = first_block(data)
    random = np.random.default_rng(3)
    refused = 0
    for _ in range(500):
        other = bytearray(content)
        for at in random.integers(len(other), size=int(random.integers(1, 4))):
            other[at] = int(random.integers(256))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                records, words = Unpacker().block(memoryview(bytes(other)), count)
            except UnsoundError:
                refused += 1
                continue
        assert (records["first"].astype(np.int64) + records["words"] <= words.size).all()
    assert refused > 50
    for length in range(len(content) - 8):
        with pytest.raises(UnsoundError):
            Unpacker().block(memoryview(content[:length]), count)
    with pytest.raises(UnsoundError):
        Unpacker().block(memoryview(content), 1 << 27)


def test_a_block_that_makes_no_sense_ends_the_file(recode, tmp_path):
    """By a shape that is not there, with the checksum of the recorder."""
    whole, data = small(recode, tmp_path)
    second = data.index(MARK, data.index(MARK) + 1)
    content = bytes([0, 0, 0, 1, 0, 0, 254, 3])
    run = int(RUN, 16)
    summed = np.array([run, 1 << 32 | 1, int.from_bytes(content, "little")], np.uint64)
    head = MARK + np.array([1, 1], "<u4").tobytes()
    head += np.array([run, *sums_of(summed)], "<u8").tobytes()
    (tmp_path / "rank-0.trace").write_bytes(data[:second] + head + content)
    part = read_rank(tmp_path, 0, read_title(tmp_path))
    assert f"cut off at byte {second}" in part.damage
    assert 0 < part.records.size < whole.records.size


def two_receives(kind: int) -> bytes:
    """A block by hand, as the document says it; the kind of MPI_Recv is below 64."""
    # Nothing is forgotten; one kind has its first shape, two shapes are new. By columns: kind,
    # flags 0, comm 1, peer 2 and -4 (the least 2, of one bit 0 and 1, behind which is -6), tag 9,
    # bytes 100, received 0, no request, thread 0, no words.
    shapes = [2, 2 * kind, 0, 0, 0, 2, 0, 4, 1, 0b10, 11, 18, 0, 200, 1, 0, *[0] * 8]
    misses = [2, 0, 0, 0, 2, 0b100]  # both, after no hits: 0 and 1
    times = [2, 2, 0b10, 10, 0]  # before them 3 and 1 steps, in them 5 each
    content = bytes([0, 1, kind, 4, *b"Recv", *shapes, *misses, *times])
    return content + bytes(-len(content) % 8)


def test_a_block_is_laid_out_as_the_document_says(recode, tmp_path):
    records, words = Unpacker().block(memoryview(two_receives(7)), 2)
    assert words.size == 0
    assert records["kind"].tolist() == [7, 7]
    assert records["peer"].tolist() == [2, -4]
    assert records["start"].tolist() == [48, 144]
    assert records["end"].tolist() == [128, 224]
    for name, value in {"comm": 1, "tag": 9, "bytes": 100, "flags": 0, "request": 0}.items():
        assert records[name].tolist() == [value, value]
    records["kind"] = KINDS.index("Recv")
    file = RankFile(tmp_path, 0, "here", KINDS, records, np.zeros(2, np.int64), words)
    kind = read_anew(recode, file, tmp_path).kinds.index("Recv")
    assert first_block((tmp_path / "rank-0.trace").read_bytes()) == (2, two_receives(kind))


@pytest.mark.parametrize("program", ["stencil", "farm"])
def test_a_trace_of_before_and_the_same_packed_are_replayed_alike(recode, tmp_path, program):
    folder = f"fast-ethernet/{program}-0"
    with tarfile.open(KEPT) as archive:
        members = [member for member in archive if member.name.startswith(f"{folder}/")]
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.4
        archive.extractall(tmp_path, members)
    before, after = tmp_path / folder, tmp_path / "anew"
    copy_trace(recode, before, after)
    old, new = read_trace(before), read_trace(after)
    assert [new.calls[call] for call in new.call] == [old.calls[call] for call in old.call]
    for name in (
        "first",
        "kind",
        "peer",
        "tag",
        "bytes",
        "request",
        "list",
        "list_values",
        "asked",
    ):
        assert getattr(new, name).tolist() == getattr(old, name).tolist(), name
    assert np.abs(new.start - old.start).max() <= TICK * 1e-9
    assert np.abs(new.seconds - old.seconds).max() <= TICK * 1e-9
    assert seconds(after) == pytest.approx(seconds(before), rel=1e-4)


@pytest.mark.mpi
@pytest.mark.timeout(120)
def test_a_call_of_a_stencil_takes_two_bytes(record):
    """One rank, as ranks that wait for each other take random times on a busy machine."""
    done = record("steps.c", STEPS, ranks=1)
    assert done.code == 0, done.err
    assert bytes_per_call(done.folder) <= 2
    trace = done.trace
    assert not trace.is_cut
    calls = [trace.calls[call] for call in trace.call]
    assert calls.count("MPI_Isend") == 2 * STEPS
    assert calls.count("MPI_Allreduce") == STEPS
